/* SPDX-License-Identifier: Apache-2.0 */
/* The original tool's lines, so that what reads those reads these. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../signal/level.h"
#include "commands.h"
#include "feed.h"
#include "stop.h"

#define LARGEST 99 /* the original's, which has two digits for a figure */

static const enum intp_signal columns[] = {
	INTP_NETP, INTP_NETS, INTP_BLK, INTP_MBW, INTP_LLCMR, INTP_LLOCC, INTP_CPU,
};

static void print_field(const struct intp_level *level)
{
	if (level->status != INTP_UNAVAILABLE)
		printf("%d", (int)fmin(lround(level->value * 100), LARGEST));
}

/* False where nobody reads any more. */
static bool print_line(const struct intp_row *before, const struct intp_row *after)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		struct intp_level level = intp_level_between(columns[i], &before->sample.counts[columns[i]],
							     &after->sample.counts[columns[i]]);

		if (i)
			putchar(';');
		print_field(&level);
	}
	putchar('\n');
	return fflush(stdout) == 0;
}

/* The container that is meant, NULL with a reason where there is none or more than one. */
static const struct intp_row *choose(const struct intp_reading *reading, const char *container, char *reason,
				     size_t size)
{
	const struct intp_row *row = container ? intp_reading_find(reading, container) : reading->rows;

	if (container && !row)
		snprintf(reason, size, "%s is not watched; see intpd top for what is", container);
	else if (!container && reading->count != 1)
		snprintf(reason, size, "%d containers are watched, csv shows one; give --container or --pid",
			 reading->count);
	else
		return row;
	return NULL;
}

static int print_lines(struct intp_feed *feed, const struct intp_options *options, int stop)
{
	struct intp_reading before, after;
	const struct intp_row *from, *to;
	char reason[512], container[INTP_MAX_ID + 1];

	if (!feed->read(feed, &before, reason, sizeof(reason)) ||
	    !(from = choose(&before, options->container, reason, sizeof(reason))))
		return intp_fail("%s", reason);
	snprintf(container, sizeof(container), "%s", from->container);
	for (long line = 0; line != options->count || !options->count; line++) {
		if (!intp_stop_wait(stop, options->interval))
			return 0;
		if (!feed->read(feed, &after, reason, sizeof(reason)) ||
		    !(to = choose(&after, container, reason, sizeof(reason))))
			return intp_fail("%s", reason);
		if (after.start_ns == before.start_ns && !print_line(from, to))
			return intp_fail("cannot write: %s", strerror(errno));
		before = after;
		from = to;
		if (!to->alive)
			return 0;
	}
	return 0;
}

int intp_command_csv(const struct intp_options *options)
{
	return intp_feed_run(options, print_lines);
}
