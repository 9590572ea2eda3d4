// SPDX-License-Identifier: Apache-2.0
#include "ebpf_rows.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <bpf/bpf.h>

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
		sum.blk_ns += lane->blk_ns;
		sum.blk_operations += lane->blk_operations;
		sum.dirtied += lane->dirtied;
		sum.written += lane->written;
		sum.net_ns += lane->net_ns;
		sum.net_bytes += lane->net_bytes;
	}
	return sum;
}

static int walk(struct intp_rows *rows)
{
	LIBBPF_OPTS(bpf_test_run_opts, options);

	return bpf_prog_test_run_opts(bpf_program__fd(rows->bpf->progs.intp_open), &options);
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
}
