// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * cpu, cpuwait and blkwait, from the one event that tells them all: a CPU changes from one task to another.
 *
 * The kernel keeps in sched_info when a task was queued (last_queued) and when it got the CPU (last_arrival), both by
 * the run queue's clock. At this tracepoint that clock has just been set, and sched_info is not yet updated: so the
 * incoming task waited for clock - last_queued. The outgoing one's sum_exec_runtime is up to date: it ran for what
 * that has grown by, which leaves out what a hypervisor took. No wake-up has to be probed, and no clock has to be
 * read.
 *
 * A task that the kernel moves to another CPU while it waits is queued anew there: what it waited before is in
 * run_delay already. So run_delay is remembered when a task leaves a CPU, and what it has grown by until it gets one
 * is added.
 *
 * csw is the published context-switch metric (Xavier, 4.1.3, equations 4.4 and 4.5): from when a thread gives up a
 * CPU to when it is on one again, without what it was made to leave. A thread that sleeps is counted when it has
 * woken up.
 *
 * blkwait is uninterruptible sleep that the kernel itself takes for a wait for I/O, as its delay accounting does:
 * sleep for a lock is not.
 */
#include "owner.h"

char LICENSE[] SEC("license") = "GPL";

#define GAVE_UP 1ULL

/* How long it was off its CPU until `end`, if it had given it up. */
static __always_inline __u64 blocked_until(const struct intp_delay *delay, __u64 end)
{
	return delay->left & GAVE_UP && end > delay->left ? end - delay->left : 0;
}

/* Whether what is remembered can be of this task: not if its pid was another's, which had executed more. */
static __always_inline bool remembered(const struct intp_delay *delay, struct task_struct *task)
{
	return delay->pid == (__u32)task->pid && delay->executed <= task->se.sum_exec_runtime;
}

/*
 * What became of a task that got its CPU without this probe being told: a kernel may run no program while a thread is
 * current that it hides, as sandboxes do with those of their own agent.
 */
static __always_inline void catch_up(struct intp_lane *lane, struct task_struct *task, __u32 slot)
{
	struct intp_delay *delay = delay_of(task->pid);
	__u64 arrived = task->sched_info.last_arrival, waited = 0;
	__u32 pid = task->pid;
	struct intp_sleep *sleep = bpf_map_lookup_elem(&sleeps, &pid);

	if (remembered(delay, task)) {
		if (task->sched_info.run_delay > delay->run_delay)
			waited = task->sched_info.run_delay - delay->run_delay;
		lane->wait += waited;
		lane->blocked += blocked_until(delay, arrived);
	}
	if (sleep) {
		if (sleep->slot == slot && arrived > sleep->since + waited)
			lane->sleep += arrived - sleep->since - waited;
		bpf_map_delete_elem(&sleeps, &pid);
	}
}

static __always_inline void leave(struct intp_lane *lane, struct task_struct *task, __u32 slot, __u64 clock,
				  __u64 executed, bool could_go_on, bool waits_for_io)
{
	struct intp_delay *delay = delay_of(task->pid);

	lane->cpu += executed;
	lane->switches++;
	lane->preempted += could_go_on;
	delay->pid = task->pid;
	delay->run_delay = task->sched_info.run_delay;
	delay->executed = task->se.sum_exec_runtime;
	delay->left = could_go_on ? clock & ~GAVE_UP : clock | GAVE_UP;
	if (waits_for_io) {
		struct intp_sleep sleep = {.since = clock, .slot = slot};
		__u32 pid = task->pid;

		if (bpf_map_update_elem(&sleeps, &pid, &sleep, BPF_ANY))
			__sync_fetch_and_add(&state.lost_sleeps, 1);
	}
}

/* Whether the last sleep of a task may have been one for I/O; it spares most tasks the look-up. */
static __always_inline bool may_have_slept(struct task_struct *task)
{
	if (!bpf_core_field_exists(task->sched_contributes_to_load))
		return true;
	return BPF_CORE_READ_BITFIELD(task, sched_contributes_to_load);
}

