/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrate.h"
#include "clock.h"
#include "text.h"

#define LINE_BYTES     64
#define WORDS_PER_LINE (LINE_BYTES / sizeof(uint64_t))
#define ASSUMED_L3     (64.0 * 1024 * 1024)
#define LEAST_BUFFER   (256.0 * 1024 * 1024)
#define MOST_THREADS   4096

struct crew {
	pthread_mutex_t gate; /* held until it is known that all have started; then `passes` stands */
	pthread_barrier_t barrier;
	size_t lines; /* of each member's buffer */
	int passes;
	bool pin;
	cpu_set_t cpus;
};

struct reader {
	pthread_t thread;
	struct crew *crew;
	int number;
	uint64_t *buffer;
	uint64_t sum; /* keeps the reads from being optimised away */
};

/* Moves to the CPU of the reader's own number, so that each thread has one and its memory is near. */
static void pin(const struct reader *reader)
{
	int left = reader->number;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &reader->crew->cpus) || left-- > 0)
			continue;
		cpu_set_t one;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
		return;
	}
}

static uint64_t read_lines(const uint64_t *buffer, size_t lines)
{
	uint64_t a = 0, b = 0, c = 0, d = 0;
	for (size_t i = 0; i + 4 <= lines; i += 4) {
		const uint64_t *line = buffer + i * WORDS_PER_LINE;
		a += line[0];
		b += line[WORDS_PER_LINE];
		c += line[2 * WORDS_PER_LINE];
		d += line[3 * WORDS_PER_LINE];
	}
	return a + b + c + d;
}

static void *run(void *argument)
{
	struct reader *reader = argument;
	struct crew *crew = reader->crew;
	if (crew->pin)
		pin(reader);
	/* Pages that were never written are all the same page of zeroes, which stays in the cache. */
	memset(reader->buffer, reader->number + 1, crew->lines * LINE_BYTES);
	pthread_mutex_lock(&crew->gate);
	pthread_mutex_unlock(&crew->gate);
	for (int pass = 0; pass < crew->passes; pass++) {
		pthread_barrier_wait(&crew->barrier);
		reader->sum += read_lines(reader->buffer, crew->lines);
		pthread_barrier_wait(&crew->barrier);
	}
	return NULL;
}

/* The best pass in byte/s; 0 if none took any time. */
static double lead(struct crew *crew, double bytes, uint64_t (*now)(void))
{
	double best = 0;
	for (int pass = 0; pass < crew->passes; pass++) {
		pthread_barrier_wait(&crew->barrier);
		uint64_t from = now();
		pthread_barrier_wait(&crew->barrier);
		uint64_t to = now();
		if (to > from)
			best = fmax(best, bytes * 1e9 / (double)(to - from));
	}
	return best;
}

/* Starts the readers; returns how many of them have started. */
static int start(struct crew *crew, struct reader *readers, int threads, uint64_t *memory)
{
	for (int i = 0; i < threads; i++) {
		readers[i] = (struct reader){
			.crew = crew, .number = i, .buffer = memory + (size_t)i * crew->lines * WORDS_PER_LINE};
		if (pthread_create(&readers[i].thread, NULL, run, &readers[i]) != 0)
			return i;
	}
	return threads;
}

static int measure(struct crew *crew, struct reader *readers, int threads, uint64_t *memory, uint64_t (*now)(void),
		   double *bytes_per_second)
{
	double bytes = (double)crew->lines * LINE_BYTES * threads;
	int error = pthread_barrier_init(&crew->barrier, NULL, (unsigned)threads + 1);
	if (error)
		return -error;
	pthread_mutex_lock(&crew->gate);
	int started = start(crew, readers, threads, memory);
	if (started < threads)
		crew->passes = 0;
	pthread_mutex_unlock(&crew->gate);
	*bytes_per_second = lead(crew, bytes, now);
	for (int i = 0; i < started; i++)
		pthread_join(readers[i].thread, NULL);
	pthread_barrier_destroy(&crew->barrier);
	if (started < threads)
		return -EAGAIN;
	return *bytes_per_second > 0 ? 0 : -ERANGE;
}

