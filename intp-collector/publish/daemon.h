/* SPDX-License-Identifier: Apache-2.0 */
/* What intpd answers: a line in, a line out, over a table of watched containers. Not thread-safe. */
#ifndef INTP_DAEMON_H
#define INTP_DAEMON_H

#include "watches.h"

struct intp_daemon;

/* The table, the panel and the strings of `identity` must outlive it. `now_ns` is the clock. NULL without memory. */
struct intp_daemon *intp_daemon_open(const struct intp_identity *identity, struct intp_panel *panel,
				     struct intp_watches *watches, uint64_t (*now_ns)(void));

/*
 * Appends the answer to a line that came without its newline, or leaves asker->unfinished set: then it is to be
 * called with the same line in a later turn. In one turn containers are watched or forgotten once, INTP_BATCH of one
 * line at most, whoever asks: what is dear is to list the machine's processes, however few containers it is for.
 * Snapshots that are asked for in the same `turn` are one measurement, unless a container was watched or unwatched in
 * between.
 */
void intp_daemon_answer(struct intp_daemon *daemon, struct intp_asker *asker, uint64_t turn, const char *line,
			size_t length, struct intp_buffer *out);

void intp_daemon_close(struct intp_daemon *daemon);

#endif
