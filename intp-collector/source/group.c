/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "group.h"
#include "clock.h"
#include "members.h"
#include "resident.h"
#include "text.h"

#define NAME	  "cgroup"
#define PROC	  "proc"
#define NO_MEMORY "the memory of its processes cannot be read"
#define NO_GROUP  "it has no control group of version 2"
#define NO_PSI                                                                                                       \
	"the kernel keeps no such pressure for it (CONFIG_PSI, psi=1, cgroup.pressure; full of the CPU: Linux 5.13)"
#define PRESSURES 3
#define MEMORIES  3
#define KINDS	  2
#define LEAST_NS  UINT64_C(1000000000)
#define KIB	  1024
#define MOST_NS	  UINT64_C(10000000000)

static const struct {
	const char *file;
	enum intp_signal signals[KINDS]; /* in the order of `kinds` */
} pressures[PRESSURES] = {
	{"cpu.pressure", {INTP_PSICPU, INTP_PSICPUF}},
	{"io.pressure", {INTP_PSIIO, INTP_PSIIOF}},
	{"memory.pressure", {INTP_PSIMEM, INTP_PSIMEMF}},
};

static const char *const kinds[KINDS] = {"some ", "full "};

static const enum intp_signal memories[MEMORIES] = {INTP_MEM, INTP_MEMANON, INTP_MEMFILE};

/* Bytes, in the order of `memories`. */
struct held {
	uint64_t bytes[MEMORIES];
};

/* Microseconds. */
struct stall {
	bool begun;
	uint64_t base, highest;
};

struct slot {
	struct intp_members members;
	bool by_group; /* its memory is that of a group */
	struct held held;
	uint64_t looked_ns, counted_ns; /* 0: never */
	double used[MEMORIES], capacity;
	uint64_t start_ns;
	double pressed_ns; /* for how long pressure was counted */
	struct stall stalled[PRESSURES][KINDS];
};

struct group {
	struct intp_source source; /* first, so that the one is the other */
	uint64_t (*now)(void);
	uint64_t total; /* bytes of the machine */
	struct intp_resident resident;
	struct intp_text text; /* scratch */
	struct slot *slots[INTP_MAX_WATCHES];
};

bool intp_parse_named(const char *text, const char *word, uint64_t *number)
{
	size_t length = strlen(word);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const char *at = line + length;
		if (strncmp(line, word, length) == 0 && intp_scan(&at, number))
			return true;
	}
	return false;
}

bool intp_parse_pressure(const char *text, const char *kind, uint64_t *microseconds)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, kind, strlen(kind)) != 0)
			continue;
		const char *total = strstr(line, "total=");
		if (!total || memchr(line, '\n', (size_t)(total - line)))
			return false;
		total += strlen("total=");
		return intp_scan(&total, microseconds);
	}
	return false;
}

static uint64_t less(uint64_t whole, uint64_t part)
{
	/* The two are not read at one moment. */
	return whole > part ? whole - part : 0;
}

static int read_group(struct group *group, const struct slot *slot, struct held *held)
{
	const char *directory = slot->members.watch.memory;
	char path[INTP_MAX_PATH + 32];
	uint64_t current, inactive, anonymous, file;
	snprintf(path, sizeof(path), "%s/memory.current", directory);
	int error = intp_read_number(AT_FDCWD, path, &current);
	bool unified = error != -ENOENT;
	if (!unified) {
		snprintf(path, sizeof(path), "%s/memory.usage_in_bytes", directory);
		error = intp_read_number(AT_FDCWD, path, &current);
	}
	if (error)
		return error;
	snprintf(path, sizeof(path), "%s/memory.stat", directory);
	ssize_t got = intp_read_text(AT_FDCWD, path, &group->text);
	if (got < 0)
		return (int)got;
	const char *stat = group->text.data;
	/* Of version 1 the lines with "total_" are those of the group with all below it. */
	if (!intp_parse_named(stat, unified ? "inactive_file " : "total_inactive_file ", &inactive) ||
	    !intp_parse_named(stat, unified ? "anon " : "total_rss ", &anonymous) ||
	    !intp_parse_named(stat, unified ? "file " : "total_cache ", &file))
		return -EINVAL;
	*held = (struct held){{less(current, inactive), anonymous, file}};
	return 0;
}

static int read_processes(struct group *group, int index, struct held *held)
{
	struct intp_resident_bytes bytes;
	int error = intp_resident_read(&group->resident, index, &group->slots[index]->members, &bytes);
	if (!error)
		*held = (struct held){{bytes.all, less(bytes.all, bytes.mapped), bytes.mapped}};
	return error;
}

