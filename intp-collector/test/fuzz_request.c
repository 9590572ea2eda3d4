/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever lines clients send, the answer to each is one line of JSON that says ok or gives a code, and who is not
 * trusted watches nobody else's process. Run by libFuzzer.
 */
#include <errno.h>
#include <jansson.h>

#include "../publish/daemon.h"
#include "fuzz.h"

#define PROCESSES 6

static bool trusted;

static uint64_t ticking_clock(void)
{
	static uint64_t now = 61000000000;

	return now += 100000000000;
}

/* Only the processes with an even number are of the user that is not trusted. */
static int watch(struct intp_source *source, int slot, const struct intp_watch *wanted)
{
	(void)source;
	must_hold(slot >= 0 && slot < 2 && wanted->root >= 1 && wanted->root <= PROCESSES);
	must_hold(trusted || wanted->root % 2 == 0);
	return wanted->root == 6 ? -ESRCH : 0;
}

static void unwatch(struct intp_source *source, int slot)
{
	(void)source;
	must_hold(slot >= 0 && slot < 2);
}

static int snapshot(struct intp_source *source, uint64_t now_ns, struct intp_sample *samples)
{
	(void)source;
	samples[0].counts[INTP_CPU] = intp_count_of("ebpf", (double)now_ns / 3, 1);
	return 0;
}

static const char *reason(const struct intp_source *source, enum intp_signal signal)
{
	(void)source;
	return signal == INTP_BLK ? "a reason with \"quotes\"" : NULL;
}

static void close_nothing(struct intp_source *source)
{
	(void)source;
}

static struct intp_source source = {
	.name = "ebpf",
	.signals = 1u << INTP_CPU,
	.watch = watch,
	.unwatch = unwatch,
	.snapshot = snapshot,
	.reason = reason,
	.close = close_nothing,
};

static struct intp_daemon *open_daemon(void)
{
	static const struct intp_identity identity = {"0.1.0", "boot", 1000000000, 2};
	static struct intp_panel panel;
	char name[32], text[256];

	for (int pid = 1; pid <= PROCESSES; pid++) {
		snprintf(name, sizeof(name), "%d/stat", pid);
		snprintf(text, sizeof(text), "%d (x) S 0 1 %d 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 0", pid, pid, pid);
		fuzz_put_text(name, text);
		snprintf(name, sizeof(name), "%d/status", pid);
		snprintf(text, sizeof(text), "Name:\tx\nUid:\t%d\t%d\t%d\t%d\n", pid % 2, pid % 2, pid % 2, pid % 2);
		fuzz_put_text(name, text);
	}
	intp_panel_add(&panel, &source, 1u << INTP_CPU);
	return intp_daemon_open(&identity, &panel, intp_watches_open(&panel, 2, fuzz_root()), ticking_clock);
}

/* One line, which jansson reads in its strictest way. */
static void must_be_an_answer(const struct intp_buffer *out)
{
	json_t *answer, *ok;

	must_hold(!out->failed && out->length > 0 && out->data[out->length - 1] == '\n');
	must_hold(memchr(out->data, '\n', out->length) == out->data + out->length - 1);
	answer = json_loadb(out->data, out->length, JSON_REJECT_DUPLICATES, NULL);
	ok = json_object_get(answer, "ok");
	must_hold(json_is_boolean(ok));
	must_hold(json_is_true(ok) || json_is_string(json_object_get(json_object_get(answer, "error"), "code")));
	json_decref(answer);
}

static void ask(struct intp_daemon *daemon, const char *line, size_t length)
{
	static const struct intp_asker askers[] = {{.trusted = true}, {.user = 0, .process = 4711}};
	static struct intp_buffer out;
	static uint64_t turn;
	struct intp_asker asker = askers[length % 2];

	trusted = asker.trusted;
	out.length = 0;
	do
		intp_daemon_answer(daemon, &asker, ++turn, line, length, &out);
	while (asker.unfinished);
	must_be_an_answer(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct intp_daemon *daemon;
	const char *at = (const char *)data, *end = at + size;

	if (!daemon) {
		daemon = open_daemon();
		atexit(fuzz_remove);
	}
	for (int lines = 0; at <= end && lines < 8; lines++) {
		const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;

		ask(daemon, at, (size_t)((newline ? newline : end) - at));
		at = newline ? newline + 1 : end + 1;
	}
	return 0;
}
