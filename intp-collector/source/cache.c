/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache.h"
#include "text.h"

#define INDICES 16

/* The first CPU that shares a cache names it: unlike `id`, every kernel has it. */
struct domains {
	struct intp_ids first_cpus;
	double bytes;
};

bool intp_parse_cache_size(const char *text, double *bytes)
{
	uint64_t size;
	if (!intp_scan(&text, &size) || size == 0)
		return false;
	double unit = 1;
	if (*text == 'K')
		unit = 1024;
	else if (*text == 'M')
		unit = 1024 * 1024;
	else if (*text == 'G')
		unit = 1024 * 1024 * 1024;
	text += unit > 1;
	if (text[strspn(text, " \t\n")])
		return false;
	*bytes = (double)size * unit;
	return true;
}

static void keep_first(void *context, int cpu)
{
	int *first = context;
	if (*first < 0)
		*first = cpu;
}

static int add_domain(struct domains *domains, int index)
{
	char text[4096];
	uint64_t level;
	double bytes;
	int first = -1;
	if (intp_read_number(index, "level", &level) < 0 || level != 3)
		return 0;
	if (intp_read(index, "size", text, sizeof(text)) < 0 || !intp_parse_cache_size(text, &bytes))
		return 0;
	if (intp_read(index, "shared_cpu_list", text, sizeof(text)) < 0 ||
	    intp_parse_cpus(text, keep_first, &first) < 0)
		return 0;
	for (size_t i = 0; i < domains->first_cpus.count; i++)
		if (domains->first_cpus.ids[i] == first)
			return 0;
	domains->bytes += bytes;
	return intp_ids_add(&domains->first_cpus, first);
}

struct walk {
	const char *sys;
	struct domains domains;
};

static void visit_cpu(void *context, int cpu)
{
	struct walk *walk = context;
	for (int i = 0; i < INDICES; i++) {
		char path[4096];
		snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/cache/index%d", walk->sys, cpu, i);
		int index = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (index < 0)
			return;
		add_domain(&walk->domains, index);
		close(index);
	}
}

int intp_l3_read(const char *sys, struct intp_l3 *l3)
{
	struct walk walk = {.sys = sys};
	char path[4096], online[4096];
	snprintf(path, sizeof(path), "%s/devices/system/cpu/online", sys);
	if (intp_read(AT_FDCWD, path, online, sizeof(online)) >= 0)
		intp_parse_cpus(online, visit_cpu, &walk);
	*l3 = (struct intp_l3){.bytes = walk.domains.bytes, .domains = (int)walk.domains.first_cpus.count};
	intp_ids_free(&walk.domains.first_cpus);
	return l3->domains ? 0 : -ENOENT;
}
