/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sources of this machine. For each signal, those whose business it is go before the others, in the order in
 * which they were added; the first that has a count gives it. A source that could not be opened stays in the list, so
 * that its reason reaches whoever asks. Zeroed, it is empty. Not thread-safe.
 */
#ifndef INTP_PANEL_H
#define INTP_PANEL_H

#include "../source/source.h"

#define INTP_MAX_SOURCES 6

struct intp_panel_entry {
	const char *name;
	struct intp_source *source;	  /* NULL where it could not be opened */
	uint32_t business;		  /* bit (1 << signal) for each that it is meant for */
	char reason[INTP_MAX_REASON + 1]; /* why it could not be opened */
};

struct intp_panel {
	struct intp_panel_entry entries[INTP_MAX_SOURCES];
	int count;
};

/* Appends a source that is open; the panel owns it from now on. */
void intp_panel_add(struct intp_panel *panel, struct intp_source *source, uint32_t business);

/* Appends a source that could not be opened. */
void intp_panel_add_absent(struct intp_panel *panel, const char *name, uint32_t business, const char *reason);

/* Which source counts with whom containers exchange bytes, or why none does; its figures are not used. */
struct intp_count intp_panel_peers(const struct intp_panel *panel);

/* The first source that is open, without which a container cannot be watched; NULL where none is. */
struct intp_source *intp_panel_primary(const struct intp_panel *panel);

/* Writes the indices of all entries, the best for the signal first. */
void intp_panel_rank(const struct intp_panel *panel, enum intp_signal signal, int order[INTP_MAX_SOURCES]);

/* Why an entry does not count a signal on this machine; NULL where it counts it or it is not its business. */
const char *intp_panel_absence(const struct intp_panel_entry *entry, enum intp_signal signal);

/* Of each signal, who counts it on this machine (figures of zero), or why nobody does. */
void intp_panel_abilities(const struct intp_panel *panel, struct intp_sample *abilities);

void intp_panel_close(struct intp_panel *panel);

#endif
