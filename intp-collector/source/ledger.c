/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ledger.h"

/* The kernel's user-visible tick, 1/100 s on every architecture that Hadoop runs on. */
#define NS_PER_TICK UINT64_C(10000000)

static int add_thread(struct intp_totals *totals, const struct intp_thread_totals *thread)
{
	if (totals->thread_count == totals->thread_room) {
		size_t room = totals->thread_room ? 2 * totals->thread_room : 64;
		struct intp_thread_totals *grown = realloc(totals->threads, room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		totals->threads = grown;
		totals->thread_room = room;
	}
	totals->threads[totals->thread_count++] = *thread;
	return 0;
}

static int add_process(struct intp_totals *totals, const struct intp_process_totals *process)
{
	if (totals->process_count == totals->process_room) {
		size_t room = totals->process_room ? 2 * totals->process_room : 16;
		struct intp_process_totals *grown = realloc(totals->processes, room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		totals->processes = grown;
		totals->process_room = room;
	}
	totals->processes[totals->process_count++] = *process;
	return 0;
}

/* False if the thread has ended. */
static bool read_thread(int tasks, pid_t tid, bool block, struct intp_thread_totals *thread)
{
	char path[32], text[1024];
	snprintf(path, sizeof(path), "%d/schedstat", tid);
	if (intp_read(tasks, path, text, sizeof(text)) < 0 ||
	    !intp_parse_schedstat(text, &thread->on_cpu_ns, &thread->wait_ns))
		return false;
	thread->tid = tid;
	thread->block_ns = 0;
	if (!block)
		return true;
	struct intp_stat stat;
	snprintf(path, sizeof(path), "%d/stat", tid);
	if (intp_read(tasks, path, text, sizeof(text)) < 0 || !intp_parse_stat(text, &stat))
		return false;
	thread->block_ns = stat.block_ticks < UINT64_MAX / NS_PER_TICK ? stat.block_ticks * NS_PER_TICK : 0;
	return true;
}

static int sample_threads(struct intp_ledger *ledger, int proc, const struct intp_process *process, bool block)
{
	char path[32];
	snprintf(path, sizeof(path), "%d/task", process->pid);
	int tasks = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (tasks < 0)
		return 0;
	int error = intp_list_ids(tasks, ".", &ledger->tids);
	for (size_t i = 0; i < ledger->tids.count && !error; i++) {
		struct intp_thread_totals thread = {.start = process->start};
		if (read_thread(tasks, ledger->tids.ids[i], block, &thread))
			error = add_thread(&ledger->next, &thread);
	}
	close(tasks);
	return error == -ENOMEM ? error : 0;
}

static int sample_io(struct intp_totals *totals, int proc, const struct intp_process *process)
{
	char path[32], text[1024];
	struct intp_process_totals sampled = {.pid = process->pid, .start = process->start};
	snprintf(path, sizeof(path), "%d/io", process->pid);
	ssize_t got = intp_read(proc, path, text, sizeof(text));
	if (got == -EACCES || got == -EPERM)
		totals->io_denied = true;
	sampled.known = got >= 0 && intp_parse_io(text, &sampled.io);
	return add_process(totals, &sampled);
}

static int by_tid(const void *left, const void *right)
{
	pid_t a = ((const struct intp_thread_totals *)left)->tid, b = ((const struct intp_thread_totals *)right)->tid;
	return (a > b) - (a < b);
}

static int by_pid(const void *left, const void *right)
{
	pid_t a = ((const struct intp_process_totals *)left)->pid;
	pid_t b = ((const struct intp_process_totals *)right)->pid;
	return (a > b) - (a < b);
}

static int sample(struct intp_ledger *ledger, const struct intp_members *members, int proc, bool block)
{
	struct intp_totals *next = &ledger->next;
	next->thread_count = next->process_count = 0;
	next->io_denied = false;
	for (size_t i = 0; i < members->count; i++)
		if (sample_threads(ledger, proc, &members->list[i], block) < 0 ||
		    sample_io(next, proc, &members->list[i]) < 0)
			return -ENOMEM;
	if (next->thread_count)
		qsort(next->threads, next->thread_count, sizeof(*next->threads), by_tid);
	return 0;
}

/* A wait that the kernel began to count in the midst of it can show more than the thread has lived; it is left out.
 */
static double plausible(double block_ns, double elapsed_ns)
{
	return block_ns <= elapsed_ns + (double)NS_PER_TICK ? block_ns : 0;
}

static void grow_thread(struct intp_growth *growth, const struct intp_thread_totals *last,
			const struct intp_thread_totals *now, double elapsed_ns)
{
	static const struct intp_thread_totals none;
	if (last && (last->start != now->start || now->on_cpu_ns < last->on_cpu_ns || now->wait_ns < last->wait_ns))
		last = NULL;
	if (!last && (double)now->on_cpu_ns + (double)now->wait_ns > elapsed_ns)
		return;
	if (!last)
		last = &none;
	growth->on_cpu_ns += (double)(now->on_cpu_ns - last->on_cpu_ns);
	growth->wait_ns += (double)(now->wait_ns - last->wait_ns);
	if (now->block_ns > last->block_ns)
		growth->block_ns += plausible((double)(now->block_ns - last->block_ns), elapsed_ns);
}

static void grow_process(struct intp_growth *growth, const struct intp_process_totals *last,
			 const struct intp_process_totals *now)
{
	struct intp_io from = {0};
	if (last && last->start == now->start) {
		if (!last->known)
			return;
		from = last->io;
	}
	if (!now->known)
		return;
	growth->read_bytes += fmax(0, (double)now->io.read - (double)from.read);
	/* Negative when the process truncated what it or another one had written. */
	growth->written_bytes += (double)now->io.written - (double)from.written;
}

static void compare(const struct intp_totals *last, const struct intp_totals *next, double elapsed_ns,
		    struct intp_growth *growth)
{
	for (size_t i = 0; i < next->thread_count; i++) {
		const struct intp_thread_totals *known =
			last->thread_count ? bsearch(&next->threads[i], last->threads, last->thread_count,
						     sizeof(*last->threads), by_tid)
					   : NULL;
		grow_thread(growth, known, &next->threads[i], elapsed_ns);
	}
	for (size_t i = 0; i < next->process_count; i++) {
		const struct intp_process_totals *known =
			last->process_count ? bsearch(&next->processes[i], last->processes, last->process_count,
						      sizeof(*last->processes), by_pid)
					    : NULL;
		grow_process(growth, known, &next->processes[i]);
	}
	growth->written_bytes = fmax(0, growth->written_bytes);
}

int intp_ledger_add(struct intp_ledger *ledger, const struct intp_members *members, int proc, bool block,
		    bool baseline, double elapsed_ns, struct intp_growth *growth)
{
	*growth = (struct intp_growth){0};
	int error = sample(ledger, members, proc, block);
	if (error)
		return error;
	if (!baseline)
		compare(&ledger->last, &ledger->next, elapsed_ns, growth);
	struct intp_totals last = ledger->last;
	ledger->last = ledger->next;
	ledger->next = last;
	return 0;
}

void intp_ledger_free(struct intp_ledger *ledger)
{
	free(ledger->last.threads);
	free(ledger->last.processes);
	free(ledger->next.threads);
	free(ledger->next.processes);
	intp_ids_free(&ledger->tids);
	*ledger = (struct intp_ledger){0};
}
