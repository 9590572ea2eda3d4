// SPDX-License-Identifier: Apache-2.0
#include "ebpf_rows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <bpf/bpf.h>

#include "sorted.h"

/* An interval longer than this that ends while it is being read is worth another reading. */
#define NOTEWORTHY_NS 1000000

struct intp_lane intp_rows_sum(const struct intp_rows *rows, int row)
{
	struct intp_lane sum = {0};

	for (int cpu = 0; cpu < rows->cpus; cpu++) {
		const volatile struct intp_lane *lane = &rows->lanes[(size_t)cpu * INTP_PROBE_ROWS + row];

		sum.cpu += lane->cpu;
		sum.wait += lane->wait;
		sum.sleep += lane->sleep;
		sum.futex += lane->futex;
		sum.switches += lane->switches;
		sum.preempted += lane->preempted;
		sum.blocked += lane->blocked;
		sum.blk_ns += lane->blk_ns;
		sum.blk_operations += lane->blk_operations;
		sum.dirtied += lane->dirtied;
		sum.written += lane->written;
		sum.read_ns += lane->read_ns;
		sum.read_operations += lane->read_operations;
		sum.read_bytes += lane->read_bytes;
		sum.blk_bytes += lane->blk_bytes;
		sum.net_ns += lane->net_ns;
		sum.net_bytes += lane->net_bytes;
		sum.other_sent += lane->other_sent;
		sum.other_received += lane->other_received;
	}
	return sum;
}

static int run(const struct bpf_program *program, __u64 cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, options, .ctx_in = &cpu, .ctx_size_in = sizeof(cpu));

	return bpf_prog_test_run_opts(bpf_program__fd(program), &options);
}

/* Adds the intervals of tasks. */
static int walk_tasks(struct intp_rows *rows)
{
	const struct bpf_program *whole = rows->bpf->progs.intp_open,
				 *single = rows->bpf->progs.intp_open_before_5_17;
	int error = 0;

	if (bpf_program__autoload(whole))
		return run(whole, 0);
	for (int cpu = 0; cpu < rows->cpus && !error; cpu++)
		error = run(single, cpu);
	return error;
}

long intp_rows_read_map(const struct bpf_map *map, void *keys, void *values)
{
	__u32 count = bpf_map__max_entries(map);
	__u64 position; /* the kernel's */
	int error = bpf_map_lookup_batch(bpf_map__fd(map), NULL, &position, keys, values, &count, NULL);

	return error && error != -ENOENT ? error : (long)count;
}

static struct intp_open *open_of(struct intp_rows *rows, __u32 slot)
{
	return slot < INTP_PROBE_SLOTS ? &rows->bpf->bss->state.open[slot] : NULL;
}

/* Adds the intervals that are stamped in maps. */
static int walk_maps(struct intp_rows *rows)
{
	const struct intp_state *state = &rows->bpf->bss->state;
	long count = intp_rows_read_map(rows->bpf->maps.sleeps, rows->keys, rows->sleeps);

	for (long i = 0; i < count; i++) {
		struct intp_open *open = open_of(rows, rows->sleeps[i].slot);

		if (open && state->now > rows->sleeps[i].since)
			open->sleep += state->now - rows->sleeps[i].since;
	}
	if (count < 0)
		return count;
	count = intp_rows_read_map(rows->bpf->maps.requests, rows->keys, rows->requests);
	for (long i = 0; i < count; i++) {
		const struct intp_request *request = &rows->requests[i];
		struct intp_open *open = open_of(rows, request->row);

		if (open && request->since && state->monotonic > request->since &&
		    request->generation == state->generation[request->row])
			open->blk += state->monotonic - request->since;
	}
	return count < 0 ? count : 0;
}

static int walk(struct intp_rows *rows)
{
	int error;

	rows->bpf->bss->state.runs++;
	error = walk_tasks(rows);
	return error ? error : walk_maps(rows);
}

int intp_rows_read(struct intp_rows *rows, const int *slots, size_t count)
{
	bool again = true;

	for (int attempt = 0; again && attempt < 3; attempt++) {
		int error;

		for (size_t i = 0; i < count; i++) {
			rows->last[slots[i]] = intp_rows_sum(rows, slots[i]);
			memset(&rows->bpf->bss->state.open[slots[i]], 0, sizeof(struct intp_open));
		}
		error = walk(rows);
		if (error)
			return error;
		again = false;
		for (size_t i = 0; i < count && !again; i++) {
			const struct intp_lane *last = &rows->last[slots[i]];
			struct intp_lane now = intp_rows_sum(rows, slots[i]);

			again = now.cpu - last->cpu > NOTEWORTHY_NS || now.wait - last->wait > NOTEWORTHY_NS ||
				now.sleep - last->sleep > NOTEWORTHY_NS;
		}
	}
	return 0;
}

