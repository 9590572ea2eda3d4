/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the probes which tasks are whose. */
#ifndef INTP_EBPF_OWNER_H
#define INTP_EBPF_OWNER_H

#include "ebpf_load.h"
#include "source.h"

/*
 * Enters containers' cgroups and those below them, or their processes; what comes to them later the probes enter.
 * Leaves out entries with an error, and sets those of others, of which nothing is entered then: -ESRCH if the root
 * process, -ENOENT if the cgroup is not there.
 */
void intp_owner_add(struct intpd_bpf *bpf, struct intp_entry *entries, size_t count);

/* See tree_members of struct intp_source. */
long intp_owner_tree_members(struct intpd_bpf *bpf, const struct intp_tree_member **members);

/* Takes out everything of a slot. */
void intp_owner_remove(struct intpd_bpf *bpf, int slot, enum intp_attribution attribution);

#endif
