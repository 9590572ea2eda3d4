/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what the probes have counted: a row of sums for each container, and the intervals that have not ended.
 * Not thread-safe.
 */
#ifndef INTP_EBPF_ROWS_H
#define INTP_EBPF_ROWS_H

#include <stddef.h>

#include "ebpf_load.h"
#include "source.h"

struct intp_taken {
	int victim;
	struct intp_taker by;
};

/* Zeroed, it may be closed. */
struct intp_rows {
	struct intpd_bpf *bpf;	       /* the caller's */
	const struct intp_lane *lanes; /* [cpu][row] */
	size_t size;		       /* bytes */
	int cpus;
	/* Room for the maps of the same names; untouched, it takes none. */
	struct intp_sleep *sleeps;
	struct intp_request *requests;
	void *keys;
	struct intp_taking *takings;
	__u64 *times;
	/* Who took whose CPU, as of the last reading: by victim, the most often first. */
	struct intp_taken *taken;
	long taken_count;
	struct intp_lane last[INTP_PROBE_SLOTS]; /* as of the last reading of each */
};

/*
 * Maps the rows and lets the probe that reads open intervals learn the difference of the clocks; see open.bpf.c.
 * Returns 0 or a negative errno.
 */
int intp_rows_open(struct intp_rows *rows, struct intpd_bpf *bpf);

/* A row's sum over all CPUs since loading: a slot's, or INTP_PROBE_NOBODY or INTP_PROBE_SHARED. */
struct intp_lane intp_rows_sum(const struct intp_rows *rows, int row);

/*
 * Reads the rows of `count` slots into `last`, and their open intervals into the probes' state. Rows first: an
 * interval that ends in between is in neither, and in the next reading. Three attempts at having none of length in
 * between; a figure that is still too low then catches up, and none is too high. Returns 0 or a negative errno.
 */
int intp_rows_read(struct intp_rows *rows, const int *slots, size_t count);

/* Reads a hash map as a whole into room for all that it may have; returns how many there are, or a negative errno. */
long intp_rows_read_map(const struct bpf_map *map, void *keys, void *values);

/* Reads who took whose CPU how often. Returns 0 or a negative errno. */
int intp_rows_read_takings(struct intp_rows *rows);

/* Forgets who took whose CPU, as far as `slot` is one of both. Returns 0 or a negative errno. */
int intp_rows_forget_takings(struct intp_rows *rows, int slot);

/* See takers of struct intp_source. */
int intp_rows_takers(const struct intp_rows *rows, int slot, struct intp_taker *takers, int room);

/* Before the probes are unloaded. */
void intp_rows_close(struct intp_rows *rows);

#endif
