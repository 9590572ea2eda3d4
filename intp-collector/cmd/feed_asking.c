/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "feed.h"

#define ANSWER_TIMEOUT_S 10

struct asking {
	struct intp_feed feed; /* first, so that the one is the other */
	FILE *stream;
	char *line;
	size_t room;
	int turn;
	json_t *answers[2]; /* what the text of the rows lives in */
	struct intp_row *rows[2];
};

/* The strings of a count live in the answer. */
static struct intp_count read_count(const json_t *figures)
{
	const char *status = json_string_value(json_object_get(figures, "status"));
	const char *source = json_string_value(json_object_get(figures, "source"));
	const char *reason = json_string_value(json_object_get(figures, "reason"));
	struct intp_count count =
		intp_no_count(source ? source : "none", reason ? reason : "the daemon gives no count");

	if (!status || !source || (strcmp(status, "ok") != 0 && strcmp(status, "apportioned") != 0))
		return count;
	count = intp_count_of(source, json_number_value(json_object_get(figures, "used")),
			      json_number_value(json_object_get(figures, "capacity")));
	count.operations = json_number_value(json_object_get(figures, "operations"));
	if (strcmp(status, "apportioned") == 0)
		count.status = INTP_APPORTIONED;
	return count;
}

static enum intp_attribution read_attribution(const json_t *container)
{
	const char *name = json_string_value(json_object_get(container, "attribution"));

	for (int i = INTP_CGROUP_V2; i < INTP_TREE; i++)
		if (name && strcmp(name, intp_attribution_name(i)) == 0)
			return i;
	return INTP_TREE;
}

static void read_row(const json_t *container, struct intp_row *row)
{
	const char *id = json_string_value(json_object_get(container, "container"));
	const json_t *signals = json_object_get(container, "signals");

	row->container = id ? id : "?";
	row->attribution = read_attribution(container);
	row->alive = json_is_true(json_object_get(container, "alive"));
	for (int i = 0; i < INTP_SIGNALS; i++)
		row->sample.counts[i] = read_count(json_object_get(signals, intp_signal_name(i)));
}

static bool ask(struct asking *asking, char *reason, size_t size)
{
	ssize_t length;

	json_decref(asking->answers[asking->turn]);
	asking->answers[asking->turn] = NULL;
	fputs("{\"v\":1,\"op\":\"snapshot\"}\n", asking->stream);
	fflush(asking->stream);
	length = getline(&asking->line, &asking->room, asking->stream);
	if (length <= 0) {
		snprintf(reason, size, "the daemon closed the connection; only root and its --user are answered");
		return false;
	}
	asking->answers[asking->turn] = json_loadb(asking->line, length, 0, NULL);
	if (json_is_true(json_object_get(asking->answers[asking->turn], "ok")))
		return true;
	snprintf(reason, size, "the daemon refused a snapshot: %.200s", asking->line);
	return false;
}

static bool read_counts(struct intp_feed *feed, struct intp_reading *reading, char *reason, size_t size)
{
	struct asking *asking = (struct asking *)feed;
	const json_t *answer, *containers;
	size_t count;

	asking->turn = !asking->turn;
	if (!ask(asking, reason, size))
		return false;
	answer = asking->answers[asking->turn];
	containers = json_object_get(answer, "containers");
	count = json_array_size(containers);
	free(asking->rows[asking->turn]);
	asking->rows[asking->turn] = calloc(count + 1, sizeof(struct intp_row));
	if (!asking->rows[asking->turn]) {
		snprintf(reason, size, "out of memory");
		return false;
	}
	for (size_t i = 0; i < count; i++)
		read_row(json_array_get(containers, i), &asking->rows[asking->turn][i]);
	*reading = (struct intp_reading){
		.start_ns = (uint64_t)json_integer_value(json_object_get(answer, "start_ns")),
		.time_ns = (uint64_t)json_integer_value(json_object_get(answer, "time_ns")),
		.count = (int)count,
		.rows = asking->rows[asking->turn],
	};
	return true;
}

static void close_feed(struct intp_feed *feed)
{
	struct asking *asking = (struct asking *)feed;

	for (int i = 0; i < 2; i++) {
		json_decref(asking->answers[i]);
		free(asking->rows[i]);
	}
	free(asking->line);
	if (asking->stream)
		fclose(asking->stream);
	free(asking);
}

static FILE *connect_to(const char *path, char *reason, size_t size)
{
	struct timeval timeout = {.tv_sec = ANSWER_TIMEOUT_S};
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	FILE *stream = NULL;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) == 0)
		stream = fdopen(fd, "r+");
	if (stream)
		return stream;
	snprintf(reason, size,
		 "no daemon answers on %s: %s; start intpd serve, give its --socket, or measure a --pid", path,
		 strerror(errno));
	if (fd >= 0)
		close(fd);
	return NULL;
}

struct intp_feed *intp_feed_asking(const char *socket_path, char *reason, size_t size)
{
	struct asking *asking = calloc(1, sizeof(*asking));

	if (!asking) {
		snprintf(reason, size, "out of memory");
		return NULL;
	}
	asking->feed = (struct intp_feed){.read = read_counts, .close = close_feed};
	asking->stream = connect_to(socket_path, reason, size);
	if (asking->stream)
		return &asking->feed;
	close_feed(&asking->feed);
	return NULL;
}
