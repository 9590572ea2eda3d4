/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory bandwidth, mbw, from the memory controllers' own counters (uncore_imc). They count for the machine, so a
 * container gets the share of the bytes that its cache misses are of all cache misses on the machine in the window;
 * what the containers do not explain goes to nobody. Without the containers' misses there is no count: a machine-wide
 * figure is not a container's.
 *
 * Not thread-safe.
 */
#ifndef INTP_UNCORE_H
#define INTP_UNCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf_event.h"
#include "source.h"

struct intp_uncore_options {
	const char *sys;		 /* NULL: /sys */
	const struct intp_perf_ops *ops; /* NULL: the kernel's */
	double peak_bytes;		 /* calibrated byte/s; 0: not known */
	const char *no_peak;		 /* why it is not */
	uint64_t (*now)(void);		 /* ns, on the clock that snapshots are given; NULL: CLOCK_MONOTONIC */
	/* The cache misses of a slot, cumulative, as of the snapshot under way; false if not counted. */
	bool (*misses)(void *context, int slot, double *misses);
	void *context;
};

/* Returns NULL with why in `reason`. The source that gives the misses takes its snapshot before this one. */
struct intp_source *intp_uncore_open(const struct intp_uncore_options *options, char *reason, size_t size);

/* Parses an event such as "event=0x04,umask=0x03" for the usual layout; false for any other term. */
bool intp_parse_uncore_event(const char *text, uint64_t *config);

#endif
