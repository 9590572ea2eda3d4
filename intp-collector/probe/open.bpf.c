// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Intervals of tasks that have not ended: run by the daemon at each snapshot, attached to nothing. It looks at every
 * CPU's current task and at the tasks that wait in its fair run queue. Where the kernel has bpf_loop (5.17) one run
 * looks at all; before, a run looks at one CPU, and at as many tasks as its verifier has the patience for.
 *
 * Nothing is locked. A task that moves while it is looked at may be missed for this once, and those behind it with
 * it: the walk of a queue ends where it has left the queue, and after as many tasks as are in it. One that is met
 * again on another queue is counted once, if its place in intp_state.delays is its own; one that has not left a CPU
 * since it is watched, or whose place another pid took, may be counted on both, for this once. The daemon lets no
 * count go backwards, and none grow by more than all threads of the machine can have waited. Tasks that wait in the
 * real-time and deadline queues are booked when they get the CPU, not before.
 */
#include "owner.h"

char LICENSE[] SEC("license") = "GPL";

/* Tasks looked at in one run queue; what is behind is booked when it gets the CPU. */
#define QUEUED_TASKS 8192

struct walk {
	__u64 now; /* the run queues' clock */
	__u64 node;
	__u64 head;
	struct rq *rq;
	struct cfs_rq **queues; /* [cpu] of some task group: the way to every CPU's run queue */
};

static __always_inline struct intp_open *open_of(__u32 slot)
{
	if (slot >= INTP_PROBE_SLOTS)
		return NULL;
	/* The compiler may compute the address before it checks the slot, which the verifier refuses: so mask it too.
	 */
	barrier_var(slot);
	return &state.open[slot & (INTP_PROBE_SLOTS - 1)];
}

/* Whether a task was met in this run already, before it moved; a watched one has its place from its last switch. */
static __always_inline bool met(__u32 pid)
{
	struct intp_delay *delay = delay_of(pid);

	if (delay->pid != pid)
		return false;
	if (delay->met == state.runs)
		return true;
	delay->met = state.runs;
	return false;
}

/* Looks at the next task of a queue; 1 at its end. */
static __always_inline long look_at_next(struct walk *walk)
{
	struct task_struct *task;
	struct intp_open *open;
	struct list_head *node;
	__u64 since, moved, next;
	__u32 owner, pid;

	if (walk->node == walk->head || !walk->node)
		return 1;
	node = (void *)walk->node;
	task = (void *)(walk->node - bpf_core_field_offset(struct sched_entity, group_node) -
			bpf_core_field_offset(struct task_struct, se));
	next = (__u64)BPF_CORE_READ(node, next);
	/* On another queue by now, whose tasks would follow: the next one was read before, so it is this queue's. */
	if (BPF_CORE_READ(task, se.cfs_rq, rq) != walk->rq)
		return 1;
	walk->node = next;
	since = BPF_CORE_READ(task, sched_info.last_queued);
	/* 0: it runs, or it sleeps and has not been taken off the queue yet. */
	if (!since || since >= walk->now)
		return 0;
	owner = owner_at(task);
	open = owner ? open_of(owner - 1) : NULL;
	if (!open)
		return 0;
	pid = BPF_CORE_READ(task, pid);
	moved = moved_wait_of(BPF_CORE_READ(task, sched_info.run_delay), BPF_CORE_READ(task, sched_info.last_arrival),
			      pid, walk->now);
	/* Queued anew in between: what it waited before would be in both. */
	if (BPF_CORE_READ(task, sched_info.last_queued) == since && !met(pid))
		open->wait += walk->now - since + moved;
	return 0;
}

/*
 * What a task had executed in all when it got the CPU, if that is known. It is what the probe of switches remembered
 * then, or, if it was not told of that, when the task last left a CPU. Not when the kernel says that it arrived: a
 * CPU's current task may be one that is just getting it, of which the kernel still has the arrival before, and that
 * interval is booked already.
 */
static __always_inline __u64 executed_at_arrival(__u32 index, __u32 pid)
{
	struct intp_running *running = &state.running[index & (INTP_PROBE_CPUS - 1)];
	struct intp_delay *delay = delay_of(pid);

	if (running->pid == pid)
		return running->executed;
	return delay->pid == pid ? delay->executed : 0;
}

