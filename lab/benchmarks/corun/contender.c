/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One task that works without end and counts its work in a file that others map: eight bytes, native order, growing
 * only. The eight bytes behind it, which others may write, are how many units it does a second at most; 0: no limit.
 * Usage: contender KIND COUNTER [DISK OFFSET SIZE | HOST PORT | BYTES], or contender sink HOST PORT.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define KIB (1UL << 10)
#define MIB (1UL << 20)

#define INTEGER_STEPS	    100000
#define MATRIX_SIDE	    96
#define LIGHT_STEPS	    2000000
#define LIGHT_PAUSE_NS	    8000000
#define STREAM_ARRAY	    (64 * MIB)
#define STREAM_UNIT	    (256 * KIB)
#define CHASE_BYTES	    (12 * MIB)
#define CHASE_HOPS	    5000
#define LINE		    64
#define SEQUENTIAL_BLOCK    (128 * KIB)
#define RANDOM_BLOCK	    (16 * KIB)
#define RANDOM_READERS	    4
#define WRITE_BLOCK	    (256 * KIB)
#define MIXED_BLOCK	    (64 * KIB)
#define LOG_BLOCK	    (4 * KIB)
#define TOUCHED_BYTES	    (8 * MIB)
#define COMPUTING_THREADS   4
#define LU_SIDE		    1024
#define LU_UPDATES	    1000000
#define SORTED_BYTES	    (1 * MIB)
#define RECORD_BYTES	    100
#define KEY_BYTES	    10
#define MOST_FORKS	    256
#define ROUND_TRIPS	    100
#define SEND_BLOCK	    (16 * KIB)
#define SEND_BUFFER	    (32 * KIB)
#define MIXED_DISK_STEPS    1000000
#define MIXED_NETWORK_STEPS 500000
#define ALIGNMENT	    4096
#define SECOND_NS	    1000000000UL
/* Who was kept from working for longer does not make up for it: it asks for so much a second and not for more. */
#define MOST_BACKLOG_NS 50000000UL

struct task {
	_Atomic uint64_t *counter;
	_Atomic uint64_t next_ns; /* when the next unit of a task that is held back is due */
	char **arguments;	  /* behind the counter */
	int count;
};

struct region {
	int file;
	off_t offset;
	off_t size;
};

struct reader {
	struct task *task;
	struct region region;
	uint64_t seed;
};

/* Results go here, so that the compiler cannot leave the work out. */
static volatile uint64_t result;
static volatile double sum;

