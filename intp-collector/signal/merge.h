/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One count out of what several sources say about one signal of one container. Pure, thread-safe.
 */
#ifndef INTP_MERGE_H
#define INTP_MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include "signal.h"

/* Whether there is a count that a level can be made of. */
bool intp_counted(const struct intp_count *offer);

/*
 * What one source says. It is unavailable with a reason where counting the signal is the source's business but it
 * could not; it is unavailable without a reason where it is not its business.
 *
 * Of `offers`, best source first, the first that has a count wins; without one, the first that has a reason; without
 * one of those, the answer comes from "none". One source's figure never stands in for another's.
 */
struct intp_count intp_merge(const struct intp_count *offers, size_t count);

#endif
