/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Apportions the time that the disks spent on requests, and the requests, to the containers that caused them.
 *
 * Reads go by the bytes of the same window. Writes go by the bytes that a container dirtied and the disks have not
 * yet written: writeback comes seconds later and from the kernel's own threads. What the containers do not explain
 * belongs to other processes of the node and goes to nobody. Not thread-safe.
 */
#ifndef INTP_BLOCKSHARE_H
#define INTP_BLOCKSHARE_H

#include <stddef.h>
#include <stdint.h>

#include "procfs.h"
#include "text.h"

/* What all disks did in a window; times are summed over the requests. */
struct intp_disk_growth {
	double reads, writes;
	double read_bytes, written_bytes;
	double read_ns, write_ns;
};

/* The last totals of each disk; zeroed, none is known. */
struct intp_disks {
	struct intp_disk *known;
	size_t count;
	struct intp_text text; /* scratch */
};

/*
 * Reads /proc/diskstats and returns in `growth` how much the disks that are hardware (a device in /sys/block: no
 * partitions, loops, RAM disks or layers over other disks) grew since the last call; a disk that was not there has
 * grown by nothing. Returns how many disks there are, or a negative errno.
 */
int intp_disks_read(struct intp_disks *disks, int proc, const char *sys, struct intp_disk_growth *growth);

void intp_disks_free(struct intp_disks *disks);

/* One container in one window. */
struct intp_block_share {
	double read_bytes, written_bytes; /* its growth in the window */
	double unwritten;		  /* dirtied, but not yet on a disk; carried from window to window */
	double ns, operations;		  /* its share */
};

/* Computes the shares of `count` containers in a window of `elapsed_ns`. */
void intp_apportion(const struct intp_disk_growth *disks, struct intp_block_share *shares, size_t count,
		    double elapsed_ns);

#endif
