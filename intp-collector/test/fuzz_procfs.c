/* SPDX-License-Identifier: Apache-2.0 */
/* Every parser of a text that the kernel or an operator writes, on any text at all. */
#include <stdlib.h>
#include <string.h>

#include "../publish/attribution.h"
#include "../publish/permission.h"
#include "../source/cache.h"
#include "../source/group.h"
#include "../source/resident.h"
#include "../source/procfs.h"
#include "../source/resctrl_value.h"
#include "../source/text.h"
#include "../source/uncore.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ascends(void *context, int cpu)
{
	int *last = context;
	if (cpu <= *last)
		abort();
	*last = cpu;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';

	struct intp_stat stat;
	struct intp_io io;
	struct intp_disk disk;
	struct intp_ids ids = {0};
	uint64_t first, second;
	double bytes;
	int last = -1;
	if (intp_parse_stat(text, &stat) && (stat.pid < 0 || stat.parent < 0 || stat.session < 0))
		abort();
	intp_parse_schedstat(text, &first, &second);
	if (intp_parse_io(text, &io) && io.read < 0)
		abort();
	if (intp_parse_disk(text, &disk) && (!disk.name[0] || disk.read_bytes % 512))
		abort();
	intp_parse_cpus(text, ascends, &last);
	if (intp_parse_cache_size(text, &bytes) && bytes <= 0)
		abort();
	intp_parse_resctrl_value(text, &first);
	intp_parse_number(text, &first);
	if (intp_parse_uncore_event(text, &first) && first > 0xffff)
		abort();
	if (intp_parse_ids(text, &ids) == 0) {
		intp_ids_sort(&ids);
		for (size_t i = 0; i < ids.count; i++)
			if (ids.ids[i] <= 0 || (i && ids.ids[i] <= ids.ids[i - 1]))
				abort();
	}
	intp_ids_free(&ids);
	intp_parse_statm(text, &first, &second);
	intp_parse_pressure(text, "some ", &first);
	intp_parse_named(text, "total_rss ", &first);
	intp_status_is_of(text, 990);
	if (intp_is_yarns(text) && !intp_names_container(text, size, text))
		abort();
	free(text);
	return 0;
}
