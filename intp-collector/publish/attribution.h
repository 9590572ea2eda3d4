/* SPDX-License-Identifier: Apache-2.0 */
/*
 * By what a container's tasks are recognised: a cgroup that is the container's own, or else descent from its root
 * process. Thread-safe.
 */
#ifndef INTP_ATTRIBUTION_H
#define INTP_ATTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

#include "../source/source.h"

/* Where a hierarchy of cgroups is mounted, and where in it this process is. */
struct intp_hierarchy {
	bool mounted;
	char root[INTP_MAX_PATH]; /* what of the hierarchy is mounted */
	char directory[INTP_MAX_PATH];
	bool joined;
	char ours[INTP_MAX_PATH];
};

struct intp_hierarchies {
	struct intp_hierarchy v2, v1, memory; /* of version 1, the cpu controller's and the memory controller's */
};

/* `proc` is where proc is mounted; `proc`/self/mountinfo says where the cgroup file systems are. */
void intp_hierarchies_read(const char *proc, struct intp_hierarchies *hierarchies);

/*
 * Fills attribution, cgroup, directory and memory of `watch` from its id and root, best first:
 *
 *   cgroup v2, where the root process is in a directory that is named for the container;
 *   cgroup v1, likewise in the hierarchy of the cpu controller;
 *   the tree.
 *
 * A directory is named for a container when a component of its path holds the id as a word of its own; the directory
 * is that of the topmost such component, so that cgroups made inside the container count as its own. Slices, and
 * directories that hold this process as well, are never a container's.
 */
void intp_attribute(const char *proc, const struct intp_hierarchies *hierarchies, struct intp_watch *watch);

/* Whether the id stands in a text with nothing beside it that could belong to a longer id. */
bool intp_names_container(const char *text, size_t length, const char *id);

#endif
