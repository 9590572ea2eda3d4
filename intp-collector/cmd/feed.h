/* SPDX-License-Identifier: Apache-2.0 */
/* Where top and csv have their counts from: this process, for --pid, or the daemon. Not thread-safe. */
#ifndef INTP_FEED_H
#define INTP_FEED_H

#include "../wire/answer.h"
#include "options.h"

/* Counts of all containers at one instant. */
struct intp_reading {
	uint64_t start_ns; /* when whoever counts was started; another value means that counts begin anew */
	uint64_t time_ns;
	int count;
	struct intp_row *rows; /* the feed's, as everything they point at; kept until the reading after the next */
};

struct intp_feed {
	/* False with a reason. */
	bool (*read)(struct intp_feed *feed, struct intp_reading *reading, char *reason, size_t size);
	void (*close)(struct intp_feed *feed);
};

/* What is done with a feed, until `stop` can be read; returns the exit status. */
typedef int intp_feed_reader(struct intp_feed *feed, const struct intp_options *options, int stop);

/* Opens the feed that the options ask for, reads it and closes it; returns the exit status, and says what failed. */
int intp_feed_run(const struct intp_options *options, intp_feed_reader *reader);

/* These return NULL with a reason. */
struct intp_feed *intp_feed_measuring(const struct intp_options *options, char *reason, size_t size);
struct intp_feed *intp_feed_asking(const char *socket, char *reason, size_t size);

/* The row of a container; NULL where there is none. */
const struct intp_row *intp_reading_find(const struct intp_reading *reading, const char *container);

#endif
