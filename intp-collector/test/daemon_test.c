/* SPDX-License-Identifier: Apache-2.0 */
/* Requests against answers, over a source that counts how often it is asked. */
#include <jansson.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "../publish/daemon.h"
#include "claims.h"

static int snapshots;

static int watched_at_once, listings;

static int watch_any(struct intp_source *source, int slot, const struct intp_watch *watch)
{
	watched_at_once++;
	(void)source;
	(void)slot;
	(void)watch;
	return 0;
}

/* What a source lists of the machine it lists once for each call. */
static void watch_many(struct intp_source *source, struct intp_entry *entries, size_t count)
{
	listings++;
	for (size_t i = 0; i < count; i++)
		entries[i].error = watch_any(source, entries[i].slot, entries[i].watch);
}

static int unwatched_at_once;

static void unwatch_any(struct intp_source *source, int slot)
{
	unwatched_at_once++;
	(void)source;
	(void)slot;
}

static int count_snapshots(struct intp_source *source, uint64_t now_ns, struct intp_sample *samples)
{
	(void)source;
	snapshots++;
	samples[0].counts[INTP_CPU] = intp_count_of("ebpf", snapshots, (double)now_ns);
	return 0;
}

static const char *no_reason(const struct intp_source *source, enum intp_signal signal)
{
	(void)source;
	(void)signal;
	return NULL;
}

static void close_nothing(struct intp_source *source)
{
	(void)source;
}

static struct intp_source source = {
	.name = "ebpf",
	.signals = 1u << INTP_CPU,
	.watch = watch_any,
	.watch_many = watch_many,
	.unwatch = unwatch_any,
	.snapshot = count_snapshots,
	.reason = no_reason,
	.close = close_nothing,
};
static struct intp_panel panel;
static struct intp_watches *watches;
static struct intp_daemon *daemon_;
static struct intp_buffer out;
static struct intp_asker asker = {.trusted = true};

static uint64_t ticking_clock(void)
{
	static uint64_t now = 1000;

	return ++now;
}

/* The answer to a request, parsed; the caller's. */
__attribute__((format(printf, 2, 3))) static json_t *ask(uint64_t turn, const char *format, ...)
{
	char line[512];
	va_list arguments;
	json_t *answer;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	out.length = 0;
	intp_daemon_answer(daemon_, &asker, turn, line, strlen(line), &out);
	answer = json_loadb(out.data, out.length, JSON_REJECT_DUPLICATES, NULL);
	CHECK(answer && json_integer_value(json_object_get(answer, "v")) == 1);
	return answer;
}

static void watch_ourselves(uint64_t turn)
{
	json_t *answer = ask(turn,
			     "{\"v\":1,\"op\":\"watch\",\"containers\":[{\"container\":\"us\",\"pid\":%d},"
			     "{\"container\":\"a b\",\"pid\":1}]}",
			     getpid());

	CHECK(json_array_size(json_object_get(answer, "watched")) == 1);
	CHECK(json_array_size(json_object_get(answer, "refused")) == 1);
	json_decref(answer);
}

static json_int_t time_of_snapshot(uint64_t turn)
{
	json_t *answer = ask(turn, "{\"v\":1,\"op\":\"snapshot\"}");
	json_int_t time = json_integer_value(json_object_get(answer, "time_ns"));

	CHECK(json_array_size(json_object_get(answer, "containers")) == 1);
	json_decref(answer);
	return time;
}

static void hello_says_who_answers_and_what_is_counted(void)
{
	json_t *answer = ask(1, "{\"v\":1,\"op\":\"hello\",\"id\":5}");
	json_t *signals = json_object_get(answer, "signals");

	CHECK(json_integer_value(json_object_get(answer, "id")) == 5);
	CHECK(json_object_size(signals) == INTP_SIGNALS);
	CHECK(!json_object_get(json_object_get(signals, "cpu"), "status"));
	CHECK(strcmp(json_string_value(json_object_get(json_object_get(signals, "mbw"), "source")), "none") == 0);
	json_decref(answer);
}

static void a_watch_watches_what_it_can_and_refuses_the_rest(void)
{
	watch_ourselves(1);
}

