/* SPDX-License-Identifier: Apache-2.0 */
/* A command line is taken with everything in its range, or refused with one sentence. Words are cut at line ends. */
#include "../cmd/accounts.c"
#include "../cmd/help.c"
#include "../cmd/options.c"
#include "fuzz.h"

#define WORDS 24

static void must_be_in_range(const struct intp_options *options)
{
	must_hold(options->socket && options->socket[0] && options->file && options->file[0]);
	must_hold(options->max_watches >= 1 && options->max_watches <= INTP_MAX_WATCHES);
	must_hold(options->pid_count >= 0 && options->pid_count <= INTP_MAX_PIDS);
	for (int i = 0; i < options->pid_count; i++)
		must_hold(options->pids[i] > 0);
	must_hold(isfinite(options->cpus) && options->cpus >= 0 && isfinite(options->nic_bits) &&
		  options->nic_bits >= 0 && isfinite(options->memory_bandwidth) && options->memory_bandwidth >= 0);
	must_hold(options->interval >= 0.1 && options->interval <= 3600 && options->count >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *words[WORDS + 2] = {"intpd"}, *rest = text, *word, message[512] = "";
	struct intp_options options;
	unsigned int id;
	int count = 1;

	must_hold(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	while (count <= WORDS && (word = strsep(&rest, "\n")))
		words[count++] = word;
	if (intp_options_parse(count, words, &options, message, sizeof(message)))
		must_be_in_range(&options);
	else
		must_hold(message[0] != '\0');
	if (read_id(text, &id))
		must_hold(id != 0xffffffff);
	free(text);
	return 0;
}
