/* SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "../publish/panel.h"
#include "../wire/answer.h"
#include "claims.h"

static struct intp_buffer out;
static const char *further; /* a signal that must be among those that there are; NULL for none */

/* Signals newer than the golden files, which nothing counts here, are ignored, as readers ignore them. */
static void drop_newer_signals(void)
{
	char member[256];

	for (int i = INTP_FUTEX + 1; i < INTP_SIGNALS; i++) {
		snprintf(
			member, sizeof(member),
			",\"%s\":{\"status\":\"unavailable\",\"source\":\"none\",\"reason\":\"no source counts it\"}",
			intp_signal_name(i));
		for (char *at; (at = strstr(out.data, member));)
			memmove(at, at + strlen(member), strlen(at + strlen(member)) + 1);
	}
}

/* Line `index` of a golden file equals what `out` holds, byte for byte; `out` is emptied. */
static void check_golden(const char *name, int index)
{
	FILE *golden = fopen(name, "r");
	static char line[65536];

	CHECK(golden);
	for (int i = 0; i <= index; i++)
		CHECK(fgets(line, sizeof(line), golden));
	fclose(golden);
	intp_buffer_append(&out, "", 1);
	drop_newer_signals();
	if (strcmp(line, out.data) != 0)
		fprintf(stderr, "expected %sgot %s", line, out.data);
	CHECK(strcmp(line, out.data) == 0);
	out.length = 0;
}

static struct intp_tag tag(int64_t value)
{
	return (struct intp_tag){true, value};
}

static const char no_speed[] = "no nominal speed: eth0 says -1 and --nic-speed is not given";
static const char no_pmu[] = "no PMU: perf_event_open says ENOENT";

static struct intp_count share(double used, double capacity)
{
	struct intp_count count = intp_count_of("ebpf", used, capacity);

	count.status = INTP_APPORTIONED;
	return count;
}

static void hello_is_as_agreed(void)
{
	const struct intp_identity identity = {"0.1.0", "0e5a3f2c-1f57-4f2e-9a51-0d6e2f6a7b11", 1000000000, 1024};
	struct intp_sample sample;

	for (int i = 0; i < INTP_SIGNALS; i++)
		sample.counts[i] =
			i <= INTP_FUTEX ? intp_count_of("ebpf", 0, 0) : intp_no_count("none", "no source counts it");
	sample.counts[INTP_NETP] = intp_no_count("ebpf", no_speed);
	sample.counts[INTP_MBW] = intp_no_count("none", "no source counts it");
	sample.counts[INTP_LLCMR] = intp_no_count("perf", no_pmu);
	sample.counts[INTP_LLOCC] = intp_no_count("resctrl", "resctrl is not mounted");
	sample.counts[INTP_FUTEX] = intp_no_count("ebpf", "switched off (--futex)");
	intp_answer_hello(&out, (struct intp_tag){0}, &identity, &sample, NULL);
	check_golden("wire/golden/responses.jsonl", 0);
}

static void a_watch_is_answered_as_agreed(void)
{
	const struct intp_outcome outcomes[] = {
		{.container = "container_1700000000000_0001_01_000002", .attribution = INTP_CGROUP_V2},
		{.container = "container_e17_1700000000000_0001_01_000003",
		 .code = INTP_NO_PROCESS,
		 .message = "process 4712 does not exist"},
	};

	intp_answer_watch(&out, tag(1), outcomes, 2);
	check_golden("wire/golden/responses.jsonl", 1);
}

static void an_unwatch_and_errors_are_answered_as_agreed(void)
{
	intp_answer_unwatch(&out, tag(3));
	check_golden("wire/golden/responses.jsonl", 2);
	intp_answer_error(&out, (struct intp_tag){0}, INTP_MALFORMED, "not a JSON object");
	check_golden("wire/golden/responses.jsonl", 3);
	intp_answer_error(&out, tag(9), INTP_UNSPOKEN, "version 2 is not spoken here; versions: 1");
	check_golden("wire/golden/responses.jsonl", 4);
}

static void fill_first(struct intp_sample *sample)
{
	sample->counts[INTP_NETP] = intp_count_of("ebpf", 500000000, 2000000000);
	sample->counts[INTP_NETS] = share(31000000, 2000000000);
	sample->counts[INTP_BLK] = share(200000000, 2000000000);
	sample->counts[INTP_BLK].operations = 1200;
	sample->counts[INTP_MBW] = intp_count_of("resctrl", 8e9, 68e9);
	sample->counts[INTP_LLCMR] = intp_no_count("perf", no_pmu);
	sample->counts[INTP_LLOCC] = intp_count_of("resctrl", 1.6e16, 6.4e16);
	sample->counts[INTP_CPU] = intp_count_of("ebpf", 1500000000, 4e9);
	sample->counts[INTP_CPUWAIT] = intp_count_of("ebpf", 500000000, 2000000000);
	sample->counts[INTP_BLKWAIT] = intp_count_of("ebpf", 250000000.5, 2000000000);
	sample->counts[INTP_FUTEX] = intp_no_count("ebpf", "switched off (--futex)");
}

