/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/inotify.h>

#include "../source/perf.h"
#include "../source/descriptors.h"
#include "fakeperf.h"
#include "tree.h"

static struct intp_sample samples[INTP_MAX_WATCHES];
static struct intp_source *source;
static char reason[INTP_MAX_REASON];
static int below = 1000 + FAKE_EVENTS; /* the first descriptor that no event may have */
static int first; /* the first event of the watch: references, misses and instructions follow each other */

#define EVENTS 3 /* of a thread, or of a cgroup on a CPU */

static uint64_t zero(void)
{
	return 0;
}

static struct intp_source *opened(void)
{
	struct intp_perf_options options = {.ops = &fake_perf,
					    .proc = tree_path("proc"),
					    .sys = tree_path("sys"),
					    .machine = "x86_64",
					    .below = below,
					    .now = zero};
	return intp_perf_open(&options, reason, sizeof(reason));
}

static void begin(enum intp_attribution attribution)
{
	tree_begin();
	tree_put("sys/devices/system/cpu/online", "0-1\n");
	tree_process(10, 1, 10, 100);
	tree_thread(10, 10, 0, 0, 0);
	tree_thread(10, 11, 0, 0, 0);
	tree_put("cg/cgroup.procs", "10\n");
	source = opened();
	CHECK(source && fake_open_now == 0);
	first = fake_opened;
	struct intp_watch watch = {.root = 10, .attribution = attribution};
	snprintf(watch.directory, sizeof(watch.directory), "%s", tree_path("cg"));
	CHECK(source->watch(source, 0, &watch) == 0);
}

static void counts(int event, uint64_t references, uint64_t misses, uint64_t enabled, uint64_t running)
{
	fake_events[event].value = references;
	fake_events[event + 1].value = misses;
	fake_events[event].enabled = enabled;
	fake_events[event].running = running;
}

static const struct intp_count *snapshot(void)
{
	CHECK(source->snapshot(source, 1, samples) == 0);
	return &samples[0].counts[INTP_LLCMR];
}

static void end(void)
{
	source->close(source);
	CHECK(fake_open_now == 0);
	tree_end();
	fake_reset();
}

static void a_cgroup_has_its_groups_on_every_cpu(void)
{
	begin(INTP_CGROUP_V2);
	CHECK(fake_open_now == 2 * EVENTS);
	CHECK(fake_events[first].flags & PERF_FLAG_PID_CGROUP && fake_events[first].cpu == 0);
	CHECK(fake_events[first + EVENTS].cpu == 1 && fake_events[first + EVENTS + 1].group == 1000 + first + EVENTS);
	counts(first, 100, 10, 5, 5);
	counts(first + EVENTS, 200, 30, 5, 5);
	const struct intp_count *count = snapshot();
	CHECK(count->status == INTP_OK && count->used == 40 && count->capacity == 300);
	end();
}

static void instructions(int event, uint64_t retired, uint64_t enabled, uint64_t running)
{
	fake_events[event + 2].value = retired;
	fake_events[event + 2].enabled = enabled;
	fake_events[event + 2].running = running;
}

static void instructions_are_a_rate_and_in_no_group_with_the_cache(void)
{
	begin(INTP_CGROUP_V2);
	CHECK(fake_events[first + 2].attr.config == PERF_COUNT_HW_INSTRUCTIONS && fake_events[first + 2].group == -1);
	instructions(first, 3000, 100, 50);
	instructions(first + EVENTS, 1000, 100, 100);
	CHECK(source->snapshot(source, 2000000000, samples) == 0);
	const struct intp_count *count = &samples[0].counts[INTP_INSTR];
	CHECK(count->status == INTP_OK && strcmp(count->source, "perf") == 0);
	CHECK_NEAR(count->used, 7000, 0);
	CHECK_NEAR(count->capacity, 2, 0);
	/* The cache's counters did not run, and that is the cache's alone. */
	counts(first, 0, 0, 100, 0);
	instructions(first, 4000, 200, 150);
	CHECK(snapshot()->status == INTP_UNAVAILABLE && count->status == INTP_OK);
	end();
}

