/* SPDX-License-Identifier: Apache-2.0 */
/*
 * By what a container's tasks are recognised: a cgroup that is the container's own, or else descent from its root
 * process. Thread-safe.
 */
#ifndef INTP_ATTRIBUTION_H
#define INTP_ATTRIBUTION_H

#include "../source/source.h"

/*
 * Fills attribution, cgroup and directory of `watch` from its id and root, best first:
 *
 *   cgroup v2, where the root process is in a directory that is named for the container;
 *   cgroup v1, likewise in the hierarchy of the cpu controller;
 *   the tree.
 *
 * A directory is named for a container when a component of its path holds the id as a word of its own; the directory
 * is that of the topmost such component, so that cgroups made inside the container count as its own. Slices, and
 * directories that hold this process as well, are never a container's.
 *
 * `proc` is where proc is mounted; `proc`/self/mountinfo says where the cgroup file systems are.
 */
void intp_attribute(const char *proc, struct intp_watch *watch);

#endif
