/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A listening Unix socket that one daemon owns. The owner holds a lock on PATH.lock for as long as it lives, so a
 * socket whose lock is free was left by one that died. The lock file stays; removing it could hand the lock to two.
 */
#ifndef INTP_ENDPOINT_H
#define INTP_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "../source/source.h"

struct intp_endpoint {
	char path[INTP_MAX_PATH];
	int listener;
	int lock;
};

/*
 * Creates the socket, mode 0660, and its directory, mode 0755, if that is missing; `owner` and `group` own the socket
 * unless they are (uid_t)-1 and (gid_t)-1. False with a reason: another daemon serves there, something else is in the
 * way, or the system refuses.
 */
bool intp_endpoint_open(struct intp_endpoint *endpoint, const char *path, uid_t owner, gid_t group, char *reason,
			size_t size);

/* Removes the socket. */
void intp_endpoint_close(struct intp_endpoint *endpoint);

#endif
