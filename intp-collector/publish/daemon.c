/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "daemon.h"

struct intp_daemon {
	struct intp_identity identity;
	struct intp_panel *panel;
	struct intp_watches *watches;
	uint64_t (*now_ns)(void);
	bool measured; /* in `turn`, and still true */
	uint64_t turn;
	uint64_t time_ns;
	int count;
	struct intp_row rows[INTP_MAX_WATCHES];
};

struct intp_daemon *intp_daemon_open(const struct intp_identity *identity, struct intp_panel *panel,
				     struct intp_watches *watches, uint64_t (*now_ns)(void))
{
	struct intp_daemon *daemon = calloc(1, sizeof(*daemon));

	if (!daemon)
		return NULL;
	daemon->identity = *identity;
	daemon->panel = panel;
	daemon->watches = watches;
	daemon->now_ns = now_ns;
	return daemon;
}

static void hello(struct intp_daemon *daemon, const struct intp_request *request, struct intp_buffer *out)
{
	struct intp_sample abilities;

	intp_panel_abilities(daemon->panel, &abilities);
	intp_answer_hello(out, request->tag, &daemon->identity, &abilities);
}

static void watch(struct intp_daemon *daemon, const struct intp_request *request, struct intp_buffer *out)
{
	struct intp_outcome *outcomes = calloc(request->count + 1, sizeof(*outcomes));

	if (!outcomes) {
		intp_answer_error(out, request->tag, INTP_FAILED, "out of memory");
		return;
	}
	for (size_t i = 0; i < request->count; i++)
		intp_watches_watch(daemon->watches, request->targets[i].container, request->targets[i].pid,
				   &outcomes[i]);
	daemon->measured = false;
	intp_answer_watch(out, request->tag, outcomes, request->count);
	free(outcomes);
}

static void unwatch(struct intp_daemon *daemon, const struct intp_request *request, struct intp_buffer *out)
{
	for (size_t i = 0; i < request->count; i++)
		intp_watches_unwatch(daemon->watches, request->targets[i].container);
	daemon->measured = false;
	intp_answer_unwatch(out, request->tag);
}

static void snapshot(struct intp_daemon *daemon, uint64_t turn, const struct intp_request *request,
		     struct intp_buffer *out)
{
	if (!daemon->measured || daemon->turn != turn) {
		daemon->time_ns = daemon->now_ns();
		daemon->count = intp_watches_snapshot(daemon->watches, daemon->time_ns, daemon->rows);
		daemon->turn = turn;
		daemon->measured = true;
	}
	intp_answer_snapshot(out, request->tag, daemon->identity.start_ns, daemon->time_ns, daemon->rows,
			     daemon->count);
}

void intp_daemon_answer(struct intp_daemon *daemon, uint64_t turn, const char *line, size_t length,
			struct intp_buffer *out)
{
	struct intp_refusal refusal;
	struct intp_request request;

	if (!intp_request_parse(line, length, &request, &refusal)) {
		intp_answer_error(out, request.tag, refusal.code, refusal.message);
		return;
	}
	switch (request.op) {
	case INTP_HELLO:
		hello(daemon, &request, out);
		break;
	case INTP_WATCH:
		watch(daemon, &request, out);
		break;
	case INTP_UNWATCH:
		unwatch(daemon, &request, out);
		break;
	case INTP_SNAPSHOT:
		snapshot(daemon, turn, &request, out);
		break;
	}
	intp_request_free(&request);
}

void intp_daemon_close(struct intp_daemon *daemon)
{
	free(daemon);
}
