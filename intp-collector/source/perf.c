/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "clock.h"
#include "descriptors.h"
#include "members.h"
#include "perf.h"
#include "text.h"

#define NAME	      "perf"
#define NOT_SCHEDULED "the kernel had no free counter in the PMU; another user of perf holds them"
#define WAITS	      "its threads wait for their events: those of many containers are opened one after another"
#define TOO_MANY      "it has more threads than events are opened for at once"

enum { REFERENCES, MISSES, INSTRUCTIONS, SUMS }; /* the first two as intp_perf_open_cache has them */
enum { CACHE, WORK, KINDS };

static const struct {
	enum intp_signal signal;
	int sum; /* the first of its sums */
} kinds[KINDS] = {
	[CACHE] = {INTP_LLCMR, REFERENCES},
	[WORK] = {INTP_INSTR, INSTRUCTIONS},
};

/* The groups of a thread, or of a cgroup on a CPU; nothing is open of a kind that this machine does not count. */
struct groups {
	struct intp_perf_group of[KINDS];
};

struct slot {
	struct groups *groups;
	size_t count, room;
	uint64_t start_ns;
	struct intp_members members; /* of one that waits */
	bool waits;		     /* for its groups, as others took what may be opened at once */
	const char *failed;	     /* why it is not counted */
	bool starved[KINDS];	     /* in the last window some group was, and none ran */
	double sums[SUMS];
};

struct perf {
	struct intp_source source; /* first, so that the one is the other */
	struct intp_perf_ops ops;
	uint64_t (*now)(void);
	struct intp_cache_events cache;
	char absent[KINDS][INTP_MAX_REASON + 1]; /* why a kind is not counted on this machine; empty if it is */
	int proc;
	int below; /* the first descriptor that no event may have, for others need some too */
	size_t at_once;
	struct intp_processes processes;
	struct intp_ids tids; /* scratch */
	struct intp_ids cpus;
	struct slot *slots[INTP_MAX_WATCHES];
};

static void close_group(const struct perf *perf, struct intp_perf_group *group)
{
	if (group->member >= 0)
		perf->ops.close(group->member);
	if (group->leader >= 0)
		perf->ops.close(group->leader);
	group->member = group->leader = -1;
}

static void close_groups(const struct perf *perf, struct slot *slot)
{
	for (size_t i = 0; i < slot->count; i++)
		for (int kind = 0; kind < KINDS; kind++)
			close_group(perf, &slot->groups[i].of[kind]);
	free(slot->groups);
	slot->groups = NULL;
	slot->count = slot->room = 0;
}

static int open_kind(const struct perf *perf, int kind, pid_t pid, int cpu, unsigned long flags,
		     struct intp_perf_group *group)
{
	int error = kind == CACHE ? intp_perf_open_cache(&perf->ops, &perf->cache, pid, cpu, flags, group)
				  : intp_perf_open_instructions(&perf->ops, pid, cpu, flags, group);
	if (error || (group->leader < perf->below && group->member < perf->below))
		return error;
	close_group(perf, group);
	return -EMFILE;
}

static int add_group(const struct perf *perf, struct slot *slot, pid_t pid, int cpu, unsigned long flags)
{
	if (slot->count == slot->room) {
		size_t room = slot->room ? 2 * slot->room : 16;
		struct groups *grown = realloc(slot->groups, room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		slot->groups = grown;
		slot->room = room;
	}
	struct intp_perf_group *of = slot->groups[slot->count].of;
	int error = 0;
	for (int kind = 0; kind < KINDS; kind++) {
		of[kind] = (struct intp_perf_group){.leader = -1, .member = -1};
		if (!error && !perf->absent[kind][0])
			error = open_kind(perf, kind, pid, cpu, flags, &of[kind]);
	}
	for (int kind = 0; kind < KINDS && error; kind++)
		close_group(perf, &of[kind]);
	slot->count += !error;
	return error;
}

static int open_cgroup(const struct perf *perf, struct slot *slot, const char *directory)
{
	int cgroup = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cgroup < 0)
		return -errno;
	int error = 0;
	for (size_t i = 0; i < perf->cpus.count && !error; i++)
		error = add_group(perf, slot, cgroup, perf->cpus.ids[i], PERF_FLAG_PID_CGROUP);
	close(cgroup);
	if (error)
		close_groups(perf, slot);
	return error;
}

/*
 * Opens a group for each thread of the container if no more than *left are asked for, and takes them off; makes it
 * wait otherwise. Trees are looked for in the table of processes as it was read last.
 */
