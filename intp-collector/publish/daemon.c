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
	bool granted; /* the change of granted_turn */
	uint64_t granted_turn;
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
	struct intp_count peers = intp_panel_peers(daemon->panel);
	struct intp_sample abilities;

	intp_panel_abilities(daemon->panel, &abilities);
	intp_answer_hello(out, request->tag, &daemon->identity, &abilities, &peers);
}

/* A request for many containers, and how far it has come. */
struct job {
	struct intp_request request;
	struct intp_outcome *outcomes;
	size_t done;
};

static void forget(void *unfinished)
{
	struct job *job = unfinished;

	intp_request_free(&job->request);
	free(job->outcomes);
	free(job);
}

/* Takes the request over. NULL without memory. */
static struct job *begin(struct intp_request *request)
{
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	job->outcomes = calloc(request->count + 1, sizeof(*job->outcomes));
	if (!job->outcomes) {
		free(job);
		return NULL;
	}
	job->request = *request;
	*request = (struct intp_request){0};
	return job;
}

/* Whether the table may be changed: once in a turn. */
static bool grant(struct intp_daemon *daemon, uint64_t turn)
{
	if (daemon->granted && daemon->granted_turn == turn)
		return false;
	daemon->granted = true;
	daemon->granted_turn = turn;
	return true;
}

/* Deals with the next containers of a request; returns how many. */
static size_t change_some(struct intp_daemon *daemon, const struct intp_asker *asker, const struct job *job)
{
	const struct intp_target *targets = job->request.targets + job->done;
	size_t left = job->request.count - job->done, count = left < INTP_BATCH ? left : INTP_BATCH;

	daemon->measured = false;
	if (job->request.op == INTP_WATCH)
		return intp_watches_watch(daemon->watches, asker, targets, count, job->outcomes + job->done);
	for (size_t i = 0; i < count; i++)
		intp_watches_unwatch(daemon->watches, targets[i].container);
	return count;
}

static void go_on(struct intp_daemon *daemon, struct intp_asker *asker, uint64_t turn, struct intp_buffer *out)
{
	struct job *job = asker->unfinished;
	const struct intp_request *request = &job->request;

	if (job->done < request->count && grant(daemon, turn))
		job->done += change_some(daemon, asker, job);
	if (job->done < request->count)
		return;
	if (request->op == INTP_WATCH)
		intp_answer_watch(out, request->tag, job->outcomes, request->count);
	else
		intp_answer_unwatch(out, request->tag);
	intp_asker_forget(asker);
}

static void change(struct intp_daemon *daemon, struct intp_asker *asker, uint64_t turn, struct intp_request *request,
		   struct intp_buffer *out)
{
	asker->unfinished = begin(request);
	asker->forget = forget;
	if (asker->unfinished)
		go_on(daemon, asker, turn, out);
	else
		intp_answer_error(out, request->tag, INTP_FAILED, "out of memory");
}

static void snapshot(struct intp_daemon *daemon, uint64_t turn, const struct intp_request *request,
		     struct intp_buffer *out)
{
	struct intp_sample abilities;

	if (!daemon->measured || daemon->turn != turn) {
		daemon->time_ns = daemon->now_ns();
		daemon->count = intp_watches_snapshot(daemon->watches, daemon->time_ns, daemon->rows);
		daemon->turn = turn;
		daemon->measured = true;
	}
	if (request->brief)
		intp_panel_abilities(daemon->panel, &abilities);
	intp_answer_snapshot(out, request->tag, daemon->identity.start_ns, daemon->time_ns, daemon->rows,
			     daemon->count, request->brief ? &abilities : NULL);
}

void intp_daemon_answer(struct intp_daemon *daemon, struct intp_asker *asker, uint64_t turn, const char *line,
			size_t length, struct intp_buffer *out)
{
	struct intp_refusal refusal;
	struct intp_request request;

	if (asker->unfinished) {
		go_on(daemon, asker, turn, out);
		return;
	}
	if (!intp_request_parse(line, length, &request, &refusal)) {
		intp_answer_error(out, request.tag, refusal.code, refusal.message);
		return;
	}
	switch (request.op) {
	case INTP_HELLO:
		hello(daemon, &request, out);
		break;
	case INTP_WATCH:
	case INTP_UNWATCH:
		change(daemon, asker, turn, &request, out);
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