static __always_inline void enter(struct intp_lane *lane, struct task_struct *task, __u32 slot, __u64 clock)
{
	__u64 queued = task->sched_info.last_queued, waited = queued && clock > queued ? clock - queued : 0;
	struct intp_delay *delay = delay_of(task->pid);

	__u64 arrived = task->sched_info.last_arrival; /* when it got a CPU before */

	/*
	 * One that never ran has its pid from another that ended, and so has one that got a CPU after what is
	 * remembered left it; or that was itself, while nobody watched it.
	 */
	if (arrived && (delay->left | GAVE_UP) >= arrived && remembered(delay, task))
		lane->blocked += blocked_until(delay, clock);
	lane->wait += waited + moved_wait_of(task->sched_info.run_delay, arrived, task->pid, clock);
	if (may_have_slept(task)) {
		__u32 pid = task->pid;
		struct intp_sleep *sleep = bpf_map_lookup_elem(&sleeps, &pid);

		if (sleep) {
			/* The sleep ended when the task was queued, not when it got the CPU. */
			__u64 end = queued ? queued : clock;

			if (sleep->slot == slot && end > sleep->since)
				lane->sleep += end - sleep->since;
			bpf_map_delete_elem(&sleeps, &pid);
		}
	}
}

/* `victim` could have gone on, and `taker` got its CPU; each a slot + 1, the latter 0 if it is of no watched
 * container. */
static __always_inline void take(__u32 victim, __u32 taker)
{
	struct intp_taking taking = {.victim = victim, .taker = taker};
	__u64 once = 1, *times = bpf_map_lookup_elem(&takings, &taking);

	if (times)
		__sync_fetch_and_add(times, 1);
	else
		bpf_map_update_elem(&takings, &taking, &once, BPF_NOEXIST);
}

static __always_inline int change(bool preempted, struct task_struct *prev, struct task_struct *next,
				  unsigned int prev_state)
{
	struct intp_running *running;
	struct intp_lane *lane;
	__u32 out, in = 0, pid = next->pid;
	__u64 since;
	bool untold;

	if (!watching())
		return 0;
	running = &state.running[bpf_get_smp_processor_id() & (INTP_PROBE_CPUS - 1)];
	out = running->owner;
	since = running->executed;
	untold = running->pid != (__u32)prev->pid;
	if (running->epoch != state.epoch || untold) {
		out = prev->pid ? owner_at(prev) : 0;
		if (untold)
			since = remembered(delay_of(prev->pid), prev) ? delay_of(prev->pid)->executed : 0;
		/* If nobody was watched when it got the CPU, it is by the wall clock this once. */
		if (out && (!since || since > prev->se.sum_exec_runtime))
			since = prev->se.sum_exec_runtime -
				(BPF_CORE_READ(prev, se.cfs_rq, rq, clock) - prev->sched_info.last_arrival);
	}
	if (pid)
		in = owner_of(next);
	running->owner = in;
	running->epoch = state.epoch;
	running->executed = in ? next->se.sum_exec_runtime : 0;
	/* Last: who finds the pid there takes what was executed for that task's. */
	barrier();
	running->pid = pid;
	if (out | in) {
		/* Not through the symbol `runqueues`, which kernels without CONFIG_KALLSYMS_ALL do not resolve. */
		__u64 clock = prev->se.cfs_rq->rq->clock;

		if (out) {
			lane = lane_of(out - 1);
			if ((preempted || !prev_state) && out != in)
				take(out, in);
			if (lane && untold)
				catch_up(lane, prev, out - 1);
			if (lane)
				leave(lane, prev, out - 1, clock, prev->se.sum_exec_runtime - since,
				      preempted || !prev_state,
				      !preempted && (prev_state & TASK_UNINTERRUPTIBLE) &&
					      !(prev_state & TASK_NOLOAD) && BPF_CORE_READ_BITFIELD(prev, in_iowait));
		}
		if (in) {
			lane = lane_of(in - 1);
			if (lane)
				enter(lane, next, in - 1, clock);
		}
	}
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(intp_switch, bool preempted, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)
{
	return change(preempted, prev, next, prev_state);
}

/* Before 5.18 the event does not carry the state; a task that is woken at once may show another one by now. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(intp_switch_before_5_18, bool preempted, struct task_struct *prev, struct task_struct *next)
{
	struct task_struct___since_5_14 *new = (void *)prev;
	struct task_struct___before_5_14 *old = (void *)prev;

	return change(preempted, prev, next, bpf_core_field_exists(new->__state) ? new->__state : old->state);
}
