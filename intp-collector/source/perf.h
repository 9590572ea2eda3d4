/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a PMU counts of containers, by perf_event_open: the last-level cache miss ratio, llcmr, from references and
 * misses of that cache in one group, so that both are counted over the same time; and retired instructions, instr, in
 * a group of their own, because a virtual machine may have these alone. A container with a cgroup has its groups on
 * every CPU. One without, or whose cgroup perf does not know, has them for each thread that lives at the watch,
 * inherited by the threads and processes that these create; a thread that is created during the watch by one not yet
 * reached is missed. A call opens groups for INTP_PERF_AT_ONCE threads at most: containers that come after wait for
 * one of the next snapshots, and one that has more by itself is not counted. INTP_DESCRIPTORS_LEFT descriptors are
 * left to others: a container whose groups would take of them is not counted either.
 *
 * Not thread-safe.
 */
#ifndef INTP_PERF_H
#define INTP_PERF_H

#include <stdbool.h>
#include <stddef.h>

#include "perf_event.h"
#include "source.h"

#define INTP_PERF_AT_ONCE 4096

struct intp_perf_options {
	const struct intp_perf_ops *ops; /* NULL: the kernel's */
	const char *proc, *sys;		 /* NULL: /proc, /sys */
	const char *machine;		 /* as uname(2) names it; NULL: this one */
	int below;			 /* the first descriptor no event may have; 0: by RLIMIT_NOFILE */
	size_t at_once;			 /* 0: INTP_PERF_AT_ONCE; for a test that has fewer threads */
	uint64_t (*now)(void);		 /* ns, on the clock that snapshots are given; NULL: CLOCK_MONOTONIC */
};

/* Returns NULL with why in `reason`: no PMU, no permission. Raises the soft limit of open files to the hard one. */
struct intp_source *intp_perf_open(const struct intp_perf_options *options, char *reason, size_t size);

/* The cache misses of a slot as of the last snapshot; false if they are not counted. `source` may be NULL. */
bool intp_perf_misses(const struct intp_source *source, int slot, double *misses);

#endif
