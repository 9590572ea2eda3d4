/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "resctrl_value.h"
#include "text.h"

#define NO_DOMAINS "the monitoring group shows no L3 domain"
#define WENT_BACK  "the memory bandwidth counter went backwards"

const char *intp_parse_resctrl_value(const char *text, uint64_t *value)
{
	if (intp_parse_number(text, value))
		return NULL;
	if (strncmp(text, "Unavailable", 11) == 0)
		return "resctrl says Unavailable: the hardware has no value at present";
	if (strncmp(text, "Error", 5) == 0)
		return "resctrl says Error: the hardware refuses the value";
	if (strncmp(text, "Unassigned", 10) == 0)
		return "resctrl says Unassigned: no hardware counter is assigned to the group";
	return "resctrl shows no number";
}

void intp_resctrl_read(const char *mon_data, const char *event, struct intp_resctrl_reading *reading)
{
	char file[1024], text[64];
	*reading = (struct intp_resctrl_reading){.failed = NO_DOMAINS};
	DIR *directory = opendir(mon_data);
	struct dirent *entry;
	while (directory && reading->count < INTP_RESCTRL_DOMAINS && (entry = readdir(directory))) {
		uint64_t domain;
		if (strncmp(entry->d_name, "mon_L3_", 7) != 0 || !intp_parse_number(entry->d_name + 7, &domain))
			continue;
		snprintf(file, sizeof(file), "%s/%s", entry->d_name, event);
		uint64_t *value = &reading->values[reading->count];
		ssize_t got = intp_read(dirfd(directory), file, text, sizeof(text));
		reading->failed =
			got < 0 ? "a value file of resctrl is not readable" : intp_parse_resctrl_value(text, value);
		if (reading->failed)
			break;
		reading->domains[reading->count++] = (int)domain;
	}
	if (directory)
		closedir(directory);
}

const char *intp_resctrl_growth(const struct intp_resctrl_reading *from, const struct intp_resctrl_reading *to,
				double *bytes)
{
	*bytes = 0;
	if (from->count != to->count)
		return "the L3 domains changed";
	for (size_t i = 0; i < to->count; i++) {
		size_t j = 0;
		while (j < from->count && from->domains[j] != to->domains[i])
			j++;
		if (j == from->count)
			return "the L3 domains changed";
		if (to->values[i] < from->values[j])
			return WENT_BACK;
		*bytes += (double)(to->values[i] - from->values[j]);
	}
	return NULL;
}

double intp_resctrl_sum(const struct intp_resctrl_reading *reading)
{
	double bytes = 0;
	for (size_t i = 0; i < reading->count; i++)
		bytes += (double)reading->values[i];
	return bytes;
}
