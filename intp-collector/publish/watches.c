/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alive.h"
#include "../source/text.h"
#include "attribution.h"
#include "counts.h"
#include "permission.h"
#include "watches.h"

struct slot {
	bool used;
	bool pending;	  /* taken, and not yet given to the sources */
	bool dead;	  /* seen without a process; the dead do not come back */
	uint64_t dead_ns; /* when a snapshot first said so; 0: none has */
	struct intp_watch watch;
	struct intp_birth root;
	int error;			  /* of the primary source */
	int follower;			  /* of the root, see intp_birth_follow */
	char *refusals[INTP_MAX_SOURCES]; /* why a source does not count for this container; NULL: it does */
};

struct intp_watches {
	struct intp_panel *panel;
	int limit;
	char proc[INTP_MAX_PATH];
	struct intp_counts counts;
	struct intp_sessions sessions; /* of this call */
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
	if (intp_counts_open(&watches->counts, panel)) {
		intp_watches_close(watches);
		return NULL;
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

/* `lasts` is what the follower of the root says. */
static bool lives(struct intp_watches *watches, struct slot *slot, bool lasts)
{
	if (slot->dead || slot->pending || lasts)
		return !slot->dead;
	if (!intp_container_alive(watches->proc, &slot->watch, &slot->root, &watches->sessions))
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
		bool lasts;

		intp_births_last(&watches->slots[i].follower, 1, &lasts);
		if (!lives(watches, &watches->slots[i], lasts)) {
			release(watches, i);
			return i;
		}
	}
	return -1;
}

/* What a source made of the entries: without the primary one nothing is watched, without another its signals miss. */
static void note_errors(struct intp_watches *watches, int source, bool primary, struct intp_entry *entries,
			size_t *count)
{
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++) {
		struct slot *slot = &watches->slots[entries[i].slot];
		int error = entries[i].error;

		if (error && primary) {
			slot->error = error;
			continue;
		}
		if (error && asprintf(&slot->refusals[source], "%s cannot watch this container: %s",
				      watches->panel->entries[source].name, strerror(-error)) < 0)
			slot->refusals[source] = NULL;
		entries[kept++] = entries[i];
	}
	*count = kept;
}

/* Gives the entries to every source; slot->error says for which of them the primary one refused. */
static void watch_everywhere(struct intp_watches *watches, struct intp_entry *entries, size_t count)
{
	struct intp_source *primary = intp_panel_primary(watches->panel);

	for (size_t i = 0; i < count; i++)
		watches->slots[entries[i].slot].error = primary ? 0 : -ENODEV;
	for (int i = 0; i < watches->panel->count; i++) {
		struct intp_source *source = watches->panel->entries[i].source;

		if (!source)
			continue;
		if (source->watch_many)
			source->watch_many(source, entries, count);
		else
			for (size_t j = 0; j < count; j++)
				entries[j].error = source->watch(source, entries[j].slot, entries[j].watch);
		note_errors(watches, i, source == primary, entries, &count);
	}
}

/* Containers that are being entered together. */
struct batch {
	const struct intp_asker *asker;
	struct intp_hierarchies hierarchies;
	struct intp_entry entries[INTP_BATCH];
	struct intp_outcome *outcomes[INTP_BATCH];
	size_t count;
};

/* Gives what is pending to the sources. */
static void enter(struct intp_watches *watches, struct batch *batch)
{
	struct intp_entry entries[INTP_BATCH];

	if (!batch->count)
		return;
	memcpy(entries, batch->entries, sizeof(entries));
	watch_everywhere(watches, entries, batch->count);
	for (size_t i = 0; i < batch->count; i++) {
		struct slot *slot = &watches->slots[batch->entries[i].slot];
		struct intp_outcome *outcome = batch->outcomes[i];

		slot->pending = false;
		outcome->attribution = slot->watch.attribution;
		if (!slot->error) {
			slot->follower = intp_birth_follow(watches->proc, slot->watch.root, &slot->root);
			continue;
		}
		if (slot->error == -ESRCH)
			refuse(outcome, INTP_NO_PROCESS, "process %d does not exist", slot->watch.root);
		else
			refuse(outcome, INTP_FAILED, "it cannot be measured: %s", strerror(-slot->error));
		*slot = (struct slot){0};
	}
}

static void prepare(struct intp_watches *watches, struct batch *batch, const struct slot *slot,
		    struct intp_outcome *outcome)
{
	int index = take(watches);

	if (index < 0) {
		refuse(outcome, INTP_TOO_MANY, "%d containers are watched and all of them live", watches->limit);
		return;
	}
	watches->slots[index] = *slot;
	watches->slots[index].pending = true;
	batch->outcomes[batch->count] = outcome;
	batch->entries[batch->count++] = (struct intp_entry){.slot = index, .watch = &watches->slots[index].watch};
}

/* Whether the process is the one that is meant: it lives, and began when it is said to have. */
static bool is_running(const struct intp_watches *watches, const struct intp_target *target, struct intp_birth *birth)
{
	return target->pid > 0 && target->pid <= INT_MAX &&
	       intp_birth_read(watches->proc, (pid_t)target->pid, birth) &&
	       (!target->start || birth->start == (uint64_t)target->start);
}

