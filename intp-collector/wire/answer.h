/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The answers of PROTOCOL.md, each appended to a buffer as one line with its newline. Strings must be UTF-8.
 * Thread-safe on distinct buffers. Without memory the buffer is `failed` and what it holds is not an answer.
 */
#ifndef INTP_ANSWER_H
#define INTP_ANSWER_H

#include "../source/source.h"
#include "buffer.h"
#include "request.h"

/* Who answers. */
struct intp_identity {
	const char *release;
	const char *boot;  /* the kernel's boot id */
	uint64_t start_ns; /* CLOCK_MONOTONIC */
	int watches;	   /* the most containers that are watched at once */
};

/* What became of one container of a watch. */
struct intp_outcome {
	char container[INTP_MAX_ID + 1];   /* as asked for, cut to the length of an id */
	enum intp_attribution attribution; /* where it is watched */
	const char *code;		   /* NULL where it is watched, an error code where it is refused */
	char message[INTP_MAX_MESSAGE];	   /* where it is refused */
};

#define INTP_MOST_TAKERS 8

/* Who took a container's CPU. */
struct intp_row_taker {
	const char *container; /* NULL: none that is watched */
	double times;
};

/* One container of a snapshot. */
struct intp_row {
	const char *container;
	enum intp_attribution attribution;
	bool alive;
	struct intp_sample sample;
	bool knows_takers; /* whether anything counts them */
	int taker_count;
	struct intp_row_taker takers[INTP_MOST_TAKERS]; /* the most often first */
	bool knows_peers;				/* whether anything counts them */
	struct intp_peers peers;
};

/* The name on the wire. */
const char *intp_attribution_name(enum intp_attribution attribution);

/* `signals` says of each signal which source counts it on this machine, or why none does; its figures are not used.
 * `peers` says the same of with whom containers exchange bytes; NULL: nothing is said of it.
 */
void intp_answer_hello(struct intp_buffer *out, struct intp_tag tag, const struct intp_identity *identity,
		       const struct intp_sample *signals, const struct intp_count *peers);

void intp_answer_watch(struct intp_buffer *out, struct intp_tag tag, const struct intp_outcome *outcomes,
		       size_t count);

void intp_answer_unwatch(struct intp_buffer *out, struct intp_tag tag);

/* `said`: what hello says of the signals, which is not said again; NULL: everything is said. */
void intp_answer_snapshot(struct intp_buffer *out, struct intp_tag tag, uint64_t start_ns, uint64_t time_ns,
			  const struct intp_row *rows, size_t count, const struct intp_sample *said);

void intp_answer_error(struct intp_buffer *out, struct intp_tag tag, const char *code, const char *message);

#endif
