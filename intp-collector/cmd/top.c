/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../signal/level.h"
#include "commands.h"
#include "feed.h"
#include "stop.h"

#define CLEAR_SCREEN "\033[H\033[J"

static void print_level(enum intp_signal signal, const struct intp_level *level)
{
	double shown = intp_signal_is_rate(signal) ? level->value : level->value * 100;

	if (level->status == INTP_UNAVAILABLE)
		printf(" %8s", "-");
	else
		printf(" %7.0f%s", shown, level->status == INTP_APPORTIONED ? "~" : " ");
}

static bool is_shown(enum intp_signal signal, bool all)
{
	return all || intp_signal_is_predictor(signal);
}

static void print_heading(bool all)
{
	printf("%-44s", "container");
	for (int i = 0; i < INTP_SIGNALS; i++)
		if (is_shown(i, all))
			printf(" %8s", intp_signal_name(i));
	putchar('\n');
}

/* Why a signal has no level somewhere; the first reason of each, since few containers differ in it. */
struct reasons {
	const char *sources[INTP_SIGNALS];
	const char *texts[INTP_SIGNALS];
};

static void print_row(const struct intp_row *before, const struct intp_row *after, bool all, struct reasons *reasons)
{
	static const struct intp_sample nothing = {
		.counts = {[0 ... INTP_SIGNALS - 1] = {.reason = "first sample"}},
	};
	const struct intp_sample *from = before ? &before->sample : &nothing;

	printf("%-42.42s%-2s", after->container, after->alive ? "" : "+");
	for (int i = 0; i < INTP_SIGNALS; i++) {
		struct intp_level level = intp_level_between(i, &from->counts[i], &after->sample.counts[i]);

		if (!is_shown(i, all))
			continue;
		print_level(i, &level);
		if (level.status == INTP_UNAVAILABLE && !reasons->texts[i]) {
			reasons->sources[i] = level.source;
			reasons->texts[i] = level.reason;
		}
	}
	putchar('\n');
}

static void print_reasons(const struct reasons *reasons)
{
	for (int i = 0; i < INTP_SIGNALS; i++)
		if (reasons->texts[i])
			printf("- %s: %s (%s)\n", intp_signal_name(i), reasons->texts[i], reasons->sources[i]);
}

/* False where nobody reads any more. */
static bool print_table(const struct intp_reading *before, const struct intp_reading *after, bool all)
{
	struct reasons reasons = {0};
	bool comparable = before->start_ns == after->start_ns;

	if (isatty(STDOUT_FILENO))
		fputs(CLEAR_SCREEN, stdout);
	print_heading(all);
	for (int i = 0; i < after->count; i++) {
		const struct intp_row *row = &after->rows[i];

		print_row(comparable ? intp_reading_find(before, row->container) : NULL, row, all, &reasons);
	}
	printf("per cent");
	for (int i = 0; i < INTP_SIGNALS; i++)
		if (intp_signal_is_rate(i) && is_shown(i, all))
			printf(", %s a second", intp_signal_name(i));
	printf("; ~ a share of a figure of more than one container; + no process lives; - unavailable\n");
	print_reasons(&reasons);
	return fflush(stdout) == 0;
}

static int print_tables(struct intp_feed *feed, const struct intp_options *options, int stop)
{
	struct intp_reading before, after;
	char reason[512];

	if (!feed->read(feed, &before, reason, sizeof(reason)))
		return intp_fail("%s", reason);
	for (long table = 0; table != options->count || !options->count; table++) {
		if (!intp_stop_wait(stop, options->interval))
			return 0;
		if (!feed->read(feed, &after, reason, sizeof(reason)))
			return intp_fail("%s", reason);
		if (!print_table(&before, &after, options->all))
			return intp_fail("cannot write: %s", strerror(errno));
		before = after;
	}
	return 0;
}

int intp_command_top(const struct intp_options *options)
{
	return intp_feed_run(options, print_tables);
}
