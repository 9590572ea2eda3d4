/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hardware event, or two in one group, by perf_event_open. Where the kernel shares the counters out among more
 * groups than there are, the growth of a window is scaled by enabled over running time; a group that did not run in a
 * window grows by nothing. Not thread-safe.
 */
#ifndef INTP_PERF_EVENT_H
#define INTP_PERF_EVENT_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The system calls, as perf_event_open(2), read(2) and close(2): -1 with errno on failure. */
struct intp_perf_ops {
	int (*open)(struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags);
	ssize_t (*read)(int fd, void *buffer, size_t size);
	int (*close)(int fd);
};

extern const struct intp_perf_ops intp_perf_kernel;

/* A sentence for the errno, positive, that opening a hardware event gave; static. */
const char *intp_perf_reason(int error);

/* Describes a hardware event for counting: `type` and `config` as perf knows them. */
struct perf_event_attr intp_perf_attr(uint32_t type, uint64_t config);

/* One event or group: the kernel's cumulative figures. */
struct intp_perf_group {
	int leader, member; /* fds; member is -1 for a single event, and both are where nothing is open */
	uint64_t enabled, running, values[2];
};

/* The events of the last-level cache, or why there are none; static text. */
struct intp_cache_events {
	uint32_t type;
	uint64_t references, misses;
	const char *absent; /* NULL: there are */
};

/*
 * Those of a machine, as uname(2) names it, whose /proc/cpuinfo begins so. Perf's generic cache events mean the last
 * level on Intel's processors; elsewhere they may mean the first (Arm) or the second one (AMD). Pure.
 */
struct intp_cache_events intp_perf_cache_events(const char *machine, const char *cpuinfo);

/*
 * Opens cache references, the leader, and cache misses as one group: of a thread and those that it creates or, with
 * PERF_FLAG_PID_CGROUP, of a cgroup on a CPU. Returns 0 or a negative errno.
 */
int intp_perf_open_cache(const struct intp_perf_ops *ops, const struct intp_cache_events *events, pid_t pid, int cpu,
			 unsigned long flags, struct intp_perf_group *group);

/* Opens retired instructions alone, of the same. */
int intp_perf_open_instructions(const struct intp_perf_ops *ops, pid_t pid, int cpu, unsigned long flags,
				struct intp_perf_group *group);

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
