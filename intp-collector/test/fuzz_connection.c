/* SPDX-License-Identifier: Apache-2.0 */
/*
 * However a client cuts its lines into pieces, each is answered once and in order, in one go or in several. The first
 * byte of an input is the size of the pieces. Run by libFuzzer.
 */
#include <sys/socket.h>

#include "../publish/connection.h"
#include "fuzz.h"

static char expected[65536];
static size_t expecting, pieces;

/* A line that begins with a digit is answered in so many turns. */
static void echo(void *context, struct intp_asker *asker, uint64_t turn, const char *line, size_t length,
		 struct intp_buffer *out)
{
	(void)context;
	(void)turn;
	if (!asker->unfinished)
		pieces = length && *line >= '1' && *line <= '9' ? (size_t)(*line - '0') : 0;
	asker->unfinished = pieces ? &pieces : NULL;
	if (pieces--)
		return;
	intp_buffer_append(out, line, length);
	intp_buffer_append(out, "\n", 1);
}

static void forget(void *unfinished)
{
	(void)unfinished;
}

/* Takes what was answered off what is expected. */
static void hear(int fd)
{
	static char heard[65536];
	ssize_t length;

	while ((length = recv(fd, heard, sizeof(heard), MSG_DONTWAIT)) > 0) {
		must_hold((size_t)length <= expecting && memcmp(heard, expected, (size_t)length) == 0);
		memmove(expected, expected + length, expecting -= (size_t)length);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct intp_connection connection = {.asker.forget = forget};
	enum intp_connection_state state = INTP_IDLE;
	size_t piece, complete;
	int ends[2];

	if (size < 2 || size > 8192)
		return 0;
	must_hold(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
	connection.fd = ends[0];
	piece = 1 + *data++ * 16;
	size--;
	for (complete = size; complete && data[complete - 1] != '\n'; complete--)
		;
	memcpy(expected, data, complete);
	expecting = complete;
	for (size_t at = 0; at < size; at += piece) {
		size_t length = size - at < piece ? size - at : piece;

		must_hold(send(ends[1], data + at, length, 0) == (ssize_t)length);
		state = intp_connection_turn(&connection, 1, 0, echo, NULL);
		must_hold(state == INTP_IDLE || state == INTP_READY);
		hear(ends[1]);
	}
	for (int turns = 0; state == INTP_READY; turns++) {
		must_hold(turns < 100000);
		state = intp_connection_turn(&connection, 1, 0, echo, NULL);
		hear(ends[1]);
	}
	must_hold(expecting == 0);
	intp_connection_close(&connection);
	close(ends[1]);
	return 0;
}
