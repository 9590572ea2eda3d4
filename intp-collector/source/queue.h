/* SPDX-License-Identifier: Apache-2.0 */
/* What orders the requests of the node's disks, and what is said about it where containers share them. */
#ifndef INTP_QUEUE_H
#define INTP_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#define INTP_QUEUE_NAME 32

/* The queue of one disk. */
struct intp_queue {
	char disk[INTP_QUEUE_NAME];
	char scheduler[INTP_QUEUE_NAME]; /* the I/O scheduler at work, empty where the disk has none */
	bool offers_bfq;		 /* the kernel has it, or its module is loaded */
	bool rotational;		 /* as the kernel believes */
	bool virtual;			 /* a hypervisor's: what lies below is not known */
	bool costed;			 /* io.cost is on for it */
};

/*
 * Finds the disks in sysfs that are hardware or a hypervisor's (a device in /sys/block) and stay in the machine, by
 * name, and calls `each` with every one. Returns how many there are, or a negative errno. `cgroup` is where version 2
 * is mounted; io.cost is off where that has none. Thread-safe.
 */
int intp_queues_each(const char *sys, const char *cgroup, void (*each)(void *context, const struct intp_queue *queue),
		     void *context);

/* The scheduler that would serve the containers better that share this disk, and in `why` the reason; NULL where
 * there is none. Pure. */
const char *intp_queue_better(const struct intp_queue *queue, const char **why);

/* What shares of this disk are held by: limits always, weights under some schedulers. Pure. */
const char *intp_queue_shares(const struct intp_queue *queue);

#endif
