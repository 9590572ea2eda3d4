// SPDX-License-Identifier: Apache-2.0
/*
 * What the probes remember of a task by its pid, where that was another task's: the test puts into their memory what
 * the other one would have left.
 */
#include <unistd.h>

#include <bpf/bpf.h>

#include "real.h"
#include "source/ebpf_load.h"
#include "source/ebpf_owner.h"
#include "source/ebpf_rows.h"

#define SLOT	3
#define LONG_NS 3600000000000ULL

static struct intpd_bpf *bpf;
static struct intp_rows rows;

static struct intp_delay *delay_of(pid_t pid)
{
	return &bpf->bss->state.delays[pid & (INTP_PROBE_DELAYS - 1)];
}

static void own(pid_t pid)
{
	struct intp_watch watch = {.id = "container", .root = pid, .attribution = INTP_TREE};
	struct intp_entry entry = {.slot = SLOT, .watch = &watch};

	intp_owner_add(bpf, &entry, 1);
	CHECK(!entry.error);
}

static void disown(void)
{
	intp_owner_remove(bpf, SLOT, INTP_TREE);
}

static void yield_for_a_moment(void)
{
	window(1000000);
}

static void run_for_ever(void *unused)
{
	(void)unused;
	for (;;)
		;
}

static void what_is_remembered_is_forgotten_before_the_first_watch(void)
{
	struct intp_state *state = &bpf->bss->state;
	pid_t pid = child(run_for_ever, NULL), other = child(run_for_ever, NULL);

	delay_of(other)->pid = other;
	state->running[INTP_PROBE_CPUS - 1].pid = other;
	own(pid);
	CHECK(!delay_of(other)->pid && !state->running[INTP_PROBE_CPUS - 1].pid);
	/* Not before the second one: of the first what is remembered is wanted. */
	delay_of(other)->pid = other;
	own(other);
	CHECK(delay_of(other)->pid == (__u32)other);
	disown();
	disown();
	end(pid);
	end(other);
}

/* As if another task with this one's pid, which ran for long, had left this CPU, and nobody had seen this one come.
 */
static void pretend_to_have_run_for_long(int cpu)
{
	struct intp_delay *delay = delay_of(getpid());

	delay->executed = LONG_NS;
	delay->pid = getpid();
	bpf->bss->state.running[cpu].pid = 0;
}

static void one_that_had_the_pid_and_ran_longer_is_another(void)
{
	struct intp_lane before, after;
	int slot = SLOT;

	pin(0, 0);
	own(getpid());
	CHECK(!intp_rows_read(&rows, &slot, 1));
	before = rows.last[SLOT];
	pretend_to_have_run_for_long(0);
	CHECK(!intp_rows_read(&rows, &slot, 1));
	CHECK(bpf->bss->state.open[SLOT].cpu < LONG_NS / 60);
	pretend_to_have_run_for_long(0);
	yield_for_a_moment();
	CHECK(!intp_rows_read(&rows, &slot, 1));
	after = rows.last[SLOT];
	CHECK(after.cpu - before.cpu < LONG_NS / 60);
	CHECK(after.switches > before.switches);
	disown();
}

/* The child has run since another one with its pid left a CPU, when the machine was started. */
static void one_that_had_the_pid_and_slept_is_another(void)
{
	struct intp_lane before, after;
	int slot = SLOT;
	pid_t pid = child(run_for_ever, NULL);

	own(pid);
	CHECK(!intp_rows_read(&rows, &slot, 1));
	before = rows.last[SLOT];
	delay_of(pid)->pid = pid;
	delay_of(pid)->executed = 0;
	delay_of(pid)->left = 1;
	go(pid);
	do {
		yield_for_a_moment();
		CHECK(!intp_rows_read(&rows, &slot, 1));
		after = rows.last[SLOT];
	} while (after.cpu == before.cpu && !bpf->bss->state.open[SLOT].cpu);
	/* Not since the machine was started; it may have waited for a page of its own. */
	CHECK(after.blocked - before.blocked < LONG_NS / 60);
	end(pid);
	disown();
}

static void what_sleeps_is_forgotten_with_its_container(void)
{
	enum { SLEEPERS = 500 };
	int map = bpf_map__fd(bpf->maps.sleeps);
	struct intp_sleep sleep = {.since = 1};
	pid_t pid = child(run_for_ever, NULL);

	own(pid);
	/* Of no process that there is. */
	for (__u32 key = 1u << 30; key < (1u << 30) + SLEEPERS; key++) {
		sleep.slot = key & 1 ? SLOT : SLOT + 1;
		CHECK(!bpf_map_update_elem(map, &key, &sleep, BPF_ANY));
	}
	disown();
	for (__u32 key = 1u << 30; key < (1u << 30) + SLEEPERS; key++) {
		CHECK(!bpf_map_lookup_elem(map, &key, &sleep) == !(key & 1));
		bpf_map_delete_elem(map, &key);
	}
	end(pid);
}

static void open_probes(bool old)
{
	struct intp_map_sizes sizes = intp_map_sizes_here();
	struct intp_ebpf_options options = {.old = old};
	struct intp_probes probes;
	char reason[INTP_MAX_REASON] = "";

	bpf = intp_probes_load(&probes, &sizes, &options, reason, sizeof(reason));
	if (!bpf) {
		printf("  skipped all: %s\n", reason);
		exit(0);
	}
	CHECK(!intp_rows_open(&rows, bpf));
}

int main(void)
{
	if (geteuid()) {
		printf("  skipped all: not root\n");
		return 0;
	}
	for (int old = 0; old < 2; old++) {
		open_probes(old);
		CLAIM(what_is_remembered_is_forgotten_before_the_first_watch);
		CLAIM(one_that_had_the_pid_and_ran_longer_is_another);
		CLAIM(one_that_had_the_pid_and_slept_is_another);
		CLAIM(what_sleeps_is_forgotten_with_its_container);
		intp_rows_close(&rows);
		rows = (struct intp_rows){0};
		intpd_bpf__destroy(bpf);
	}
	return 0;
}