static void fill_second(struct intp_sample *sample)
{
	sample->counts[INTP_NETP] = intp_no_count("ebpf", no_speed);
	sample->counts[INTP_NETS] = intp_count_of("ebpf", 0, 1500000000);
	sample->counts[INTP_BLK] = intp_count_of("ebpf", 0, 1500000000);
	sample->counts[INTP_MBW] = intp_no_count("none", "no source counts it");
	sample->counts[INTP_LLCMR] = intp_count_of("perf", 12345, 67890);
	sample->counts[INTP_LLOCC] = intp_no_count("resctrl", "resctrl is not mounted");
	sample->counts[INTP_CPU] = intp_count_of("proc", 0, 3e9);
	sample->counts[INTP_CPUWAIT] = intp_count_of("proc", 0, 0);
	sample->counts[INTP_BLKWAIT] = intp_count_of("proc", 0, 1500000000);
	sample->counts[INTP_FUTEX] = intp_count_of("ebpf", 77, 1.5);
}

static void a_snapshot_is_as_agreed(void)
{
	struct intp_row rows[] = {
		{.container = "container_1700000000000_0001_01_000002", .attribution = INTP_CGROUP_V2, .alive = true},
		{.container = "container_e17_1700000000000_0001_01_000003", .attribution = INTP_TREE},
	};

	fill_first(&rows[0].sample);
	fill_second(&rows[1].sample);
	intp_answer_snapshot(&out, tag(2), 1000000000, 61000000000, rows, 0, NULL);
	check_golden("wire/golden/snapshot.jsonl", 0);
	intp_answer_snapshot(&out, tag(3), 1000000000, 62000000000, rows, 2, NULL);
	check_golden("wire/golden/snapshot.jsonl", 1);
}

static void what_hello_says_is_not_said_again(void)
{
	struct intp_row row = {.container = "c", .attribution = INTP_TREE, .alive = true};
	struct intp_sample said;
	json_t *answer, *signals;

	for (int i = 0; i < INTP_SIGNALS; i++)
		row.sample.counts[i] = said.counts[i] = intp_no_count("none", "no source counts it");
	said.counts[INTP_CPU] = said.counts[INTP_BLK] = said.counts[INTP_MEM] = intp_count_of("ebpf", 0, 0);
	said.counts[INTP_FUTEX] = intp_no_count("ebpf", "switched off");
	row.sample.counts[INTP_CPU] = intp_count_of("ebpf", 1, 2);
	row.sample.counts[INTP_MEM] = intp_count_of("proc", 3, 4);
	row.sample.counts[INTP_BLK] = intp_no_count("ebpf", "too many");
	row.sample.counts[INTP_NETS] = share(5, 6);
	row.sample.counts[INTP_FUTEX] = intp_no_count("ebpf", "another reason");
	intp_answer_snapshot(&out, tag(1), 1, 2, &row, 1, &said);
	answer = json_loadb(out.data, out.length, 0, NULL);
	out.length = 0;
	signals = json_object_get(json_array_get(json_object_get(answer, "containers"), 0), "signals");
	CHECK(json_object_size(signals) == 5);
	CHECK(json_object_size(json_object_get(signals, "cpu")) == 2);
	CHECK(json_number_value(json_object_get(json_object_get(signals, "cpu"), "used")) == 1);
	CHECK(!strcmp(json_string_value(json_object_get(json_object_get(signals, "mem"), "source")), "proc"));
	CHECK(json_object_get(json_object_get(signals, "blk"), "reason"));
	CHECK(!strcmp(json_string_value(json_object_get(json_object_get(signals, "nets"), "status")), "apportioned"));
	CHECK(json_object_get(json_object_get(signals, "futex"), "reason"));
	json_decref(answer);
}

