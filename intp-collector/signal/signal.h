/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vocabulary of the collector: the signals, and what a source has counted of one of them.
 *
 * A count is two cumulative figures. The level of a signal over a window is the growth of `used` over the growth of
 * `capacity`; see level.h. Absence is a status with a reason, never a zero.
 */
#ifndef INTP_SIGNAL_H
#define INTP_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "signals.h"

/*
 * INTP_NETP and so on, in the order of their definition, Signal.java of interference-core, which also says what
 * `used` and `capacity` of each are; signals.h is made from it. The order is not part of any format, the names are.
 */
#define INTP_CONSTANT(constant, name, rate, predictor) INTP_##constant,
enum intp_signal { INTP_EACH_SIGNAL(INTP_CONSTANT) INTP_SIGNALS };
#undef INTP_CONSTANT

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

/* Whether levels are events or bytes a second, so that there is no capacity to be a share of. */
bool intp_signal_is_rate(enum intp_signal signal);

/* Whether slowdowns are predicted from it. */
bool intp_signal_is_predictor(enum intp_signal signal);

static inline struct intp_count intp_count_of(const char *source, double used, double capacity)
{
	return (struct intp_count){.status = INTP_OK, .used = used, .capacity = capacity, .source = source};
}

static inline struct intp_count intp_no_count(const char *source, const char *reason)
{
	return (struct intp_count){.status = INTP_UNAVAILABLE, .source = source, .reason = reason};
}

#endif
