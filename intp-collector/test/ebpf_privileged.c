// SPDX-License-Identifier: Apache-2.0
/*
 * Real processes, disks and sockets, counted by the probes in the running kernel. What is compared with is what the
 * kernel counts itself (/proc/PID/schedstat) or what the test did (bytes, requests).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "real.h"

#define CPU	  0
#define WINDOW_NS 600000000ULL
#define LONG_NS	  20000000000ULL /* nothing here takes as long unless it is broken */
#define BLOCK	  4096
#define BLOCKS	  200

static void spin(void *cpu)
{
	/* A grandchild has no parent whose death would end it when a claim does not hold. */
	alarm(LONG_NS / 1000000000);
	pin(0, *(int *)cpu);
	for (;;)
		;
}

static void spin_anywhere(void *unused)
{
	cpu_set_t all;

	(void)unused;
	CPU_ZERO(&all);
	for (int i = 0; i < (int)sysconf(_SC_NPROCESSORS_ONLN); i++)
		CPU_SET(i, &all);
	sched_setaffinity(0, sizeof(all), &all);
	for (;;)
		;
}

/* ns on a CPU and ns waiting for one of a single-threaded process, as the kernel counts them. */
static void schedstat(pid_t pid, double *on_cpu, double *waited)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
	file = fopen(path, "r");
	CHECK(file && fscanf(file, "%lf %lf", on_cpu, waited) == 2);
	fclose(file);
}

/*
 * Spinners that are watched while they are stopped, run for a window and are stopped again: then no interval is open,
 * and what the kernel counted in between is exactly what was to be counted.
 */
static void spin_for(int count, uint64_t ns, bool pinned, double on_cpu[], double waited[], double cpu[],
		     double wait[])
{
	enum { MOST = 8 };
	pid_t pids[MOST];
	double on_before[MOST], waited_before[MOST];
	int first = CPU;

	for (int i = 0; i < count; i++) {
		pids[i] = child(pinned ? spin : spin_anywhere, &first);
		/* Before it is watched: what it waits on another CPU before it first runs is counted nowhere. */
		if (pinned)
			pin(pids[i], CPU);
		watch_tree(i, pids[i]);
		schedstat(pids[i], &on_before[i], &waited_before[i]);
	}
	for (int i = 0; i < count; i++)
		go(pids[i]);
	window(ns);
	for (int i = 0; i < count; i++) {
		CHECK(!kill(pids[i], SIGSTOP));
		CHECK(waitpid(pids[i], NULL, WUNTRACED) == pids[i]);
	}
	snapshot();
	for (int i = 0; i < count; i++) {
		schedstat(pids[i], &on_cpu[i], &waited[i]);
		on_cpu[i] -= on_before[i];
		waited[i] -= waited_before[i];
		cpu[i] = used(i, INTP_CPU);
		wait[i] = used(i, INTP_CPUWAIT);
		CHECK_NEAR(samples[i].counts[INTP_CPUWAIT].capacity, cpu[i] + wait[i], 1);
		CHECK(samples[i].counts[INTP_CPU].capacity > cpu[i]);
		end(pids[i]);
		source->unwatch(source, i);
	}
}

static void the_time_on_a_cpu_is_that_of_the_kernel(void)
{
	double on, waited, cpu, wait;

	spin_for(1, WINDOW_NS, true, &on, &waited, &cpu, &wait);
	CHECK(on > 0);
	CHECK_NEAR(cpu, on, 0.02 * on);
}

static void the_wait_for_a_cpu_is_that_of_the_kernel(void)
{
	double on[2], waited[2], cpu[2], wait[2];

	spin_for(2, 2 * WINDOW_NS, true, on, waited, cpu, wait);
	for (int i = 0; i < 2; i++) {
		CHECK(waited[i] > WINDOW_NS / 4);
		CHECK_NEAR(cpu[i], on[i], 0.02 * on[i]);
		CHECK_NEAR(wait[i], waited[i], 0.05 * waited[i]);
	}
}

/* The kernel balances five spinners over the CPUs: tasks are moved while they wait. */
static void spinners_that_move_between_cpus_are_counted(void)
{
	double on[5], waited[5], cpu[5], wait[5], all_on = 0, all_waited = 0, all_cpu = 0, all_wait = 0;

	spin_for(5, 5 * WINDOW_NS, false, on, waited, cpu, wait);
	for (int i = 0; i < 5; i++) {
		all_on += on[i];
		all_waited += waited[i];
		all_cpu += cpu[i];
		all_wait += wait[i];
	}
	printf("  movers: cpu %+.2f %%, wait %+.2f %% off the kernel's\n", 100 * (all_cpu / all_on - 1),
	       100 * (all_wait / all_waited - 1));
	CHECK_NEAR(all_cpu, all_on, 0.02 * all_on);
	CHECK_NEAR(all_wait, all_waited, 0.05 * all_waited);
}

/* Real-time, so that nothing takes the CPU from it and it never switches. */
static void spin_alone(void *cpu)
{
	struct sched_param priority = {.sched_priority = 1};

	pin(0, *(int *)cpu);
	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		_exit(1);
	for (;;)
		;
}

