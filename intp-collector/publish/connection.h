/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One client: lines come in, answers go out, both bounded. Nothing here blocks. A client that does not read its
 * answers is not read from either, so it can hold no more than one answer beyond INTP_PENDING_ENOUGH. Not
 * thread-safe.
 */
#ifndef INTP_CONNECTION_H
#define INTP_CONNECTION_H

#include "../wire/buffer.h"
#include "../wire/request.h"
#include "asker.h"

#define INTP_LINES_A_TURN   64		/* answered for one client before the others have their turn */
#define INTP_PENDING_ENOUGH (256 << 10) /* bytes unsent at which no further line is answered */
/* Bytes unsent at which the client is given up: a snapshot of all containers that may be watched fits, peers and all.
 */
#define INTP_PENDING_LIMIT (8 << 20)

/*
 * Appends the answer to a line, which comes without its newline, with a newline of its own. What takes long is done
 * in pieces: with asker->unfinished set nothing was appended, and it is called with the same line in the next turn.
 */
typedef void intp_answer_line(void *context, struct intp_asker *asker, uint64_t turn, const char *line, size_t length,
			      struct intp_buffer *out);

struct intp_connection {
	int fd;
	struct intp_asker asker;
	struct intp_buffer in;
	struct intp_buffer out;
	size_t sent;	     /* bytes of `out` that are gone */
	bool finishing;	     /* no more input: the client ended, or broke the protocol */
	uint64_t stalled_ms; /* when the output last moved or was empty */
};

enum intp_connection_state {
	INTP_IDLE,    /* waits for the client to write */
	INTP_BLOCKED, /* waits for the client to read */
	INTP_READY,   /* has lines left for the next turn */
	INTP_ENDED,   /* to be closed */
};

/* Reads, answers and writes what is possible now. */
enum intp_connection_state intp_connection_turn(struct intp_connection *connection, uint64_t turn, uint64_t now_ms,
						intp_answer_line *answer, void *context);

void intp_connection_close(struct intp_connection *connection);

#endif
