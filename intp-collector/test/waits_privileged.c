// SPDX-License-Identifier: Apache-2.0
/* What is a wait, for a CPU or for I/O, and what is none. */
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include "real.h"

#define SPINNERS     12
#define LOOKING_NS   4000000000ULL
#define SLACK_NS     200000000.0 /* an interval that was missed once is counted with the next */
#define LOCKERS	     16
#define LOCKING_NS   1500000000ULL
#define MAPPED_BYTES (1 << 20)

__attribute__((noreturn)) static void *spin(void *unused)
{
	(void)unused;
	for (;;)
		;
}

/* Threads that want a CPU all the time, and one that moves them between two of them as fast as it can. */
static void flip_spinners(void *unused)
{
	pthread_t threads[SPINNERS];
	cpu_set_t sets[3];
	struct sched_param urgent = {.sched_priority = 1};

	(void)unused;
	for (int i = 0; i < 3; i++) {
		CPU_ZERO(&sets[i]);
		for (int cpu = 0; cpu < 2; cpu++)
			if (i == 2 || i == cpu)
				CPU_SET(cpu, &sets[i]);
	}
	for (int i = 0; i < SPINNERS; i++)
		if (pthread_create(&threads[i], NULL, spin, NULL))
			_exit(1);
	/* As this process: else, on a machine with other work, hardly any is moved while a queue is walked. */
	sched_setscheduler(0, SCHED_FIFO, &urgent);
	for (unsigned n = 0;; n++)
		pthread_setaffinity_np(threads[n % SPINNERS], sizeof(sets[0]), &sets[(n / SPINNERS) % 3]);
}

static void no_more_is_waited_than_threads_can_wait(void)
{
	pid_t pid = child(flip_spinners, NULL);
	struct sched_param urgent = {.sched_priority = 1};
	uint64_t begun, then, now;
	double before, worst = 0;
	int windows = 0;

	/* The spinners would keep this process from looking. */
	CHECK(!sched_setscheduler(0, SCHED_FIFO, &urgent));
	watch_tree(0, pid);
	go(pid);
	window(50000000);
	snapshot();
	begun = then = now_ns();
	before = used(0, INTP_CPUWAIT);
	do {
		double beyond;

		window(200000);
		now = now_ns();
		snapshot();
		/* The machine may have paused in the snapshot: it is of some moment until now. */
		beyond = used(0, INTP_CPUWAIT) - before - (SPINNERS + 1.0) * (now_ns() - then);
		worst = beyond > worst ? beyond : worst;
		before = used(0, INTP_CPUWAIT);
		then = now;
		windows++;
	} while (now - begun < LOOKING_NS);
	urgent.sched_priority = 0;
	CHECK(!sched_setscheduler(0, SCHED_OTHER, &urgent));
	printf("  %d windows: at most %.3f ms beyond what %d threads can wait\n", windows, worst / 1e6, SPINNERS + 1);
	CHECK(worst < SLACK_NS);
	end(pid);
	source->unwatch(source, 0);
}

__attribute__((noreturn)) static void *map_and_unmap(void *unused)
{
	(void)unused;
	for (;;) {
		char *area = mmap(NULL, MAPPED_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (area == MAP_FAILED)
			_exit(1);
		for (int i = 0; i < MAPPED_BYTES; i += 4096)
			area[i] = 1;
		munmap(area, MAPPED_BYTES);
	}
}

/* Threads that sleep uninterruptibly for one another's lock on the address space, and for no disk. */
static void fight_for_a_lock(void *unused)
{
	pthread_t thread;

	for (int i = 0; i < LOCKERS; i++)
		if (pthread_create(&thread, NULL, map_and_unmap, NULL))
			_exit(1);
	map_and_unmap(unused);
}

static void waiting_for_a_lock_is_no_wait_for_io(void)
{
	pid_t pid = child(fight_for_a_lock, NULL);

	watch_tree(0, pid);
	go(pid);
	window(LOCKING_NS);
	snapshot();
	printf("  blkwait %.1f ms in %.1f s of %d threads\n", used(0, INTP_BLKWAIT) / 1e6, LOCKING_NS / 1e9,
	       LOCKERS + 1);
	/* Where memory is short the program itself may have to be read again. */
	CHECK(used(0, INTP_BLKWAIT) < 0.01 * LOCKING_NS);
	end(pid);
	source->unwatch(source, 0);
}

#define FEW	 4 /* entries of each map, or processes of one container */
#define CHILDREN 10
#define READERS	 16
#define FILE_MB	 8

static void pause_for_good(void *unused)
{
	(void)unused;
	for (;;)
		pause();
}

static void have_children(void *unused)
{
	(void)unused;
	/* A group, so that none outlives the others, whenever they are ended. */
	setpgid(0, 0);
	for (int i = 0; i < CHILDREN; i++) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			alarm(60);
			for (;;)
				pause();
		}
	}
	for (;;)
		pause();
}