static void a_task_that_never_switches_is_counted_while_it_runs(void)
{
	int cpu = CPU;
	pid_t pid = child(spin_alone, &cpu), waiting = child(spin, &cpu);
	double cpu_before, wait_before;
	uint64_t from, to;

	pin(0, 1);
	watch_tree(0, pid);
	watch_tree(1, waiting);
	go(pid);
	go(waiting);
	window(20000000);
	snapshot();
	from = now_ns();
	cpu_before = used(0, INTP_CPU);
	wait_before = used(1, INTP_CPUWAIT);
	window(300000000);
	snapshot();
	to = now_ns();
	/* The kernel lets others run 50 ms in each second for which a real-time task spins. */
	CHECK_NEAR(used(0, INTP_CPU) - cpu_before, to - from, 0.35 * (to - from));
	CHECK_NEAR(used(1, INTP_CPUWAIT) - wait_before, to - from, 0.35 * (to - from));
	end(pid);
	end(waiting);
	source->unwatch(source, 0);
	source->unwatch(source, 1);
}

/* Takes the CPU for a moment each 40 ms. */
static void disturb(void *cpu)
{
	pin(0, *(int *)cpu);
	for (;;)
		window(40000000);
}

static double executed(clockid_t clock)
{
	struct timespec spent;

	CHECK(!clock_gettime(clock, &spent));
	return 1e9 * (double)spent.tv_sec + (double)spent.tv_nsec;
}

/* ns that a hypervisor has taken from a CPU since the machine was started; in steps of 10 ms. */
static double stolen_from(int cpu)
{
	FILE *file = fopen("/proc/stat", "r");
	char line[512], format[64];
	double ticks = 0;

	CHECK(file);
	snprintf(format, sizeof(format), "cpu%d %%*f %%*f %%*f %%*f %%*f %%*f %%*f %%lf", cpu);
	while (fgets(line, sizeof(line), file) && sscanf(line, format, &ticks) != 1)
		;
	fclose(file);
	return ticks * 1e9 / (double)sysconf(_SC_CLK_TCK);
}

/* Looked at as often as there is time for: some of the looks fall where it is just getting its CPU back. */
static void a_task_that_gets_its_cpu_back_is_not_counted_twice(void)
{
	int cpu = CPU;
	pid_t pid = child(spin, &cpu), disturber = child(disturb, &cpu);
	double begin, most = 0, stolen = stolen_from(CPU);
	clockid_t clock;
	uint64_t until;

	pin(0, 1);
	CHECK(!clock_getcpuclockid(pid, &clock));
	begin = executed(clock);
	watch_tree(0, pid);
	go(pid);
	go(disturber);
	for (until = now_ns() + 8000000000ULL; now_ns() < until;) {
		snapshot();
		most = fmax(most, used(0, INTP_CPU) - (executed(clock) - begin));
	}
	stolen = stolen_from(CPU) - stolen;
	printf("    at most %.1f ms ahead of the kernel's count; a hypervisor took %.0f ms\n", most / 1e6,
	       stolen / 1e6);
	/* Of 40 ms of which each is all or nothing; what a hypervisor takes is known at the next tick only. */
	CHECK(most < 20e6 + stolen);
	end(pid);
	end(disturber);
	source->unwatch(source, 0);
}

