/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts from /proc alone: cpu and cpuwait from the threads' schedstat, blkwait from their delay accounting where
 * kernel.task_delayacct is 1, and blk as the container's share of the disks' request time by the bytes of
 * /proc/PID/io. Counts begin at the watch. The kernel books a wait for a CPU when it ends, and the time on a CPU at
 * each scheduler tick, so the last figures of an interval that is open are those of its last tick. What a thread used
 * between its last sample and its end is not counted.
 *
 * Not thread-safe.
 */
#ifndef INTP_PROC_H
#define INTP_PROC_H

#include "source.h"

struct intp_proc_options {
	const char *proc;      /* NULL: /proc */
	const char *sys;       /* NULL: /sys */
	double cpus;	       /* that all containers may use; 0: those that are online */
	uint64_t (*now)(void); /* ns, on the clock that snapshots are given; NULL: CLOCK_MONOTONIC */
};

/* Returns NULL with why in `reason` if nothing can be counted. */
struct intp_source *intp_proc_open(const struct intp_proc_options *options, char *reason, size_t size);

#endif
