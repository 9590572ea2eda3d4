/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The containers that are watched, and what all sources together count for them. Each has a slot, the same in every
 * source. Not thread-safe.
 */
#ifndef INTP_WATCHES_H
#define INTP_WATCHES_H

#include "../wire/answer.h"
#include "asker.h"
#include "panel.h"

#define INTP_BATCH     32	    /* containers entered or forgotten at once */
#define INTP_LINGER_NS 600000000000 /* how long a dead container's counts are kept */

struct intp_watches;

/*
 * At most `limit` containers, 1 to INTP_MAX_WATCHES; `proc` is where proc is mounted. The panel stays the caller's
 * and must outlive the table. NULL without memory.
 */
struct intp_watches *intp_watches_open(struct intp_panel *panel, int limit, const char *proc);

/*
 * Watches containers from now on, or refuses with a code of PROTOCOL.md, and writes an outcome for each. A call takes
 * a bounded time: the sources list what they have to list of the machine once, and it ends after INTP_BATCH
 * containers, or before one that it has entered itself. Returns how many of the targets it dealt with, one at least.
 * The same id with the same process changes nothing; with another process it starts from zero. A full table gives up
 * a container that does not live. Where the panel's primary source refuses, so does the table; another source that
 * refuses only leaves its signals unavailable. `asker` is who wants it, NULL for this process itself.
 */
size_t intp_watches_watch(struct intp_watches *watches, const struct intp_asker *asker,
			  const struct intp_target *targets, size_t count, struct intp_outcome *outcomes);

/* Forgets a container; one that is not watched is left alone. */
void intp_watches_unwatch(struct intp_watches *watches, const char *id);

/*
 * Forgets containers that were seen dead INTP_LINGER_NS ago or longer, INTP_BATCH at most; then writes a row for each
 * that is left, `limit` at most, and returns how many. `now_ns` is CLOCK_MONOTONIC. What the rows
 * point at holds until the next call.
 */
int intp_watches_snapshot(struct intp_watches *watches, uint64_t now_ns, struct intp_row *rows);

/* Forgets every container, in the sources too. */
void intp_watches_close(struct intp_watches *watches);

#endif