int intp_calibrate(const struct intp_calibration *calibration, double *bytes_per_second)
{
	struct crew crew = {.gate = PTHREAD_MUTEX_INITIALIZER,
			    .passes = calibration->passes > 0 ? calibration->passes : 10};
	crew.pin = sched_getaffinity(0, sizeof(crew.cpus), &crew.cpus) == 0;
	int threads = calibration->threads;
	if (threads <= 0)
		threads = crew.pin ? CPU_COUNT(&crew.cpus) : (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (threads <= 0 || threads > MOST_THREADS)
		return -EINVAL;
	double wanted = calibration->buffer_bytes;
	if (wanted <= 0)
		wanted = fmax(4 * (calibration->l3_bytes > 0 ? calibration->l3_bytes : ASSUMED_L3), LEAST_BUFFER);
	crew.lines = ((size_t)(wanted / threads) / LINE_BYTES + 4) & ~(size_t)3;
	size_t bytes = crew.lines * LINE_BYTES * (size_t)threads;
	uint64_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct reader *readers = calloc((size_t)threads, sizeof(*readers));
	int error = memory == MAP_FAILED || !readers ? -ENOMEM : 0;
	if (!error)
		error = measure(&crew, readers, threads, memory, calibration->now ? calibration->now : intp_now_ns,
				bytes_per_second);
	free(readers);
	if (memory != MAP_FAILED)
		munmap(memory, bytes);
	return error;
}

/* Makes the directory that `path` lies in; only the last one, as a package would. */
static int make_directory(const char *path)
{
	char directory[4096];
	snprintf(directory, sizeof(directory), "%s", path);
	char *slash = strrchr(directory, '/');
	if (!slash || slash == directory)
		return 0;
	*slash = '\0';
	if (mkdir(directory, 0755) < 0)
		return errno == EEXIST ? 0 : -errno;
	return chmod(directory, 0755) == 0 ? 0 : -errno;
}

int intp_peak_store(const char *path, double bytes_per_second)
{
	char fresh[4096], text[64];
	if (!isfinite(bytes_per_second) || bytes_per_second <= 0)
		return -EINVAL;
	if (snprintf(fresh, sizeof(fresh), "%s.new", path) >= (int)sizeof(fresh))
		return -ENAMETOOLONG;
	int error = make_directory(path);
	if (error)
		return error;
	/* Root writes into the daemon's directory: what lies there may be a link to something of root's. */
	unlink(fresh);
	int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	int length = snprintf(text, sizeof(text), "%.0f\n", bytes_per_second);
	ssize_t written = write(fd, text, (size_t)length);
	if (written != length)
		error = written < 0 ? -errno : -ENOSPC;
	/* The daemon reads it as another user, whatever is masked for the files of the one who measured. */
	if (!error && fchmod(fd, 0644) < 0)
		error = -errno;
	if (!error && fsync(fd) < 0)
		error = -errno;
	close(fd);
	if (!error && rename(fresh, path) < 0)
		error = -errno;
	if (error)
		unlink(fresh);
	return error;
}

int intp_peak_load(const char *path, double *bytes_per_second, char *reason, size_t size)
{
	uint64_t number;
	int error = intp_read_number(AT_FDCWD, path, &number);
	if (!error && number == 0)
		error = -EINVAL;
	if (!error)
		*bytes_per_second = (double)number;
	else if (error == -ENOENT)
		snprintf(reason, size, "no peak memory bandwidth in %.100s: run `intpd calibrate`", path);
	else if (error == -EINVAL || error == -EFBIG)
		snprintf(reason, size, "%.100s holds no number of byte/s: run `intpd calibrate`", path);
	else
		snprintf(reason, size, "%.100s: %s", path, strerror(-error));
	return error == -EFBIG ? -EINVAL : error;
}
