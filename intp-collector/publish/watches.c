/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../signal/merge.h"
#include "alive.h"
#include "attribution.h"
#include "watches.h"

struct slot {
	bool used;
	bool dead; /* seen without a process; the dead do not come back */
	struct intp_watch watch;
	struct intp_birth root;
	int follower;			  /* of the root, see intp_birth_follow */
	char *refusals[INTP_MAX_SOURCES]; /* why a source does not count for this container; NULL: it does */
};

struct intp_watches {
	struct intp_panel *panel;
	int limit;
	char proc[INTP_MAX_PATH];
	struct intp_sample *samples[INTP_MAX_SOURCES];	      /* what each source counted, by slot */
	char failures[INTP_MAX_SOURCES][INTP_MAX_REASON + 1]; /* why a source's last snapshot failed, or empty */
	struct slot slots[INTP_MAX_WATCHES];
};

struct intp_watches *intp_watches_open(struct intp_panel *panel, int limit, const char *proc)
{
	struct intp_watches *watches = calloc(1, sizeof(*watches));

	if (!watches)
		return NULL;
	watches->panel = panel;
	watches->limit = limit;
	snprintf(watches->proc, sizeof(watches->proc), "%s", proc);
	for (int i = 0; i < panel->count; i++) {
		watches->samples[i] = calloc(INTP_MAX_WATCHES, sizeof(struct intp_sample));
		if (!watches->samples[i]) {
			intp_watches_close(watches);
			return NULL;
		}
	}
	return watches;
}

__attribute__((format(printf, 3, 4))) static void refuse(struct intp_outcome *outcome, const char *code,
							 const char *format, ...)
{
	va_list arguments;

	outcome->code = code;
	va_start(arguments, format);
	vsnprintf(outcome->message, sizeof(outcome->message), format, arguments);
	va_end(arguments);
}

static int find(const struct intp_watches *watches, const char *id)
{
	for (int i = 0; i < watches->limit; i++)
		if (watches->slots[i].used && strcmp(watches->slots[i].watch.id, id) == 0)
			return i;
	return -1;
}

static bool lives(const struct intp_watches *watches, struct slot *slot)
{
	if (slot->dead || intp_birth_lasts(slot->follower))
		return !slot->dead;
	if (!intp_container_alive(watches->proc, &slot->watch, &slot->root))
		slot->dead = true;
	return !slot->dead;
}

static void release(struct intp_watches *watches, int index)
{
	struct slot *slot = &watches->slots[index];

	for (int i = 0; i < watches->panel->count; i++) {
		struct intp_source *source = watches->panel->entries[i].source;

		if (source && !slot->refusals[i])
			source->unwatch(source, index);
		free(slot->refusals[i]);
	}
	if (slot->follower >= 0)
		close(slot->follower);
	*slot = (struct slot){0};
}

/* A free slot, if need be that of a container that does not live; -1 where every one lives. */
static int take(struct intp_watches *watches)
{
	for (int i = 0; i < watches->limit; i++)
		if (!watches->slots[i].used)
			return i;
	for (int i = 0; i < watches->limit; i++) {
		if (!lives(watches, &watches->slots[i])) {
			release(watches, i);
			return i;
		}
	}
	return -1;
}

/* Returns the primary source's errno; what another refuses is remembered as the reason. */
static int watch_everywhere(struct intp_watches *watches, int index)
{
	struct intp_source *primary = intp_panel_primary(watches->panel);
	struct slot *slot = &watches->slots[index];

	for (int i = 0; i < watches->panel->count; i++) {
		struct intp_source *source = watches->panel->entries[i].source;
		int error = source ? source->watch(source, index, &slot->watch) : 0;

		if (error && source == primary)
			return error;
		if (error && asprintf(&slot->refusals[i], "%s cannot watch this container: %s", source->name,
				      strerror(-error)) < 0)
			slot->refusals[i] = NULL;
	}
	return primary ? 0 : -ENODEV;
}

static void begin(struct intp_watches *watches, const struct slot *slot, struct intp_outcome *outcome)
{
	int index = take(watches);
	int error;

	if (index < 0) {
		refuse(outcome, INTP_TOO_MANY, "%d containers are watched and all of them live", watches->limit);
		return;
	}
	watches->slots[index] = *slot;
	error = watch_everywhere(watches, index);
	if (!error) {
		watches->slots[index].follower = intp_birth_follow(watches->proc, slot->watch.root, &slot->root);
		outcome->attribution = slot->watch.attribution;
		return;
	}
	watches->slots[index] = (struct slot){0};
	if (error == -ESRCH)
		refuse(outcome, INTP_NO_PROCESS, "process %d does not exist", slot->watch.root);
	else
		refuse(outcome, INTP_FAILED, "it cannot be measured: %s", strerror(-error));
}

