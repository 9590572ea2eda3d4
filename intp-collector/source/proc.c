/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blockshare.h"
#include "ledger.h"
#include "members.h"
#include "proc.h"
#include "clock.h"

#define NAME	     "proc"
#define BIT(signal)  (UINT32_C(1) << (signal))
#define NO_SCHEDSTAT "this kernel has no /proc/PID/schedstat (CONFIG_SCHED_INFO)"
#define NO_DELAYACCT "kernel.task_delayacct is not 1: sysctl kernel.task_delayacct=1, then restart intpd"
#define NO_DISK	     "no disk with a device in /sys/block"
#define NOT_IN_PROC  "/proc does not count it; eBPF may (--source best)"
#define NO_IO	     "/proc/PID/io of other users is not readable: it needs CAP_SYS_PTRACE"

struct slot {
	struct intp_members members;
	struct intp_ledger ledger;
	struct intp_growth growth; /* of the window that is sampled */
	uint64_t last_ns;
	double elapsed_ns; /* of the window that is sampled */
	double on_cpu_ns, wait_ns, block_wait_ns, cpu_capacity, capacity_ns;
	double block_ns, operations, block_capacity_ns, unwritten;
};

struct proc {
	struct intp_source source; /* first, so that the one is the other */
	int proc;
	char *sys;
	uint64_t (*now)(void);
	int cpus;
	double usable_cpus; /* 0: those that are online */
	uint64_t last_ns;
	struct intp_disks disks;
	struct intp_processes processes;
	const char *reasons[INTP_SIGNALS];
	struct slot *slots[INTP_MAX_WATCHES];
	int watched;
	int sampled[INTP_MAX_WATCHES];			  /* scratch: the slots of `shares` */
	struct intp_block_share shares[INTP_MAX_WATCHES]; /* scratch */
};

static bool delays_counted(int proc)
{
	uint64_t flag;
	return intp_read_number(proc, "sys/kernel/task_delayacct", &flag) == 0 && flag == 1;
}

static void slot_free(struct slot *slot)
{
	intp_members_free(&slot->members);
	intp_ledger_free(&slot->ledger);
	free(slot);
}

/* Samples a container's threads and processes; a failure leaves its window open for the next sample. */
static int slot_sample(struct proc *proc, struct slot *slot, uint64_t now_ns, bool baseline)
{
	int error = intp_members_refresh(&slot->members, proc->proc, &proc->processes);
	if (error)
		return error;
	slot->elapsed_ns = baseline || now_ns < slot->last_ns ? 0 : (double)(now_ns - slot->last_ns);
	error = intp_ledger_add(&slot->ledger, &slot->members, proc->proc, proc->source.signals & BIT(INTP_BLKWAIT),
				baseline, slot->elapsed_ns, &slot->growth);
	if (error)
		return error;
	slot->last_ns = now_ns;
	slot->on_cpu_ns += slot->growth.on_cpu_ns;
	slot->wait_ns += slot->growth.wait_ns;
	slot->block_wait_ns += slot->growth.block_ns;
	slot->capacity_ns += slot->elapsed_ns;
	slot->cpu_capacity += slot->elapsed_ns * (proc->usable_cpus > 0 ? proc->usable_cpus : proc->cpus);
	return 0;
}

