/* SPDX-License-Identifier: Apache-2.0 */
/* The L3 caches of the machine, from sysfs. Thread-safe. */
#ifndef INTP_CACHE_H
#define INTP_CACHE_H

#include <stdbool.h>

struct intp_l3 {
	double bytes; /* of all domains together */
	int domains;  /* separate L3 caches */
};

/* Parses a size such as "32768K" or "32M"; false if it is not one or is 0. */
bool intp_parse_cache_size(const char *text, double *bytes);

/* Returns 0, or -ENOENT if the machine shows no L3 cache; `sys` is the root of sysfs. */
int intp_l3_read(const char *sys, struct intp_l3 *l3);

#endif
