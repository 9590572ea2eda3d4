/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"
#include "uncore.h"
#include "clock.h"

#define NAME	       "uncore"
#define DEVICES	       "bus/event_source/devices"
#define MOST_EVENTS    4096
#define BYTES_PER_LINE 64.0
#define NO_MISSES      "memory controllers count for the machine, and this container's cache misses are not counted"
#define NO_SHARE       "the memory controllers' or the machine's cache miss counters gave nothing"

struct slot {
	double misses, bytes, capacity;
	uint64_t last_ns;
	bool known; /* `misses` is that of the last snapshot */
};

struct uncore {
	struct intp_source source; /* first, so that the one is the other */
	struct intp_uncore_options options;
	struct intp_perf_ops ops;
	char *sys;
	struct intp_perf_group *controllers, *cpus; /* bytes / 64, and cache misses */
	size_t controller_count, cpu_count;
	int error; /* of the last event that could not be opened */
	struct slot *slots[INTP_MAX_WATCHES];
};

bool intp_parse_uncore_event(const char *text, uint64_t *config)
{
	uint64_t parsed = 0;
	for (;;) {
		int shift = -1;
		if (strncmp(text, "event=0x", 8) == 0)
			shift = 0;
		else if (strncmp(text, "umask=0x", 8) == 0)
			shift = 8;
		char *end;
		if (shift < 0 || !strchr("0123456789abcdefABCDEF", text[8]) || !text[8])
			return false;
		unsigned long value = strtoul(text + 8, &end, 16);
		if (value > 0xff)
			return false;
		parsed |= (uint64_t)value << shift;
		if (*end != ',')
			break;
		text = end + 1;
	}
	*config = parsed;
	return true;
}

struct opening {
	struct uncore *uncore;
	struct perf_event_attr attr;
	struct intp_perf_group **groups;
	size_t *count;
};

static void open_on(void *context, int cpu)
{
	struct opening *opening = context;
	struct uncore *uncore = opening->uncore;
	if (*opening->count == MOST_EVENTS)
		return;
	if (!*opening->groups)
		*opening->groups = calloc(MOST_EVENTS, sizeof(**opening->groups));
	int fd = *opening->groups ? uncore->ops.open(&opening->attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC) : -1;
	if (fd < 0) {
		uncore->error = *opening->groups ? errno : ENOMEM;
		return;
	}
	(*opening->groups)[(*opening->count)++] = (struct intp_perf_group){.leader = fd, .member = -1};
}

/* Opens an event on the CPUs that the file at `list` names. */
static void open_event(struct uncore *uncore, const char *list, uint32_t type, uint64_t config,
		       struct intp_perf_group **groups, size_t *count)
{
	char cpus[4096];
	struct opening opening = {
		.uncore = uncore, .attr = intp_perf_attr(type, config), .groups = groups, .count = count};
	if (intp_read(AT_FDCWD, list, cpus, sizeof(cpus)) < 0 || intp_parse_cpus(cpus, open_on, &opening) < 0)
		uncore->error = EINVAL;
}

static void open_controller(struct uncore *uncore, const char *device)
{
	static const char *const events[] = {"cas_count_read", "cas_count_write"};
	char path[4096], text[256];
	uint64_t type, config;
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/" DEVICES "/%s/type", uncore->sys, device);
		if (intp_read_number(AT_FDCWD, path, &type) < 0)
			return;
		snprintf(path, sizeof(path), "%s/" DEVICES "/%s/events/%s", uncore->sys, device, events[i]);
		/* A client machine's or a free-running controller has other events. */
		if (intp_read(AT_FDCWD, path, text, sizeof(text)) < 0)
			return;
		if (!intp_parse_uncore_event(text, &config)) {
			uncore->error = EINVAL;
			return;
		}
		/* .scale only turns lines of 64 bytes into MiB: 64 / 2^20. One that says otherwise is not understood.
		 */
		snprintf(path, sizeof(path), "%s/" DEVICES "/%s/events/%s.scale", uncore->sys, device, events[i]);
		if (intp_read(AT_FDCWD, path, text, sizeof(text)) >= 0 &&
		    fabs(strtod(text, NULL) * 1048576 - BYTES_PER_LINE) > 0.01) {
			uncore->error = EINVAL;
			return;
		}
		snprintf(path, sizeof(path), "%s/" DEVICES "/%s/cpumask", uncore->sys, device);
		open_event(uncore, path, (uint32_t)type, config, &uncore->controllers, &uncore->controller_count);
	}
}

static void open_controllers(struct uncore *uncore)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/" DEVICES, uncore->sys);
	DIR *directory = opendir(path);
	struct dirent *entry;
	while (directory && (entry = readdir(directory)))
		if (strncmp(entry->d_name, "uncore_imc", 10) == 0)
			open_controller(uncore, entry->d_name);
	if (directory)
		closedir(directory);
}

/* The growth of all events together since the last call; false if some event was not counted throughout. */
static bool grow(struct uncore *uncore, struct intp_perf_group *groups, size_t count, double *sum)
{
	bool counted = true;
	*sum = 0;
	for (size_t i = 0; i < count; i++)
		counted &= intp_perf_grow(&uncore->ops, &groups[i], sum) != INTP_PERF_STARVED;
	return counted;
}