/*
 * How long the task that runs on a CPU has run since it got it: as far as the kernel has added it up, and from then
 * on by the task clock, which stands behind the other by what a hypervisor took.
 */
static __always_inline __u64 running_for(__u32 index, struct rq *rq, struct task_struct *task, __u64 now)
{
	__u64 executed = executed_at_arrival(index, BPF_CORE_READ(task, pid)), arrival;

	if (executed) {
		__u64 taken = BPF_CORE_READ(rq, clock) - BPF_CORE_READ(rq, clock_task);
		__u64 summed_until = BPF_CORE_READ(task, se.exec_start);
		__u64 summed = BPF_CORE_READ(task, se.sum_exec_runtime);

		/* Less than that: it was executed by another one, which had this one's pid. */
		if (summed >= executed) {
			summed -= executed;
			return now - taken > summed_until ? summed + (now - taken - summed_until) : summed;
		}
	}
	arrival = BPF_CORE_READ(task, sched_info.last_arrival);
	/* It is still queued, as far as is noted: it is just getting the CPU. */
	if (BPF_CORE_READ(task, sched_info.last_queued))
		return 0;
	return arrival && arrival < now ? now - arrival : 0;
}

/* Looks at a CPU's current task, and finds its queue; how many tasks are in it. */
static __always_inline __u32 look_at_cpu(__u32 index, struct walk *walk)
{
	struct cfs_rq *queue = NULL;
	struct intp_open *open;
	struct task_struct *task;
	struct list_head *first;
	struct rq *rq;
	__u32 owner;

	bpf_probe_read_kernel(&queue, sizeof(queue), walk->queues + index);
	rq = BPF_CORE_READ(queue, rq);
	task = BPF_CORE_READ(rq, curr);
	first = BPF_CORE_READ(rq, cfs_tasks.next);
	if (!task || !first)
		return 0;
	owner = BPF_CORE_READ(task, pid) ? owner_at(task) : 0;
	open = owner ? open_of(owner - 1) : NULL;
	if (open)
		open->cpu += running_for(index, rq, task, walk->now);
	walk->rq = rq;
	walk->node = (__u64)first;
	walk->head = (__u64)rq + bpf_core_field_offset(struct rq, cfs_tasks);
	return BPF_CORE_READ(rq, nr_running);
}

/*
 * The run queues' clocks stand still between ticks and no helper reads the clock behind them. But this task got the
 * CPU at last_arrival by that clock, and not after now by CLOCK_MONOTONIC: now - last_arrival is at least the
 * difference of the two clocks, the closer the sooner it runs after it was woken. The least seen is kept, and may
 * grow by as much as the clock is ever slewed (500 ppm). The estimate of `now` is thus never in the future.
 */
static __always_inline __u64 scheduler_now(__u64 monotonic)
{
	__u64 seen = monotonic - BPF_CORE_READ(current_task(), sched_info.last_arrival);
	__u64 allowed = state.clock_offset + (monotonic - state.clock_seen) / 2000;

	state.clock_offset = !state.clock_seen || (__s64)(seen - allowed) < 0 ? seen : allowed;
	state.clock_seen = monotonic;
	return monotonic - state.clock_offset;
}

static __always_inline struct walk begin(void)
{
	struct walk walk = {0};

	state.monotonic = bpf_ktime_get_ns();
	state.now = walk.now = scheduler_now(state.monotonic);
	walk.queues = BPF_CORE_READ(current_task(), sched_task_group, cfs_rq);
	return walk;
}

static long queued(__u32 index, struct walk *walk)
{
	return look_at_next(walk);
}

static long cpu(__u32 index, struct walk *walk)
{
	__u32 tasks = look_at_cpu(index, walk);

	bpf_loop(tasks < QUEUED_TASKS ? tasks : QUEUED_TASKS, queued, walk, 0);
	return 0;
}

SEC("?raw_tp")
int intp_open(void *ctx)
{
	struct walk walk = begin();

	bpf_loop(state.cpus, cpu, &walk, 0);
	return 0;
}

/* The daemon says which CPU. */
SEC("?raw_tp")
int intp_open_before_5_17(struct bpf_raw_tracepoint_args *ctx)
{
	struct walk walk = begin();
	__u32 tasks = look_at_cpu(ctx->args[0], &walk);

#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < INTP_PROBE_QUEUED_WITHOUT_LOOP; i++)
		if (i >= tasks || look_at_next(&walk))
			break;
	return 0;
}
