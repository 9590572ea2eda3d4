/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "merge.h"

/* A figure that is not a number would make every later level meaningless, and JSON cannot carry it. */
bool intp_counted(const struct intp_count *offer)
{
	return offer->status != INTP_UNAVAILABLE && isfinite(offer->used) && isfinite(offer->capacity);
}

static struct intp_count absence(const struct intp_count *offer)
{
	return intp_no_count(offer->source, offer->reason ? offer->reason : "its count is not a finite number");
}

struct intp_count intp_merge(const struct intp_count *offers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (intp_counted(&offers[i]))
			return offers[i];
	for (size_t i = 0; i < count; i++)
		if (offers[i].reason || offers[i].status != INTP_UNAVAILABLE)
			return absence(&offers[i]);
	return intp_no_count("none", "no source counts it");
}