static void fail(const char *what)
{
	fprintf(stderr, "contender: %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

static void hold_back(struct task *task, uint64_t units_per_s)
{
	uint64_t now = now_ns(), due = atomic_load_explicit(&task->next_ns, memory_order_relaxed);
	struct timespec until;

	if (due + MOST_BACKLOG_NS < now)
		due = now - MOST_BACKLOG_NS;
	due += SECOND_NS / units_per_s;
	atomic_store_explicit(&task->next_ns, due, memory_order_relaxed);
	if (due <= now)
		return;
	until = (struct timespec){.tv_sec = (time_t)(due / SECOND_NS), .tv_nsec = (long)(due % SECOND_NS)};
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void done(struct task *task, uint64_t units)
{
	uint64_t units_per_s = atomic_load_explicit(task->counter + 1, memory_order_relaxed);

	atomic_fetch_add_explicit(task->counter, units, memory_order_relaxed);
	if (units_per_s > 0)
		hold_back(task, units_per_s);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void compute(uint64_t steps)
{
	uint64_t state = result | 1;

	for (uint64_t i = 0; i < steps; i++)
		next_random(&state);
	result = state;
}

static void *allocate(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		fail("memory");
	return memory;
}

static void cpu_integer(struct task *task)
{
	for (;;) {
		compute(INTEGER_STEPS);
		done(task, 1);
	}
}

static void cpu_matrix(struct task *task)
{
	static double a[MATRIX_SIDE][MATRIX_SIDE], b[MATRIX_SIDE][MATRIX_SIDE], c[MATRIX_SIDE][MATRIX_SIDE];

	for (int i = 0; i < MATRIX_SIDE; i++)
		for (int j = 0; j < MATRIX_SIDE; j++)
			a[i][j] = b[j][i] = 1.0 / (i + j + 1);
	for (;;) {
		for (int i = 0; i < MATRIX_SIDE; i++) {
			for (int j = 0; j < MATRIX_SIDE; j++)
				c[i][j] = 0;
			for (int k = 0; k < MATRIX_SIDE; k++)
				for (int j = 0; j < MATRIX_SIDE; j++)
					c[i][j] += a[i][k] * b[k][j];
		}
		sum = c[MATRIX_SIDE / 2][MATRIX_SIDE / 3];
		done(task, 1);
	}
}

static void cpu_light(struct task *task)
{
	const struct timespec pause = {.tv_nsec = LIGHT_PAUSE_NS};

	for (;;) {
		compute(LIGHT_STEPS);
		nanosleep(&pause, NULL);
		done(task, 1);
	}
}

static void memory_stream(struct task *task)
{
	size_t count = STREAM_ARRAY / sizeof(double), unit = STREAM_UNIT / sizeof(double);
	double *a = allocate(STREAM_ARRAY), *b = allocate(STREAM_ARRAY), *c = allocate(STREAM_ARRAY);

	for (size_t i = 0; i < count; i++)
		b[i] = c[i] = (double)i;
	for (;;) {
		for (size_t at = 0; at < count; at += unit) {
			for (size_t i = at; i < at + unit; i++)
				a[i] = b[i] + 3 * c[i];
			done(task, 1);
		}
		sum = a[count / 2];
	}
}

/* A walk along one random cycle through all lines (Sattolo's algorithm), so that no prefetcher knows the next. */
static void cache_chase(struct task *task)
{
	size_t bytes = task->count == 1 ? strtoull(task->arguments[0], NULL, 10) : CHASE_BYTES;
	size_t count = bytes / LINE, step = LINE / sizeof(uint32_t);
	uint32_t *lines = allocate(bytes), at = 0;
	uint64_t seed = 88172645463325252ULL;

	for (size_t i = 0; i < count; i++)
		lines[i * step] = (uint32_t)i;
	for (size_t i = count - 1; i > 0; i--) {
		size_t j = next_random(&seed) % i;
		uint32_t other = lines[i * step];

		lines[i * step] = lines[j * step];
		lines[j * step] = other;
	}
	for (;;) {
		for (int hop = 0; hop < CHASE_HOPS; hop++)
			at = lines[at * step];
		result = at;
		done(task, 1);
	}
}

static struct region open_region(struct task *task, int flags)
{
	struct region region;

	if (task->count != 3) {
		fprintf(stderr, "contender: this kind takes a disk, an offset and a size\n");
		exit(EXIT_FAILURE);
	}
	region.file = open(task->arguments[0], flags | O_CLOEXEC);
	region.offset = strtoll(task->arguments[1], NULL, 10);
	region.size = strtoll(task->arguments[2], NULL, 10);
	if (region.file < 0)
		fail(task->arguments[0]);
	return region;
}

static void *aligned(size_t size)
{
	void *memory = aligned_alloc(ALIGNMENT, size);

	if (!memory)
		fail("memory");
	memset(memory, 1, size);
	return memory;
}

static void read_at(struct region region, void *buffer, size_t size, off_t at)
{
	if (pread(region.file, buffer, size, region.offset + at) != (ssize_t)size)
		fail("read");
}

static void disk_sequential(struct task *task)
{
	struct region region = open_region(task, O_RDONLY | O_DIRECT);
	void *buffer = aligned(SEQUENTIAL_BLOCK);

	for (off_t at = 0;; at = (at + (off_t)SEQUENTIAL_BLOCK) % region.size) {
		read_at(region, buffer, SEQUENTIAL_BLOCK, at);
		done(task, 1);
	}
}

static void *read_randomly(void *argument)
{
	struct reader *reader = argument;
	void *buffer = aligned(RANDOM_BLOCK);
	uint64_t blocks = (uint64_t)reader->region.size / RANDOM_BLOCK;

	for (;;) {
		off_t block = (off_t)(next_random(&reader->seed) % blocks);

		read_at(reader->region, buffer, RANDOM_BLOCK, block * (off_t)RANDOM_BLOCK);
		done(reader->task, 1);
	}
	return NULL;
}

static void disk_random(struct task *task)
{
	static struct reader readers[RANDOM_READERS];
	struct region region = open_region(task, O_RDONLY | O_DIRECT);
	pthread_t thread;

	for (int i = 0; i < RANDOM_READERS; i++) {
		readers[i] =
			(struct reader){.task = task, .region = region, .seed = 88172645463325252ULL + (uint64_t)i};
		if (i > 0 && pthread_create(&thread, NULL, read_randomly, &readers[i]) != 0)
			fail("thread");
	}
	read_randomly(&readers[0]);
}

static void cpu_disk(struct task *task)
{
	struct region region = open_region(task, O_RDONLY | O_DIRECT);
	void *buffer = aligned(MIXED_BLOCK);

	for (off_t at = 0;; at = (at + (off_t)MIXED_BLOCK) % region.size) {
		read_at(region, buffer, MIXED_BLOCK, at);
		compute(MIXED_DISK_STEPS);
		done(task, 1);
	}
}

/* Half of the requests read and half write, so that a node that throttles them apart shows it. */
static void disk_mixed(struct task *task)
{
	struct region region = open_region(task, O_RDWR | O_DIRECT);
	uint64_t blocks = (uint64_t)region.size / MIXED_BLOCK, seed = 88172645463325252ULL;
	void *buffer = aligned(MIXED_BLOCK);

	for (;;) {
		off_t at = (off_t)(next_random(&seed) % blocks) * (off_t)MIXED_BLOCK;

		read_at(region, buffer, MIXED_BLOCK, at);
		at = (off_t)(next_random(&seed) % blocks) * (off_t)MIXED_BLOCK;
		if (pwrite(region.file, buffer, MIXED_BLOCK, region.offset + at) != (ssize_t)MIXED_BLOCK)
			fail("write");
		done(task, 1);
	}
}

/* Through the page cache. Each block is synced at once: what the kernel's own threads write back escapes the
 * throttle. */
static void write_synced(struct task *task, size_t block, uint64_t steps)
{
	struct region region = open_region(task, O_WRONLY);
	void *buffer = aligned(block);

	for (off_t at = 0;; at = (at + (off_t)block) % region.size) {
		compute(steps);
		if (pwrite(region.file, buffer, block, region.offset + at) != (ssize_t)block)
			fail("write");
		if (fdatasync(region.file) != 0)
			fail("fdatasync");
		done(task, 1);
	}
}

static void disk_write(struct task *task)
{
	write_synced(task, WRITE_BLOCK, 0);
}

/* As a database's log: little at a time, and each waits for the disk. */
static void disk_log(struct task *task)
{
	write_synced(task, LOG_BLOCK, 0);
}

static void cpu_write(struct task *task)
{
	write_synced(task, MIXED_BLOCK, MIXED_DISK_STEPS);
}

/* As LU of the NAS benchmarks, a factorisation that goes over all of its memory again and again; a unit is so many
 * updates of an element. */
static void lu_factor(struct task *task)
{
	double(*a)[LU_SIDE] = allocate(sizeof(double[LU_SIDE][LU_SIDE]));
	uint64_t updates = 0;

	for (;;) {
		for (int i = 0; i < LU_SIDE; i++)
			for (int j = 0; j < LU_SIDE; j++)
				a[i][j] = i == j ? LU_SIDE : 1.0 / (i + j + 1);
		for (int k = 0; k < LU_SIDE; k++) {
			for (int i = k + 1; i < LU_SIDE; i++) {
				double factor = a[i][k] /= a[k][k];

				for (int j = k + 1; j < LU_SIDE; j++)
					a[i][j] -= factor * a[k][j];
				updates += (uint64_t)(LU_SIDE - k);
				if (updates >= LU_UPDATES) {
					updates -= LU_UPDATES;
					done(task, 1);
				}
			}
		}
		sum = a[LU_SIDE - 1][LU_SIDE - 1];
	}
}

static int compare_keys(const void *one, const void *other)
{
	return memcmp(one, other, KEY_BYTES);
}

/* As TeraSort, records of 100 bytes with keys of 10: read, given new keys, for they are in order the second time,
 * sorted, written. */
static void sort_records(struct task *task)
{
	struct region region = open_region(task, O_RDWR | O_DIRECT);
	char *records = aligned(SORTED_BYTES);
	uint64_t seed = 88172645463325252ULL;

	for (off_t at = 0;; at = (at + (off_t)SORTED_BYTES) % region.size) {
		read_at(region, records, SORTED_BYTES, at);
		for (size_t record = 0; record < SORTED_BYTES / RECORD_BYTES; record++) {
			uint64_t key = next_random(&seed);

			memcpy(records + record * RECORD_BYTES, &key, sizeof(key));
		}
		qsort(records, SORTED_BYTES / RECORD_BYTES, RECORD_BYTES, compare_keys);
		if (pwrite(region.file, records, SORTED_BYTES, region.offset + at) != (ssize_t)SORTED_BYTES)
			fail("write");
		done(task, 1);
	}
}

/* Every process makes others, until there are as many as this counter or the kernel allows; a unit is a process. */
static void fork_bomb(struct task *task)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	for (;;) {
		if (atomic_fetch_add(task->counter, 1) >= MOST_FORKS || fork() < 0) {
			atomic_fetch_sub(task->counter, 1);
			nanosleep(&pause, NULL);
		}
	}
}

/* Page faults: memory that is asked for, touched and given back. */
static void memory_touch(struct task *task)
{
	for (;;) {
		char *memory = allocate(TOUCHED_BYTES);

		for (size_t at = 0; at < TOUCHED_BYTES; at += ALIGNMENT)
			memory[at] = 1;
		if (munmap(memory, TOUCHED_BYTES) != 0)
			fail("munmap");
		done(task, 1);
	}
}

static void *compute_for(void *argument)
{
	cpu_integer(argument);
	return NULL;
}

/* More threads than the node has CPUs. */
static void cpu_threads(struct task *task)
{
	pthread_t thread;

	for (int i = 1; i < COMPUTING_THREADS; i++)
		if (pthread_create(&thread, NULL, compute_for, task) != 0)
			fail("thread");
	cpu_integer(task);
}

static int answers[2], questions[2];

static void *answer_each(void *argument)
{
	char byte;

	while (read(questions[0], &byte, 1) == 1)
		if (write(answers[1], &byte, 1) != 1)
			break;
	fail("pipe");
	return argument;
}

/* Two threads that wake each other: context switches, and hardly anything between them. */
static void switch_pairs(struct task *task)
{
	pthread_t thread;
	char byte = 0;

	if (pipe(answers) != 0 || pipe(questions) != 0 || pthread_create(&thread, NULL, answer_each, NULL) != 0)
		fail("pipe");
	for (;;) {
		for (int i = 0; i < ROUND_TRIPS; i++)
			if (write(questions[1], &byte, 1) != 1 || read(answers[0], &byte, 1) != 1)
				fail("pipe");
		done(task, 1);
	}
}

static struct sockaddr_in address_of(char **arguments)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1]))};

	if (inet_pton(AF_INET, arguments[0], &address.sin_addr) != 1) {
		fprintf(stderr, "contender: %s is no IPv4 address\n", arguments[0]);
		exit(EXIT_FAILURE);
	}
	return address;
}