static void snapshots_of_one_turn_are_one_measurement(void)
{
	int before = snapshots;
	json_int_t time = time_of_snapshot(7);

	CHECK(time_of_snapshot(7) == time && snapshots == before + 1);
	CHECK(time_of_snapshot(8) > time && snapshots == before + 2);
}

static void a_watch_in_between_makes_another_measurement(void)
{
	int before = snapshots;

	time_of_snapshot(9);
	watch_ourselves(9);
	time_of_snapshot(9);
	CHECK(snapshots == before + 2);
}

static void what_is_unwatched_is_gone_from_the_snapshot(void)
{
	json_t *answer;

	json_decref(ask(10, "{\"v\":1,\"op\":\"unwatch\",\"containers\":[\"us\",\"never\"]}"));
	answer = ask(10, "{\"v\":1,\"op\":\"snapshot\"}");
	CHECK(json_array_size(json_object_get(answer, "containers")) == 0);
	json_decref(answer);
}

static void a_refused_request_gets_its_id_back(void)
{
	json_t *answer = ask(11, "{\"v\":1,\"op\":\"reset\",\"id\":3}");

	CHECK(json_integer_value(json_object_get(answer, "id")) == 3 && json_is_false(json_object_get(answer, "ok")));
	json_decref(answer);
}

/* A request for so many containers, none of whose processes there is. */
static const char *long_request(int containers)
{
	static char line[65536];
	char *at = line + sprintf(line, "{\"v\":1,\"op\":\"watch\",\"id\":9,\"containers\":[");

	for (int i = 0; i < containers; i++)
		at += sprintf(at, "%s{\"container\":\"c%d\",\"pid\":%d}", i ? "," : "", i, getpid());
	strcpy(at, "]}");
	return line;
}

static void a_long_request_is_worked_off_in_pieces_between_which_others_are_answered(void)
{
	const int containers = 1200, pieces = (containers + INTP_BATCH - 1) / INTP_BATCH;
	const char *line = long_request(containers);
	struct intp_asker greedy = {.trusted = true};
	json_t *answer;

	for (int turn = 0; turn < pieces; turn++) {
		CHECK(turn == 0 || greedy.unfinished);
		out.length = 0;
		watched_at_once = 0;
		intp_daemon_answer(daemon_, &greedy, 100 + turn, line, strlen(line), &out);
		CHECK(watched_at_once <= INTP_BATCH);
		if (turn < pieces - 1)
			CHECK(out.length == 0);
		else
			CHECK(!greedy.unfinished);
	}
	answer = json_loadb(out.data, out.length, JSON_REJECT_DUPLICATES, NULL);
	CHECK(json_array_size(json_object_get(answer, "watched")) == 4);
	CHECK(json_array_size(json_object_get(answer, "refused")) == (size_t)containers - 4);
	CHECK(json_integer_value(json_object_get(answer, "id")) == 9);
	json_decref(answer);
}

static void all_clients_together_have_one_piece_in_a_turn(void)
{
	const char *line = long_request(100);
	struct intp_asker first = {.trusted = true}, second = first;

	watched_at_once = 0;
	intp_daemon_answer(daemon_, &first, 500, line, strlen(line), &out);
	intp_daemon_answer(daemon_, &second, 500, line, strlen(line), &out);
	CHECK(first.unfinished && second.unfinished && watched_at_once <= INTP_BATCH);
	json_decref(ask(500, "{\"v\":1,\"op\":\"hello\"}"));
	intp_asker_forget(&first);
	intp_asker_forget(&second);
}

