/* SPDX-License-Identifier: Apache-2.0 */
/* What each source of a panel counted for each slot, and which of their counts is told. Not thread-safe. */
#ifndef INTP_COUNTS_H
#define INTP_COUNTS_H

#include "panel.h"

struct intp_counts {
	const struct intp_panel *panel;			      /* the caller's */
	struct intp_sample *samples[INTP_MAX_SOURCES];	      /* by slot */
	int order[INTP_SIGNALS][INTP_MAX_SOURCES];	      /* in which sources are asked */
	char failures[INTP_MAX_SOURCES][INTP_MAX_REASON + 1]; /* why a source's last snapshot failed, or empty */
};

/* Zeroed before, it may be closed whatever became of it. Returns 0 or -ENOMEM. */
int intp_counts_open(struct intp_counts *counts, const struct intp_panel *panel);

/* Has every source count for the given slots at `now_ns`, CLOCK_MONOTONIC. */
void intp_counts_measure(struct intp_counts *counts, const int *slots, size_t count, uint64_t now_ns);

/*
 * Writes what is told of a slot: of each signal the count of the best source that has one, or why none has.
 * `refusals` says by source why it does not count for this slot; NULL where it does. What the sample points at holds
 * until the next measurement.
 */
void intp_counts_tell(const struct intp_counts *counts, int slot, char *const refusals[INTP_MAX_SOURCES],
		      struct intp_sample *sample);

void intp_counts_close(struct intp_counts *counts);

#endif
