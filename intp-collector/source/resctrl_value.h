/* SPDX-License-Identifier: Apache-2.0 */
/* The values that a resctrl monitoring group shows for each L3 domain. Thread-safe. */
#ifndef INTP_RESCTRL_VALUE_H
#define INTP_RESCTRL_VALUE_H

#include <stddef.h>
#include <stdint.h>

#define INTP_RESCTRL_DOMAINS 64

/* What a group's domains showed of one event. */
struct intp_resctrl_reading {
	const char *failed; /* why there is none */
	size_t count;
	int domains[INTP_RESCTRL_DOMAINS];
	uint64_t values[INTP_RESCTRL_DOMAINS];
};

/* Parses a value file's text. Returns NULL with the number, or why there is none; static. */
const char *intp_parse_resctrl_value(const char *text, uint64_t *value);

/* Reads an event of every domain; below the directory `mon_data`, a domain is mon_L3_ and its number. */
void intp_resctrl_read(const char *mon_data, const char *event, struct intp_resctrl_reading *reading);

/*
 * The growth over all domains, in bytes: returns NULL with it, or why the window has none: a counter went backwards,
 * or the domains changed.
 */
const char *intp_resctrl_growth(const struct intp_resctrl_reading *from, const struct intp_resctrl_reading *to,
				double *bytes);

/* The values of all domains together. */
double intp_resctrl_sum(const struct intp_resctrl_reading *reading);

#endif
