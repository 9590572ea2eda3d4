/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever line a client sends, the answer is one line of JSON that says ok or gives a code. Run by libFuzzer. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../publish/daemon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t stopped_clock(void)
{
	return 61000000000;
}

static struct intp_daemon *daemon_without_processes(void)
{
	static const struct intp_identity identity = {"0.1.0", "boot", 1000000000, 2};
	static struct intp_panel panel;

	intp_panel_add_absent(&panel, "ebpf", 1u << INTP_CPU, "a reason with \"quotes\"");
	return intp_daemon_open(&identity, &panel, intp_watches_open(&panel, 2, "/nonexistent"), stopped_clock);
}

static void must_hold(int condition)
{
	if (!condition)
		abort();
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct intp_daemon *daemon;
	static struct intp_buffer out;

	if (!daemon)
		daemon = daemon_without_processes();
	out.length = 0;
	intp_daemon_answer(daemon, 1, (const char *)data, size, &out);
	must_be_an_answer(&out);
	return 0;
}
