/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last-level cache miss ratio, llcmr, by perf_event_open: cache-references and cache-misses in one group, so that
 * both are counted over the same time. A container with a cgroup has a group on every CPU. One without, or whose
 * cgroup perf does not know, has a group for each thread that lives at the watch, inherited by the threads and
 * processes that these create; a thread that is created during the watch by one not yet reached is missed. A call
 * opens groups for INTP_PERF_AT_ONCE threads at most: containers that come after wait for one of the next snapshots,
 * and one that has more by itself is not counted. Where the kernel shares the counters out among more groups than
 * there are, the growth of a window is scaled by enabled over running time; a group that did not run in a window adds
 * neither misses nor references.
 *
 * Not thread-safe.
 */
#ifndef INTP_PERF_H
#define INTP_PERF_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#include "source.h"

#define INTP_PERF_AT_ONCE 4096

/* The system calls, as perf_event_open(2), read(2) and close(2): -1 with errno on failure. */
struct intp_perf_ops {
	int (*open)(struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags);
	ssize_t (*read)(int fd, void *buffer, size_t size);
	int (*close)(int fd);
};

extern const struct intp_perf_ops intp_perf_kernel;

struct intp_perf_options {
	const struct intp_perf_ops *ops; /* NULL: the kernel's */
	const char *proc, *sys;		 /* NULL: /proc, /sys */
	size_t at_once;			 /* 0: INTP_PERF_AT_ONCE; for a test that has fewer threads */
};

/* Returns NULL with why in `reason`: no PMU, no permission. Raises the soft limit of open files to the hard one. */
struct intp_source *intp_perf_open(const struct intp_perf_options *options, char *reason, size_t size);

/* The misses of a slot as of the last snapshot; false if they are not counted. `source` may be NULL. */
bool intp_perf_misses(const struct intp_source *source, int slot, double *misses);

/* A sentence for the errno, positive, that opening a hardware event gave; static. */
const char *intp_perf_reason(int error);

/* Describes a hardware event for counting: `type` and `config` as perf knows them. */
struct perf_event_attr intp_perf_attr(uint32_t type, uint64_t config);

/* One event or group: the kernel's cumulative figures. */
struct intp_perf_group {
	int leader, member; /* fds; member is -1 for a single event */
	uint64_t enabled, running, values[2];
};

enum intp_perf_window {
	INTP_PERF_STARVED, /* the kernel gave it no counter, or the reading failed */
	INTP_PERF_IDLE,	   /* nothing that it counts for ran */
	INTP_PERF_RAN,
};

/*
 * Reads a group and adds its scaled growth since the last reading to `growth` (one figure, or two with a member);
 * says what became of the group in between.
 */
enum intp_perf_window intp_perf_grow(const struct intp_perf_ops *ops, struct intp_perf_group *group, double *growth);

#endif
