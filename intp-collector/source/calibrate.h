/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The peak memory bandwidth of the machine, the capacity of mbw, measured once on request and kept in a file.
 *
 * Every CPU reads one word of each cache line of a buffer of its own; the buffers together are well beyond the L3
 * cache. Reading is measured because its traffic is known, one line per word: how many bytes a store moves depends on
 * the machine (it may or may not fetch the line first). The file holds one number in byte/s and a newline.
 *
 * Not thread-safe; measuring starts threads and joins them.
 */
#ifndef INTP_CALIBRATE_H
#define INTP_CALIBRATE_H

#include <stddef.h>
#include <stdint.h>

struct intp_calibration {
	double l3_bytes;       /* of all domains; 0 if not known, then 64 MiB is assumed */
	int threads;	       /* 0: one on each CPU that this process may use */
	int passes;	       /* the best counts; 0: 10 */
	double buffer_bytes;   /* of all threads together; 0: 4 times the L3 cache, 256 MiB at least */
	uint64_t (*now)(void); /* ns; NULL: CLOCK_MONOTONIC */
};

/*
 * Returns 0 with the peak in byte/s, -ENOMEM or -EAGAIN without memory or threads, or -ERANGE if no pass took any
 * time.
 */
int intp_calibrate(const struct intp_calibration *calibration, double *bytes_per_second);

/*
 * Writes the file and its directory if need be, for every user to read whatever the umask; a reader sees the old or
 * the new one. Returns 0 or a negative errno.
 */
int intp_peak_store(const char *path, double bytes_per_second);

/*
 * Reads the file. Returns 0; -ENOENT if it was never measured; -EINVAL if the file is broken, or another negative
 * errno. `reason` then names the file.
 */
int intp_peak_load(const char *path, double *bytes_per_second, char *reason, size_t size);

#endif
