/* SPDX-License-Identifier: Apache-2.0 */
/* Whether processes and containers live. Thread-safe. */
#ifndef INTP_ALIVE_H
#define INTP_ALIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "../source/source.h"
#include "../source/text.h"

/* Which process a number meant; the kernel gives the number to another one later. */
struct intp_birth {
	uint64_t start; /* clock ticks after boot */
	pid_t session;
};

/* Reads a process that lives: one that is more than a zombie. False where there is none. */
bool intp_birth_read(const char *proc, pid_t pid, struct intp_birth *birth);

/*
 * Whether processes of other users can be seen, by the first one, which is root's: where proc is mounted with hidepid
 * they cannot, and there is no process then but this one's user's.
 */
bool intp_sees_others(const char *proc);

/*
 * A descriptor that can be read once the process that `birth` was read from has ended, to be closed; -1 where there
 * is none, or `proc` is not the running kernel's. Asking it costs a twentieth of reading /proc.
 */
int intp_birth_follow(const char *proc, pid_t pid, const struct intp_birth *birth);

/*
 * Of each descriptor that intp_birth_follow gave, whether it says that the process lives; false also for -1, which
 * says nothing. All are asked at once. At most INTP_MAX_WATCHES.
 */
void intp_births_last(const int *descriptors, size_t count, bool *last);

/* The sessions of all processes that live, read when they are first asked for. Zeroed, they have not been. */
struct intp_sessions {
	bool read;
	int error; /* negative errno, or 0: some may be missing */
	struct intp_ids ids;
};

void intp_sessions_free(struct intp_sessions *sessions);

/*
 * Whether a process of the container lives: its root, given by `root`; or one in its cgroup or in a cgroup below it;
 * or, for a tree whose root leads a session, as the ones do that a NodeManager starts, one of that session. True also
 * where that cannot be told now.
 */
bool intp_container_alive(const char *proc, const struct intp_watch *watch, const struct intp_birth *root,
			  struct intp_sessions *sessions);

#endif
