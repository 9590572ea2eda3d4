/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the probes which tasks are whose. */
#ifndef INTP_EBPF_OWNER_H
#define INTP_EBPF_OWNER_H

#include "ebpf_load.h"
#include "source.h"

/*
 * Enters a container's cgroup and those below it, or its processes; what comes to them later the probes enter.
 * Returns 0, or a negative errno and nothing is entered: -ESRCH if the root process, -ENOENT if the cgroup is not
 * there.
 */
int intp_owner_add(struct intpd_bpf *bpf, int slot, const struct intp_watch *watch);

/* Takes out everything of a slot. */
void intp_owner_remove(struct intpd_bpf *bpf, int slot, enum intp_attribution attribution);

#endif