static void a_kind_that_the_pmu_does_not_have_is_absent_and_the_other_is_counted(void)
{
	double misses;
	fake_errno_of[PERF_COUNT_HW_CACHE_REFERENCES] = ENOENT;
	begin(INTP_TREE);
	CHECK(source->signals == UINT32_C(1) << INTP_INSTR && fake_open_now == 2);
	CHECK(strstr(source->reason(source, INTP_LLCMR), "no PMU") && !source->reason(source, INTP_INSTR));
	samples[0].counts[INTP_LLCMR] = (struct intp_count){0};
	CHECK(snapshot()->status == INTP_UNAVAILABLE && !intp_perf_misses(source, 0, &misses));
	CHECK(samples[0].counts[INTP_INSTR].status == INTP_OK);
	end();
	fake_errno_of[PERF_COUNT_HW_INSTRUCTIONS] = ENOENT;
	begin(INTP_TREE);
	CHECK(source->signals == UINT32_C(1) << INTP_LLCMR && fake_open_now == 4);
	CHECK(strstr(source->reason(source, INTP_INSTR), "no PMU"));
	end();
}

static const char amd[] = "processor\t: 0\nvendor_id\t: AuthenticAMD\n";

static void only_events_of_the_last_level_count_its_misses(void)
{
	struct intp_cache_events events =
		intp_perf_cache_events("x86_64", "processor\t: 0\nvendor_id\t: GenuineIntel\n");
	CHECK(!events.absent && events.type == PERF_TYPE_HARDWARE);
	CHECK(events.references == PERF_COUNT_HW_CACHE_REFERENCES && events.misses == PERF_COUNT_HW_CACHE_MISSES);
	events = intp_perf_cache_events("aarch64", "processor\t: 0\nBogoMIPS\t: 50.00\n");
	CHECK(!events.absent && events.type == PERF_TYPE_HW_CACHE);
	CHECK(events.references == 0x2 && events.misses == 0x10002);
	events = intp_perf_cache_events("x86_64", amd);
	CHECK(events.absent && strstr(events.absent, "L2"));
	CHECK(intp_perf_cache_events("x86_64", "vendor_id\t: HygonGenuine\n").absent);
}

static void where_they_are_of_another_level_instructions_are_counted_alone(void)
{
	tree_begin();
	tree_put("proc/cpuinfo", "%s", amd);
	tree_put("sys/devices/system/cpu/online", "0-1\n");
	source = opened();
	CHECK(source && source->signals == UINT32_C(1) << INTP_INSTR);
	CHECK(strstr(source->reason(source, INTP_LLCMR), "L2") && fake_opened == 1);
	source->close(source);
	/* Without a PMU nothing would help that is said of the cache. */
	fake_errno = ENOENT;
	CHECK(!opened() && strstr(reason, "no PMU"));
	fake_reset();
	tree_end();
}

static void half_a_kind_leaves_nothing_open(void)
{
	tree_begin();
	tree_put("proc", NULL);
	fake_errno_of[PERF_COUNT_HW_CACHE_MISSES] = EOPNOTSUPP;
	fake_errno_of[PERF_COUNT_HW_INSTRUCTIONS] = EOPNOTSUPP;
	CHECK(!opened() && strstr(reason, "no PMU") && fake_open_now == 0);
	fake_reset();
	tree_end();
}

static void a_tree_has_inherited_groups_for_each_thread(void)
{
	begin(INTP_TREE);
	CHECK(fake_open_now == 2 * EVENTS);
	CHECK(fake_events[first].attr.inherit && fake_events[first].cpu == -1 && fake_events[first].pid == 10);
	CHECK(fake_events[first + 2].attr.inherit && fake_events[first + EVENTS].pid == 11);
	end();
}

static void a_cgroup_that_perf_does_not_know_falls_back_to_threads(void)
{
	fake_errno_cgroup = EBADF;
	begin(INTP_CGROUP_V1);
	CHECK(fake_open_now == 2 * EVENTS && fake_events[first].pid == 10 && fake_events[first].attr.inherit);
	end();
}

static void time_without_a_counter_is_scaled(void)
{
	begin(INTP_TREE);
	counts(first, 100, 10, 100, 50);
	const struct intp_count *count = snapshot();
	CHECK_NEAR(count->capacity, 200, 0);
	CHECK_NEAR(count->used, 20, 0);
	counts(first, 150, 15, 200, 150);
	count = snapshot();
	CHECK_NEAR(count->capacity, 250, 0);
	end();
}