static int open_threads(struct perf *perf, struct slot *slot, size_t *left)
{
	struct intp_ids *tids = &perf->tids;
	/* Also of one that waits: from here on its root is known by more than its number. */
	int error = intp_members_refresh(&slot->members, perf->proc, &perf->processes);
	slot->waits = *left == 0;
	if (error || slot->waits)
		return error;
	error = intp_members_threads(&slot->members, perf->proc, tids);
	if (error || tids->count > perf->at_once)
		return error ? error : -E2BIG;
	slot->waits = tids->count > *left;
	*left -= slot->waits ? *left : tids->count;
	for (size_t i = 0; i < tids->count && !slot->waits && !error; i++) {
		error = add_group(perf, slot, tids->ids[i], -1, 0);
		error = error == -ESRCH ? 0 : error; /* the thread ended */
	}
	if (error)
		close_groups(perf, slot);
	return error;
}

static const char *why_failed(int error)
{
	if (error == -E2BIG)
		return TOO_MANY;
	return error ? intp_perf_reason(-error) : NULL;
}

static int begin(struct perf *perf, int index, const struct intp_watch *wanted, size_t *left)
{
	if (index < 0 || index >= INTP_MAX_WATCHES || perf->slots[index])
		return -EINVAL;
	struct slot *slot = calloc(1, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	intp_members_init(&slot->members, wanted);
	slot->start_ns = perf->now();
	int error = -EBADF;
	if (wanted->attribution != INTP_TREE)
		error = open_cgroup(perf, slot, wanted->directory);
	/* A directory of another hierarchy than perf's is no cgroup to perf. */
	if (error && error != -EMFILE && error != -ENFILE)
		error = open_threads(perf, slot, left);
	if (error == -ENOMEM) {
		intp_members_free(&slot->members);
		free(slot);
		return error;
	}
	slot->failed = why_failed(error);
	if (!slot->waits)
		intp_members_free(&slot->members);
	perf->slots[index] = slot;
	return 0;
}

static void watch_many(struct intp_source *source, struct intp_entry *entries, size_t count)
{
	struct perf *perf = (struct perf *)source;
	size_t left = perf->at_once;
	bool trees = false;
	for (size_t i = 0; i < count; i++)
		trees |= entries[i].watch->attribution == INTP_TREE;
	int error = trees ? intp_processes_read(&perf->processes, perf->proc) : 0;
	for (size_t i = 0; i < count; i++)
		entries[i].error = error && entries[i].watch->attribution == INTP_TREE
					   ? error
					   : begin(perf, entries[i].slot, entries[i].watch, &left);
}

static int watch(struct intp_source *source, int index, const struct intp_watch *wanted)
{
	struct intp_entry entry = {.slot = index, .watch = wanted};
	watch_many(source, &entry, 1);
	return entry.error;
}

/* Goes on with those that wait. One for which there is no memory now goes on waiting. */
static void open_waiting(struct perf *perf)
{
	size_t left = perf->at_once;
	bool waiting = false, trees = false;
	for (int i = 0; i < INTP_MAX_WATCHES; i++) {
		const struct slot *slot = perf->slots[i];
		waiting |= slot && slot->waits;
		trees |= slot && slot->waits && slot->members.watch.attribution == INTP_TREE;
	}
	if (!waiting || (trees && intp_processes_read(&perf->processes, perf->proc)))
		return;
	for (int i = 0; i < INTP_MAX_WATCHES && left; i++) {
		struct slot *slot = perf->slots[i];
		if (!slot || !slot->waits)
			continue;
		int error = open_threads(perf, slot, &left);
		slot->waits |= error == -ENOMEM;
		slot->failed = slot->waits ? NULL : why_failed(error);
		if (!slot->waits)
			intp_members_free(&slot->members);
	}
}

static void unwatch(struct intp_source *source, int index)
{
	struct perf *perf = (struct perf *)source;
	if (index < 0 || index >= INTP_MAX_WATCHES || !perf->slots[index])
		return;
	close_groups(perf, perf->slots[index]);
	intp_members_free(&perf->slots[index]->members);
	free(perf->slots[index]);
	perf->slots[index] = NULL;
}

static void grow(const struct perf *perf, struct slot *slot)
{
	for (int kind = 0; kind < KINDS; kind++) {
		bool ran = false, starved = false;
		for (size_t i = 0; i < slot->count && !perf->absent[kind][0]; i++) {
			enum intp_perf_window window =
				intp_perf_grow(&perf->ops, &slot->groups[i].of[kind], &slot->sums[kinds[kind].sum]);
			ran |= window == INTP_PERF_RAN;
			starved |= window == INTP_PERF_STARVED;
		}
		slot->starved[kind] = starved && !ran;
	}
}

static struct intp_count count_of(const struct slot *slot, int kind, uint64_t now_ns)
{
	if (slot->failed)
		return intp_no_count(NAME, slot->failed);
	if (slot->waits)
		return intp_no_count(NAME, WAITS);
	if (slot->starved[kind])
		return intp_no_count(NAME, NOT_SCHEDULED);
	if (kind == CACHE)
		return intp_count_of(NAME, slot->sums[MISSES], slot->sums[REFERENCES]);
	double elapsed = now_ns > slot->start_ns ? (double)(now_ns - slot->start_ns) : 0;
	return intp_count_of(NAME, slot->sums[INSTRUCTIONS], elapsed / 1e9);
}

static int snapshot(struct intp_source *source, uint64_t now_ns, struct intp_sample *samples)
{
	struct perf *perf = (struct perf *)source;
	open_waiting(perf);
	for (int i = 0; i < INTP_MAX_WATCHES; i++) {
		struct slot *slot = perf->slots[i];
		if (!slot)
			continue;
		grow(perf, slot);
		for (int kind = 0; kind < KINDS; kind++)
			if (!perf->absent[kind][0])
				samples[i].counts[kinds[kind].signal] = count_of(slot, kind, now_ns);
	}
	return 0;
}

bool intp_perf_misses(const struct intp_source *source, int index, double *misses)
{
	const struct perf *perf = (const struct perf *)source;
	if (!perf || perf->absent[CACHE][0] || index < 0 || index >= INTP_MAX_WATCHES || !perf->slots[index] ||
	    perf->slots[index]->failed || perf->slots[index]->waits || perf->slots[index]->starved[CACHE])
		return false;
	*misses = perf->slots[index]->sums[MISSES];
	return true;
}

static const char *reason_of(const struct intp_source *source, enum intp_signal signal)
{
	const struct perf *perf = (const struct perf *)source;
	for (int kind = 0; kind < KINDS; kind++)
		if (kinds[kind].signal == signal && perf->absent[kind][0])
			return perf->absent[kind];
	return NULL;
}

static void close_all(struct intp_source *source)
{
	struct perf *perf = (struct perf *)source;
	for (int i = 0; i < INTP_MAX_WATCHES; i++)
		unwatch(source, i);
	intp_processes_free(&perf->processes);
	intp_ids_free(&perf->tids);
	intp_ids_free(&perf->cpus);
	if (perf->proc >= 0)
		close(perf->proc);
	free(perf);
}

static void add_cpu(void *context, int cpu)
{
	intp_ids_add(context, cpu);
}

/* Finds out which kinds this machine counts; returns why none, or NULL. */
static const char *detect_kinds(struct perf *perf)
{
	int counted = 0;
	for (int kind = 0; kind < KINDS; kind++) {
		struct intp_perf_group group = {.leader = -1, .member = -1};
		const char *why = kind == CACHE ? perf->cache.absent : NULL;
		int error = why ? 0 : open_kind(perf, kind, 0, -1, 0, &group);
		close_group(perf, &group);
		why = error ? intp_perf_reason(-error) : why;
		counted += !why;
		if (why)
			snprintf(perf->absent[kind], sizeof(perf->absent[kind]), "%s", why);
		else
			perf->source.signals |= UINT32_C(1) << kinds[kind].signal;
	}
	/* What keeps work from being counted would keep the cache from it on any processor. */
	return counted ? NULL : perf->absent[perf->cache.absent ? WORK : CACHE];
}

static const char *detect(struct perf *perf, const struct intp_perf_options *options)
{
	char path[4096], online[4096], cpuinfo[512] = "";
	struct utsname kernel = {0};
	const char *why;
	perf->proc = open(options->proc ? options->proc : "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (perf->proc < 0)
		return "/proc is not readable";
	uname(&kernel);
	intp_read_start(perf->proc, "cpuinfo", cpuinfo, sizeof(cpuinfo));
	perf->cache = intp_perf_cache_events(options->machine ? options->machine : kernel.machine, cpuinfo);
	why = detect_kinds(perf);
	if (why)
		return why;
	snprintf(path, sizeof(path), "%s/devices/system/cpu/online", options->sys ? options->sys : "/sys");
	if (intp_read(AT_FDCWD, path, online, sizeof(online)) < 0 ||
	    intp_parse_cpus(online, add_cpu, &perf->cpus) != (int)perf->cpus.count || !perf->cpus.count)
		return "the list of online CPUs is not readable";
	return NULL;
}

struct intp_source *intp_perf_open(const struct intp_perf_options *options, char *reason, size_t size)
{
	struct perf *perf = calloc(1, sizeof(*perf));
	if (!perf) {
		snprintf(reason, size, "out of memory");
		return NULL;
	}
	perf->source = (struct intp_source){.name = NAME,
					    .watch = watch,
					    .watch_many = watch_many,
					    .unwatch = unwatch,
					    .snapshot = snapshot,
					    .reason = reason_of,
					    .close = close_all};
	perf->ops = options->ops ? *options->ops : intp_perf_kernel;
	perf->now = options->now ? options->now : intp_now_ns;
	perf->proc = -1;
	perf->at_once = options->at_once ? options->at_once : INTP_PERF_AT_ONCE;
	perf->below = options->below ? options->below : intp_descriptors_here();
	const char *why = detect(perf, options);
	if (!why)
		return &perf->source;
	snprintf(reason, size, "%s", why);
	close_all(&perf->source);
	return NULL;
}