/* Trees are looked for in the table of processes as it was read last. */
static int begin(struct intp_source *source, int index, const struct intp_watch *wanted)
{
	struct proc *proc = (struct proc *)source;
	if (index < 0 || index >= INTP_MAX_WATCHES || proc->slots[index])
		return -EINVAL;
	struct slot *slot = calloc(1, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	intp_members_init(&slot->members, wanted);
	uint64_t now_ns = proc->now();
	int error = slot_sample(proc, slot, now_ns, true);
	if (error) {
		slot_free(slot);
		return error;
	}
	if (!proc->watched++) {
		struct intp_disk_growth before;
		intp_disks_read(&proc->disks, proc->proc, proc->sys, &before);
		proc->last_ns = now_ns;
	}
	proc->slots[index] = slot;
	return 0;
}

static void watch_many(struct intp_source *source, struct intp_entry *entries, size_t count)
{
	struct proc *proc = (struct proc *)source;
	bool trees = false;
	for (size_t i = 0; i < count; i++)
		trees |= entries[i].watch->attribution == INTP_TREE;
	int error = trees ? intp_processes_read(&proc->processes, proc->proc) : 0;
	for (size_t i = 0; i < count; i++)
		entries[i].error = error && entries[i].watch->attribution == INTP_TREE
					   ? error
					   : begin(source, entries[i].slot, entries[i].watch);
}

static void unwatch(struct intp_source *source, int index)
{
	struct proc *proc = (struct proc *)source;
	if (index < 0 || index >= INTP_MAX_WATCHES || !proc->slots[index])
		return;
	slot_free(proc->slots[index]);
	proc->slots[index] = NULL;
	proc->watched--;
}

static void apportion(struct proc *proc, uint64_t now_ns, int count)
{
	struct intp_disk_growth disks;
	/* The disks' next growth covers a window that could not be read; the bytes in it go unshared. */
	if (intp_disks_read(&proc->disks, proc->proc, proc->sys, &disks) < 0)
		return;
	for (int i = 0; i < count; i++) {
		const struct slot *slot = proc->slots[proc->sampled[i]];
		proc->shares[i] = (struct intp_block_share){.read_bytes = slot->growth.read_bytes,
							    .written_bytes = slot->growth.written_bytes,
							    .unwritten = slot->unwritten};
	}
	intp_apportion(&disks, proc->shares, (size_t)count, (double)(now_ns - proc->last_ns));
	proc->last_ns = now_ns;
	for (int i = 0; i < count; i++) {
		struct slot *slot = proc->slots[proc->sampled[i]];
		slot->unwritten = proc->shares[i].unwritten;
		slot->block_ns += proc->shares[i].ns;
		slot->operations += proc->shares[i].operations;
		slot->block_capacity_ns += slot->elapsed_ns;
	}
}

static void write_counts(const struct proc *proc, const struct slot *slot, bool delays, struct intp_count *counts)
{
	if (proc->source.signals & BIT(INTP_CPU)) {
		counts[INTP_CPU] = intp_count_of(NAME, slot->on_cpu_ns, slot->cpu_capacity);
		counts[INTP_CPUWAIT] = intp_count_of(NAME, slot->wait_ns, slot->wait_ns + slot->on_cpu_ns);
	}
	if (proc->source.signals & BIT(INTP_BLKWAIT))
		counts[INTP_BLKWAIT] = delays ? intp_count_of(NAME, slot->block_wait_ns, slot->capacity_ns)
					      : intp_no_count(NAME, NO_DELAYACCT);
	if (!(proc->source.signals & BIT(INTP_BLK)))
		return;
	if (slot->ledger.last.io_denied) {
		counts[INTP_BLK] = intp_no_count(NAME, NO_IO);
		return;
	}
	counts[INTP_BLK] = intp_count_of(NAME, slot->block_ns, slot->block_capacity_ns);
	counts[INTP_BLK].status = INTP_APPORTIONED;
	counts[INTP_BLK].operations = slot->operations;
}

static int snapshot(struct intp_source *source, uint64_t now_ns, struct intp_sample *samples)
{
	struct proc *proc = (struct proc *)source;
	bool trees = false, delays = delays_counted(proc->proc);
	for (int i = 0; i < INTP_MAX_WATCHES; i++)
		trees |= proc->slots[i] && proc->slots[i]->members.watch.attribution == INTP_TREE;
	int error = trees ? intp_processes_read(&proc->processes, proc->proc) : 0;
	if (error)
		return error;
	int cpus = intp_online_cpus(proc->sys), count = 0;
	proc->cpus = cpus > 0 ? cpus : proc->cpus;
	for (int i = 0; i < INTP_MAX_WATCHES; i++)
		if (proc->slots[i] && slot_sample(proc, proc->slots[i], now_ns, false) == 0)
			proc->sampled[count++] = i;
	if (proc->source.signals & BIT(INTP_BLK) && now_ns > proc->last_ns)
		apportion(proc, now_ns, count);
	for (int i = 0; i < INTP_MAX_WATCHES; i++)
		if (proc->slots[i])
			write_counts(proc, proc->slots[i], delays, samples[i].counts);
	return 0;
}

static const char *reason_of(const struct intp_source *source, enum intp_signal signal)
{
	const struct proc *proc = (const struct proc *)source;
	return (unsigned)signal < INTP_SIGNALS ? proc->reasons[signal] : NULL;
}

static void close_all(struct intp_source *source)
{
	struct proc *proc = (struct proc *)source;
	for (int i = 0; i < INTP_MAX_WATCHES; i++)
		unwatch(source, i);
	intp_disks_free(&proc->disks);
	intp_processes_free(&proc->processes);
	if (proc->proc >= 0)
		close(proc->proc);
	free(proc->sys);
	free(proc);
}

/* Finds what this machine counts, with a reason for everything else. */
static void detect(struct proc *proc)
{
	char text[128];
	struct intp_disk_growth before;
	uint64_t on_cpu, wait;
	uint32_t signals = 0;
	if (intp_read(proc->proc, "self/schedstat", text, sizeof(text)) > 0 &&
	    intp_parse_schedstat(text, &on_cpu, &wait) && proc->cpus > 0)
		signals |= BIT(INTP_CPU) | BIT(INTP_CPUWAIT);
	if (signals && delays_counted(proc->proc))
		signals |= BIT(INTP_BLKWAIT);
	if (intp_disks_read(&proc->disks, proc->proc, proc->sys, &before) > 0)
		signals |= BIT(INTP_BLK);
	for (int i = 0; i < INTP_SIGNALS; i++)
		proc->reasons[i] = NOT_IN_PROC;
	proc->reasons[INTP_CPU] = proc->reasons[INTP_CPUWAIT] =
		proc->cpus > 0 ? NO_SCHEDSTAT : "/sys/devices/system/cpu/online is not readable";
	proc->reasons[INTP_BLKWAIT] = delays_counted(proc->proc) ? NO_SCHEDSTAT : NO_DELAYACCT;
	proc->reasons[INTP_BLK] = NO_DISK;
	for (int i = 0; i < INTP_SIGNALS; i++)
		if (signals & BIT(i))
			proc->reasons[i] = NULL;
	proc->source.signals = signals;
}

struct intp_source *intp_proc_open(const struct intp_proc_options *options, char *reason, size_t size)
{
	const char *root = options->proc ? options->proc : "/proc";
	struct proc *proc = calloc(1, sizeof(*proc));
	if (!proc) {
		snprintf(reason, size, "out of memory");
		return NULL;
	}
	proc->source = (struct intp_source){.name = NAME,
					    .watch = intp_watch_one,
					    .watch_many = watch_many,
					    .unwatch = unwatch,
					    .snapshot = snapshot,
					    .reason = reason_of,
					    .close = close_all};
	proc->usable_cpus = options->cpus;
	proc->now = options->now ? options->now : intp_now_ns;
	proc->sys = strdup(options->sys ? options->sys : "/sys");
	proc->proc = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error = !proc->sys ? ENOMEM : proc->proc < 0 ? errno : 0;
	if (!error) {
		proc->cpus = intp_online_cpus(proc->sys);
		detect(proc);
	}
	if (error || !proc->source.signals) {
		snprintf(reason, size, "%s: %s", root, error ? strerror(error) : "neither schedstat nor disks");
		close_all(&proc->source);
		return NULL;
	}
	return &proc->source;
}
