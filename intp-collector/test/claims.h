/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tests' own few lines: a claim is a function whose name can be false; CHECK ends the program with the place and
 * the text of what did not hold; SKIP says why a claim cannot be tried on this machine.
 */
#ifndef INTP_TEST_CLAIMS_H
#define INTP_TEST_CLAIMS_H

#include <stdio.h>
#include <stdlib.h>

static int claims_skipped;

#define CHECK(condition)                                                                                             \
	do {                                                                                                         \
		if (!(condition)) {                                                                                  \
			fprintf(stderr, "%s:%d: %s: does not hold: %s\n", __FILE__, __LINE__, __func__, #condition); \
			exit(1);                                                                                     \
		}                                                                                                    \
	} while (0)

#define CHECK_NEAR(actual, expected, tolerance)                                                                      \
	do {                                                                                                         \
		double actual_ = (actual), expected_ = (expected);                                                   \
		if (!(actual_ >= expected_ - (tolerance) && actual_ <= expected_ + (tolerance))) {                   \
			fprintf(stderr, "%s:%d: %s: %s is %.9g, expected %.9g\n", __FILE__, __LINE__, __func__,      \
				#actual, actual_, expected_);                                                        \
			exit(1);                                                                                     \
		}                                                                                                    \
	} while (0)

#define SKIP(why)                                                                                                    \
	do {                                                                                                         \
		printf("  skipped %s: %s\n", __func__, (why));                                                       \
		claims_skipped++;                                                                                    \
		return;                                                                                              \
	} while (0)

#define CLAIM(claim)                                                                                                 \
	do {                                                                                                         \
		int skipped_ = claims_skipped;                                                                       \
		claim();                                                                                             \
		if (skipped_ == claims_skipped)                                                                      \
			printf("  holds   %s\n", #claim);                                                            \
	} while (0)

#endif