/* Forks a child that forks a grandchild; the child ends, the grandchild spins. */
static void spin_in_grandchild(void *cpu)
{
	pid_t pid = fork();

	if (!pid) {
		if (!fork())
			spin(cpu);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	for (;;)
		pause();
}

static void end_tree(pid_t root)
{
	kill(-root, SIGKILL);
	waitpid(root, NULL, 0);
}

/* How many processes of the tree in a slot live; all are of one process group. */
static int members_of(int slot, pid_t group)
{
	const struct intp_tree_member *members;
	long count = source->tree_members(source, &members);
	int found = 0;

	for (long i = 0; i < count; i++) {
		CHECK(i == 0 || members[i - 1].slot <= members[i].slot);
		if (members[i].slot != slot)
			continue;
		/* One that was reaped is its container's until the kernel frees it, which may take a while. */
		if (kill(members[i].pid, 0) < 0 && errno == ESRCH)
			continue;
		CHECK(getpgid(members[i].pid) == group);
		found++;
	}
	return found;
}

static void grandchildren_are_followed_when_their_parent_is_dead(void)
{
	int cpu = CPU;
	pid_t pid = child(spin_in_grandchild, &cpu);
	double before;
	uint64_t from;

	CHECK(!setpgid(pid, pid));
	watch_tree(7, pid);
	go(pid);
	window(50000000);
	snapshot();
	before = wanted(7);
	from = now_ns();
	window(WINDOW_NS);
	snapshot();
	CHECK(used(7, INTP_CPU) > 0);
	CHECK_NEAR(wanted(7) - before, now_ns() - from, 0.05 * WINDOW_NS);
	CHECK(members_of(7, pid) == 2);
	end_tree(pid);
	source->unwatch(source, 7);
}

static void spin_in_grandchild_of_a_session(void *cpu)
{
	CHECK(setsid() > 0);
	spin_in_grandchild(cpu);
}

/* As every process is that lived when the daemon began anew. */
static void who_lived_before_the_watch_is_found_by_its_session(void)
{
	int cpu = CPU;
	pid_t pid = child(spin_in_grandchild_of_a_session, &cpu);
	uint64_t watched, before;

	go(pid);
	window(300000000);
	watch_tree(7, pid);
	watched = now_ns();
	window(WINDOW_NS);
	before = now_ns();
	snapshot();
	CHECK(wanted(7) >= 0.95 * (before - watched));
	CHECK(members_of(7, pid) == 2);
	end_tree(pid);
	source->unwatch(source, 7);
}

static void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* A spinner in `below` of a cgroup that is watched; `below` is made before, or after, the watch. */
static void cgroup(const char *root, enum intp_attribution attribution, bool before)
{
	struct intp_watch watch = {.id = "container", .attribution = attribution};
	char below[sizeof(watch.directory) + 16], procs[sizeof(below) + 16], text[16];
	int cpu = CPU;
	pid_t pid = child(spin, &cpu);
	struct stat status;
	double counted;
	uint64_t before_first, after_first, before_second, after_second;

	pin(pid, CPU);
	snprintf(watch.directory, sizeof(watch.directory), "%s/intp-test-%d", root, getpid());
	snprintf(below, sizeof(below), "%s/below", watch.directory);
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", below);
	snprintf(text, sizeof(text), "%d", pid);
	CHECK(!mkdir(watch.directory, 0755));
	if (before)
		CHECK(!mkdir(below, 0755));
	CHECK(!stat(watch.directory, &status));
	watch.cgroup = status.st_ino;
	CHECK(!source->watch(source, 1023, &watch));
	if (!before)
		CHECK(!mkdir(below, 0755));
	write_text(procs, text);
	go(pid);
	window(50000000);
	before_first = now_ns();
	snapshot();
	after_first = now_ns();
	counted = wanted(1023);
	window(WINDOW_NS);
	before_second = now_ns();
	snapshot();
	after_second = now_ns();
	counted = wanted(1023) - counted;
	end(pid);
	/* The kernel empties the cgroup of a dead process a moment after it was reaped. */
	for (uint64_t limit = now_ns() + LONG_NS; rmdir(below) && now_ns() < limit;)
		sched_yield();
	rmdir(watch.directory);
	source->unwatch(source, 1023);
	CHECK(used(1023, INTP_CPU) > 0);
	/* On a busy machine a snapshot may take a while. */
	CHECK(counted >= 0.95 * (double)(before_second - after_first));
	CHECK(counted <= 1.05 * (double)(after_second - before_first));
}

static void a_v2_cgroup_and_those_below_it_are_counted(void)
{
	const char *root =
		!access("/sys/fs/cgroup/unified/cgroup.procs", W_OK) ? "/sys/fs/cgroup/unified" : "/sys/fs/cgroup";

	if (access("/sys/fs/cgroup/unified/cgroup.procs", W_OK) && access("/sys/fs/cgroup/cgroup.procs", W_OK))
		SKIP("no writable v2 hierarchy");
	cgroup(root, INTP_CGROUP_V2, true);
	cgroup(root, INTP_CGROUP_V2, false);
}

static void a_v1_cgroup_and_those_below_it_are_counted(void)
{
	if (access("/sys/fs/cgroup/cpu/cgroup.procs", W_OK))
		SKIP("no writable v1 cpu hierarchy");
	cgroup("/sys/fs/cgroup/cpu", INTP_CGROUP_V1, true);
	cgroup("/sys/fs/cgroup/cpu", INTP_CGROUP_V1, false);
}

/* How often a single-threaded process left a CPU of its own accord, and against it, as the kernel counts them. */
static void switches_of(pid_t pid, double *voluntary, double *involuntary)
{
	char path[64], line[256];
	FILE *file;
	int found = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "r");
	CHECK(file);
	while (fgets(line, sizeof(line), file)) {
		found += sscanf(line, "voluntary_ctxt_switches: %lf", voluntary) == 1;
		found += sscanf(line, "nonvoluntary_ctxt_switches: %lf", involuntary) == 1;
	}
	fclose(file);
	CHECK(found == 2);
}

static void sleep_and_spin(void *cpu)
{
	struct timespec moment = {.tv_nsec = 3000000};

	pin(0, *(int *)cpu);
	for (;;) {
		for (volatile int i = 0; i < 1000000; i++)
			;
		nanosleep(&moment, NULL);
	}
}

/* Of the two below: neither is a figure from which nothing follows. On a busy machine that takes longer. */
static bool have_switched(void)
{
	return used(0, INTP_SWITCHES) - used(0, INTP_PREEMPTED) > 20 && used(1, INTP_PREEMPTED) > 20;
}

/* One that sleeps and one that spins, on one CPU; stopped before both sides are read. */
static void sleeper_beside_spinner(pid_t pids[2], uint64_t ns)
{
	static int first = CPU;

	pids[0] = child(sleep_and_spin, &first);
	pids[1] = child(spin, &first);
	for (int i = 0; i < 2; i++) {
		pin(pids[i], CPU);
		watch_tree(i, pids[i]);
	}
	for (int i = 0; i < 2; i++)
		go(pids[i]);
	for (uint64_t from = now_ns(); now_ns() - from < LONG_NS / 2;) {
		window(ns);
		snapshot();
		if (have_switched())
			break;
	}
	for (int i = 0; i < 2; i++) {
		CHECK(!kill(pids[i], SIGSTOP));
		CHECK(waitpid(pids[i], NULL, WUNTRACED) == pids[i]);
	}
	snapshot();
	CHECK(have_switched());
}

