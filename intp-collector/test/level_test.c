/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "../signal/level.h"
#include "claims.h"

static struct intp_level level(enum intp_signal signal, struct intp_count before, struct intp_count after)
{
	return intp_level_between(signal, &before, &after);
}

static void level_is_growth_of_used_over_growth_of_capacity(void)
{
	struct intp_level cpu = level(INTP_CPU, intp_count_of("ebpf", 1e9, 4e9), intp_count_of("ebpf", 2e9, 8e9));

	CHECK(cpu.status == INTP_OK);
	CHECK_NEAR(cpu.value, 0.25, 1e-12);
	CHECK_NEAR(cpu.raw, 0.25, 1e-12);
	CHECK(strcmp(cpu.source, "ebpf") == 0);
	CHECK(!cpu.reason);
}

static void nothing_used_is_zero_not_absent(void)
{
	struct intp_level cpu = level(INTP_CPU, intp_count_of("ebpf", 5, 10), intp_count_of("ebpf", 5, 20));

	CHECK(cpu.status == INTP_OK && cpu.value == 0);
}

static void blk_above_one_is_clipped_beside_its_raw_value(void)
{
	struct intp_count before = intp_count_of("ebpf", 0, 0), after = intp_count_of("ebpf", 9.7e9, 1e9);
	struct intp_level blk;

	before.operations = 100;
	after.operations = 45100;
	blk = level(INTP_BLK, before, after);
	CHECK(blk.value == 1);
	CHECK_NEAR(blk.raw, 9.7, 1e-9);
	CHECK(blk.operations == 45000);
}

static void no_other_signal_is_clipped(void)
{
	for (int signal = 0; signal < INTP_SIGNALS; signal++) {
		struct intp_level two = level(signal, intp_count_of("ebpf", 0, 0), intp_count_of("ebpf", 2, 1));

		CHECK(two.value == (signal == INTP_BLK ? 1 : 2));
	}
}

static void a_share_in_either_count_makes_the_level_a_share(void)
{
	struct intp_count whole = intp_count_of("proc", 0, 0), later = intp_count_of("proc", 1, 2);
	struct intp_count share = whole, later_share = later;

	share.status = later_share.status = INTP_APPORTIONED;
	CHECK(level(INTP_NETS, share, later).status == INTP_APPORTIONED);
	CHECK(level(INTP_NETS, whole, later_share).status == INTP_APPORTIONED);
	CHECK(level(INTP_NETS, whole, later).status == INTP_OK);
}

static void check_absent(struct intp_level absent, const char *reason)
{
	CHECK(absent.status == INTP_UNAVAILABLE);
	CHECK(strcmp(absent.reason, reason) == 0);
	CHECK(absent.source);
}

static void an_unavailable_count_gives_its_reason(void)
{
	struct intp_count none = intp_no_count("perf", "no PMU"), some = intp_count_of("perf", 1, 2);

	check_absent(level(INTP_LLCMR, some, none), "no PMU");
	check_absent(level(INTP_LLCMR, none, some), "no earlier count to compare with");
	check_absent(level(INTP_LLCMR, (struct intp_count){0}, (struct intp_count){0}), "no source counts it");
}

static void counts_of_two_sources_are_not_compared(void)
{
	check_absent(level(INTP_CPU, intp_count_of("proc", 1, 2), intp_count_of("ebpf", 3, 4)),
		     "another source counted it before");
}

static void a_count_that_went_backwards_gives_no_level(void)
{
	check_absent(level(INTP_CPU, intp_count_of("ebpf", 3, 2), intp_count_of("ebpf", 1, 4)),
		     "the count went backwards");
	check_absent(level(INTP_CPU, intp_count_of("ebpf", 1, 4), intp_count_of("ebpf", 3, 2)),
		     "the count went backwards");
	check_absent(level(INTP_CPU, intp_count_of("ebpf", 1, 4), intp_count_of("ebpf", NAN, 5)),
		     "the count went backwards");
}

static void no_capacity_gives_no_level_rather_than_zero(void)
{
	check_absent(level(INTP_CPUWAIT, intp_count_of("ebpf", 5, 9), intp_count_of("ebpf", 5, 9)),
		     "nothing to measure it against in this window");
}

static void every_signal_has_a_name_of_its_own(void)
{
	for (int i = 0; i < INTP_SIGNALS; i++)
		for (int j = 0; j < i; j++)
			CHECK(strcmp(intp_signal_name(i), intp_signal_name(j)) != 0);
}

int main(void)
{
	CLAIM(level_is_growth_of_used_over_growth_of_capacity);
	CLAIM(nothing_used_is_zero_not_absent);
	CLAIM(blk_above_one_is_clipped_beside_its_raw_value);
	CLAIM(no_other_signal_is_clipped);
	CLAIM(a_share_in_either_count_makes_the_level_a_share);
	CLAIM(an_unavailable_count_gives_its_reason);
	CLAIM(counts_of_two_sources_are_not_compared);
	CLAIM(a_count_that_went_backwards_gives_no_level);
	CLAIM(no_capacity_gives_no_level_rather_than_zero);
	CLAIM(every_signal_has_a_name_of_its_own);
	return 0;
}
