/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "level.h"

static struct intp_level no_level(const struct intp_count *count, const char *reason)
{
	return (struct intp_level){
		.status = INTP_UNAVAILABLE,
		.source = count->source ? count->source : "none",
		.reason = reason ? reason : "no source counts it",
	};
}

static bool same_source(const struct intp_count *before, const struct intp_count *after)
{
	return before->source && after->source && strcmp(before->source, after->source) == 0;
}

/* Negated comparisons, so that a figure that is not a number counts as having gone backwards. */
static bool went_backwards(const struct intp_count *before, const struct intp_count *after)
{
	return !(after->used >= before->used) || !(after->capacity >= before->capacity);
}

static enum intp_status status_of(const struct intp_count *before, const struct intp_count *after)
{
	bool share = before->status == INTP_APPORTIONED || after->status == INTP_APPORTIONED;

	return share ? INTP_APPORTIONED : INTP_OK;
}

static double normalised(enum intp_signal signal, double raw)
{
	return signal == INTP_BLK && raw > 1 ? 1 : raw;
}

struct intp_level intp_level_between(enum intp_signal signal, const struct intp_count *before,
				     const struct intp_count *after)
{
	double capacity, raw, operations;

	if (after->status == INTP_UNAVAILABLE)
		return no_level(after, after->reason);
	if (before->status == INTP_UNAVAILABLE)
		return no_level(after, "no earlier count to compare with");
	if (!same_source(before, after))
		return no_level(after, "another source counted it before");
	if (went_backwards(before, after))
		return no_level(after, "the count went backwards");
	capacity = after->capacity - before->capacity;
	if (!(capacity > 0))
		return no_level(after, "nothing to measure it against in this window");
	raw = (after->used - before->used) / capacity;
	operations = after->operations - before->operations;
	return (struct intp_level){
		.status = status_of(before, after),
		.raw = raw,
		.value = normalised(signal, raw),
		.operations = operations > 0 ? operations : 0,
		.source = after->source,
	};
}
