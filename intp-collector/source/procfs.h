/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts of /proc/PID/{stat,schedstat,io} and /proc/diskstats. Pure: each reads a NUL-terminated text, never past
 * it, and returns false for one that is not what it should be. Thread-safe.
 */
#ifndef INTP_PROCFS_H
#define INTP_PROCFS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Of /proc/PID/stat or /proc/PID/task/TID/stat. */
struct intp_stat {
	pid_t pid, parent, session;
	uint64_t start;	      /* ticks since boot; tells a process from a later one with its pid */
	uint64_t block_ticks; /* of 1/100 s, waiting for block I/O; stands still unless kernel.task_delayacct is 1 */
};

bool intp_parse_stat(const char *text, struct intp_stat *stat);

/* Of schedstat: ns on a CPU, and ns runnable but waiting for one. */
bool intp_parse_schedstat(const char *text, uint64_t *on_cpu_ns, uint64_t *wait_ns);

/* Of /proc/PID/io: bytes since the process started. */
struct intp_io {
	int64_t read;	 /* fetched from storage */
	int64_t written; /* dirtied or sent to storage, less what was truncated before it got there */
};

bool intp_parse_io(const char *text, struct intp_io *io);

#define INTP_DISK_NAME 32

/* A line of /proc/diskstats: since boot. */
struct intp_disk {
	char name[INTP_DISK_NAME];
	uint64_t reads, writes; /* requests completed; flushes are writes */
	uint64_t read_bytes, written_bytes;
	uint64_t read_ms, write_ms; /* from issue to completion, summed over the requests; 32 bits in the kernel */
};

bool intp_parse_disk(const char *line, struct intp_disk *disk);

/* The growth of a millisecond counter of 32 bits that may have wrapped; 0 if it went backwards. */
uint64_t intp_disk_ms_since(uint64_t from, uint64_t to);

#endif