static void switches_are_those_of_the_kernel(void)
{
	pid_t pids[2];

	sleeper_beside_spinner(pids, 2 * WINDOW_NS);
	for (int i = 0; i < 2; i++) {
		double voluntary, involuntary, switches = used(i, INTP_SWITCHES), preempted = used(i, INTP_PREEMPTED);

		switches_of(pids[i], &voluntary, &involuntary);
		/* It was stopped once before it was watched, and that was of its own accord. */
		CHECK_NEAR(switches, voluntary + involuntary, 0.01 * switches + 3);
		CHECK_NEAR(preempted, involuntary, 0.01 * preempted + 3);
		end(pids[i]);
		source->unwatch(source, i);
	}
}

/* How often each of the two in slots 0 and 1 was made to leave, and both by the other and by who is not watched. */
static void count_takers(double taken[2], double *inside, double *outside)
{
	struct intp_taker takers[4];

	*inside = *outside = 0;
	snapshot();
	for (int victim = 0; victim < 2; victim++) {
		int count = source->takers(source, victim, takers, 4);

		taken[victim] = 0;

		for (int i = 0; i < count; i++) {
			CHECK(takers[i].slot == -1 || takers[i].slot == 1 - victim);
			CHECK(!i || takers[i].times <= takers[i - 1].times);
			taken[victim] += takers[i].times;
			*(takers[i].slot < 0 ? outside : inside) += takers[i].times;
		}
	}
}

/* Two that are watched and one that is not take turns on one CPU: whoever follows has taken it. */
static void who_takes_the_cpu_is_told(void)
{
	struct intp_taker takers[4];
	double taken[2], outside = 0, inside = 0;
	int first = CPU;
	pid_t pids[3];

	for (int i = 0; i < 3; i++) {
		pids[i] = child(spin, &first);
		pin(pids[i], CPU);
	}
	watch_tree(0, pids[0]);
	watch_tree(1, pids[1]);
	for (int i = 0; i < 3; i++)
		go(pids[i]);
	for (uint64_t from = now_ns(); now_ns() - from < LONG_NS / 2 && (outside <= 10 || inside <= 10);) {
		window(WINDOW_NS);
		count_takers(taken, &inside, &outside);
	}
	for (int i = 0; i < 3; i++) {
		CHECK(!kill(pids[i], SIGSTOP));
		CHECK(waitpid(pids[i], NULL, WUNTRACED) == pids[i]);
	}
	count_takers(taken, &inside, &outside);
	CHECK(outside > 10 && inside > 10);
	for (int victim = 0; victim < 2; victim++) {
		CHECK(taken[victim] == used(victim, INTP_PREEMPTED));
		CHECK(source->takers(source, victim, takers, 1) == 1);
	}
	source->unwatch(source, 1);
	CHECK(source->takers(source, 1, takers, 4) == 0);
	for (int i = source->takers(source, 0, takers, 4); i > 0; i--)
		CHECK(takers[i - 1].slot == -1);
	source->unwatch(source, 0);
	CHECK(source->takers(source, 0, takers, 4) == 0);
	for (int i = 0; i < 3; i++)
		end(pids[i]);
}

static void blocked_time_is_what_a_thread_gave_up(void)
{
	double elapsed, on[2], waited[2], wanted_to_run;
	pid_t pids[2];

	sleeper_beside_spinner(pids, 2 * WINDOW_NS);
	elapsed = samples[0].counts[INTP_CSW].capacity;
	for (int i = 0; i < 2; i++)
		schedstat(pids[i], &on[i], &waited[i]);
	/* As published, it ends when the thread is on a CPU again: its waits after a sleep are in it. */
	wanted_to_run = on[0];
	CHECK(used(0, INTP_CSW) <= elapsed - wanted_to_run + 0.05 * elapsed);
	CHECK(used(0, INTP_CSW) >= elapsed - wanted_to_run - waited[0] - 0.05 * elapsed);
	/* What never gives up its CPU is blocked by nothing but the stop before the beginning. */
	CHECK(used(1, INTP_CSW) < 0.05 * elapsed);
	for (int i = 0; i < 2; i++) {
		end(pids[i]);
		source->unwatch(source, i);
	}
}

static char file_name[] = "intp-test-file";

struct transfers {
	bool writing;
	/* How long they took, and how long the thread neither had a CPU meanwhile nor waited for one. */
	double elapsed_ns, slept_ns;
};

static void transfer_directly(void *argument)
{
	struct transfers *transfers = argument;
	double on_before, waited_before, on, waited;
	uint64_t from;
	int fd = open(file_name, O_RDWR | O_DIRECT | O_CLOEXEC);
	void *buffer = aligned_alloc(BLOCK, BLOCK);
	struct sched_param urgent = {.sched_priority = 1};

	/* Else, on a machine with other work, it loses its CPU while its request is served, and does not sleep. */
	if (fd < 0 || !buffer || sched_setscheduler(0, SCHED_FIFO, &urgent))
		_exit(1);
	memset(buffer, 1, BLOCK);
	schedstat(getpid(), &on_before, &waited_before);
	from = now_ns();
	for (int i = 0; i < BLOCKS; i++) {
		off_t at = (off_t)i * BLOCK;

		if ((transfers->writing ? pwrite(fd, buffer, BLOCK, at) : pread(fd, buffer, BLOCK, at)) != BLOCK)
			_exit(1);
	}
	transfers->elapsed_ns = now_ns() - from;
	schedstat(getpid(), &on, &waited);
	transfers->slept_ns = transfers->elapsed_ns - (on - on_before) - (waited - waited_before);
}

