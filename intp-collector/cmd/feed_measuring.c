/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "../publish/watches.h"
#include "feed.h"
#include "measure.h"

struct measuring {
	struct intp_feed feed; /* first, so that the one is the other */
	struct intp_panel panel;
	struct intp_watches *watches;
	uint64_t start_ns;
	int turn;
	struct intp_row rows[2][INTP_MAX_PIDS];
};

static bool read_counts(struct intp_feed *feed, struct intp_reading *reading, char *reason, size_t size)
{
	struct measuring *measuring = (struct measuring *)feed;

	(void)reason;
	(void)size;
	measuring->turn = !measuring->turn;
	reading->start_ns = measuring->start_ns;
	reading->time_ns = intp_now_ns();
	reading->rows = measuring->rows[measuring->turn];
	reading->count = intp_watches_snapshot(measuring->watches, reading->time_ns, reading->rows);
	return true;
}

static void close_feed(struct intp_feed *feed)
{
	struct measuring *measuring = (struct measuring *)feed;

	if (measuring->watches)
		intp_watches_close(measuring->watches);
	intp_panel_close(&measuring->panel);
	free(measuring);
}

static bool watch(struct measuring *measuring, const struct intp_options *options, char *reason, size_t size)
{
	for (int i = 0; i < options->pid_count; i++) {
		struct intp_outcome outcome;
		char id[16];
		struct intp_target target = {.container = id};

		snprintf(id, sizeof(id), "%d", options->pids[i]);
		target.pid = options->pids[i];
		intp_watches_watch(measuring->watches, NULL, &target, 1, &outcome);
		if (outcome.code) {
			snprintf(reason, size, "--pid %s cannot be measured: %s", id, outcome.message);
			return false;
		}
	}
	return true;
}

struct intp_feed *intp_feed_measuring(const struct intp_options *options, char *reason, size_t size)
{
	struct measuring *measuring = calloc(1, sizeof(*measuring));

	if (!measuring) {
		snprintf(reason, size, "out of memory");
		return NULL;
	}
	measuring->feed = (struct intp_feed){.read = read_counts, .close = close_feed};
	measuring->start_ns = intp_now_ns();
	if (intp_measure_open(options, &measuring->panel, reason, size)) {
		measuring->watches = intp_watches_open(&measuring->panel, INTP_MAX_PIDS, "/proc");
		if (!measuring->watches)
			snprintf(reason, size, "out of memory");
		else if (watch(measuring, options, reason, size))
			return &measuring->feed;
	}
	close_feed(&measuring->feed);
	return NULL;
}
