/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request, read from a line of someone else's bytes; see PROTOCOL.md. No input crashes it, takes more memory than a
 * small multiple of its length, or more time than in proportion to it. Thread-safe.
 */
#ifndef INTP_REQUEST_H
#define INTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INTP_VERSION	 1
#define INTP_MAX_LINE	 65536 /* bytes, without the newline */
#define INTP_MAX_DEPTH	 16    /* objects and arrays within one another */
#define INTP_MAX_MESSAGE 256

/* Error codes on the wire. */
#define INTP_MALFORMED	   "malformed"
#define INTP_UNSPOKEN	   "version"
#define INTP_UNKNOWN_OP	   "unknown_op"
#define INTP_TOO_LONG	   "too_long"
#define INTP_TOO_MANY	   "too_many"
#define INTP_BAD_CONTAINER "bad_container"
#define INTP_NO_PROCESS	   "no_process"
#define INTP_FORBIDDEN	   "forbidden"
#define INTP_FAILED	   "failed"

enum intp_op {
	INTP_HELLO,
	INTP_WATCH,
	INTP_UNWATCH,
	INTP_SNAPSHOT,
};

/* The number by which a client recognises the answer. */
struct intp_tag {
	bool given;
	int64_t value;
};

/* A container that a request names: any string, and for a watch any integer. */
struct intp_target {
	const char *container;
	int64_t pid;
	int64_t start; /* of the process, in clock ticks after boot; 0: not given */
};

struct intp_request {
	enum intp_op op;
	struct intp_tag tag;
	bool brief; /* what hello says need not be said again */
	size_t count;
	struct intp_target *targets;
	void *document; /* what the targets' text lives in */
};

struct intp_refusal {
	const char *code; /* static */
	char message[INTP_MAX_MESSAGE];
};

/*
 * Reads a line without its newline. Returns true with `request` filled, to be freed; or false with `refusal` filled,
 * nothing to be freed, and `request->tag` as far as it could be read.
 */
bool intp_request_parse(const char *line, size_t length, struct intp_request *request, struct intp_refusal *refusal);

void intp_request_free(struct intp_request *request);

/* Whether a string is a container id: 1 to 128 of [A-Za-z0-9_.-]. */
bool intp_container_id_valid(const char *id);

#endif
