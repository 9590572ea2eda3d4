/* SPDX-License-Identifier: Apache-2.0 */
#include "../source/calibrate.h"
#include "tree.h"

static char reason[200];
static uint64_t clock_ns, step_ns;

/* Each call is a step later, so that every pass takes one step; the steps grow by half. */
static uint64_t stepping(void)
{
	clock_ns += step_ns;
	step_ns += step_ns / 2;
	return clock_ns;
}

static uint64_t standing(void)
{
	return 42;
}

static void the_best_pass_counts(void)
{
	double peak;
	struct intp_calibration calibration = {.threads = 2, .passes = 3, .buffer_bytes = 1 << 20, .now = stepping};
	step_ns = 1000000;
	CHECK(intp_calibrate(&calibration, &peak) == 0);
	/* The first pass ends 1.5 ms after it began; each buffer has a margin of four lines. */
	CHECK_NEAR(peak, ((1 << 20) + 2 * 256) / 1.5e-3, 1);
}

static void a_clock_that_stands_gives_no_peak(void)
{
	double peak;
	struct intp_calibration calibration = {.threads = 1, .passes = 2, .buffer_bytes = 4096, .now = standing};
	CHECK(intp_calibrate(&calibration, &peak) == -ERANGE);
}

static void a_real_measurement_is_above_100_megabytes_a_second(void)
{
	double peak;
	struct intp_calibration calibration = {.passes = 2, .buffer_bytes = 32 << 20};
	CHECK(intp_calibrate(&calibration, &peak) == 0);
	CHECK(peak > 1e8);
}

static void what_was_stored_is_loaded(void)
{
	double peak = 0;
	tree_begin();
	const char *path = tree_path("lib/peak");
	CHECK(intp_peak_store(path, 25e9) == 0 && intp_peak_store(path, 26e9) == 0);
	CHECK(intp_peak_load(path, &peak, reason, sizeof(reason)) == 0);
	CHECK_NEAR(peak, 26e9, 0);
	CHECK(access(tree_path("lib/peak.new"), F_OK) < 0);
	tree_end();
}

static void a_broken_file_is_an_error_that_names_it(void)
{
	static const char *const broken[] = {"", "abc\n", "0\n", "-5\n", "1 2\n", "99999999999999999999999\n"};
	double peak;
	tree_begin();
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		tree_put("peak", "%s", broken[i]);
		CHECK(intp_peak_load(tree_path("peak"), &peak, reason, sizeof(reason)) == -EINVAL);
		CHECK(strstr(reason, "/peak") && strstr(reason, "intpd calibrate"));
	}
	tree_end();
}

static void a_peak_that_was_never_measured_names_the_remedy(void)
{
	double peak;
	CHECK(intp_peak_load("/nonexistent/peak", &peak, reason, sizeof(reason)) == -ENOENT);
	CHECK(strstr(reason, "intpd calibrate"));
}

static void a_link_that_lies_in_the_way_is_not_followed(void)
{
	double peak = 0;
	tree_begin();
	tree_put("precious", "7\n");
	CHECK(symlink(tree_path("precious"), tree_path("peak.new")) == 0);
	CHECK(intp_peak_store(tree_path("peak"), 25e9) == 0);
	CHECK(intp_peak_load(tree_path("precious"), &peak, reason, sizeof(reason)) == 0);
	CHECK_NEAR(peak, 7, 0);
	tree_end();
}

static mode_t mode_of(const char *name)
{
	struct stat status;
	CHECK(stat(tree_path(name), &status) == 0);
	return status.st_mode & 07777;
}

static void what_root_stores_the_daemons_user_can_read_whatever_roots_umask_is(void)
{
	tree_begin();
	mode_t mask = umask(077);
	CHECK(intp_peak_store(tree_path("lib/peak"), 25e9) == 0);
	umask(mask);
	CHECK(mode_of("lib/peak") == 0644 && mode_of("lib") == 0755);
	tree_end();
}

static void what_is_no_peak_is_not_stored(void)
{
	tree_begin();
	CHECK(intp_peak_store(tree_path("peak"), 0) == -EINVAL);
	CHECK(intp_peak_store(tree_path("peak"), 0.0 / 0.0) == -EINVAL);
	CHECK(access(tree_path("peak"), F_OK) < 0);
	tree_end();
}

int main(void)
{
	CLAIM(the_best_pass_counts);
	CLAIM(a_clock_that_stands_gives_no_peak);
	CLAIM(a_real_measurement_is_above_100_megabytes_a_second);
	CLAIM(what_was_stored_is_loaded);
	CLAIM(a_broken_file_is_an_error_that_names_it);
	CLAIM(a_peak_that_was_never_measured_names_the_remedy);
	CLAIM(a_link_that_lies_in_the_way_is_not_followed);
	CLAIM(what_root_stores_the_daemons_user_can_read_whatever_roots_umask_is);
	CLAIM(what_is_no_peak_is_not_stored);
	return 0;
}
