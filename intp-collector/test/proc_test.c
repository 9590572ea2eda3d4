/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "../source/blockshare.h"
#include "../source/proc.h"
#include "tree.h"

#define SECOND UINT64_C(1000000000)

static struct intp_sample samples[INTP_MAX_WATCHES];
static struct intp_source *source;
static uint64_t clock_ns;
static double usable_cpus;

static uint64_t fake_now(void)
{
	return clock_ns;
}

static void disk(unsigned long reads, unsigned long read_bytes, unsigned long read_ms)
{
	tree_put("proc/diskstats",
		 " 7 0 loop0 9 9 9 9 9 9 9 9 9 9 9\n 8 0 sda %lu 0 %lu %lu 0 0 0 0 0 0 0\n 8 1 sda1 9 9 9 9 9 9 9 9 "
		 "9 9 9\n",
		 reads, read_bytes / 512, read_ms);
}

static void io(int pid, long read, long written)
{
	char name[64];
	snprintf(name, sizeof(name), "proc/%d/io", pid);
	tree_put(name, "rchar: 1\nwchar: 1\nread_bytes: %ld\nwrite_bytes: %ld\ncancelled_write_bytes: 0\n", read,
		 written);
}

/* A machine of two CPUs with one disk and one process, 10; watched as a tree in slot 3. */
static void begin(bool delays)
{
	char reason[INTP_MAX_REASON];
	tree_begin();
	clock_ns = SECOND;
	tree_put("sys/devices/system/cpu/online", "0-1\n");
	tree_put("sys/block/sda/device", NULL);
	tree_put("sys/block/loop0", NULL);
	tree_put("proc/self/schedstat", "1 1 1\n");
	tree_put("proc/sys/kernel/task_delayacct", "%d\n", delays);
	disk(0, 0, 0);
	tree_process(10, 1, 10, 100);
	tree_thread(10, 10, 5 * SECOND, 2 * SECOND, 1000);
	io(10, 4096, 0);
	struct intp_proc_options options = {
		.proc = tree_path("proc"), .sys = tree_path("sys"), .cpus = usable_cpus, .now = fake_now};
	source = intp_proc_open(&options, reason, sizeof(reason));
	CHECK(source);
	struct intp_watch watch = {.id = "c", .root = 10, .attribution = INTP_TREE};
	CHECK(source->watch(source, 3, &watch) == 0);
}

static const struct intp_count *after(uint64_t ns, enum intp_signal signal)
{
	clock_ns += ns;
	CHECK(source->snapshot(source, clock_ns, samples) == 0);
	return &samples[3].counts[signal];
}

static void end(void)
{
	source->close(source);
	tree_end();
}

static void counts_begin_at_the_watch(void)
{
	begin(true);
	tree_thread(10, 10, 5 * SECOND + 400, 2 * SECOND + 100, 1050);
	const struct intp_count *cpu = after(SECOND, INTP_CPU);
	CHECK(cpu->status == INTP_OK && strcmp(cpu->source, "proc") == 0);
	CHECK_NEAR(cpu->used, 400, 0);
	CHECK_NEAR(cpu->capacity, 2e9, 0);
	CHECK_NEAR(samples[3].counts[INTP_CPUWAIT].used, 100, 0);
	CHECK_NEAR(samples[3].counts[INTP_CPUWAIT].capacity, 500, 0);
	CHECK_NEAR(samples[3].counts[INTP_BLKWAIT].used, 50e7, 0);
	CHECK_NEAR(samples[3].counts[INTP_BLKWAIT].capacity, 1e9, 0);
	end();
}

static void capacity_is_of_the_cpus_that_containers_may_use(void)
{
	usable_cpus = 0.4;
	begin(true);
	CHECK_NEAR(after(SECOND, INTP_CPU)->capacity, 4e8, 1);
	usable_cpus = 0;
	end();
}