/* Whether that is what becomes of the files of a group that is removed, or of processes that end. */
static bool is_gone(int error)
{
	return error == -ENOENT || error == -ENODEV || error == -ESRCH;
}

/*
 * Whether it is time to look again: the older a container, the longer its memory has been what it is. That of trees
 * is looked at together, since for the first of them the processes of the whole machine are listed.
 */
static bool is_due(const struct group *group, const struct slot *slot, uint64_t now_ns)
{
	uint64_t age = now_ns > slot->start_ns ? now_ns - slot->start_ns : 0, every = age / 4;
	if (every < LEAST_NS)
		every = LEAST_NS;
	if (every > MOST_NS)
		every = MOST_NS;
	return !slot->looked_ns || now_ns < slot->looked_ns || now_ns - slot->looked_ns >= every ||
	       (group->resident.listed && !group->resident.known && !slot->by_group);
}

/* A failure leaves the window open. */
static int count_memory(struct group *group, int index, uint64_t now_ns)
{
	struct slot *slot = group->slots[index];
	struct held held = slot->held;
	if (is_due(group, slot, now_ns)) {
		int error = slot->by_group ? read_group(group, slot, &held) : read_processes(group, index, &held);
		if (error)
			return error;
		slot->looked_ns = now_ns;
	}
	if (slot->counted_ns && now_ns > slot->counted_ns) {
		double seconds = (double)(now_ns - slot->counted_ns) / 1e9;
		for (int i = 0; i < MEMORIES; i++)
			slot->used[i] += ((double)slot->held.bytes[i] + (double)held.bytes[i]) / 2 / KIB * seconds;
		slot->capacity += (double)group->total / KIB * seconds;
	}
	slot->held = held;
	slot->counted_ns = now_ns;
	return 0;
}

/* Empty where it cannot be read. Returns 0 or a negative errno. */
static int read_pressure(const struct slot *slot, int which, char *text, size_t size)
{
	char path[INTP_MAX_PATH + 32];
	snprintf(path, sizeof(path), "%s/%s", slot->members.watch.directory, pressures[which].file);
	ssize_t got = intp_read(AT_FDCWD, path, text, size);
	if (got < 0)
		text[0] = '\0';
	return got < 0 ? (int)got : 0;
}

static void begin_pressures(struct slot *slot)
{
	for (int i = 0; i < PRESSURES && slot->members.watch.attribution == INTP_CGROUP_V2; i++) {
		char text[256];
		read_pressure(slot, i, text, sizeof(text));
		for (int kind = 0; kind < KINDS; kind++) {
			slot->stalled[i][kind].begun =
				intp_parse_pressure(text, kinds[kind], &slot->stalled[i][kind].base);
			slot->stalled[i][kind].highest = slot->stalled[i][kind].base;
		}
	}
}

/* Counts never go back, whatever the kernel says, and those of a group that is gone stay what they were. */
static struct intp_count stalled(struct slot *slot, int which, int kind, const char *text, bool gone)
{
	struct stall *stall = &slot->stalled[which][kind];
	uint64_t microseconds;
	if (slot->members.watch.attribution != INTP_CGROUP_V2)
		return intp_no_count(NAME, NO_GROUP);
	if (!stall->begun || (!gone && !intp_parse_pressure(text, kinds[kind], &microseconds)))
		return intp_no_count(NAME, NO_PSI);
	if (!gone && microseconds > stall->highest)
		stall->highest = microseconds;
	return intp_count_of(NAME, 1e3 * (double)(stall->highest - stall->base), slot->pressed_ns);
}

static void put_pressures(struct slot *slot, uint64_t now_ns, struct intp_count *counts)
{
	char texts[PRESSURES][256];
	bool gone = slot->members.watch.attribution == INTP_CGROUP_V2;
	for (int i = 0; i < PRESSURES; i++) {
		texts[i][0] = '\0';
		if (slot->members.watch.attribution == INTP_CGROUP_V2)
			gone &= is_gone(read_pressure(slot, i, texts[i], sizeof(texts[i])));
	}
	if (!gone && now_ns > slot->start_ns)
		slot->pressed_ns = (double)(now_ns - slot->start_ns);
	for (int i = 0; i < PRESSURES; i++)
		for (int kind = 0; kind < KINDS; kind++)
			counts[pressures[i].signals[kind]] = stalled(slot, i, kind, texts[i], gone);
}