static void who_took_the_cpu_is_told_where_it_is_known(void)
{
	struct intp_row row = {.container = "c", .attribution = INTP_TREE, .alive = true, .knows_takers = true};
	json_t *answer, *takers;

	for (int i = 0; i < INTP_SIGNALS; i++)
		row.sample.counts[i] = intp_no_count("none", "no source counts it");
	row.taker_count = 2;
	row.takers[0] = (struct intp_row_taker){"other", 12};
	row.takers[1] = (struct intp_row_taker){NULL, 3};
	intp_answer_snapshot(&out, tag(1), 1, 2, &row, 1, NULL);
	answer = json_loadb(out.data, out.length, 0, NULL);
	out.length = 0;
	takers = json_object_get(json_array_get(json_object_get(answer, "containers"), 0), "preempted_by");
	CHECK(json_array_size(takers) == 2);
	CHECK(!strcmp(json_string_value(json_object_get(json_array_get(takers, 0), "container")), "other"));
	CHECK(json_number_value(json_object_get(json_array_get(takers, 0), "times")) == 12);
	CHECK(!json_object_get(json_array_get(takers, 1), "container"));
	json_decref(answer);
}

static void with_whom_bytes_are_exchanged_is_told_where_it_is_known(void)
{
	static const unsigned char v4[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 7}, v6[16] = {[15] = 1};
	struct intp_row row = {.container = "c", .attribution = INTP_TREE, .alive = true, .knows_peers = true};
	json_t *answer, *container, *peers;

	for (int i = 0; i < INTP_SIGNALS; i++)
		row.sample.counts[i] = intp_no_count("none", "no source counts it");
	row.peers = (struct intp_peers){.count = 2, .other_sent = 5, .other_received = 6};
	row.peers.list[0] = (struct intp_peer){.local_port = 65535, .remote_port = 80, .sent = 1e15, .received = 3};
	memcpy(row.peers.list[0].local, v4, sizeof(v4));
	memcpy(row.peers.list[0].remote, v6, sizeof(v6));
	intp_answer_snapshot(&out, tag(1), 1, 2, &row, 1, NULL);
	answer = json_loadb(out.data, out.length, 0, NULL);
	out.length = 0;
	container = json_array_get(json_object_get(answer, "containers"), 0);
	peers = json_object_get(container, "peers");
	CHECK(json_array_size(peers) == 2);
	CHECK(!strcmp(json_string_value(json_object_get(json_array_get(peers, 0), "local")), "10.0.0.7"));
	CHECK(!strcmp(json_string_value(json_object_get(json_array_get(peers, 0), "remote")), "::1"));
	CHECK(json_integer_value(json_object_get(json_array_get(peers, 0), "local_port")) == 65535);
	CHECK(json_integer_value(json_object_get(json_array_get(peers, 0), "remote_port")) == 80);
	CHECK(json_number_value(json_object_get(json_array_get(peers, 0), "sent")) == 1e15);
	CHECK(json_number_value(json_object_get(json_array_get(peers, 0), "received")) == 3);
	CHECK(!strcmp(json_string_value(json_object_get(json_array_get(peers, 1), "remote")), "::"));
	CHECK(json_number_value(json_object_get(json_object_get(container, "other_peers"), "sent")) == 5);
	CHECK(json_number_value(json_object_get(json_object_get(container, "other_peers"), "received")) == 6);
	json_decref(answer);
}

static void hello_says_why_nobody_knows_with_whom_bytes_are_exchanged(void)
{
	const struct intp_identity identity = {"0.1.0", "boot", 1, 1};
	struct intp_source counts_flows = {.name = "ebpf", .no_peers = "switched off (--peers)"};
	struct intp_panel panel = {0};
	struct intp_sample abilities;
	struct intp_count peers = intp_panel_peers(&panel);
	json_t *hello;

	CHECK(peers.status == INTP_UNAVAILABLE && !strcmp(peers.reason, "no source counts it"));
	intp_panel_add_absent(&panel, "ebpf", 1, "no BTF");
	peers = intp_panel_peers(&panel);
	CHECK(peers.status == INTP_UNAVAILABLE && !strcmp(peers.reason, "no BTF"));
	panel.count = 0;
	intp_panel_add(&panel, &counts_flows, 0);
	intp_panel_abilities(&(struct intp_panel){0}, &abilities);
	peers = intp_panel_peers(&panel);
	intp_answer_hello(&out, (struct intp_tag){0}, &identity, &abilities, &peers);
	hello = json_loadb(out.data, out.length, 0, NULL);
	out.length = 0;
	CHECK(!strcmp(json_string_value(json_object_get(json_object_get(hello, "peers"), "reason")),
		      "switched off (--peers)"));
	json_decref(hello);
}