static void a_thread_that_ended_stays_counted(void)
{
	begin(false);
	tree_thread(10, 11, 300, 0, 0);
	CHECK_NEAR(after(SECOND, INTP_CPU)->used, 300, 0);
	CHECK(tree_remove(tree_path("proc/10/task/11")) == 0);
	CHECK_NEAR(after(SECOND, INTP_CPU)->used, 300, 0);
	CHECK(tree_remove(tree_path("proc/10")) == 0);
	CHECK_NEAR(after(SECOND, INTP_CPU)->used, 300, 0);
	CHECK_NEAR(samples[3].counts[INTP_CPU].capacity, 6e9, 0);
	end();
}

static void a_thread_id_that_is_used_again_counts_from_zero(void)
{
	begin(false);
	tree_thread(10, 11, 300, 10, 0);
	after(SECOND, INTP_CPU);
	tree_thread(10, 11, 200, 20, 0);
	CHECK_NEAR(after(SECOND, INTP_CPU)->used, 500, 0);
	end();
}

static void a_pid_of_another_start_time_counts_from_zero(void)
{
	begin(false);
	tree_process(11, 10, 10, 200);
	tree_thread(11, 11, 300, 0, 0);
	after(SECOND, INTP_CPU);
	tree_process(11, 10, 10, 400);
	tree_thread(11, 11, 350, 0, 0);
	CHECK_NEAR(after(SECOND, INTP_CPU)->used, 650, 0);
	end();
}

static void a_thread_that_brings_a_past_with_it_adds_only_what_follows(void)
{
	begin(false);
	tree_thread(10, 11, 50 * SECOND, 0, 0);
	CHECK_NEAR(after(SECOND, INTP_CPU)->used, 0, 0);
	tree_thread(10, 11, 50 * SECOND + 7, 0, 0);
	CHECK_NEAR(after(SECOND, INTP_CPU)->used, 7, 0);
	end();
}

static void block_wait_beyond_the_window_is_left_out(void)
{
	begin(true);
	tree_thread(10, 10, 5 * SECOND, 2 * SECOND, 1000 + 136800);
	CHECK_NEAR(after(SECOND, INTP_BLKWAIT)->used, 0, 0);
	end();
}

static void without_delay_accounting_block_wait_names_the_sysctl(void)
{
	begin(false);
	CHECK(!(source->signals & (1u << INTP_BLKWAIT)));
	CHECK(strstr(source->reason(source, INTP_BLKWAIT), "sysctl kernel.task_delayacct=1"));
	CHECK(source->reason(source, INTP_NETP) && !source->reason(source, INTP_CPU));
	end();
}

static void block_time_is_shared_by_bytes(void)
{
	begin(false);
	disk(100, 1024000, 800);
	io(10, 4096 + 256000, 0);
	const struct intp_count *blk = after(SECOND, INTP_BLK);
	CHECK(blk->status == INTP_APPORTIONED);
	CHECK_NEAR(blk->used, 200e6, 1);
	CHECK_NEAR(blk->operations, 25, 1e-9);
	CHECK_NEAR(blk->capacity, 1e9, 0);
	end();
}

static void writes_share_the_time_in_which_they_reach_the_disk(void)
{
	struct intp_block_share shares[2] = {{.written_bytes = 3000}, {.written_bytes = 1000}};
	struct intp_disk_growth idle = {0};
	struct intp_disk_growth writing = {.writes = 40, .written_bytes = 4000, .write_ns = 800};
	intp_apportion(&idle, shares, 2, 1);
	CHECK_NEAR(shares[0].ns, 0, 0);
	shares[0].written_bytes = shares[1].written_bytes = 0;
	intp_apportion(&writing, shares, 2, 1);
	CHECK_NEAR(shares[0].ns, 600, 1e-3);
	CHECK_NEAR(shares[1].ns, 200, 1e-3);
	CHECK_NEAR(shares[1].operations, 10, 1e-3);
	CHECK_NEAR(shares[0].unwritten, 0, 1e-3);
}