static void many_short_requests_of_one_turn_list_the_processes_once(void)
{
	enum { CLIENTS = 20 };
	struct intp_asker askers[CLIENTS];
	char lines[CLIENTS][128];
	int answered = 0;

	json_decref(ask(599, "{\"v\":1,\"op\":\"unwatch\",\"containers\":[\"c0\",\"c1\",\"c2\",\"c3\"]}"));
	for (int i = 0; i < CLIENTS; i++) {
		askers[i] = (struct intp_asker){.trusted = true};
		sprintf(lines[i], "{\"v\":1,\"op\":\"watch\",\"containers\":[{\"container\":\"s%d\",\"pid\":%d}]}",
			i % 2, i % 4 < 2 ? getpid() : 1);
	}
	for (uint64_t turn = 600; turn < 600 + CLIENTS; turn++) {
		listings = 0;
		answered = 0;
		for (int i = 0; i < CLIENTS; i++) {
			if (turn == 600 || askers[i].unfinished)
				intp_daemon_answer(daemon_, &askers[i], turn, lines[i], strlen(lines[i]), &out);
			answered += !askers[i].unfinished;
		}
		CHECK(listings <= 1 && answered == (int)(turn - 600) + 1);
	}
	CHECK(answered == CLIENTS);
}

static void one_container_named_again_and_again_is_entered_once_in_a_turn(void)
{
	const int times = 12;
	static char line[4096];
	char *at = line + sprintf(line, "{\"v\":1,\"op\":\"watch\",\"containers\":[");
	struct intp_asker greedy = {.trusted = true};
	uint64_t turn = 700;
	json_t *answer;

	for (int i = 0; i < times; i++)
		at += sprintf(at, "%s{\"container\":\"again\",\"pid\":%d}", i ? "," : "", i % 2 ? getpid() : 1);
	strcpy(at, "]}");
	out.length = 0;
	do {
		listings = unwatched_at_once = 0;
		intp_daemon_answer(daemon_, &greedy, turn++, line, strlen(line), &out);
		CHECK(listings <= 1 && unwatched_at_once <= 1);
		CHECK(turn < 800);
	} while (greedy.unfinished);
	answer = json_loadb(out.data, out.length, JSON_REJECT_DUPLICATES, NULL);
	CHECK(json_array_size(json_object_get(answer, "watched")) == (size_t)times);
	json_decref(answer);
}

static void what_changes_the_table_waits_for_its_turn_and_nothing_else_does(void)
{
	static const char unwatch[] = "{\"v\":1,\"op\":\"unwatch\",\"containers\":[\"again\"]}";
	static const char nothing[] = "{\"v\":1,\"op\":\"unwatch\",\"containers\":[]}";
	struct intp_asker second = {.trusted = true};
	int before;

	watch_ourselves(800);
	before = snapshots;
	json_decref(ask(800, "{\"v\":1,\"op\":\"snapshot\"}"));
	intp_daemon_answer(daemon_, &second, 800, unwatch, strlen(unwatch), &out);
	CHECK(second.unfinished);
	json_decref(ask(800, "%s", nothing));
	json_decref(ask(800, "{\"v\":1,\"op\":\"snapshot\"}"));
	CHECK(snapshots <= before + 1);
	intp_daemon_answer(daemon_, &second, 801, unwatch, strlen(unwatch), &out);
	CHECK(!second.unfinished);
}

int main(void)
{
	const struct intp_identity identity = {"0.1.0", "boot", 1000, 4};

	intp_panel_add(&panel, &source, 1u << INTP_CPU);
	watches = intp_watches_open(&panel, 4, "/proc");
	daemon_ = intp_daemon_open(&identity, &panel, watches, ticking_clock);
	CHECK(watches && daemon_);
	CLAIM(hello_says_who_answers_and_what_is_counted);
	CLAIM(a_watch_watches_what_it_can_and_refuses_the_rest);
	CLAIM(snapshots_of_one_turn_are_one_measurement);
	CLAIM(a_watch_in_between_makes_another_measurement);
	CLAIM(what_is_unwatched_is_gone_from_the_snapshot);
	CLAIM(a_refused_request_gets_its_id_back);
	CLAIM(a_long_request_is_worked_off_in_pieces_between_which_others_are_answered);
	CLAIM(all_clients_together_have_one_piece_in_a_turn);
	CLAIM(many_short_requests_of_one_turn_list_the_processes_once);
	CLAIM(one_container_named_again_and_again_is_entered_once_in_a_turn);
	CLAIM(what_changes_the_table_waits_for_its_turn_and_nothing_else_does);
	intp_daemon_close(daemon_);
	intp_watches_close(watches);
	intp_panel_close(&panel);
	intp_buffer_free(&out);
	return 0;
}