static bool make_file(bool direct)
{
	int fd = open(file_name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	static char block[BLOCK] = {1};

	CHECK(fd >= 0);
	for (int i = 0; i < BLOCKS; i++)
		CHECK(write(fd, block, BLOCK) == BLOCK);
	CHECK(!fsync(fd));
	close(fd);
	fd = open(file_name, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return !direct || fd >= 0;
}

/*
 * Whether all of a child's reads, or writes, and nothing else, were counted in slot 0; and, as a thread that waits
 * for each request sleeps for nothing else, its sleep as blkwait. How much of a request it sleeps through is the
 * device's: some are served while they are handed over.
 */
static bool direct_transfers_are_counted(struct transfers *transfers)
{
	bool writing = transfers->writing;
	const struct intp_count *counts = samples[0].counts, *count = &counts[INTP_BLK];
	enum intp_signal same = writing ? INTP_BLKW : INTP_BLKR, other = writing ? INTP_BLKR : INTP_BLKW;
	double bytes, blocked, most;
	struct rusage usage;
	int status;
	pid_t pid = child(transfer_directly, transfers);

	watch_tree(0, pid);
	go(pid);
	CHECK(wait4(pid, &status, 0, &usage) == pid && WIFEXITED(status) && !WEXITSTATUS(status));
	snapshot();
	/* Where memory is short the child reads its own program again; its blocks of 512 bytes tell how much at most.
	 */
	most = 512.0 / BLOCK * (double)(usage.ru_inblock + usage.ru_oublock);
	bytes = used(0, writing ? INTP_WRITEB : INTP_READB);
	blocked = used(0, INTP_BLKWAIT);
	printf("  %s: %.0f counted of %d asked for, at most %.0f, %.0f the other way, %.0f bytes%s\n",
	       writing ? "writes" : "reads", counts[same].operations, BLOCKS, most, counts[other].operations, bytes,
	       count->status == INTP_OK ? "" : "; a share of the kernel's writing was added");
	printf("  blkwait %.2f ms; the thread slept %.2f of %.2f ms\n", blocked / 1e6, transfers->slept_ns / 1e6,
	       transfers->elapsed_ns / 1e6);
	return count->status == INTP_OK && fabs(blocked - transfers->slept_ns) <= 0.1 * transfers->elapsed_ns &&
	       counts[same].operations >= BLOCKS && count->operations <= most && counts[other].operations == 0 &&
	       used(0, other) == 0 && used(0, same) == used(0, INTP_BLK) && bytes >= (double)BLOCKS * BLOCK &&
	       bytes <= most * BLOCK && used(0, writing ? INTP_READB : INTP_WRITEB) == 0;
}

/*
 * In one of several trials, since none of these is the collector's: somebody else's writeback while the child makes a
 * page dirty (its access time), and sandboxes whose kernel runs no probe in an interrupt of their own agent's
 * threads, so that a completion there is never seen.
 */
static bool direct_transfers_are_counted_in_a_trial(bool writing)
{
	struct transfers *transfers;
	bool counted = false;

	transfers = mmap(NULL, sizeof(*transfers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(transfers != MAP_FAILED);
	transfers->writing = writing;
	for (int trial = 0; trial < 5 && !counted; trial++) {
		source->unwatch(source, 0);
		if (!make_file(true))
			break;
		counted = direct_transfers_are_counted(transfers);
	}
	unlink(file_name);
	munmap(transfers, sizeof(*transfers));
	return counted;
}

/* Why requests of direct I/O cannot be counted here; NULL: they can. */
static const char *why_not_directly(void)
{
	bool direct = make_file(true);

	unlink(file_name);
	if (!(source->signals & (1U << INTP_BLK)))
		return source->reason(source, INTP_BLK);
	return direct ? NULL : "the file system here has no direct I/O";
}

static void direct_reads_are_counted_one_by_one(void)
{
	const char *why = why_not_directly();

	if (why)
		SKIP(why);
	CHECK(direct_transfers_are_counted_in_a_trial(false));
	CHECK(used(0, INTP_BLK) > 0 && used(0, INTP_BLK) < samples[0].counts[INTP_BLK].capacity);
	CHECK(used(0, INTP_BLKWAIT) > 0 && used(0, INTP_BLKWAIT) < samples[0].counts[INTP_BLKWAIT].capacity);
	source->unwatch(source, 0);
}

static void direct_writes_are_no_reads(void)
{
	const char *why = why_not_directly();

	if (why)
		SKIP(why);
	CHECK(direct_transfers_are_counted_in_a_trial(true));
	source->unwatch(source, 0);
}

static void dirty_pages(void *megabytes)
{
	int fd = open(file_name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	static char block[1 << 20];

	for (int i = 0; i < *(int *)megabytes; i++) {
		if (write(fd, block, sizeof(block)) != sizeof(block))
			_exit(1);
	}
	/* Stopped, it does no I/O of its own: writing back is the kernel's doing from here on. */
	raise(SIGSTOP);
}

static void writeback_is_apportioned_to_who_dirtied(void)
{
	int megabytes = 32;
	pid_t pid;

	if (!(source->signals & (1U << INTP_BLK)))
		SKIP(source->reason(source, INTP_BLK));
	pid = child(dirty_pages, &megabytes);
	watch_tree(0, pid);
	go(pid);
	CHECK(waitpid(pid, NULL, WUNTRACED) == pid);
	snapshot();
	/* sync(2) has the kernel's flusher threads write. */
	sync();
	snapshot();
	go(pid);
	finish(pid);
	unlink(file_name);
	CHECK(samples[0].counts[INTP_BLK].status == INTP_APPORTIONED);
	CHECK(used(0, INTP_BLK) > 0);
	CHECK(samples[0].counts[INTP_BLK].operations > 0);
	source->unwatch(source, 0);
}

static void a_fsync_of_ones_own_is_ones_own(void)
{
	int megabytes = 8, fd;
	pid_t pid;

	if (!(source->signals & (1U << INTP_BLK)))
		SKIP(source->reason(source, INTP_BLK));
	pid = child(dirty_pages, &megabytes);
	watch_tree(0, getpid());
	watch_tree(1, pid);
	go(pid);
	CHECK(waitpid(pid, NULL, WUNTRACED) == pid);
	fd = open(file_name, O_RDWR | O_CLOEXEC);
	CHECK(fd >= 0 && !fsync(fd));
	close(fd);
	snapshot();
	CHECK(used(0, INTP_BLK) + used(1, INTP_BLK) > 0);
	go(pid);
	finish(pid);
	unlink(file_name);
	source->unwatch(source, 0);
	source->unwatch(source, 1);
}

#define BYTES (16 << 20)

static void send_all(void *argument)
{
	static char block[65536];

	for (size_t sent = 0; sent < BYTES; sent += sizeof(block)) {
		if (send(*(int *)argument, block, sizeof(block), 0) != sizeof(block))
			_exit(1);
	}
}

static void receive_all(void *argument)
{
	static char block[65536];
	ssize_t length;
	size_t received = 0;

	while (received < BYTES && (length = recv(*(int *)argument, block, sizeof(block), 0)) > 0)
		received += length;
	_exit(received == BYTES ? 0 : 1);
}

/* A socket in a network namespace, where this process is only for the moment. */
static int socket_in(const char *name_space)
{
	int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), fd;
	char path[64];

	snprintf(path, sizeof(path), "/run/netns/%s", name_space);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	CHECK(home >= 0 && fd >= 0 && !setns(fd, CLONE_NEWNET));
	close(fd);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	CHECK(fd >= 0 && !setns(home, CLONE_NEWNET));
	close(home);
	return fd;
}

static bool connect_pair(int *client, int *server)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7117)};
	int listener;

	inet_pton(AF_INET, "10.117.0.2", &address.sin_addr);
	listener = socket_in("intp-b");
	*client = socket_in("intp-a");
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 1) ||
	    connect(*client, (struct sockaddr *)&address, sizeof(address)))
		return false;
	*server = accept(listener, NULL, NULL);
	close(listener);
	return *server >= 0;
}