static void a_disk_time_that_wraps_at_32_bits_goes_on(void)
{
	CHECK(intp_disk_ms_since(4294967290u, 4) == 10);
	CHECK(intp_disk_ms_since(1000, 10) == 0);
}

static void unwatched_slots_and_other_signals_are_left_alone(void)
{
	begin(false);
	memset(samples, 0, sizeof(samples));
	after(SECOND, INTP_CPU);
	CHECK(!samples[3].counts[INTP_NETP].source && !samples[3].counts[INTP_BLKWAIT].source);
	CHECK(!samples[2].counts[INTP_CPU].source);
	source->unwatch(source, 3);
	source->unwatch(source, 3);
	memset(samples, 0, sizeof(samples));
	after(SECOND, INTP_CPU);
	CHECK(!samples[3].counts[INTP_CPU].source);
	end();
}

static void a_tree_without_proc_is_refused_with_its_name(void)
{
	char reason[INTP_MAX_REASON] = "";
	struct intp_proc_options options = {.proc = "/nonexistent/proc"};
	CHECK(!intp_proc_open(&options, reason, sizeof(reason)));
	CHECK(strstr(reason, "/nonexistent/proc"));
}

static double used_cpu(pid_t child, double seconds)
{
	char path[64], text[128];
	double ns = 0;
	snprintf(path, sizeof(path), "/proc/%d/schedstat", child);
	while (ns < seconds * 1e9) {
		FILE *file = fopen(path, "r");
		CHECK(file && fgets(text, sizeof(text), file));
		fclose(file);
		ns = strtod(text, NULL);
	}
	return ns;
}

static void a_spinning_child_has_the_cpu_time_of_its_rusage(void)
{
	char reason[INTP_MAX_REASON];
	struct intp_proc_options options = {0};
	source = intp_proc_open(&options, reason, sizeof(reason));
	if (!source)
		SKIP(reason);
	pid_t child = fork();
	if (child == 0)
		for (volatile unsigned long i = 0;; i++)
			;
	struct intp_watch watch = {.root = child, .attribution = INTP_TREE};
	double from = used_cpu(child, 0);
	CHECK(source->watch(source, 0, &watch) == 0);
	used_cpu(child, 0.3);
	kill(child, SIGSTOP);
	waitpid(child, NULL, WUNTRACED);
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	CHECK(source->snapshot(source, (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec, samples) == 0);
	kill(child, SIGKILL);
	struct rusage usage;
	CHECK(wait4(child, NULL, 0, &usage) == child);
	double whole = usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6 + usage.ru_stime.tv_sec +
		       usage.ru_stime.tv_usec / 1e6;
	source->close(source);
	CHECK_NEAR(samples[0].counts[INTP_CPU].used / 1e9, whole - from / 1e9, 0.02);
	CHECK(samples[0].counts[INTP_CPU].capacity > samples[0].counts[INTP_CPU].used);
}

int main(void)
{
	CLAIM(counts_begin_at_the_watch);
	CLAIM(capacity_is_of_the_cpus_that_containers_may_use);
	CLAIM(a_thread_that_ended_stays_counted);
	CLAIM(a_thread_id_that_is_used_again_counts_from_zero);
	CLAIM(a_pid_of_another_start_time_counts_from_zero);
	CLAIM(a_thread_that_brings_a_past_with_it_adds_only_what_follows);
	CLAIM(block_wait_beyond_the_window_is_left_out);
	CLAIM(without_delay_accounting_block_wait_names_the_sysctl);
	CLAIM(block_time_is_shared_by_bytes);
	CLAIM(writes_share_the_time_in_which_they_reach_the_disk);
	CLAIM(a_disk_time_that_wraps_at_32_bits_goes_on);
	CLAIM(unwatched_slots_and_other_signals_are_left_alone);
	CLAIM(a_tree_without_proc_is_refused_with_its_name);
	CLAIM(a_spinning_child_has_the_cpu_time_of_its_rusage);
	return 0;
}
