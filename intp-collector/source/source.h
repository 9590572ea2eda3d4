/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a source of counts promises. Every source is opened by a function of its own (ebpf.h, proc.h, resctrl.h,
 * perf.h, uncore.h) that returns NULL with a reason where the machine cannot give what it counts.
 *
 * Not thread-safe: one thread watches, snapshots and closes.
 */
#ifndef INTP_SOURCE_H
#define INTP_SOURCE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../signal/signal.h"

#define INTP_MAX_WATCHES 1024
#define INTP_MAX_ID	 128 /* characters of a container id */
#define INTP_MAX_REASON	 200 /* characters of a reason */
#define INTP_MAX_PATH	 512

/* How a task is recognised as the container's, best first. */
enum intp_attribution {
	INTP_CGROUP_V2,
	INTP_CGROUP_V1,
	INTP_TREE, /* descendants of the root process by fork, whatever becomes of their parents */
};

/* A container to count for. */
struct intp_watch {
	char id[INTP_MAX_ID + 1];
	pid_t root;
	enum intp_attribution attribution;
	uint64_t cgroup;	       /* inode number of the cgroup's directory; 0 for a tree */
	char directory[INTP_MAX_PATH]; /* the cgroup's directory; empty for a tree */
	char memory[INTP_MAX_PATH];    /* that of its cgroup with the memory controller; empty where there is none */
};

/* One of several to count for. */
struct intp_entry {
	int slot;
	const struct intp_watch *watch;
	int error; /* what `watch` would have returned */
};

/* Who took the CPU from a container's threads that could have gone on. */
struct intp_taker {
	int slot; /* -1: nobody who is watched */
	double times;
};

#define INTP_MOST_PEERS 16

/* A connection of a container, by its two ends; addresses are as IPv6 has them, IPv4 as ::ffff:a.b.c.d. */
struct intp_peer {
	unsigned char local[16], remote[16];
	uint16_t local_port, remote_port;
	double sent, received; /* bytes of payload since the container is watched */
};

/* With whom a container exchanges bytes. */
struct intp_peers {
	int count;
	struct intp_peer list[INTP_MOST_PEERS]; /* those with the most bytes, the most first */
	double other_sent, other_received;	/* of all that are not, or no longer, in the list */
};

/* A process of a container that is a tree. */
struct intp_tree_member {
	int slot;
	pid_t pid;
};

struct intp_source {
	const char *name;  /* the label of its counts */
	uint32_t signals;  /* bit (1 << signal) for each that it can count on this machine */
	const char *lacks; /* what the kernel is too old for, and what that costs; NULL: nothing */

	/*
	 * Begins to count for a container in a slot that is free, 0 <= slot < INTP_MAX_WATCHES.
	 * Returns 0, or a negative errno, in which case the slot stays free and its counts unavailable.
	 */
	int (*watch)(struct intp_source *source, int slot, const struct intp_watch *watch);

	/*
	 * The same for several at once, whose errors it sets; NULL: one after another costs as little. What is listed
	 * of the machine is listed once for all of them.
	 */
	void (*watch_many)(struct intp_source *source, struct intp_entry *entries, size_t count);

	/* Forgets a slot; one that is free is left alone. */
	void (*unwatch)(struct intp_source *source, int slot);

	/*
	 * Writes, for each slot that is watched, the counts of the signals in `signals` into samples[slot]; it leaves
	 * other signals and other slots alone. `now_ns` is CLOCK_MONOTONIC. Counts never go backwards and an interval
	 * that is open at `now_ns` is counted up to it. Returns 0, or a negative errno when nothing was counted.
	 */
	int (*snapshot)(struct intp_source *source, uint64_t now_ns, struct intp_sample *samples);

	/*
	 * Writes who took the CPU from the container in a slot since it is watched, as of the last snapshot, the most
	 * often first, and returns how many; at most `room`. NULL: it does not know.
	 */
	int (*takers)(struct intp_source *source, int slot, struct intp_taker *takers, int room);

	/*
	 * Writes with whom the container in a slot has exchanged bytes since it is watched, as of the last snapshot.
	 * NULL: it does not count that, because of `no_peers`, static text, or NULL where that is not its business.
	 */
	void (*peers)(struct intp_source *source, int slot, struct intp_peers *peers);
	const char *no_peers;

	/*
	 * Lists the processes of all trees that are watched, by slot, into an array that holds until the next call,
	 * and returns how many, or a negative errno; one that was reaped is among them until the kernel has freed it.
	 * NULL: it does not know.
	 */
	long (*tree_members)(struct intp_source *source, const struct intp_tree_member **members);

	/* Why `signal`, which is not in `signals`, is not counted on this machine; NULL: not this source's business.
	 */
	const char *(*reason)(const struct intp_source *source, enum intp_signal signal);

	/* Frees everything, leaving nothing behind in the kernel. */
	void (*close)(struct intp_source *source);
};

/* `watch` of a source that has watch_many. */
static inline int intp_watch_one(struct intp_source *source, int slot, const struct intp_watch *watch)
{
	struct intp_entry entry = {.slot = slot, .watch = watch};
	source->watch_many(source, &entry, 1);
	return entry.error;
}

#endif
