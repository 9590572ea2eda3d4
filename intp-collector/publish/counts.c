/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../signal/merge.h"
#include "counts.h"

int intp_counts_open(struct intp_counts *counts, const struct intp_panel *panel)
{
	*counts = (struct intp_counts){.panel = panel};
	for (int signal = 0; signal < INTP_SIGNALS; signal++)
		intp_panel_rank(panel, signal, counts->order[signal]);
	for (int i = 0; i < panel->count; i++) {
		counts->samples[i] = calloc(INTP_MAX_WATCHES, sizeof(struct intp_sample));
		if (!counts->samples[i])
			return -ENOMEM;
	}
	return 0;
}

void intp_counts_close(struct intp_counts *counts)
{
	for (int i = 0; i < INTP_MAX_SOURCES; i++)
		free(counts->samples[i]);
	*counts = (struct intp_counts){0};
}

/* Samples start unavailable each time: what a source does not write now is not what it wrote last time. */
void intp_counts_measure(struct intp_counts *counts, const int *slots, size_t count, uint64_t now_ns)
{
	for (int i = 0; i < counts->panel->count; i++) {
		struct intp_source *source = counts->panel->entries[i].source;
		char *failure = counts->failures[i];
		int error;

		if (!source)
			continue;
		for (size_t j = 0; j < count; j++)
			counts->samples[i][slots[j]] = (struct intp_sample){0};
		error = source->snapshot(source, now_ns, counts->samples[i]);
		failure[0] = '\0';
		if (error)
			snprintf(failure, INTP_MAX_REASON + 1, "%s could not read its counts: %s", source->name,
				 strerror(-error));
	}
}

/* What a source counted for a slot, or NULL where it did not. */
static const struct intp_count *counted_by(const struct intp_counts *counts, int entry, int slot,
					   enum intp_signal signal, char *const refusals[INTP_MAX_SOURCES])
{
	const struct intp_source *source = counts->panel->entries[entry].source;
	const struct intp_count *count = &counts->samples[entry][slot].counts[signal];

	return source && source->signals & (1u << signal) && !refusals[entry] && !counts->failures[entry][0] &&
			       intp_counted(count)
		       ? count
		       : NULL;
}

/* Why it did not. */
static struct intp_count absence(const struct intp_counts *counts, int entry, int slot, enum intp_signal signal,
				 char *const refusals[INTP_MAX_SOURCES])
{
	const struct intp_panel_entry *from = &counts->panel->entries[entry];
	struct intp_count count = counts->samples[entry][slot].counts[signal];

	if (!from->source || !(from->source->signals & (1u << signal)))
		return intp_no_count(from->name, intp_panel_absence(from, signal));
	if (refusals[entry])
		return intp_no_count(from->name, refusals[entry]);
	if (counts->failures[entry][0])
		return intp_no_count(from->name, counts->failures[entry]);
	if (!count.source)
		count.source = from->name;
	if (count.status == INTP_UNAVAILABLE && !count.reason)
		count.reason = "the source has no count yet";
	return count;
}

static struct intp_count told(const struct intp_counts *counts, int slot, enum intp_signal signal,
			      char *const refusals[INTP_MAX_SOURCES])
{
	struct intp_count absences[INTP_MAX_SOURCES];
	const int *order = counts->order[signal];

	for (int i = 0; i < counts->panel->count; i++) {
		const struct intp_count *count = counted_by(counts, order[i], slot, signal, refusals);

		if (count)
			return *count;
	}
	for (int i = 0; i < counts->panel->count; i++)
		absences[i] = absence(counts, order[i], slot, signal, refusals);
	return intp_merge(absences, (size_t)counts->panel->count);
}

void intp_counts_tell(const struct intp_counts *counts, int slot, char *const refusals[INTP_MAX_SOURCES],
		      struct intp_sample *sample)
{
	for (int signal = 0; signal < INTP_SIGNALS; signal++)
		sample->counts[signal] = told(counts, slot, signal, refusals);
}
