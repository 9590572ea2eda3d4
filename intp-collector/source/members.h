/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which processes belong to a watched container: those in its cgroup and below, or the tree below its root process.
 *
 * A process of a tree is one whose ancestor or session leader is the root, or that was so when last seen: it stays a
 * member when its parents die. One that is born and loses its parent between two refreshes, in a session of its own,
 * is not found. Trees are assumed not to lie within each other. Not thread-safe.
 */
#ifndef INTP_MEMBERS_H
#define INTP_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source.h"
#include "text.h"

/* A process that lives or is a zombie. */
struct intp_process {
	pid_t pid, parent, session;
	uint64_t start; /* ticks since boot */
	int above;	/* index of the parent in the table; -1: none */
};

/* All processes at one instant, by pid. Zeroed, it is empty. */
struct intp_processes {
	struct intp_process *list;
	size_t count, room;
	struct intp_ids ids; /* scratch */
};

/* Reads the process table; `proc` is the root of /proc, open as a directory. Returns 0 or a negative errno. */
int intp_processes_read(struct intp_processes *processes, int proc);

/* The index of a process in the table, or -1. */
int intp_processes_find(const struct intp_processes *processes, pid_t pid);

void intp_processes_free(struct intp_processes *processes);

/* The members of one container as of the last refresh. */
struct intp_members {
	struct intp_process *list; /* by pid */
	size_t count, room;
	struct intp_watch watch;
	uint64_t root_start;  /* of the root of a tree; 0 until it was seen */
	signed char *verdict; /* scratch: whether a row of the table is a member */
	size_t verdicts;
	struct intp_ids ids;   /* scratch */
	struct intp_text text; /* scratch */
};

void intp_members_init(struct intp_members *members, const struct intp_watch *watch);

/*
 * Finds the members that live. `processes` is read only for a tree; for a cgroup it may be NULL. None is no error.
 * Returns 0, or a negative errno and leaves the members as they were or empty.
 */
int intp_members_refresh(struct intp_members *members, int proc, const struct intp_processes *processes);

/* Replaces `tids` by the threads of all members, sorted. Returns 0 or -ENOMEM. */
int intp_members_threads(const struct intp_members *members, int proc, struct intp_ids *tids);

void intp_members_free(struct intp_members *members);

#endif
