/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of all counts. Thread-safe. */
#ifndef INTP_CLOCK_H
#define INTP_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC in nanoseconds. */
static inline uint64_t intp_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