static void remove_namespaces(void)
{
	if (system("ip netns del intp-a 2>/dev/null; ip netns del intp-b 2>/dev/null"))
		return;
}

/* One process, in slot 0, sends all to another, in slot 1; then both are read. */
static void transfer(int *client, int *server)
{
	transfer_between(child(send_all, client), child(receive_all, server));
}

static void payload_through_a_veth_pair_is_counted_on_both_sides(void)
{
	int client, server;

	if (!(source->signals & (1U << INTP_NETP)))
		SKIP(source->reason(source, INTP_NETP));
	remove_namespaces();
	if (system("{ ip netns add intp-a && ip netns add intp-b && ip -n intp-a link add intp0 type veth peer name "
		   "intp0 "
		   "netns intp-b && ip -n intp-a addr add 10.117.0.1/24 dev intp0 && ip -n intp-b addr add "
		   "10.117.0.2/24 "
		   "dev intp0 && ip -n intp-a link set intp0 up && ip -n intp-b link set intp0 up; } 2>/dev/null")) {
		remove_namespaces();
		SKIP("no network namespaces and veth here");
	}
	CHECK(connect_pair(&client, &server));
	transfer(&client, &server);
	close(client);
	close(server);
	remove_namespaces();
	CHECK_NEAR(used(0, INTP_NETP), 8.0 * BYTES, 0);
	CHECK_NEAR(used(1, INTP_NETP), 8.0 * BYTES, 0);
	CHECK(used(0, INTP_NETS) > 0 && used(0, INTP_NETS) < samples[0].counts[INTP_NETS].capacity);
	CHECK(samples[1].counts[INTP_NETS].status == INTP_APPORTIONED && used(1, INTP_NETS) > 0);
	source->unwatch(source, 0);
	source->unwatch(source, 1);
}