/* The first byte says whether the sink is to answer each block. */
static int connect_to_sink(struct task *task, char answer)
{
	int socket_file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), size = SEND_BUFFER;
	struct sockaddr_in address;

	if (task->count != 2) {
		fprintf(stderr, "contender: this kind takes a host and a port\n");
		exit(EXIT_FAILURE);
	}
	address = address_of(task->arguments);
	if (socket_file < 0 || setsockopt(socket_file, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size)) != 0 ||
	    connect(socket_file, (struct sockaddr *)&address, sizeof(address)) != 0)
		fail("connect");
	if (send(socket_file, &answer, 1, 0) != 1)
		fail("send");
	return socket_file;
}

static void send_block(int socket_file, const void *block)
{
	size_t sent = 0;

	while (sent < SEND_BLOCK) {
		ssize_t one = send(socket_file, (const char *)block + sent, SEND_BLOCK - sent, 0);

		if (one < 0 && errno != EINTR)
			fail("send");
		if (one > 0)
			sent += (size_t)one;
	}
}

static void network_stream(struct task *task)
{
	int socket_file = connect_to_sink(task, 0);
	void *block = aligned(SEND_BLOCK);

	for (;;) {
		send_block(socket_file, block);
		done(task, 1);
	}
}

static void network_request(struct task *task)
{
	int socket_file = connect_to_sink(task, 1);
	void *block = aligned(SEND_BLOCK);
	char answer;

	for (;;) {
		send_block(socket_file, block);
		if (recv(socket_file, &answer, 1, MSG_WAITALL) != 1)
			fail("recv");
		done(task, 1);
	}
}

