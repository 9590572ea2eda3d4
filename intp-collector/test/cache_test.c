/* SPDX-License-Identifier: Apache-2.0 */
#include "../source/cache.h"
#include "../source/text.h"
#include "tree.h"

static void index_of(int cpu, int index, int level, const char *size, const char *shared)
{
	char name[128];
	snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%d/cache/index%d/level", cpu, index);
	tree_put(name, "%d\n", level);
	snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%d/cache/index%d/size", cpu, index);
	tree_put(name, "%s\n", size);
	snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, index);
	tree_put(name, "%s\n", shared);
}

static void each_domain_counts_once(void)
{
	struct intp_l3 l3;
	tree_begin();
	tree_put("sys/devices/system/cpu/online", "0-3\n");
	for (int cpu = 0; cpu < 4; cpu++) {
		index_of(cpu, 0, 2, "512K", "0");
		index_of(cpu, 1, 3, "32768K", cpu < 2 ? "0-1" : "2-3");
	}
	CHECK(intp_l3_read(tree_path("sys"), &l3) == 0);
	CHECK(l3.domains == 2);
	CHECK_NEAR(l3.bytes, 64.0 * 1024 * 1024, 0);
	tree_end();
}

static void a_machine_without_l3_says_so(void)
{
	struct intp_l3 l3;
	tree_begin();
	tree_put("sys/devices/system/cpu/online", "0\n");
	index_of(0, 0, 2, "512K", "0");
	CHECK(intp_l3_read(tree_path("sys"), &l3) == -ENOENT);
	tree_end();
	CHECK(intp_l3_read("/nonexistent", &l3) == -ENOENT);
}

static void sizes_have_units(void)
{
	double bytes;
	CHECK(intp_parse_cache_size("32768K\n", &bytes) && bytes == 33554432);
	CHECK(intp_parse_cache_size("1M", &bytes) && bytes == 1048576);
	CHECK(intp_parse_cache_size("5", &bytes) && bytes == 5);
	CHECK(!intp_parse_cache_size("", &bytes) && !intp_parse_cache_size("0K", &bytes));
	CHECK(!intp_parse_cache_size("12Q", &bytes) && !intp_parse_cache_size("-1K", &bytes));
}

static void cpu_lists_are_counted_and_broken_ones_refused(void)
{
	CHECK(intp_parse_cpus("0-3,8\n", NULL, NULL) == 5);
	CHECK(intp_parse_cpus("7", NULL, NULL) == 1);
	CHECK(intp_parse_cpus("", NULL, NULL) == -1);
	CHECK(intp_parse_cpus("3-1", NULL, NULL) == -1);
	CHECK(intp_parse_cpus("0,", NULL, NULL) == -1);
	CHECK(intp_parse_cpus("0-99999999", NULL, NULL) == -1);
	CHECK(intp_parse_cpus("18446744073709551615", NULL, NULL) == -1);
}

int main(void)
{
	CLAIM(each_domain_counts_once);
	CLAIM(a_machine_without_l3_says_so);
	CLAIM(sizes_have_units);
	CLAIM(cpu_lists_are_counted_and_broken_ones_refused);
	return 0;
}
