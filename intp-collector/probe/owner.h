/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Whose container a task is of: the state that all probes share, and the look-up. Defined in owner.bpf.c.
 */
#ifndef INTP_PROBE_OWNER_H
#define INTP_PROBE_OWNER_H

#include "kernel.h"

/*
 * The sizes of owners, sleeps and requests are the daemon's to set, by the machine; what finds one full is counted in
 * intp_state.lost_*.
 */

/* Key: a v2 cgroup's id, or a v1 cpu cgroup's id | INTP_PROBE_V1, or a tgid | INTP_PROBE_TREE. Value: the slot. */
struct intp_owners {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC); /* the daemon takes it away where the kernel warns of it */
	__uint(max_entries, 32768);
	__type(key, __u64);
	__type(value, __u32);
};

/* [cpu][row]; the daemon sets max_entries to the number of CPUs times INTP_PROBE_ROWS, and maps it. */
struct intp_lanes {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct intp_lane);
};

/* Watched threads in uninterruptible sleep, by pid. */
struct intp_sleeps {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2048);
	__type(key, __u32);
	__type(value, struct intp_sleep);
};

/* Requests inserted or in flight, by address; a request structure belongs to one request until it has completed. */
struct intp_requests {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u64);
	__type(value, struct intp_request);
};

/* How often. When it is full, what is new is counted by nobody: then the times of a victim add up to less than its
 * pre-emptions. */
struct intp_takings {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, INTP_PROBE_TAKERS);
	__type(key, struct intp_taking);
	__type(value, __u64);
};

extern struct intp_owners owners SEC(".maps");
extern struct intp_lanes lanes SEC(".maps");
extern struct intp_sleeps sleeps SEC(".maps");
extern struct intp_requests requests SEC(".maps");
extern struct intp_takings takings SEC(".maps");
extern struct intp_state state;

static __always_inline struct intp_lane *lane_of(__u32 row)
{
	__u32 index = bpf_get_smp_processor_id() * INTP_PROBE_ROWS + row;

	return bpf_map_lookup_elem(&lanes, &index);
}

/* The slot + 1 that owns `key`, or 0. */
static __always_inline __u32 owner_of_key(__u64 key)
{
	__u32 *slot;

	if (!state.filter[intp_filter_index(key)])
		return 0;
	slot = bpf_map_lookup_elem(&owners, &key);
	return slot && *slot != INTP_PROBE_DONE ? *slot + 1 : 0;
}

static __always_inline __u64 v1_key(struct css_set *set)
{
	struct cgroup_subsys_state *css = NULL;

	bpf_probe_read_kernel(&css, sizeof(css),
			      (char *)set + bpf_core_field_offset(struct css_set, subsys) +
				      8 * bpf_core_enum_value(enum cgroup_subsys_id, cpu_cgrp_id));
	return BPF_CORE_READ(css, cgroup, kn, id) | INTP_PROBE_V1;
}

/*
 * The slot + 1 of a task that the verifier knows as one, or 0. For the hot path: it is faster than owner_at, but for
 * each pointer that is followed the verifier searches all types of the kernel, so that every use costs milliseconds
 * at load.
 */
static __always_inline __u32 owner_of(struct task_struct *task)
{
	__u32 owner;

	if (state.v2) {
		owner = owner_of_key(task->cgroups->dfl_cgrp->kn->id);
		if (owner)
			return owner;
	}
	if (state.v1) {
		owner = owner_of_key(v1_key(task->cgroups));
		if (owner)
			return owner;
	}
	if (state.trees)
		return owner_of_key((__u64)task->tgid | INTP_PROBE_TREE);
	return 0;
}

/* The same of any task, also one that is known by its address only. */
static __always_inline __u32 owner_at(struct task_struct *task)
{
	__u32 owner;

	if (state.v2) {
		owner = owner_of_key(BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id));
		if (owner)
			return owner;
	}
	if (state.v1) {
		owner = owner_of_key(v1_key(BPF_CORE_READ(task, cgroups)));
		if (owner)
			return owner;
	}
	if (state.trees)
		return owner_of_key((__u64)BPF_CORE_READ(task, tgid) | INTP_PROBE_TREE);
	return 0;
}

/* What is remembered of a task since it last left a CPU; of another one if its pid is not this. */
static __always_inline struct intp_delay *delay_of(__u32 pid)
{
	return &state.delays[pid & (INTP_PROBE_DELAYS - 1)];
}

/*
 * What a task that waits, or is just getting the CPU, has waited on other CPUs since it last ran. The bound discards
 * what is remembered of an earlier task with the same pid.
 */
static __always_inline __u64 moved_wait_of(__u64 run_delay, __u64 last_arrival, __u32 pid, __u64 clock)
{
	struct intp_delay *delay = delay_of(pid);
	__u64 moved = run_delay - delay->run_delay;

	return delay->pid == pid && moved < clock - last_arrival ? moved : 0;
}

static __always_inline bool watching(void)
{
	return state.v2 | state.v1 | state.trees;
}

/* By its address only: what the verifier knows as a task is there from 5.11 on. */
static __always_inline struct task_struct *current_task(void)
{
	return (struct task_struct *)bpf_get_current_task();
}

/* The row that what the current task does is booked to. */
static __always_inline __u32 row_of_current(void)
{
	__u32 owner = owner_at(current_task());

	return owner ? owner - 1 : INTP_PROBE_NOBODY;
}

#endif
