/* SPDX-License-Identifier: Apache-2.0 */
/* Real processes, and the source that counts them by the probes in the running kernel. */
#ifndef INTP_TEST_REAL_H
#define INTP_TEST_REAL_H

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "claims.h"
#include "source/ebpf.h"

static struct intp_source *source;
static struct intp_sample samples[INTP_MAX_WATCHES];

static inline uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Lets `ns` go by: a window's length is an input here, not a synchronisation. */
static inline void window(uint64_t ns)
{
	struct timespec until = {.tv_sec = (now_ns() + ns) / 1000000000, .tv_nsec = (now_ns() + ns) % 1000000000};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

static inline void snapshot(void)
{
	CHECK(!source->snapshot(source, now_ns(), samples));
}

static inline double used(int slot, enum intp_signal signal)
{
	return samples[slot].counts[signal].used;
}

/* A thread that wants a CPU all the time either has it or waits for it, however busy the machine is. */
static inline double wanted(int slot)
{
	return used(slot, INTP_CPU) + used(slot, INTP_CPUWAIT);
}

static inline void pin(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	CHECK(!sched_setaffinity(pid, sizeof(set), &set));
}

/* A child that does not outlive this process, stopped until it is told to go on. */
static inline pid_t child(void (*work)(void *), void *argument)
{
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		raise(SIGSTOP);
		work(argument);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, WUNTRACED) == pid);
	return pid;
}

static inline void go(pid_t pid)
{
	CHECK(!kill(pid, SIGCONT));
}

static inline void finish(pid_t pid)
{
	int status;

	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status));
}

static inline void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static inline void watch_tree(int slot, pid_t root)
{
	struct intp_watch watch = {.id = "container", .root = root, .attribution = INTP_TREE};

	CHECK(!source->watch(source, slot, &watch));
}

/* What the child in slot 0 sends, the one in slot 1 receives; then both are read. */
static inline void transfer_between(pid_t sender, pid_t receiver)
{
	watch_tree(0, sender);
	watch_tree(1, receiver);
	go(receiver);
	go(sender);
	finish(sender);
	finish(receiver);
	snapshot();
}

#endif