static void cpu_network(struct task *task)
{
	int socket_file = connect_to_sink(task, 0);
	void *block = aligned(SEND_BLOCK);

	for (;;) {
		compute(MIXED_NETWORK_STEPS);
		send_block(socket_file, block);
		done(task, 1);
	}
}

static void *take_in(void *argument)
{
	int socket_file = (int)(intptr_t)argument;
	char *buffer = aligned(SEND_BLOCK), answer;
	ssize_t got = recv(socket_file, &answer, 1, MSG_WAITALL);

	while (got > 0) {
		got = recv(socket_file, buffer, SEND_BLOCK, answer ? MSG_WAITALL : 0);
		if (got > 0 && answer && send(socket_file, &answer, 1, MSG_NOSIGNAL) != 1)
			break;
	}
	close(socket_file);
	free(buffer);
	return NULL;
}

/* The other end of every connection: another machine, as far as the contenders are concerned. */
static void sink(char **arguments)
{
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
	struct sockaddr_in address = address_of(arguments);
	pthread_t thread;

	if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) != 0 ||
	    bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(listener, 64) != 0)
		fail("listen");
	puts("listening");
	fflush(stdout);
	for (;;) {
		int socket_file = accept(listener, NULL, NULL);

		if (socket_file < 0)
			fail("accept");
		if (pthread_create(&thread, NULL, take_in, (void *)(intptr_t)socket_file) != 0)
			fail("thread");
		pthread_detach(thread);
	}
}

