/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What two counts of one signal say about the time between them. Pure functions of their arguments, thread-safe.
 */
#ifndef INTP_LEVEL_H
#define INTP_LEVEL_H

#include "signal.h"

/* The level of a signal over a window. Where there is none, `status` is unavailable and `reason` says why. */
struct intp_level {
	enum intp_status status;
	double raw;	    /* growth of `used` over growth of `capacity` */
	double value;	    /* `raw`, but for blk no more than 1: a device cannot be busier than always */
	double operations;  /* completed in the window; 0 where the source counts none */
	const char *source; /* as in the counts; never NULL */
	const char *reason; /* NULL unless unavailable */
};

/*
 * The level between an earlier and a later count of the same signal of the same container. A share in either makes
 * the level a share. There is no level when either is unavailable, when they come from different sources, when either
 * went backwards, or when the capacity did not grow (a ratio of nothing is not zero).
 */
struct intp_level intp_level_between(enum intp_signal signal, const struct intp_count *before,
				     const struct intp_count *after);

#endif