static int watch(struct intp_source *source, int index, const struct intp_watch *wanted)
{
	struct uncore *uncore = (struct uncore *)source;
	(void)wanted;
	if (index < 0 || index >= INTP_MAX_WATCHES || uncore->slots[index])
		return -EINVAL;
	struct slot *slot = calloc(1, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	/* It may not be watched for its misses yet; then it begins with the next snapshot. */
	slot->known = uncore->options.misses(uncore->options.context, index, &slot->misses);
	slot->last_ns = uncore->options.now();
	uncore->slots[index] = slot;
	return 0;
}

static void unwatch(struct intp_source *source, int index)
{
	struct uncore *uncore = (struct uncore *)source;
	if (index < 0 || index >= INTP_MAX_WATCHES)
		return;
	free(uncore->slots[index]);
	uncore->slots[index] = NULL;
}

/* The growth of a slot's misses; -1 if it is not known. */
static double misses_of(struct uncore *uncore, int index)
{
	struct slot *slot = uncore->slots[index];
	double before = slot->misses;
	bool was_known = slot->known;
	slot->known = uncore->options.misses(uncore->options.context, index, &slot->misses);
	return slot->known && was_known && slot->misses >= before ? slot->misses - before : -1;
}

static int snapshot(struct intp_source *source, uint64_t now_ns, struct intp_sample *samples)
{
	struct uncore *uncore = (struct uncore *)source;
	double lines, all, own[INTP_MAX_WATCHES], sum = 0;
	bool counted = grow(uncore, uncore->controllers, uncore->controller_count, &lines);
	counted &= grow(uncore, uncore->cpus, uncore->cpu_count, &all);
	for (int i = 0; i < INTP_MAX_WATCHES; i++) {
		own[i] = uncore->slots[i] ? misses_of(uncore, i) : -1;
		sum += fmax(0, own[i]);
	}
	all = fmax(all, sum);
	for (int i = 0; i < INTP_MAX_WATCHES; i++) {
		struct slot *slot = uncore->slots[i];
		if (!slot)
			continue;
		if (counted && own[i] >= 0 && now_ns > slot->last_ns) {
			slot->bytes += all > 0 ? lines * BYTES_PER_LINE * own[i] / all : 0;
			slot->capacity += uncore->options.peak_bytes * (double)(now_ns - slot->last_ns) / 1e9;
		}
		slot->last_ns = now_ns;
		struct intp_count *count = &samples[i].counts[INTP_MBW];
		*count = intp_count_of(NAME, slot->bytes, slot->capacity);
		count->status = INTP_APPORTIONED;
		if (!counted || !slot->known)
			*count = intp_no_count(NAME, counted ? NO_MISSES : NO_SHARE);
	}
	return 0;
}

/* There is no machine on which this source is open and does not count its one signal. */
static const char *reason_of(const struct intp_source *source, enum intp_signal signal)
{
	(void)source;
	(void)signal;
	return NULL;
}

static void close_all(struct intp_source *source)
{
	struct uncore *uncore = (struct uncore *)source;
	for (int i = 0; i < INTP_MAX_WATCHES; i++)
		unwatch(source, i);
	for (size_t i = 0; i < uncore->controller_count; i++)
		uncore->ops.close(uncore->controllers[i].leader);
	for (size_t i = 0; i < uncore->cpu_count; i++)
		uncore->ops.close(uncore->cpus[i].leader);
	free(uncore->controllers);
	free(uncore->cpus);
	free(uncore->sys);
	free(uncore);
}

static const char *detect(struct uncore *uncore)
{
	char path[4096];
	if (!uncore->options.misses)
		return "memory controllers count for the machine, and the containers' cache misses are not counted";
	if (uncore->options.peak_bytes <= 0)
		return uncore->options.no_peak ? uncore->options.no_peak
					       : "no calibrated peak memory bandwidth: run `intpd calibrate`";
	open_controllers(uncore);
	if (!uncore->controller_count && !uncore->error)
		return "no memory controller counters (uncore_imc) on this machine";
	snprintf(path, sizeof(path), "%s/devices/system/cpu/online", uncore->sys);
	if (!uncore->error)
		open_event(uncore, path, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, &uncore->cpus,
			   &uncore->cpu_count);
	/* A channel or a CPU that is missing would make every share wrong. */
	if (uncore->error == EINVAL)
		return "the memory controller counters are of a kind that is not known";
	return uncore->error ? intp_perf_reason(uncore->error) : NULL;
}

struct intp_source *intp_uncore_open(const struct intp_uncore_options *options, char *reason, size_t size)
{
	struct uncore *uncore = calloc(1, sizeof(*uncore));
	char *sys = strdup(options->sys ? options->sys : "/sys");
	if (!uncore || !sys) {
		free(uncore);
		free(sys);
		snprintf(reason, size, "out of memory");
		return NULL;
	}
	uncore->source = (struct intp_source){.name = NAME,
					      .signals = UINT32_C(1) << INTP_MBW,
					      .watch = watch,
					      .unwatch = unwatch,
					      .snapshot = snapshot,
					      .reason = reason_of,
					      .close = close_all};
	uncore->options = *options;
	uncore->options.now = options->now ? options->now : intp_now_ns;
	uncore->ops = options->ops ? *options->ops : intp_perf_kernel;
	uncore->sys = sys;
	const char *why = detect(uncore);
	if (!why)
		return &uncore->source;
	snprintf(reason, size, "%s", why);
	close_all(&uncore->source);
	return NULL;
}