static void what_stays_on_the_machine_is_no_network_traffic(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
	    client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int server;

	if (!(source->signals & (1U << INTP_NETP)))
		SKIP(source->reason(source, INTP_NETP));
	if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&address, &size) ||
	    connect(client, (struct sockaddr *)&address, size))
		SKIP("no loopback interface is up");
	server = accept(listener, NULL, NULL);
	transfer(&client, &server);
	CHECK_NEAR(used(0, INTP_NETP) + used(1, INTP_NETP), 0, 0);
	close(client);
	close(server);
	close(listener);
	source->unwatch(source, 0);
	source->unwatch(source, 1);
}

static void call_futex(void *calls)
{
	static int word;

	for (int i = 0; i < *(int *)calls; i++)
		syscall(SYS_futex, &word, 1 /* FUTEX_WAKE */, 1, NULL, NULL, 0);
}

static void futex_calls_are_counted_when_asked_for(void)
{
	int calls = 1000;
	pid_t pid = child(call_futex, &calls);

	watch_tree(0, pid);
	go(pid);
	finish(pid);
	snapshot();
	CHECK_NEAR(used(0, INTP_FUTEX), calls, 10);
	source->unwatch(source, 0);
}

static void a_slot_that_is_used_again_starts_at_zero(void)
{
	int cpu = CPU;
	pid_t pid = child(spin, &cpu), other = child(spin, &cpu);
	struct intp_watch again = {.id = "again", .root = other, .attribution = INTP_TREE};

	watch_tree(5, pid);
	go(pid);
	window(100000000);
	snapshot();
	CHECK(used(5, INTP_CPU) > 0);
	CHECK(source->watch(source, 5, &again) == -EBUSY);
	source->unwatch(source, 5);
	watch_tree(5, other);
	window(50000000);
	snapshot();
	/* The other is stopped; the first still spins, but is nobody's. */
	CHECK_NEAR(used(5, INTP_CPU) + used(5, INTP_CPUWAIT) + used(5, INTP_BLKWAIT), 0, 0);
	end(pid);
	end(other);
	source->unwatch(source, 5);
}

static void a_running_task_counts_from_when_it_is_watched(void)
{
	int cpu = CPU;
	pid_t pid = child(spin, &cpu);
	uint64_t asked, watched, before, after;

	go(pid);
	window(300000000);
	asked = now_ns();
	watch_tree(2, pid);
	watched = now_ns();
	window(200000000);
	before = now_ns();
	snapshot();
	after = now_ns();
	/* On a busy machine watching or a snapshot itself may take a while. */
	CHECK(wanted(2) >= 0.95 * (before - watched));
	CHECK(wanted(2) <= 1.05 * (after - asked));
	end(pid);
	source->unwatch(source, 2);
}

static void what_is_not_there_is_refused(void)
{
	struct intp_watch process = {.id = "gone", .attribution = INTP_TREE};
	struct intp_watch directory = {.id = "gone",
				       .attribution = INTP_CGROUP_V2,
				       .cgroup = 1,
				       .directory = "/sys/fs/cgroup/intp-test-nowhere"};
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (!pid)
		_exit(0);
	finish(pid);
	process.root = pid;
	CHECK(source->watch(source, 0, &process) == -ESRCH);
	CHECK(source->watch(source, 0, &directory) == -ENOENT);
	CHECK(source->watch(source, INTP_MAX_WATCHES, &process) == -EINVAL);
	source->unwatch(source, 0);
}

