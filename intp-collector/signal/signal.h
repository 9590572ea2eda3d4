/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vocabulary of the collector: the ten signals, and what a source has counted of one of them.
 *
 * A count is two cumulative figures. The level of a signal over a window is the growth of `used` over the growth of
 * `capacity`; see level.h. Absence is a status with a reason, never a zero.
 */
#ifndef INTP_SIGNAL_H
#define INTP_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

/* The order is that of the original tool's output, then our own; it is not part of any format, the names are. */
enum intp_signal {
	INTP_NETP,    /* used: bits moved; capacity: nominal bit/s x seconds */
	INTP_NETS,    /* used: ns of network stack service; capacity: ns elapsed */
	INTP_BLK,     /* used: ns of request service, summed; capacity: ns elapsed; operations: requests completed */
	INTP_MBW,     /* used: bytes moved; capacity: calibrated peak byte/s x seconds */
	INTP_LLCMR,   /* used: misses; capacity: references */
	INTP_LLOCC,   /* used: byte-nanoseconds held; capacity: cache bytes x ns elapsed */
	INTP_CPU,     /* used: ns on a CPU; capacity: ns elapsed x online CPUs */
	INTP_CPUWAIT, /* used: ns runnable but waiting; capacity: ns waiting + ns on a CPU */
	INTP_BLKWAIT, /* used: ns threads slept uninterruptibly; capacity: ns elapsed */
	INTP_FUTEX,   /* used: calls; capacity: seconds elapsed */
	INTP_SIGNALS
};

enum intp_status {
	INTP_UNAVAILABLE,
	INTP_OK,
	INTP_APPORTIONED, /* `used` holds a share of a figure that the kernel keeps for more than this container */
};

/* What was counted of one signal of one container since the source first saw it. Zeroed, it is unavailable. */
struct intp_count {
	enum intp_status status;
	double used;
	double capacity;
	double operations;  /* completed operations behind `used`; 0 where nothing is counted */
	const char *source; /* who counted: "ebpf", "proc", ...; static */
	const char *reason; /* why there is no count; static or owned by the source; NULL unless unavailable */
};

/* All signals of one container. */
struct intp_sample {
	struct intp_count counts[INTP_SIGNALS];
};

/* The name on the wire, "netp"; never NULL for a valid signal. */
const char *intp_signal_name(enum intp_signal signal);

static inline struct intp_count intp_count_of(const char *source, double used, double capacity)
{
	return (struct intp_count){.status = INTP_OK, .used = used, .capacity = capacity, .source = source};
}

static inline struct intp_count intp_no_count(const char *source, const char *reason)
{
	return (struct intp_count){.status = INTP_UNAVAILABLE, .source = source, .reason = reason};
}

#endif