static void a_window_without_a_counter_is_unavailable_but_an_idle_one_is_not(void)
{
	begin(INTP_TREE);
	CHECK(snapshot()->status == INTP_OK);
	counts(first, 0, 0, 100, 0);
	CHECK(snapshot()->status == INTP_UNAVAILABLE);
	CHECK(strstr(samples[0].counts[INTP_LLCMR].reason, "counter"));
	double misses;
	CHECK(!intp_perf_misses(source, 0, &misses));
	counts(first, 10, 1, 200, 100);
	CHECK(snapshot()->status == INTP_OK && intp_perf_misses(source, 0, &misses) && misses == 2);
	end();
}

/* How often the directory that `watcher` looks at was opened since the last call. */
static int openings(int watcher)
{
	char bytes[4096];
	ssize_t length = read(watcher, bytes, sizeof(bytes));
	int count = 0;
	for (ssize_t at = 0; at < length;) {
		const struct inotify_event *event = (const struct inotify_event *)(bytes + at);
		count += event->mask & IN_OPEN && event->mask & IN_ISDIR && !event->len;
		at += (ssize_t)sizeof(*event) + event->len;
	}
	return count;
}

/* Trees of one thread each, the first two of two, whose roots are 10, 20, 30 and so on. */
static void begin_trees(int trees, size_t at_once)
{
	tree_begin();
	tree_put("sys/devices/system/cpu/online", "0-1\n");
	for (int pid = 10; pid <= 10 * trees; pid += 10) {
		tree_process(pid, 1, pid, 100);
		tree_thread(pid, pid, 0, 0, 0);
		if (pid <= 20)
			tree_thread(pid, pid + 1, 0, 0, 0);
	}
	struct intp_perf_options options = {.ops = &fake_perf,
					    .proc = tree_path("proc"),
					    .sys = tree_path("sys"),
					    .machine = "x86_64",
					    .below = below,
					    .at_once = at_once};
	source = intp_perf_open(&options, reason, sizeof(reason));
	CHECK(source);
	first = fake_opened;
}

static void watch_trees(int trees)
{
	static struct intp_watch watches[8];
	struct intp_entry entries[8];
	for (int i = 0; i < trees; i++) {
		watches[i] = (struct intp_watch){.root = 10 * (i + 1), .attribution = INTP_TREE};
		entries[i] = (struct intp_entry){.slot = i, .watch = &watches[i]};
	}
	if (source->watch_many)
		source->watch_many(source, entries, (size_t)trees);
	else
		for (int i = 0; i < trees; i++)
			entries[i].error = source->watch(source, i, &watches[i]);
	for (int i = 0; i < trees; i++)
		CHECK(entries[i].error == 0);
}

static void trees_that_are_watched_together_are_looked_for_in_one_listing(void)
{
	begin_trees(5, 0);
	int watcher = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	CHECK(inotify_add_watch(watcher, tree_path("proc"), IN_OPEN | IN_CLOSE) >= 0);
	watch_trees(5);
	CHECK(openings(watcher) == 1);
	CHECK(fake_open_now == EVENTS * 7 && fake_events[first + EVENTS * 6].pid == 50);
	CHECK(source->snapshot(source, 1, samples) == 0 && openings(watcher) == 0);
	close(watcher);
	end();
}

static enum intp_status status_of(int slot)
{
	return samples[slot].counts[INTP_LLCMR].status;
}

static void no_more_threads_get_their_events_at_once_than_may(void)
{
	double misses;
	begin_trees(5, 3);
	watch_trees(5);
	CHECK(fake_open_now == EVENTS * 2 && !intp_perf_misses(source, 1, &misses));
	/* The second tree has two threads and the third one: together they are as many as may. */
	CHECK(source->snapshot(source, 1, samples) == 0);
	CHECK(fake_open_now == EVENTS * 5 && status_of(2) == INTP_OK && status_of(3) == INTP_UNAVAILABLE);
	CHECK(strstr(samples[3].counts[INTP_LLCMR].reason, "wait"));
	source->unwatch(source, 3);
	CHECK(source->snapshot(source, 2, samples) == 0);
	CHECK(fake_open_now == EVENTS * 6 && status_of(4) == INTP_OK);
	end();
}

static void a_tree_that_waits_for_its_events_is_not_taken_for_another_with_its_number(void)
{
	begin_trees(3, 2);
	watch_trees(3);
	CHECK(fake_open_now == EVENTS * 2);
	tree_process(20, 1, 20, 101);
	CHECK(source->snapshot(source, 1, samples) == 0);
	CHECK(fake_open_now == EVENTS * 3 && fake_events[first + 2 * EVENTS].pid == 30);
	end();
}