/* Switches, sleeps on a disk and forks, for as long as it is let. */
static void work_hard(void *unused)
{
	(void)unused;
	for (;;) {
		int fd = open(file_name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		pid_t pid;

		if (write(fd, "x", 1) == 1)
			fsync(fd);
		close(fd);
		pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static void counts_never_go_backwards(void)
{
	enum { WORKERS = 4, SNAPSHOTS = 200 };
	static struct intp_sample previous[INTP_MAX_WATCHES];
	pid_t pids[WORKERS];

	for (int i = 0; i < WORKERS; i++) {
		int cpu = i % 2;

		pids[i] = i < 2 ? child(work_hard, NULL) : child(spin, &cpu);
		watch_tree(i, pids[i]);
		go(pids[i]);
	}
	memset(previous, 0, sizeof(previous));
	for (int n = 0; n < SNAPSHOTS; n++) {
		snapshot();
		for (int i = 0; i < WORKERS; i++) {
			for (int signal = 0; signal < INTP_SIGNALS; signal++) {
				CHECK(used(i, signal) >= previous[i].counts[signal].used);
				CHECK(samples[i].counts[signal].capacity >= previous[i].counts[signal].capacity);
				CHECK(samples[i].counts[signal].operations >= previous[i].counts[signal].operations);
			}
			previous[i] = samples[i];
		}
		window(2000000);
	}
	for (int i = 0; i < WORKERS; i++) {
		CHECK(used(i, INTP_CPU) > 0);
		end(pids[i]);
		source->unwatch(source, i);
	}
	unlink(file_name);
}

/* How many programs there are in the kernel whose name begins with ours. */
static int programs_left(void)
{
	__u32 id = 0;
	int count = 0;

	while (!bpf_prog_get_next_id(id, &id)) {
		struct bpf_prog_info info = {0};
		__u32 size = sizeof(info);
		int fd = bpf_prog_get_fd_by_id(id);

		if (fd < 0)
			continue;
		if (!bpf_obj_get_info_by_fd(fd, &info, &size) && !strncmp(info.name, "intp_", 5))
			count++;
		close(fd);
	}
	return count;
}

static int programs_before;

/* The kernel frees a program a moment after its last user closed it. */
static void nothing_is_left_in_the_kernel(void)
{
	uint64_t limit = now_ns() + LONG_NS;

	while (programs_left() > programs_before && now_ns() < limit)
		sched_yield();
	CHECK(programs_left() <= programs_before);
}

static void a_killed_daemon_leaves_nothing_in_the_kernel(void)
{
	int ready[2], status;
	char byte;
	pid_t pid;

	CHECK(!pipe(ready));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		struct intp_ebpf_options options = {0};
		char reason[INTP_MAX_REASON];

		if (!intp_ebpf_open(&options, reason, sizeof(reason)) || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	CHECK(read(ready[0], &byte, 1) == 1);
	CHECK(programs_left() > programs_before);
	CHECK(!kill(pid, SIGKILL) && waitpid(pid, &status, 0) == pid);
	close(ready[0]);
	nothing_is_left_in_the_kernel();
}

static long resident_kb(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[128];
	long kb = 0;

	CHECK(file);
	while (fgets(line, sizeof(line), file))
		sscanf(line, "VmRSS: %ld", &kb);
	fclose(file);
	return kb;
}

static void forty_containers_take_little_memory(void)
{
	enum { CONTAINERS = 40, SNAPSHOTS = 400, MOST_KB = 8192 };
	pid_t pids[CONTAINERS];
	int cpu = CPU;

	for (int i = 0; i < CONTAINERS; i++) {
		pids[i] = child(spin, &cpu);
		watch_tree(i, pids[i]);
		go(pids[i]);
	}
	pin(0, 1);
	for (int n = 0; n < SNAPSHOTS; n++)
		snapshot();
	printf("  resident %ld KB\n", resident_kb());
	CHECK(resident_kb() < MOST_KB);
	for (int i = 0; i < CONTAINERS; i++) {
		end(pids[i]);
		source->unwatch(source, i);
	}
}

int main(void)
{
	struct intp_ebpf_options options = {.nominal_nic_bits = 1e9, .futex = true, .old = getenv("OLD")};
	struct intp_ebpf_options quiet = {.nic_reason = "no speed here"};
	char reason[INTP_MAX_REASON] = "";
	uint64_t from;

	if (geteuid()) {
		printf("  skipped all: not root\n");
		return 0;
	}
	programs_before = programs_left();
	from = now_ns();
	source = intp_ebpf_open(&quiet, reason, sizeof(reason));
	if (!source) {
		printf("  skipped all: %s\n", reason);
		return 0;
	}
	printf("  opened in %.1f ms\n", (now_ns() - from) / 1e6);
	/* A kernel without trampolines refuses what counts bytes before 6.3: then that is the reason. */
	CHECK(!strcmp(source->reason(source, INTP_NETP), "no speed here") ||
	      strstr(source->reason(source, INTP_NETP), "refuses"));
	CHECK(!(source->signals & (1U << INTP_NETP | 1U << INTP_FUTEX)) && source->reason(source, INTP_FUTEX));
	CLAIM(forty_containers_take_little_memory);
	source->close(source);
	CLAIM(nothing_is_left_in_the_kernel);
	CLAIM(a_killed_daemon_leaves_nothing_in_the_kernel);

	source = intp_ebpf_open(&options, reason, sizeof(reason));
	CHECK(source);
	CLAIM(the_time_on_a_cpu_is_that_of_the_kernel);
	CLAIM(the_wait_for_a_cpu_is_that_of_the_kernel);
	CLAIM(spinners_that_move_between_cpus_are_counted);
	CLAIM(a_task_that_never_switches_is_counted_while_it_runs);
	CLAIM(a_task_that_gets_its_cpu_back_is_not_counted_twice);
	CLAIM(grandchildren_are_followed_when_their_parent_is_dead);
	CLAIM(who_lived_before_the_watch_is_found_by_its_session);
	CLAIM(a_v2_cgroup_and_those_below_it_are_counted);
	CLAIM(a_v1_cgroup_and_those_below_it_are_counted);
	CLAIM(direct_reads_are_counted_one_by_one);
	CLAIM(direct_writes_are_no_reads);
	CLAIM(switches_are_those_of_the_kernel);
	CLAIM(blocked_time_is_what_a_thread_gave_up);
	CLAIM(who_takes_the_cpu_is_told);
	CLAIM(writeback_is_apportioned_to_who_dirtied);
	CLAIM(a_fsync_of_ones_own_is_ones_own);
	CLAIM(payload_through_a_veth_pair_is_counted_on_both_sides);
	CLAIM(what_stays_on_the_machine_is_no_network_traffic);
	CLAIM(futex_calls_are_counted_when_asked_for);
	CLAIM(a_slot_that_is_used_again_starts_at_zero);
	CLAIM(a_running_task_counts_from_when_it_is_watched);
	CLAIM(what_is_not_there_is_refused);
	CLAIM(counts_never_go_backwards);
	source->close(source);
	CLAIM(nothing_is_left_in_the_kernel);
	return 0;
}
