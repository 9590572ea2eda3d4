/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serves lines to local clients from one thread. A client is answered only if it is root, this process's user or the
 * configured one; anyone else's connection is closed. No client, slow, dead or hostile, holds up another, or shuts it
 * out by holding connections.
 */
#ifndef INTP_SERVER_H
#define INTP_SERVER_H

#include "connection.h"
#include "endpoint.h"

#define INTP_MAX_CLIENTS     32
#define INTP_MAX_CONNECTIONS 8 /* of one process that is neither root's nor this one's user's */
#define INTP_ACCEPTS_A_TURN  16
#define INTP_STALL_MS	     10000 /* a client that reads nothing of its answer for so long is given up */

struct intp_server;

/*
 * Takes an endpoint over. `user` is the configured user, (uid_t)-1 for none; `stall_ms` is usually INTP_STALL_MS;
 * `stop` is a descriptor that asks for the end when it can be read, -1 for none, and stays the caller's. NULL
 * with errno set, in which case the endpoint stays the caller's.
 */
struct intp_server *intp_server_open(const struct intp_endpoint *endpoint, uid_t user, int stall_ms, int stop,
				     intp_answer_line *answer, void *context);

/*
 * Waits up to `timeout_ms` (-1: for ever) for something to happen and deals with it.
 * Returns 0, 1 when `stop` can be read, or a negative errno.
 */
int intp_server_turn(struct intp_server *server, int timeout_ms);

/* Closes every connection and removes the socket. */
void intp_server_close(struct intp_server *server);

#endif
