/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "../source/group.h"
#include "../source/resident.h"
#include "tree.h"

#define SECOND UINT64_C(1000000000)
#define TOTAL  (1000.0 * 1024)
#define PAGE   4096
#define KIB_S  (1024 * 1e9) /* byte nanoseconds in a KiB second */

static struct intp_sample samples[INTP_MAX_WATCHES];
static struct intp_source *source;
static char reason[INTP_MAX_REASON];

static uint64_t at_one_second(void)
{
	return SECOND;
}

static struct intp_source *opened_with(struct intp_source *trees)
{
	struct intp_group_options options = {
		.proc = tree_path("proc"), .now = at_one_second, .page_bytes = PAGE, .trees = trees};
	return intp_group_open(&options, reason, sizeof(reason));
}

static struct intp_source *opened(void)
{
	return opened_with(NULL);
}

static void begin(void)
{
	tree_begin();
	tree_put("proc/meminfo", "MemTotal:           1000 kB\nMemFree:             400 kB\n");
	tree_put("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
	tree_process(1, 0, 1, 1);
	source = opened();
	CHECK(source);
}

static void end(void)
{
	source->close(source);
	tree_end();
}

static void group_holds(const char *current, const char *stat)
{
	tree_put("group/memory.current", "%s", current);
	tree_put("group/memory.stat", "%s", stat);
}

static void presses(const char *file, long some, long full)
{
	char name[64];
	snprintf(name, sizeof(name), "group/%s.pressure", file);
	tree_put(name,
		 "some avg10=1.00 avg60=0.10 avg300=0.00 total=%ld\nfull avg10=0.00 avg60=0.00 avg300=0.00 "
		 "total=%ld\n",
		 some, full);
}

static int watch(enum intp_attribution attribution, bool memory)
{
	struct intp_watch wanted = {.id = "c", .root = 10, .attribution = attribution};
	if (attribution != INTP_TREE)
		snprintf(wanted.directory, sizeof(wanted.directory), "%s", tree_path("group"));
	if (memory)
		snprintf(wanted.memory, sizeof(wanted.memory), "%s", tree_path("group"));
	return source->watch(source, 5, &wanted);
}

static const struct intp_count *count_at(int seconds, enum intp_signal signal)
{
	CHECK(source->snapshot(source, (uint64_t)seconds * SECOND, samples) == 0);
	return &samples[5].counts[signal];
}

static const struct intp_count *at(int seconds)
{
	return count_at(seconds, INTP_MEM);
}

static void resident(int pid, int pages, int shared)
{
	char name[64];
	snprintf(name, sizeof(name), "proc/%d/statm", pid);
	tree_put(name, "100 %d %d 1 0 30 0\n", pages, shared);
}

static void the_working_set_of_a_group_leaves_out_what_reclaim_can_take(void)
{
	begin();
	group_holds("3000\n", "anon 100\nfile 2000\nactive_file 1\ninactive_file 1000\n");
	CHECK(watch(INTP_CGROUP_V2, true) == 0);
	group_holds("5000\n", "anon 300\nfile 4000\ninactive_file 1000\n");
	const struct intp_count *count = at(3);
	CHECK(count->status == INTP_OK && strcmp(count->source, "cgroup") == 0);
	CHECK_NEAR(count->used * KIB_S, (2000 + 4000) / 2 * 2e9, 1e6);
	CHECK_NEAR(count->capacity * KIB_S, TOTAL * 2e9, 1e6);
	CHECK_NEAR(samples[5].counts[INTP_MEMANON].used * KIB_S, 200 * 2e9, 1e6);
	CHECK_NEAR(samples[5].counts[INTP_MEMFILE].used * KIB_S, 3000 * 2e9, 1e6);
	end();
}

static void a_group_of_version_1_is_read_with_all_below_it(void)
{
	begin();
	tree_put("group/memory.usage_in_bytes", "3000\n");
	tree_put("group/memory.stat",
		 "cache 1\nrss 2\ninactive_file 3\ntotal_cache 2000\ntotal_rss 900\ntotal_inactive_file 1500\n");
	CHECK(watch(INTP_CGROUP_V1, true) == 0);
	CHECK_NEAR(at(2)->used * KIB_S, 1500 * 1e9, 1e6);
	CHECK_NEAR(samples[5].counts[INTP_MEMANON].used * KIB_S, 900 * 1e9, 1e6);
	CHECK_NEAR(samples[5].counts[INTP_MEMFILE].used * KIB_S, 2000 * 1e9, 1e6);
	end();
}

static void one_that_has_been_there_for_long_is_looked_at_less_often(void)
{
	begin();
	group_holds("1000\n", "anon 0\nfile 0\ninactive_file 0\n");
	CHECK(watch(INTP_CGROUP_V2, true) == 0);
	CHECK_NEAR(at(101)->used * KIB_S, 1000 * 100e9, 1e6);
	group_holds("9000\n", "anon 0\nfile 0\ninactive_file 0\n");
	CHECK_NEAR(at(110)->used * KIB_S, 1000 * 109e9, 1e6);
	CHECK_NEAR(at(111)->used * KIB_S, 1000 * 109e9 + 5000 * 1e9, 1e6);
	end();
}

static void page_cache_that_grew_between_two_files_is_no_negative_memory(void)
{
	begin();
	group_holds("1000\n", "anon 0\nfile 0\ninactive_file 1001\n");
	CHECK(watch(INTP_CGROUP_V2, true) == 0);
	CHECK_NEAR(at(2)->used * KIB_S, 0, 1e6);
	end();
}

static void a_group_without_the_controller_is_its_processes(void)
{
	begin();
	tree_process(10, 1, 10, 100);
	resident(10, 7, 2);
	tree_put("group/cgroup.procs", "10\n");
	CHECK(watch(INTP_CGROUP_V2, false) == 0);
	CHECK_NEAR(at(2)->used * KIB_S, 7.0 * PAGE * 1e9, 1e6);
	CHECK(strcmp(at(2)->source, "proc") == 0);
	CHECK_NEAR(samples[5].counts[INTP_MEMANON].used * KIB_S, 5.0 * PAGE * 1e9, 1e6);
	CHECK_NEAR(samples[5].counts[INTP_MEMFILE].used * KIB_S, 2.0 * PAGE * 1e9, 1e6);
	end();
}

static void a_tree_is_the_resident_memory_of_its_processes(void)
{
	begin();
	tree_process(10, 1, 10, 100);
	tree_process(11, 10, 10, 101);
	tree_process(20, 1, 20, 102);
	resident(10, 10, 0);
	resident(11, 20, 0);
	resident(20, 1000, 0);
	CHECK(watch(INTP_TREE, false) == 0);
	CHECK_NEAR(at(2)->used * KIB_S, 30.0 * PAGE * 1e9, 1e6);
	resident(11, 40, 0);
	CHECK_NEAR(at(4)->used * KIB_S, 30.0 * PAGE * 1e9 + 2 * (30 + 50) / 2 * PAGE * 1e9, 1e6);
	end();
}

static long list_members(struct intp_source *trees, const struct intp_tree_member **members)
{
	static const struct intp_tree_member known[] = {{4, 21}, {5, 10}, {5, 22}, {6, 23}};
	(void)trees;
	*members = known;
	return 4;
}

static long list_nothing(struct intp_source *trees, const struct intp_tree_member **members)
{
	(void)trees;
	(void)members;
	return -ENOTSUP;
}

static void who_knows_the_processes_of_trees_is_asked(void)
{
	struct intp_source trees = {.tree_members = list_members};
	begin();
	source->close(source);
	source = opened_with(&trees);
	/* Of another session and parent: /proc would not tell that 22 is one of them. */
	for (int pid = 21; pid <= 23; pid++)
		tree_process(pid, 1, pid, 2);
	resident(10, 3, 1);
	resident(21, 100, 0);
	resident(22, 4, 2);
	resident(23, 100, 0);
	CHECK(watch(INTP_TREE, false) == 0);
	CHECK_NEAR(at(2)->used * KIB_S, 7 * PAGE * 1e9, 1e6);
	CHECK_NEAR(samples[5].counts[INTP_MEMFILE].used * KIB_S, 3 * PAGE * 1e9, 1e6);
	end();
}

static void who_cannot_tell_them_leaves_it_to_proc(void)
{
	struct intp_source trees = {.tree_members = list_nothing};
	begin();
	source->close(source);
	source = opened_with(&trees);
	tree_process(10, 1, 10, 2);
	resident(10, 3, 1);
	CHECK(watch(INTP_TREE, false) == 0);
	CHECK_NEAR(at(2)->used * KIB_S, 3 * PAGE * 1e9, 1e6);
	end();
}

static void a_process_that_ended_has_none(void)
{
	begin();
	tree_process(10, 1, 10, 100);
	tree_process(11, 10, 10, 101);
	resident(10, 10, 0);
	CHECK(watch(INTP_TREE, false) == 0);
	CHECK_NEAR(at(2)->used * KIB_S, 10.0 * PAGE * 1e9, 1e6);
	end();
}

static void a_container_whose_processes_have_ended_keeps_what_it_had(void)
{
	begin();
	tree_process(10, 1, 10, 100);
	resident(10, 10, 0);
	CHECK(watch(INTP_TREE, false) == 0);
	CHECK_NEAR(at(3)->used * KIB_S, 20.0 * PAGE * 1e9, 1e6);
	CHECK(tree_remove(tree_path("proc/10")) == 0);
	CHECK(at(7)->status == INTP_OK);
	CHECK_NEAR(at(7)->used * KIB_S, 20.0 * PAGE * 1e9, 1e6);
	end();
}

static void a_group_that_vanished_keeps_what_was_counted_until_then(void)
{
	begin();
	group_holds("3000\n", "anon 0\nfile 0\ninactive_file 0\n");
	presses("cpu", 0, 0);
	presses("io", 0, 0);
	presses("memory", 0, 0);
	CHECK(watch(INTP_CGROUP_V2, true) == 0);
	presses("cpu", 500000, 0);
	CHECK_NEAR(at(3)->used * KIB_S, 3000 * 2e9, 1e6);
	CHECK(tree_remove(tree_path("group")) == 0);
	const struct intp_count *count = at(7), *stalled = &samples[5].counts[INTP_PSICPU];
	CHECK(count->status == INTP_OK && stalled->status == INTP_OK);
	CHECK_NEAR(count->used * KIB_S, 3000 * 2e9, 1e6);
	CHECK_NEAR(count->capacity * KIB_S, TOTAL * 2e9, 1e6);
	CHECK_NEAR(stalled->used / stalled->capacity, 0.25, 1e-9);
	end();
}

static void a_group_that_was_never_there_has_no_count_and_says_why(void)
{
	begin();
	CHECK(watch(INTP_CGROUP_V2, true) == 0);
	CHECK(at(3)->status == INTP_UNAVAILABLE && at(3)->reason);
	CHECK(samples[5].counts[INTP_PSICPU].status == INTP_UNAVAILABLE && samples[5].counts[INTP_PSICPU].reason);
	end();
}

static void a_reading_that_failed_leaves_the_window_open(void)
{
	begin();
	group_holds("1000\n", "anon 0\nfile 0\ninactive_file 0\n");
	CHECK(watch(INTP_CGROUP_V2, true) == 0);
	group_holds("none\n", "anon 0\nfile 0\ninactive_file 0\n");
	CHECK(at(3)->status == INTP_UNAVAILABLE);
	group_holds("3000\n", "anon 0\nfile 0\ninactive_file 0\n");
	CHECK_NEAR(at(4)->used * KIB_S, 2000 * 3e9, 1e6);
	CHECK_NEAR(at(4)->capacity * KIB_S, TOTAL * 3e9, 1e6);
	end();
}

static void time_that_goes_back_counts_nothing(void)
{
	begin();
	group_holds("1000\n", "anon 0\nfile 0\ninactive_file 0\n");
	presses("cpu", 100, 10);
	CHECK(watch(INTP_CGROUP_V2, true) == 0);
	CHECK_NEAR(at(0)->used * KIB_S, 0, 1e6);
	CHECK_NEAR(samples[5].counts[INTP_PSICPU].capacity, 0, 0);
	end();
}

static void pressure_counts_from_the_moment_of_watching(void)
{
	begin();
	group_holds("1000\n", "anon 0\nfile 0\ninactive_file 0\n");
	presses("cpu", 1000, 100);
	presses("io", 7, 7);
	presses("memory", 0, 0);
	CHECK(watch(INTP_CGROUP_V2, true) == 0);
	presses("cpu", 251000, 100100);
	const struct intp_count *some = count_at(2, INTP_PSICPU), *full = &samples[5].counts[INTP_PSICPUF];
	CHECK(some->status == INTP_OK && full->status == INTP_OK);
	CHECK_NEAR(some->used / some->capacity, 0.25, 1e-9);
	CHECK_NEAR(full->used / full->capacity, 0.1, 1e-9);
	CHECK_NEAR(samples[5].counts[INTP_PSIIO].used, 0, 0);
	end();
}

/* As before Linux 5.13. */
static void the_cpu_has_no_full_pressure_where_the_kernel_keeps_none(void)
{
	begin();
	tree_put("group/cpu.pressure", "some avg10=1.00 avg60=0.10 avg300=0.00 total=0\n");
	CHECK(watch(INTP_CGROUP_V2, false) == 0);
	tree_put("group/cpu.pressure", "some avg10=1.00 avg60=0.10 avg300=0.00 total=500000\n");
	const struct intp_count *count = count_at(2, INTP_PSICPU);
	CHECK_NEAR(count->used / count->capacity, 0.5, 1e-9);
	CHECK(samples[5].counts[INTP_PSICPUF].status == INTP_UNAVAILABLE);
	end();
}

static void pressure_never_goes_back(void)
{
	begin();
	presses("io", 1000, 1000);
	CHECK(watch(INTP_CGROUP_V2, false) == 0);
	presses("io", 3000, 2000);
	double some = count_at(2, INTP_PSIIO)->used, full = samples[5].counts[INTP_PSIIOF].used;
	presses("io", 5, 1999);
	CHECK(count_at(3, INTP_PSIIO)->used == some && samples[5].counts[INTP_PSIIOF].used == full);
	end();
}

static void without_a_group_of_version_2_there_is_no_pressure(void)
{
	begin();
	tree_process(10, 1, 10, 100);
	resident(10, 7, 2);
	CHECK(watch(INTP_TREE, false) == 0);
	const struct intp_count *count = count_at(2, INTP_PSIMEM);
	CHECK(count->status == INTP_UNAVAILABLE && strstr(count->reason, "version 2"));
	end();
}

static void a_kernel_without_pressure_says_so_of_the_machine(void)
{
	tree_begin();
	tree_put("proc/meminfo", "MemTotal: 1000 kB\n");
	source = opened();
	CHECK(source && source->signals == INTP_MEMORY_SIGNALS);
	CHECK(strstr(source->reason(source, INTP_PSICPU), "CONFIG_PSI") && !source->reason(source, INTP_MEM));
	CHECK(!source->reason(source, INTP_DISK) && !source->reason(source, INTP_CPU));
	end();
}

static void a_machine_that_does_not_say_its_memory_is_refused(void)
{
	tree_begin();
	tree_put("proc/meminfo", "MemTotal: 0 kB\n");
	CHECK(!opened() && strstr(reason, "meminfo"));
	tree_end();
}

static void files_are_parsed_as_they_are(void)
{
	uint64_t value, other;
	CHECK(intp_parse_named("anon 1\ninactive_file 42\n", "inactive_file ", &value) && value == 42);
	CHECK(!intp_parse_named("workingset_inactive_file 42\n", "inactive_file ", &value));
	CHECK(!intp_parse_named("inactive_file \n", "inactive_file ", &value));
	CHECK(!intp_parse_named("", "inactive_file ", &value));
	CHECK(intp_parse_statm("9 8 7\n", &value, &other) && value == 8 && other == 7);
	CHECK(!intp_parse_statm("9 8\n", &value, &other));
	CHECK(intp_parse_pressure("some avg10=0.00 total=12\nfull avg10=0.00 total=3\n", "full ", &value) &&
	      value == 3);
	CHECK(intp_parse_pressure("some avg10=0.00 total=12\n", "some ", &value) && value == 12);
	CHECK(!intp_parse_pressure("some avg10=0.00\nfull avg10=0.00 total=3\n", "some ", &value));
	CHECK(!intp_parse_pressure("some avg10=0.00 total=12\n", "full ", &value));
}

int main(void)
{
	CLAIM(the_working_set_of_a_group_leaves_out_what_reclaim_can_take);
	CLAIM(a_group_of_version_1_is_read_with_all_below_it);
	CLAIM(one_that_has_been_there_for_long_is_looked_at_less_often);
	CLAIM(page_cache_that_grew_between_two_files_is_no_negative_memory);
	CLAIM(a_group_without_the_controller_is_its_processes);
	CLAIM(a_tree_is_the_resident_memory_of_its_processes);
	CLAIM(who_knows_the_processes_of_trees_is_asked);
	CLAIM(who_cannot_tell_them_leaves_it_to_proc);
	CLAIM(a_process_that_ended_has_none);
	CLAIM(a_container_whose_processes_have_ended_keeps_what_it_had);
	CLAIM(a_group_that_vanished_keeps_what_was_counted_until_then);
	CLAIM(a_group_that_was_never_there_has_no_count_and_says_why);
	CLAIM(a_reading_that_failed_leaves_the_window_open);
	CLAIM(time_that_goes_back_counts_nothing);
	CLAIM(pressure_counts_from_the_moment_of_watching);
	CLAIM(the_cpu_has_no_full_pressure_where_the_kernel_keeps_none);
	CLAIM(pressure_never_goes_back);
	CLAIM(without_a_group_of_version_2_there_is_no_pressure);
	CLAIM(a_kernel_without_pressure_says_so_of_the_machine);
	CLAIM(a_machine_that_does_not_say_its_memory_is_refused);
	CLAIM(files_are_parsed_as_they_are);
	return 0;
}