/* Waits itself, so that all that is counted is of its children. */
static void fork_twice(void *unused)
{
	(void)unused;
	setpgid(0, 0);
	for (int i = 0; i < 2; i++)
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			alarm(60);
			spin(NULL);
		}
	for (;;)
		pause();
}

static char said[256];

__attribute__((format(printf, 1, 2))) static void remember(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(said, sizeof(said), format, arguments);
	va_end(arguments);
}

static bool is_withdrawn(enum intp_signal signal, const char *reason)
{
	const struct intp_count *count = &samples[0].counts[signal];

	return count->status == INTP_UNAVAILABLE && strstr(count->reason, reason);
}

static void a_container_of_more_processes_than_fit_has_no_counts(void)
{
	pid_t pid = child(have_children, NULL);
	uint64_t begun = now_ns();

	watch_tree(0, pid);
	snapshot();
	CHECK(samples[0].counts[INTP_CPU].status == INTP_OK);
	go(pid);
	do
		snapshot();
	while (samples[0].counts[INTP_CPU].status == INTP_OK && now_ns() - begun < LOOKING_NS);
	CHECK(is_withdrawn(INTP_CPU, "more than 4 of all") && is_withdrawn(INTP_BLK, "more than 4 of all"));
	CHECK(strstr(said, "more than 4 of all"));
	CHECK(!kill(-pid, SIGKILL));
	end(pid);
	source->unwatch(source, 0);
	pid = child(pause_for_good, NULL);
	watch_tree(0, pid);
	snapshot();
	CHECK(samples[0].counts[INTP_CPU].status == INTP_OK);
	end(pid);
	source->unwatch(source, 0);
}

/* A container's forks are not to leave the others without room. */
static void a_container_of_more_processes_than_one_may_have_leaves_the_others_theirs(void)
{
	pid_t many = child(have_children, NULL), few;
	uint64_t begun = now_ns();

	watch_tree(0, many);
	go(many);
	do
		snapshot();
	while (samples[0].counts[INTP_CPU].status == INTP_OK && now_ns() - begun < LOOKING_NS);
	CHECK(is_withdrawn(INTP_CPU, "more than 4 processes"));
	few = child(fork_twice, NULL);
	watch_tree(1, few);
	go(few);
	window(100000000);
	snapshot();
	printf("  %.1f ms of CPU in 100 ms of three processes\n", used(1, INTP_CPU) / 1e6);
	CHECK(samples[1].counts[INTP_CPU].status == INTP_OK && used(1, INTP_CPU) > 10e6);
	CHECK(!kill(-many, SIGKILL) && !kill(-few, SIGKILL));
	end(many);
	end(few);
	source->unwatch(source, 0);
	source->unwatch(source, 1);
}

#define CHAINS 20

/* Each is the child of the one before it, which has ended. */
static void fork_on(void *unused)
{
	(void)unused;
	setpgid(0, 0);
	alarm(60);
	for (;;) {
		pid_t next = fork();

		if (next)
			_exit(next < 0);
		alarm(60);
	}
}

static void what_an_unwatched_container_forks_is_nobodys(void)
{
	double counted = 0;

	for (int i = 0; i < CHAINS; i++) {
		pid_t pid = child(fork_on, NULL), idle = child(pause_for_good, NULL);

		/* As it does itself, which may be later than its end here. */
		setpgid(pid, pid);
		watch_tree(0, pid);
		go(pid);
		window(5000000);
		source->unwatch(source, 0);
		watch_tree(0, idle);
		window(50000000);
		snapshot();
		counted += wanted(0);
		source->unwatch(source, 0);
		CHECK(!kill(-pid, SIGKILL));
		end(pid);
		end(idle);
	}
	printf("  %.3f ms of %d chains of forks\n", counted / 1e6, CHAINS);
	CHECK(counted < 1e6);
}

