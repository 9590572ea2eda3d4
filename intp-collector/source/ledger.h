/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last totals of a container's threads and processes, so that its counts only grow although threads end: what a
 * thread had used when it was last seen stays counted. Not thread-safe.
 */
#ifndef INTP_LEDGER_H
#define INTP_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "members.h"
#include "procfs.h"
#include "text.h"

struct intp_thread_totals {
	pid_t tid;
	uint64_t start; /* of its process, in ticks since boot */
	uint64_t on_cpu_ns, wait_ns, block_ns;
};

struct intp_process_totals {
	pid_t pid;
	uint64_t start;
	bool known; /* false: `io` could not be read */
	struct intp_io io;
};

/* One sample. */
struct intp_totals {
	struct intp_thread_totals *threads; /* by tid */
	size_t thread_count, thread_room;
	struct intp_process_totals *processes; /* by pid */
	size_t process_count, process_room;
	bool io_denied; /* the I/O counts of some process are not ours to read */
};

/* How much a container grew in a window. */
struct intp_growth {
	double on_cpu_ns, wait_ns, block_ns;
	double read_bytes, written_bytes;
};

/* Zeroed, it is empty. */
struct intp_ledger {
	struct intp_totals last, next;
	struct intp_ids tids; /* scratch */
};

/*
 * Samples the members and returns in `growth` how much they grew since the last call, `elapsed_ns` ago; by nothing if
 * `baseline`. With `block`, the waits for block I/O are read too. Threads and processes that were not there count
 * from 0, except those with more than the window holds: they joined the container with a past. So do those whose
 * totals went backwards, which have the id of one that ended. Returns 0 or -ENOMEM, and then the last totals are as
 * they were.
 */
int intp_ledger_add(struct intp_ledger *ledger, const struct intp_members *members, int proc, bool block,
		    bool baseline, double elapsed_ns, struct intp_growth *growth);

void intp_ledger_free(struct intp_ledger *ledger);

#endif