static int by_victim(const void *left, const void *right)
{
	const struct intp_taken *a = left, *b = right;

	if (a->victim != b->victim)
		return (a->victim > b->victim) - (a->victim < b->victim);
	if (a->by.times != b->by.times)
		return (a->by.times < b->by.times) - (a->by.times > b->by.times);
	return (a->by.slot > b->by.slot) - (a->by.slot < b->by.slot);
}

int intp_rows_read_takings(struct intp_rows *rows)
{
	long count = intp_rows_read_map(rows->bpf->maps.takings, rows->takings, rows->times);

	rows->taken_count = count < 0 ? 0 : count;
	for (long i = 0; i < rows->taken_count; i++)
		rows->taken[i] = (struct intp_taken){
			.victim = (int)rows->takings[i].victim - 1,
			.by = {.slot = (int)rows->takings[i].taker - 1, .times = (double)rows->times[i]},
		};
	qsort(rows->taken, rows->taken_count, sizeof(*rows->taken), by_victim);
	return count < 0 ? (int)count : 0;
}

int intp_rows_takers(const struct intp_rows *rows, int slot, struct intp_taker *takers, int room)
{
	long at = (long)intp_sorted_at(rows->taken, (size_t)rows->taken_count, sizeof(*rows->taken), slot);
	int count = 0;

	for (; at < rows->taken_count && rows->taken[at].victim == slot && count < room; at++)
		takers[count++] = rows->taken[at].by;
	return count;
}

int intp_rows_forget_takings(struct intp_rows *rows, int slot)
{
	int error = intp_rows_read_takings(rows);
	long kept = 0;

	for (long i = 0; i < rows->taken_count; i++) {
		const struct intp_taken *taken = &rows->taken[i];
		struct intp_taking key = {.victim = (__u32)taken->victim + 1, .taker = (__u32)taken->by.slot + 1};

		if (taken->victim == slot || taken->by.slot == slot)
			bpf_map_delete_elem(bpf_map__fd(rows->bpf->maps.takings), &key);
		else
			rows->taken[kept++] = *taken;
	}
	rows->taken_count = kept;
	return error;
}

int intp_rows_open(struct intp_rows *rows, struct intpd_bpf *bpf)
{
	struct timespec moment = {.tv_nsec = 20000};
	void *lanes;

	rows->bpf = bpf;
	rows->cpus = bpf->bss->state.cpus;
	rows->size = (size_t)rows->cpus * INTP_PROBE_ROWS * sizeof(struct intp_lane);
	lanes = mmap(NULL, rows->size, PROT_READ, MAP_SHARED, bpf_map__fd(bpf->maps.lanes), 0);
	if (lanes == MAP_FAILED)
		return -errno;
	rows->lanes = lanes;
	rows->sleeps = calloc(bpf_map__max_entries(bpf->maps.sleeps), sizeof(*rows->sleeps));
	rows->requests = calloc(bpf_map__max_entries(bpf->maps.requests), sizeof(*rows->requests));
	/* Those of either map. */
	rows->keys = calloc(bpf_map__max_entries(bpf->maps.sleeps) + bpf_map__max_entries(bpf->maps.requests),
			    sizeof(__u64));
	rows->takings = calloc(INTP_PROBE_TAKERS, sizeof(*rows->takings));
	rows->times = calloc(INTP_PROBE_TAKERS, sizeof(*rows->times));
	rows->taken = calloc(INTP_PROBE_TAKERS, sizeof(*rows->taken));
	if (!rows->sleeps || !rows->requests || !rows->keys || !rows->takings || !rows->times || !rows->taken)
		return -ENOMEM;
	for (int i = 0; i < 5; i++) {
		int error;

		nanosleep(&moment, NULL);
		error = walk(rows);
		if (error)
			return error;
	}
	return 0;
}

void intp_rows_close(struct intp_rows *rows)
{
	if (rows->lanes)
		munmap((void *)rows->lanes, rows->size);
	free(rows->sleeps);
	free(rows->requests);
	free(rows->keys);
	free(rows->takings);
	free(rows->times);
	free(rows->taken);
}