static const struct kind {
	const char *name;
	void (*work)(struct task *task);
} kinds[] = {
	{"cpu-integer", cpu_integer},
	{"cpu-matrix", cpu_matrix},
	{"cpu-light", cpu_light},
	{"memory-stream", memory_stream},
	{"cache-chase", cache_chase},
	{"disk-sequential", disk_sequential},
	{"disk-random", disk_random},
	{"disk-write", disk_write},
	{"network-stream", network_stream},
	{"network-request", network_request},
	{"cpu-disk", cpu_disk},
	{"cpu-network", cpu_network},
	{"disk-mixed", disk_mixed},
	{"disk-log", disk_log},
	{"cpu-write", cpu_write},
	{"memory-touch", memory_touch},
	{"cpu-threads", cpu_threads},
	{"switch-pairs", switch_pairs},
	{"lu-factor", lu_factor},
	{"sort-records", sort_records},
	{"fork-bomb", fork_bomb},
};

static _Atomic uint64_t *map_counter(const char *path)
{
	int file = open(path, O_RDWR | O_CLOEXEC);
	void *memory = file < 0 ? MAP_FAILED : mmap(NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	if (memory == MAP_FAILED)
		fail(path);
	close(file);
	return memory;
}

int main(int count, char **arguments)
{
	signal(SIGPIPE, SIG_IGN);
	if (count == 4 && strcmp(arguments[1], "sink") == 0)
		sink(arguments + 2);
	for (size_t i = 0; count >= 3 && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(arguments[1], kinds[i].name) == 0) {
			struct task task = {
				.counter = map_counter(arguments[2]), .arguments = arguments + 3, .count = count - 3};

			kinds[i].work(&task);
		}
	}
	fprintf(stderr, "usage: contender KIND COUNTER [DISK OFFSET SIZE | HOST PORT | BYTES], or contender sink "
			"HOST PORT\n");
	return 2;
}