static int begin(struct group *group, int index, const struct intp_watch *wanted)
{
	if (index < 0 || index >= INTP_MAX_WATCHES || group->slots[index])
		return -EINVAL;
	struct slot *slot = calloc(1, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	intp_members_init(&slot->members, wanted);
	slot->by_group = wanted->memory[0] != '\0';
	slot->start_ns = group->now();
	group->slots[index] = slot;
	/* What cannot be read now may be later. */
	count_memory(group, index, slot->start_ns);
	begin_pressures(slot);
	return 0;
}

static void watch_many(struct intp_source *source, struct intp_entry *entries, size_t count)
{
	struct group *group = (struct group *)source;
	group->resident.listed = false;
	for (size_t i = 0; i < count; i++)
		entries[i].error = begin(group, entries[i].slot, entries[i].watch);
}

static void unwatch(struct intp_source *source, int index)
{
	struct group *group = (struct group *)source;
	if (index < 0 || index >= INTP_MAX_WATCHES || !group->slots[index])
		return;
	intp_members_free(&group->slots[index]->members);
	free(group->slots[index]);
	group->slots[index] = NULL;
}

static int snapshot(struct intp_source *source, uint64_t now_ns, struct intp_sample *samples)
{
	struct group *group = (struct group *)source;
	group->resident.listed = false;
	for (int i = 0; i < INTP_MAX_WATCHES; i++) {
		struct slot *slot = group->slots[i];
		if (!slot)
			continue;
		struct intp_count *counts = samples[i].counts;
		int error = count_memory(group, i, now_ns);
		/* What was counted until it ended stays what it was. */
		bool failed = error && !(slot->counted_ns && is_gone(error));
		for (int j = 0; j < MEMORIES; j++)
			counts[memories[j]] =
				failed ? intp_no_count(slot->by_group ? NAME : PROC, NO_MEMORY)
				       : intp_count_of(slot->by_group ? NAME : PROC, slot->used[j], slot->capacity);
		if (group->source.signals & INTP_PRESSURE_SIGNALS)
			put_pressures(slot, now_ns, counts);
	}
	return 0;
}

static const char *reason_of(const struct intp_source *source, enum intp_signal signal)
{
	return INTP_GROUP_SIGNALS & ~source->signals & (UINT32_C(1) << signal) ? NO_PSI : NULL;
}

static void close_all(struct intp_source *source)
{
	struct group *group = (struct group *)source;
	for (int i = 0; i < INTP_MAX_WATCHES; i++)
		unwatch(source, i);
	intp_resident_free(&group->resident);
	intp_text_free(&group->text);
	if (group->resident.proc >= 0)
		close(group->resident.proc);
	free(group);
}

struct intp_source *intp_group_open(const struct intp_group_options *options, char *reason, size_t size)
{
	struct group *group = calloc(1, sizeof(*group));
	uint64_t kib = 0;
	if (!group) {
		snprintf(reason, size, "out of memory");
		return NULL;
	}
	group->source = (struct intp_source){.name = NAME,
					     .signals = INTP_GROUP_SIGNALS,
					     .watch = intp_watch_one,
					     .watch_many = watch_many,
					     .unwatch = unwatch,
					     .snapshot = snapshot,
					     .reason = reason_of,
					     .close = close_all};
	group->resident.trees = options->trees && options->trees->tree_members ? options->trees : NULL;
	group->now = options->now ? options->now : intp_now_ns;
	group->resident.page_bytes = options->page_bytes ? options->page_bytes : (uint64_t)sysconf(_SC_PAGESIZE);
	group->resident.proc = open(options->proc ? options->proc : "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* Without, nobody's pressure is kept. */
	if (group->resident.proc >= 0 && faccessat(group->resident.proc, "pressure/cpu", F_OK, 0) != 0)
		group->source.signals &= ~INTP_PRESSURE_SIGNALS;
	if (group->resident.proc >= 0 && intp_read_text(group->resident.proc, "meminfo", &group->text) >= 0 &&
	    intp_parse_named(group->text.data, "MemTotal:", &kib) && kib > 0 && kib <= UINT64_MAX / 1024) {
		group->total = kib * 1024;
		return &group->source;
	}
	snprintf(reason, size,
		 group->resident.proc < 0 ? "/proc is not readable"
					  : "/proc/meminfo does not say how much memory there is");
	close_all(&group->source);
	return NULL;
}
