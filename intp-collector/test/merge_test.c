/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "../signal/merge.h"
#include "claims.h"

#define MERGE(...)                                                                                                   \
	intp_merge((struct intp_count[]){__VA_ARGS__},                                                               \
		   sizeof((struct intp_count[]){__VA_ARGS__}) / sizeof(struct intp_count))

static void the_first_source_with_a_count_wins(void)
{
	struct intp_count merged = MERGE(intp_no_count("resctrl", "no RMID left"), intp_count_of("uncore", 7, 8),
					 intp_count_of("perf", 1, 2));

	CHECK(merged.status == INTP_OK && merged.used == 7 && strcmp(merged.source, "uncore") == 0);
}

static void a_share_of_a_better_source_wins_over_a_whole_of_a_worse_one(void)
{
	struct intp_count share = intp_count_of("ebpf", 3, 4), merged;

	share.status = INTP_APPORTIONED;
	merged = MERGE(share, intp_count_of("proc", 9, 9));
	CHECK(merged.status == INTP_APPORTIONED && merged.used == 3);
}

static void without_a_count_the_best_source_whose_business_it_is_says_why(void)
{
	struct intp_count merged = MERGE(intp_no_count("ebpf", NULL), intp_no_count("resctrl", "not mounted"),
					 intp_no_count("uncore", "no such PMU"));

	CHECK(merged.status == INTP_UNAVAILABLE);
	CHECK(strcmp(merged.source, "resctrl") == 0 && strcmp(merged.reason, "not mounted") == 0);
}

static void what_is_nobodys_business_comes_from_none(void)
{
	struct intp_count merged = MERGE(intp_no_count("ebpf", NULL), intp_no_count("perf", NULL));

	CHECK(strcmp(merged.source, "none") == 0 && strcmp(merged.reason, "no source counts it") == 0);
	merged = intp_merge(NULL, 0);
	CHECK(merged.status == INTP_UNAVAILABLE && strcmp(merged.source, "none") == 0);
}

static void a_figure_that_is_no_number_is_no_count(void)
{
	struct intp_count merged = MERGE(intp_count_of("perf", NAN, 1), intp_count_of("uncore", 1, INFINITY));

	CHECK(merged.status == INTP_UNAVAILABLE && merged.reason && strcmp(merged.source, "perf") == 0);
	merged = MERGE(intp_count_of("perf", NAN, 1), intp_count_of("uncore", 1, 2));
	CHECK(strcmp(merged.source, "uncore") == 0);
}

int main(void)
{
	CLAIM(the_first_source_with_a_count_wins);
	CLAIM(a_share_of_a_better_source_wins_over_a_whole_of_a_worse_one);
	CLAIM(without_a_count_the_best_source_whose_business_it_is_says_why);
	CLAIM(what_is_nobodys_business_comes_from_none);
	CLAIM(a_figure_that_is_no_number_is_no_count);
	return 0;
}
