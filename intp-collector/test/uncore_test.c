/* SPDX-License-Identifier: Apache-2.0 */
#include "../source/uncore.h"
#include "fakeperf.h"
#include "tree.h"

#define SECOND UINT64_C(1000000000)
#define IMC    "sys/bus/event_source/devices/uncore_imc_0/"

static struct intp_sample samples[INTP_MAX_WATCHES];
static struct intp_source *source;
static char reason[INTP_MAX_REASON];
static double slot_misses[2];
static bool counted[2];

static bool misses(void *context, int slot, double *count)
{
	(void)context;
	*count = slot_misses[slot];
	return counted[slot];
}

static uint64_t at_one_second(void)
{
	return SECOND;
}

static struct intp_source *opened(double peak, bool with_misses)
{
	struct intp_uncore_options options = {.sys = tree_path("sys"),
					      .ops = &fake_perf,
					      .peak_bytes = peak,
					      .now = at_one_second,
					      .misses = with_misses ? misses : NULL};
	return intp_uncore_open(&options, reason, sizeof(reason));
}

/* One controller, read and written, and one CPU: events 0 to 2, the last of which are the machine's misses. */
static void begin(void)
{
	tree_begin();
	fake_reset();
	tree_put("sys/devices/system/cpu/online", "0\n");
	tree_put(IMC "type", "14\n");
	tree_put(IMC "cpumask", "0\n");
	tree_put(IMC "events/cas_count_read", "event=0x04,umask=0x03\n");
	tree_put(IMC "events/cas_count_read.scale", "6.103515625e-5\n");
	tree_put(IMC "events/cas_count_write", "event=0x04,umask=0x0c\n");
	slot_misses[0] = slot_misses[1] = 0;
	counted[0] = counted[1] = true;
}

static void watch(void)
{
	struct intp_watch wanted = {.root = 1};
	source = opened(10e9, true);
	CHECK(source && fake_opened == 3);
	CHECK(source->watch(source, 0, &wanted) == 0 && source->watch(source, 1, &wanted) == 0);
}

static void event(int number, uint64_t value)
{
	fake_events[number].value = value;
	fake_events[number].enabled += 100;
	fake_events[number].running += 100;
}

static void end(void)
{
	if (source)
		source->close(source);
	source = NULL;
	CHECK(fake_open_now == 0);
	tree_end();
}

static void bytes_are_shared_by_misses_and_the_rest_is_nobodys(void)
{
	begin();
	watch();
	CHECK(fake_events[0].attr.type == 14 && fake_events[0].attr.config == 0x0304);
	event(0, 700);
	event(1, 300);
	event(2, 100);
	slot_misses[0] = 30;
	slot_misses[1] = 20;
	CHECK(source->snapshot(source, 2 * SECOND, samples) == 0);
	CHECK(samples[0].counts[INTP_MBW].status == INTP_APPORTIONED);
	CHECK_NEAR(samples[0].counts[INTP_MBW].used, 64000 * 0.3, 1e-6);
	CHECK_NEAR(samples[1].counts[INTP_MBW].used, 64000 * 0.2, 1e-6);
	CHECK_NEAR(samples[0].counts[INTP_MBW].capacity, 10e9, 1);
	end();
}

static void a_container_without_misses_is_unavailable(void)
{
	begin();
	counted[1] = false;
	watch();
	event(0, 100);
	event(1, 0);
	event(2, 10);
	slot_misses[0] = 10;
	CHECK(source->snapshot(source, 2 * SECOND, samples) == 0);
	CHECK(samples[0].counts[INTP_MBW].status == INTP_APPORTIONED);
	CHECK(samples[1].counts[INTP_MBW].status == INTP_UNAVAILABLE);
	CHECK(strstr(samples[1].counts[INTP_MBW].reason, "misses"));
	end();
}

static void why_it_does_not_open_is_told_apart(void)
{
	begin();
	CHECK(!opened(10e9, false) && strstr(reason, "count for the machine"));
	CHECK(!opened(0, true) && strstr(reason, "intpd calibrate"));
	struct intp_uncore_options unread = {
		.sys = tree_path("sys"), .ops = &fake_perf, .no_peak = "Permission denied", .misses = misses};
	CHECK(!intp_uncore_open(&unread, reason, sizeof(reason)) && strcmp(reason, unread.no_peak) == 0);
	fake_errno = EACCES;
	CHECK(!opened(10e9, true) && strstr(reason, "CAP_PERFMON"));
	fake_errno = 0;
	tree_put(IMC "events/cas_count_read.scale", "1.5\n");
	CHECK(!opened(10e9, true) && strstr(reason, "not known"));
	CHECK(tree_remove(tree_path("sys/bus")) == 0);
	CHECK(!opened(10e9, true) && strstr(reason, "uncore_imc"));
	end();
}

static void an_event_of_another_layout_is_refused(void)
{
	uint64_t config;
	CHECK(intp_parse_uncore_event("event=0x04,umask=0x0c\n", &config) && config == 0x0c04);
	CHECK(!intp_parse_uncore_event("event=0x04,ch_mask=0x0c", &config));
	CHECK(!intp_parse_uncore_event("event=0xfff", &config));
	CHECK(!intp_parse_uncore_event("event=0x", &config) && !intp_parse_uncore_event("", &config));
}

int main(void)
{
	CLAIM(bytes_are_shared_by_misses_and_the_rest_is_nobodys);
	CLAIM(a_container_without_misses_is_unavailable);
	CLAIM(why_it_does_not_open_is_told_apart);
	CLAIM(an_event_of_another_layout_is_refused);
	return 0;
}
