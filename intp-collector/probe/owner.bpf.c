// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Keeps the table of owners as processes and cgroups come and go: a child process, and a cgroup below a watched one,
 * belongs to its parent's container.
 */
#include "owner.h"

char LICENSE[] SEC("license") = "GPL";

struct intp_owners owners SEC(".maps");
struct intp_lanes lanes SEC(".maps");
struct intp_sleeps sleeps SEC(".maps");
struct intp_requests requests SEC(".maps");
struct intp_takings takings SEC(".maps");
struct intp_state state;

/* Takes over a key that its last owner could not be taken out with. */
static __always_inline bool take_over(__u64 key, __u32 slot)
{
	__u32 *former = bpf_map_lookup_elem(&owners, &key);

	if (!former || *former != INTP_PROBE_DONE)
		return false;
	*former = slot;
	return true;
}

static __always_inline void inherit(__u64 parent, __u64 child)
{
	__u32 owner = owner_of_key(parent);
	__u32 slot = owner - 1, at = slot & (INTP_PROBE_SLOTS - 1);
	long error;

	if (!owner || state.closed[at])
		return;
	error = state.owned[at] < state.most_owned ? bpf_map_update_elem(&owners, &child, &slot, BPF_NOEXIST)
						   : -E2BIG;
	if (!error) {
		__sync_fetch_and_add(&state.filter[intp_filter_index(child)], 1);
		__sync_fetch_and_add(&state.owned[at], 1);
	} else if (error != -EEXIST) {
		__sync_fetch_and_add(&state.lost_owners[at], 1);
	} else if (take_over(child, slot)) {
		__sync_fetch_and_add(&state.owned[at], 1);
	}
}

static __always_inline void disown(__u64 key)
{
	__u32 *owner, slot;
	long error;

	if (!state.filter[intp_filter_index(key)])
		return;
	owner = bpf_map_lookup_elem(&owners, &key);
	if (!owner)
		return;
	slot = *owner;
	error = bpf_map_delete_elem(&owners, &key);
	/* Nobody else can have taken it out meanwhile: what was interrupted here holds its place. */
	if (error == -EBUSY)
		*owner = INTP_PROBE_DONE;
	if (!error)
		__sync_fetch_and_sub(&state.filter[intp_filter_index(key)], 1);
	if ((!error || error == -EBUSY) && slot != INTP_PROBE_DONE)
		__sync_fetch_and_sub(&state.owned[slot & (INTP_PROBE_SLOTS - 1)], 1);
}

SEC("raw_tp/sched_process_fork")
int BPF_PROG(intp_fork, struct task_struct *parent, struct task_struct *child)
{
	__u64 from, to;

	if (!state.trees)
		return 0;
	from = BPF_CORE_READ(parent, tgid);
	to = BPF_CORE_READ(child, tgid);
	if (from != to)
		inherit(from | INTP_PROBE_TREE, to | INTP_PROBE_TREE);
	return 0;
}

/*
 * The process stays its container's until its leader is freed rather than until it exits: tearing down a large
 * address space, and closing its files, is work of the container that runs after sched_process_exit.
 */
SEC("raw_tp/sched_process_free")
int BPF_PROG(intp_free, struct task_struct *task)
{
	__u64 process;

	if (!state.trees)
		return 0;
	process = BPF_CORE_READ(task, tgid);
	if (process == (__u64)BPF_CORE_READ(task, pid))
		disown(process | INTP_PROBE_TREE);
	return 0;
}

/* The bit that tells a cgroup's id apart from the same number in another hierarchy, or ~0 for one that is not used.
 */
static __always_inline __u64 kind_of(struct cgroup *cgroup)
{
	if (!BPF_CORE_READ(cgroup, root, hierarchy_id))
		return 0;
	if (BPF_CORE_READ(cgroup, root, subsys_mask) &
	    (1U << bpf_core_enum_value(enum cgroup_subsys_id, cpu_cgrp_id)))
		return INTP_PROBE_V1;
	return ~0ULL;
}

SEC("raw_tp/cgroup_mkdir")
int BPF_PROG(intp_mkdir, struct cgroup *cgroup)
{
	struct cgroup_subsys_state *parent;
	__u64 kind;

	if (!(state.v2 | state.v1))
		return 0;
	kind = kind_of(cgroup);
	parent = BPF_CORE_READ(cgroup, self.parent);
	if (kind != ~0ULL && parent)
		inherit(BPF_CORE_READ(parent, cgroup, kn, id) | kind, BPF_CORE_READ(cgroup, kn, id) | kind);
	return 0;
}

SEC("raw_tp/cgroup_rmdir")
int BPF_PROG(intp_rmdir, struct cgroup *cgroup)
{
	__u64 kind;

	if (!(state.v2 | state.v1))
		return 0;
	kind = kind_of(cgroup);
	if (kind != ~0ULL)
		disown(BPF_CORE_READ(cgroup, kn, id) | kind);
	return 0;
}