static void a_tree_of_more_threads_than_may_have_events_at_once_says_so(void)
{
	begin_trees(2, 1);
	watch_trees(2);
	CHECK(source->snapshot(source, 1, samples) == 0);
	CHECK(fake_open_now == 0 && status_of(0) == INTP_UNAVAILABLE);
	CHECK(strstr(samples[0].counts[INTP_LLCMR].reason, "more threads"));
	end();
}

static void why_it_does_not_open_is_told_apart(void)
{
	static const struct {
		int error;
		const char *says;
	} cases[] = {{ENOENT, "no PMU"},     {ENODEV, "no PMU"},
		     {EOPNOTSUPP, "no PMU"}, {EACCES, "perf_event_paranoid"},
		     {EPERM, "CAP_PERFMON"}, {EMFILE, "RLIMIT_NOFILE"}};
	tree_begin();
	tree_put("proc", NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fake_errno = cases[i].error;
		CHECK(!opened() && strstr(reason, cases[i].says));
	}
	fake_reset();
	tree_end();
}

static void too_few_files_make_one_container_unavailable_and_leave_nothing_open(void)
{
	fake_most = 3;
	begin(INTP_CGROUP_V2);
	CHECK(fake_open_now == 0);
	CHECK(snapshot()->status == INTP_UNAVAILABLE &&
	      strstr(samples[0].counts[INTP_LLCMR].reason, "RLIMIT_NOFILE"));
	end();
}

static void a_container_that_would_take_the_last_descriptors_has_no_events(void)
{
	struct intp_watch watch = {.root = 10, .attribution = INTP_CGROUP_V2};
	below = 1000 + EVENTS + 2 * EVENTS; /* those that were tried first have had theirs */
	begin(INTP_CGROUP_V2);
	snprintf(watch.directory, sizeof(watch.directory), "%s", tree_path("cg"));
	CHECK(fake_open_now == 2 * EVENTS && source->watch(source, 1, &watch) == 0);
	CHECK(fake_open_now == 2 * EVENTS && snapshot()->status == INTP_OK);
	CHECK(samples[1].counts[INTP_LLCMR].status == INTP_UNAVAILABLE);
	CHECK(strstr(samples[1].counts[INTP_LLCMR].reason, "--no-pmu"));
	end();
	below = 1000 + FAKE_EVENTS;
}

static void some_descriptors_are_left_of_any_limit(void)
{
	CHECK(intp_descriptors_below(1024) == 1024 - 64 && intp_descriptors_below(64) == 0);
	CHECK(intp_descriptors_below(0) == 0 && intp_descriptors_below(~0ULL) == INT32_MAX);
}

static void this_machine_opens_or_says_why(void)
{
	struct intp_perf_options options = {0};
	reason[0] = '\0';
	struct intp_source *real = intp_perf_open(&options, reason, sizeof(reason));
	CHECK(real || reason[0]);
	if (real)
		real->close(real);
}

int main(void)
{
	fake_reset();
	CLAIM(a_cgroup_has_its_groups_on_every_cpu);
	CLAIM(instructions_are_a_rate_and_in_no_group_with_the_cache);
	CLAIM(a_kind_that_the_pmu_does_not_have_is_absent_and_the_other_is_counted);
	CLAIM(only_events_of_the_last_level_count_its_misses);
	CLAIM(where_they_are_of_another_level_instructions_are_counted_alone);
	CLAIM(half_a_kind_leaves_nothing_open);
	CLAIM(a_tree_has_inherited_groups_for_each_thread);
	CLAIM(a_cgroup_that_perf_does_not_know_falls_back_to_threads);
	CLAIM(time_without_a_counter_is_scaled);
	CLAIM(a_window_without_a_counter_is_unavailable_but_an_idle_one_is_not);
	CLAIM(trees_that_are_watched_together_are_looked_for_in_one_listing);
	CLAIM(no_more_threads_get_their_events_at_once_than_may);
	CLAIM(a_tree_that_waits_for_its_events_is_not_taken_for_another_with_its_number);
	CLAIM(a_tree_of_more_threads_than_may_have_events_at_once_says_so);
	CLAIM(why_it_does_not_open_is_told_apart);
	CLAIM(too_few_files_make_one_container_unavailable_and_leave_nothing_open);
	CLAIM(a_container_that_would_take_the_last_descriptors_has_no_events);
	CLAIM(some_descriptors_are_left_of_any_limit);
	CLAIM(this_machine_opens_or_says_why);
	return 0;
}
