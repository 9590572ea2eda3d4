/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../wire/answer.h"
#include "connection.h"

#define READ_AT_ONCE 16384
#define KEPT_OUTPUT  (64 << 10) /* a larger buffer is given back once it is empty */

static size_t unsent(const struct intp_connection *connection)
{
	return connection->out.length - connection->sent;
}

/* False where the client is gone. */
static bool read_input(struct intp_connection *connection)
{
	char bytes[READ_AT_ONCE];

	while (!connection->finishing && connection->in.length <= INTP_MAX_LINE) {
		ssize_t length = recv(connection->fd, bytes, sizeof(bytes), 0);

		if (length > 0)
			intp_buffer_append(&connection->in, bytes, length);
		else if (length == 0)
			connection->finishing = true;
		else if (errno == EAGAIN)
			return true;
		else if (errno != EINTR)
			return false;
	}
	return true;
}

static bool write_output(struct intp_connection *connection, uint64_t now_ms)
{
	while (unsent(connection)) {
		ssize_t length = send(connection->fd, connection->out.data + connection->sent, unsent(connection),
				      MSG_NOSIGNAL);

		if (length >= 0) {
			connection->sent += length;
			connection->stalled_ms = now_ms;
		} else if (errno == EAGAIN) {
			return true;
		} else if (errno != EINTR) {
			return false;
		}
	}
	connection->stalled_ms = now_ms;
	connection->out.length = connection->sent = 0;
	if (connection->out.room > KEPT_OUTPUT)
		intp_buffer_free(&connection->out);
	return true;
}

/* After too long a line nothing says where the next one begins, so that is the end. */
static void refuse_line(struct intp_connection *connection)
{
	intp_answer_error(&connection->out, (struct intp_tag){0}, INTP_TOO_LONG,
			  "a line has more than 65536 bytes; the connection is closed");
	connection->in.length = 0;
	connection->finishing = true;
}

/* Answers complete lines until a bound is met; true where lines are left. */
static bool answer_lines(struct intp_connection *connection, uint64_t turn, intp_answer_line *answer, void *context)
{
	struct intp_buffer *in = &connection->in;
	size_t begin = 0;
	bool left = false;

	for (int lines = 0; in->length > begin; lines++) {
		const char *line = in->data + begin;
		const char *newline = memchr(line, '\n', in->length - begin);
		size_t length = newline ? (size_t)(newline - line) : in->length - begin;

		if (length > INTP_MAX_LINE) {
			refuse_line(connection);
			return false;
		}
		if (!newline)
			break;
		left = lines == INTP_LINES_A_TURN || unsent(connection) >= INTP_PENDING_ENOUGH;
		if (left)
			break;
		answer(context, &connection->asker, turn, line, length, &connection->out);
		left = connection->asker.unfinished != NULL;
		if (left)
			break;
		begin += length + 1;
	}
	intp_buffer_consume(in, begin);
	return left;
}

enum intp_connection_state intp_connection_turn(struct intp_connection *connection, uint64_t turn, uint64_t now_ms,
						intp_answer_line *answer, void *context)
{
	bool left;

	if (!write_output(connection, now_ms))
		return INTP_ENDED;
	if (unsent(connection))
		return INTP_BLOCKED;
	if (!read_input(connection))
		return INTP_ENDED;
	left = answer_lines(connection, turn, answer, context);
	if (connection->in.failed || connection->out.failed || unsent(connection) > INTP_PENDING_LIMIT)
		return INTP_ENDED;
	if (!write_output(connection, now_ms))
		return INTP_ENDED;
	if (unsent(connection))
		return INTP_BLOCKED;
	if (left)
		return INTP_READY;
	return connection->finishing ? INTP_ENDED : INTP_IDLE;
}

void intp_connection_close(struct intp_connection *connection)
{
	close(connection->fd);
	intp_asker_forget(&connection->asker);
	intp_buffer_free(&connection->in);
	intp_buffer_free(&connection->out);
}