static char file_name[] = "/var/tmp/intpd-waits-XXXXXX";

__attribute__((noreturn)) static void *read_directly(void *number)
{
	int fd = open(file_name, O_RDONLY | O_DIRECT | O_CLOEXEC);
	void *block;

	if (fd < 0 || posix_memalign(&block, 4096, 4096))
		_exit(1);
	for (unsigned at = (unsigned)(uintptr_t)number * 797;; at += 101)
		if (pread(fd, block, 4096, (off_t)(at % (FILE_MB * 256)) * 4096) != 4096)
			_exit(1);
}

static void read_together(void *unused)
{
	pthread_t thread;

	(void)unused;
	for (int i = 0; i < READERS; i++)
		if (pthread_create(&thread, NULL, read_directly, (void *)(uintptr_t)i))
			_exit(1);
	read_directly(NULL);
}

static bool make_file(void)
{
	static char block[1 << 20];
	int fd = mkstemp(file_name), direct;

	CHECK(fd >= 0);
	for (int i = 0; i < FILE_MB; i++)
		CHECK(write(fd, block, sizeof(block)) == sizeof(block));
	CHECK(!fsync(fd));
	close(fd);
	direct = open(file_name, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (direct >= 0)
		close(direct);
	return direct >= 0;
}

static void waits_and_requests_beyond_what_fits_are_not_taken_for_few(void)
{
	uint64_t begun = now_ns();
	bool sleeps = false, requests = false;
	pid_t pid;

	if (!(source->signals & (1U << INTP_BLK)))
		SKIP(source->reason(source, INTP_BLK));
	if (!make_file()) {
		unlink(file_name);
		SKIP("the file system here has no direct I/O");
	}
	pid = child(read_together, NULL);
	watch_tree(0, pid);
	go(pid);
	do {
		window(10000000);
		snapshot();
		sleeps |= is_withdrawn(INTP_BLKWAIT, "more than 4 threads");
		requests |= is_withdrawn(INTP_BLK, "more than 4 requests");
	} while (!(sleeps && requests) && now_ns() - begun < LOOKING_NS);
	end(pid);
	unlink(file_name);
	CHECK(sleeps && requests);
	/* Who asks first need not be the one whose window they were lost in. */
	for (int asked = 0; asked < 3; asked++) {
		snapshot();
		CHECK(is_withdrawn(INTP_BLKWAIT, "more than 4 threads") &&
		      is_withdrawn(INTP_BLK, "more than 4 requests"));
	}
	CHECK(!source->snapshot(source, now_ns() + INTP_LOSS_HELD_NS, samples));
	CHECK(samples[0].counts[INTP_BLK].status == INTP_OK && samples[0].counts[INTP_BLKWAIT].status == INTP_OK);
	source->unwatch(source, 0);
}

int main(void)
{
	struct intp_ebpf_options options = {.nominal_nic_bits = 1e9, .old = getenv("OLD")};
	char reason[INTP_MAX_REASON] = "";

	source = geteuid() ? NULL : intp_ebpf_open(&options, reason, sizeof(reason));
	if (!source) {
		printf("  skipped all: %s\n", geteuid() ? "not root" : reason);
		return 0;
	}
	CLAIM(no_more_is_waited_than_threads_can_wait);
	CLAIM(waiting_for_a_lock_is_no_wait_for_io);
	CLAIM(what_an_unwatched_container_forks_is_nobodys);
	source->close(source);

	options.owned = FEW;
	options.say = remember;
	source = intp_ebpf_open(&options, reason, sizeof(reason));
	CHECK(source);
	CLAIM(a_container_of_more_processes_than_one_may_have_leaves_the_others_theirs);
	source->close(source);

	options.entries = FEW;
	options.owned = 0;
	source = intp_ebpf_open(&options, reason, sizeof(reason));
	CHECK(source);
	CLAIM(a_container_of_more_processes_than_fit_has_no_counts);
	CLAIM(waits_and_requests_beyond_what_fits_are_not_taken_for_few);
	source->close(source);
	return 0;
}
