/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory bandwidth, mbw, and cache occupancy, llocc, from the resctrl file system, summed over the L3 domains. Each
 * container has a monitoring group mon_groups/intpd.<pid of the daemon>.<slot>; threads that a member creates belong
 * to it by inheritance, and every snapshot adds those that joined otherwise. Opening removes the groups of daemons
 * that no longer run. Occupancy between two snapshots is taken to have changed linearly. A group that was made a
 * moment ago may hold lines of an earlier one with the same monitoring id: the hardware cannot tell.
 *
 * When the machine has no monitoring id left, the container's counts are unavailable, and each snapshot tries again.
 *
 * Not thread-safe.
 */
#ifndef INTP_RESCTRL_H
#define INTP_RESCTRL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "source.h"

/* As mkdir(2), rmdir(2), write(2) and access(2), for a test whose directories do not do what the kernel's do. */
struct intp_resctrl_ops {
	int (*mkdir)(const char *path, mode_t mode);
	int (*rmdir)(const char *path);
	ssize_t (*write)(int fd, const void *bytes, size_t count);
	int (*access)(const char *path, int mode);
};

struct intp_resctrl_options {
	const char *root;		    /* NULL: /sys/fs/resctrl */
	bool check_filesystem;		    /* that the root is a mount of resctrl */
	double peak_bytes;		    /* calibrated byte/s; 0: not known */
	const char *no_peak;		    /* why it is not; the caller's for as long as the source is open */
	const char *proc, *sys;		    /* NULL: /proc, /sys */
	uint64_t (*now)(void);		    /* ns, on the clock that snapshots are given; NULL: CLOCK_MONOTONIC */
	const struct intp_resctrl_ops *ops; /* NULL: the kernel's */
};

/* Returns NULL with why in `reason` if neither signal can be counted. */
struct intp_source *intp_resctrl_open(const struct intp_resctrl_options *options, char *reason, size_t size);

#endif