/* Cuts before the byte at which the copy would end inside a character. */
static void copy_text(char *to, const char *from, size_t size)
{
	size_t length = strnlen(from, size - 1);

	if (from[length] != '\0')
		while (length > 0 && ((unsigned char)from[length] & 0xc0) == 0x80)
			length--;
	memcpy(to, from, length);
	to[length] = '\0';
}

void intp_watches_watch(struct intp_watches *watches, const char *id, int64_t pid, struct intp_outcome *outcome)
{
	struct slot slot = {.used = true, .watch.root = (pid_t)pid, .follower = -1};
	int known;
	bool running;

	*outcome = (struct intp_outcome){0};
	copy_text(outcome->container, id, sizeof(outcome->container));
	if (!intp_container_id_valid(id)) {
		refuse(outcome, INTP_BAD_CONTAINER, "an id has 1 to %d characters of A-Z a-z 0-9 _ . -", INTP_MAX_ID);
		return;
	}
	running = pid > 0 && pid <= INT_MAX && intp_birth_read(watches->proc, (pid_t)pid, &slot.root);
	known = find(watches, id);
	if (known >= 0 && watches->slots[known].watch.root == pid &&
	    (!running || watches->slots[known].root.start == slot.root.start)) {
		outcome->attribution = watches->slots[known].watch.attribution;
		return;
	}
	if (!running) {
		refuse(outcome, INTP_NO_PROCESS, "process %lld does not exist", (long long)pid);
		return;
	}
	if (known >= 0)
		release(watches, known);
	strcpy(slot.watch.id, id);
	intp_attribute(watches->proc, &slot.watch);
	begin(watches, &slot, outcome);
}

void intp_watches_unwatch(struct intp_watches *watches, const char *id)
{
	int index = find(watches, id);

	if (index >= 0)
		release(watches, index);
}

/* Samples start unavailable each time: what a source does not write now is not what it wrote last time. */
static void measure(struct intp_watches *watches, int entry, uint64_t now_ns)
{
	struct intp_source *source = watches->panel->entries[entry].source;
	char *failure = watches->failures[entry];
	int error;

	for (int i = 0; i < watches->limit; i++)
		if (watches->slots[i].used)
			watches->samples[entry][i] = (struct intp_sample){0};
	error = source->snapshot(source, now_ns, watches->samples[entry]);
	failure[0] = '\0';
	if (error)
		snprintf(failure, INTP_MAX_REASON + 1, "%s could not read its counts: %s", source->name,
			 strerror(-error));
}

static struct intp_count offer(const struct intp_watches *watches, int entry, int index, enum intp_signal signal)
{
	const struct intp_panel_entry *from = &watches->panel->entries[entry];
	struct intp_count count = watches->samples[entry][index].counts[signal];
	const char *refusal = watches->slots[index].refusals[entry];

	if (!from->source || !(from->source->signals & (1u << signal)))
		return intp_no_count(from->name, intp_panel_absence(from, signal));
	if (refusal)
		return intp_no_count(from->name, refusal);
	if (watches->failures[entry][0])
		return intp_no_count(from->name, watches->failures[entry]);
	count.source = from->name;
	if (count.status == INTP_UNAVAILABLE && !count.reason)
		count.reason = "the source has no count yet";
	return count;
}

static void fill(struct intp_watches *watches, int index, struct intp_row *row)
{
	struct intp_count offers[INTP_MAX_SOURCES];
	struct slot *slot = &watches->slots[index];
	int order[INTP_MAX_SOURCES];

	row->container = slot->watch.id;
	row->attribution = slot->watch.attribution;
	row->alive = lives(watches, slot);
	for (int signal = 0; signal < INTP_SIGNALS; signal++) {
		intp_panel_rank(watches->panel, signal, order);
		for (int i = 0; i < watches->panel->count; i++)
			offers[i] = offer(watches, order[i], index, signal);
		row->sample.counts[signal] = intp_merge(offers, watches->panel->count);
	}
}

int intp_watches_snapshot(struct intp_watches *watches, uint64_t now_ns, struct intp_row *rows)
{
	int count = 0;

	for (int i = 0; i < watches->panel->count; i++)
		if (watches->panel->entries[i].source)
			measure(watches, i, now_ns);
	for (int i = 0; i < watches->limit; i++)
		if (watches->slots[i].used)
			fill(watches, i, &rows[count++]);
	return count;
}

void intp_watches_close(struct intp_watches *watches)
{
	for (int i = 0; i < watches->limit; i++)
		if (watches->slots[i].used)
			release(watches, i);
	for (int i = 0; i < INTP_MAX_SOURCES; i++)
		free(watches->samples[i]);
	free(watches);
}