/* What is defined and counted by nobody is told of all the same. */
static void a_signal_that_no_source_counts_is_unavailable(void)
{
	const struct intp_identity identity = {"0.1.0", "boot", 1, 1};
	const struct intp_panel panel = {0};
	struct intp_sample abilities;
	json_t *hello, *signals;
	const char *name;
	json_t *signal;

	intp_panel_abilities(&panel, &abilities);
	intp_answer_hello(&out, (struct intp_tag){0}, &identity, &abilities, NULL);
	hello = json_loadb(out.data, out.length, 0, NULL);
	out.length = 0;
	signals = json_object_get(hello, "signals");
	CHECK(json_object_size(signals) == INTP_SIGNALS);
	CHECK(!further || json_object_get(signals, further));
	json_object_foreach(signals, name, signal)
	{
		CHECK(strcmp(json_string_value(json_object_get(signal, "status")), "unavailable") == 0);
		CHECK(strcmp(json_string_value(json_object_get(signal, "reason")), "no source counts it") == 0);
	}
	json_decref(hello);
}

/* What a JSON parser makes of a number we wrote. */
static double read_back(double value)
{
	json_t *number;
	double read;

	out.length = 0;
	intp_buffer_number(&out, value);
	number = json_loadb(out.data, out.length, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
	out.length = 0;
	CHECK(number);
	read = json_real_value(number);
	json_decref(number);
	return read;
}

static void numbers_survive_to_a_millionth_or_sixteen_digits(void)
{
	const double values[] = {0,
				 1,
				 0.5,
				 1e-6,
				 0.999999,
				 12345.678901,
				 8999999999999.5,
				 9e12,
				 123456789012345,
				 1e15,
				 1.6e16,
				 1.8446744073709552e19,
				 1e300,
				 7.25e22};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		CHECK_NEAR(read_back(values[i]), values[i], fmax(5e-7, values[i] * 1e-15));
		CHECK_NEAR(read_back(-values[i]), -values[i], fmax(5e-7, values[i] * 1e-15));
	}
}

static void a_growing_count_never_shrinks_on_the_wire(void)
{
	double value = 1e-7, before = read_back(value);

	for (; value < 1e24; value *= 1.0007) {
		double now = read_back(value);

		CHECK(now >= before);
		before = now;
	}
}

static void a_figure_that_is_no_number_is_null(void)
{
	intp_buffer_number(&out, NAN);
	intp_buffer_number(&out, -INFINITY);
	CHECK(out.length == 8 && memcmp(out.data, "nullnull", 8) == 0);
	out.length = 0;
}

static void a_comma_locale_does_not_change_numbers(void)
{
	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
		SKIP("no locale with a decimal comma is installed");
	CHECK_NEAR(read_back(1.25e17 + 0.5e15), 1.255e17, 1);
	CHECK_NEAR(read_back(1.25), 1.25, 0);
	setlocale(LC_NUMERIC, "C");
}

static void every_string_survives(void)
{
	char text[256 + 8];
	json_t *string;
	int length = 0;

	for (int byte = 1; byte < 128; byte++)
		text[length++] = (char)byte;
	strcpy(text + length, "\xc3\xa9\xf0\x9f\x90\x98");
	intp_buffer_string(&out, text);
	string = json_loadb(out.data, out.length, JSON_DECODE_ANY, NULL);
	CHECK(string && strcmp(json_string_value(string), text) == 0);
	json_decref(string);
	out.length = 0;
}

static void integers_survive_at_both_ends(void)
{
	intp_buffer_integer(&out, INT64_MIN);
	intp_buffer_append(&out, " ", 1);
	intp_buffer_integer(&out, INT64_MAX);
	intp_buffer_append(&out, "", 1);
	CHECK(strcmp(out.data, "-9223372036854775808 9223372036854775807") == 0);
	out.length = 0;
}

int main(int count, char **arguments)
{
	further = count > 1 ? arguments[1] : NULL;
	CLAIM(hello_is_as_agreed);
	CLAIM(a_watch_is_answered_as_agreed);
	CLAIM(an_unwatch_and_errors_are_answered_as_agreed);
	CLAIM(a_snapshot_is_as_agreed);
	CLAIM(what_hello_says_is_not_said_again);
	CLAIM(who_took_the_cpu_is_told_where_it_is_known);
	CLAIM(with_whom_bytes_are_exchanged_is_told_where_it_is_known);
	CLAIM(hello_says_why_nobody_knows_with_whom_bytes_are_exchanged);
	CLAIM(a_signal_that_no_source_counts_is_unavailable);
	CLAIM(numbers_survive_to_a_millionth_or_sixteen_digits);
	CLAIM(a_growing_count_never_shrinks_on_the_wire);
	CLAIM(a_figure_that_is_no_number_is_null);
	CLAIM(a_comma_locale_does_not_change_numbers);
	CLAIM(every_string_survives);
	CLAIM(integers_survive_at_both_ends);
	intp_buffer_free(&out);
	return 0;
}