/* False for one that is to be considered again when the batch has been entered: it is in there already. */
static bool consider(struct intp_watches *watches, struct batch *batch, const struct intp_target *target,
		     struct intp_outcome *outcome)
{
	struct slot slot = {.used = true, .watch.root = (pid_t)target->pid, .follower = -1};
	const char *id = target->container;
	int known = find(watches, id);
	bool running;

	if (known >= 0 && watches->slots[known].pending)
		return false;
	*outcome = (struct intp_outcome){0};
	intp_copy_text(outcome->container, id, sizeof(outcome->container));
	if (!intp_container_id_valid(id)) {
		refuse(outcome, INTP_BAD_CONTAINER, "an id has 1 to %d characters of A-Z a-z 0-9 _ . -", INTP_MAX_ID);
		return true;
	}
	running = is_running(watches, target, &slot.root);
	if (known >= 0 && watches->slots[known].watch.root == target->pid &&
	    (!running || watches->slots[known].root.start == slot.root.start)) {
		outcome->attribution = watches->slots[known].watch.attribution;
		return true;
	}
	if (!running) {
		refuse(outcome, INTP_NO_PROCESS, "process %lld does not exist", (long long)target->pid);
		return true;
	}
	strcpy(slot.watch.id, id);
	intp_attribute(watches->proc, &batch->hierarchies, &slot.watch);
	if (!intp_may_watch(watches->proc, batch->asker, &slot.watch)) {
		refuse(outcome, INTP_FORBIDDEN, "process %d is neither yours nor a container of that name",
		       slot.watch.root);
		return true;
	}
	if (known >= 0)
		release(watches, known);
	prepare(watches, batch, &slot, outcome);
	return true;
}

size_t intp_watches_watch(struct intp_watches *watches, const struct intp_asker *asker,
			  const struct intp_target *targets, size_t count, struct intp_outcome *outcomes)
{
	struct batch batch = {.asker = asker};
	size_t done = 0;

	intp_sessions_free(&watches->sessions);
	intp_hierarchies_read(watches->proc, &batch.hierarchies);
	while (done < count && done < INTP_BATCH && consider(watches, &batch, &targets[done], &outcomes[done]))
		done++;
	enter(watches, &batch);
	return done;
}

void intp_watches_unwatch(struct intp_watches *watches, const char *id)
{
	int index = find(watches, id);

	if (index >= 0)
		release(watches, index);
}

/* From the primary source alone, whose slots are those of the watches. */
static void fill_takers(struct intp_watches *watches, int index, struct intp_row *row)
{
	struct intp_source *source = intp_panel_primary(watches->panel);
	struct intp_taker takers[INTP_MOST_TAKERS];

	row->knows_takers = source && source->takers;
	row->taker_count = row->knows_takers ? source->takers(source, index, takers, INTP_MOST_TAKERS) : 0;
	for (int i = 0; i < row->taker_count; i++)
		row->takers[i] = (struct intp_row_taker){
			.container = takers[i].slot >= 0 ? watches->slots[takers[i].slot].watch.id : NULL,
			.times = takers[i].times,
		};
}

/* From the primary source alone, too. */
static void fill_peers(struct intp_watches *watches, int index, struct intp_row *row)
{
	struct intp_source *source = intp_panel_primary(watches->panel);

	row->knows_peers = source && source->peers;
	if (row->knows_peers)
		source->peers(source, index, &row->peers);
}

static void fill(struct intp_watches *watches, int index, bool lasts, uint64_t now_ns, struct intp_row *row)
{
	struct slot *slot = &watches->slots[index];

	row->container = slot->watch.id;
	row->attribution = slot->watch.attribution;
	row->alive = lives(watches, slot, lasts);
	if (slot->dead && !slot->dead_ns)
		slot->dead_ns = now_ns;
	intp_counts_tell(&watches->counts, index, slot->refusals, &row->sample);
	fill_takers(watches, index, row);
	fill_peers(watches, index, row);
}

static void forget_long_dead(struct intp_watches *watches, uint64_t now_ns)
{
	int forgotten = 0;

	for (int i = 0; i < watches->limit && forgotten < INTP_BATCH; i++) {
		const struct slot *slot = &watches->slots[i];

		if (slot->used && slot->dead_ns && now_ns - slot->dead_ns >= INTP_LINGER_NS) {
			release(watches, i);
			forgotten++;
		}
	}
}

int intp_watches_snapshot(struct intp_watches *watches, uint64_t now_ns, struct intp_row *rows)
{
	int slots[INTP_MAX_WATCHES], followers[INTP_MAX_WATCHES], count = 0;
	bool last[INTP_MAX_WATCHES];

	intp_sessions_free(&watches->sessions);
	forget_long_dead(watches, now_ns);
	for (int i = 0; i < watches->limit; i++)
		if (watches->slots[i].used) {
			followers[count] = watches->slots[i].follower;
			slots[count++] = i;
		}
	intp_counts_measure(&watches->counts, slots, (size_t)count, now_ns);
	intp_births_last(followers, (size_t)count, last);
	for (int i = 0; i < count; i++)
		fill(watches, slots[i], last[i], now_ns, &rows[i]);
	return count;
}

void intp_watches_close(struct intp_watches *watches)
{
	for (int i = 0; i < watches->limit; i++)
		if (watches->slots[i].used)
			release(watches, i);
	intp_counts_close(&watches->counts);
	intp_sessions_free(&watches->sessions);
	free(watches);
}
