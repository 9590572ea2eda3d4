/* SPDX-License-Identifier: Apache-2.0 */
#include "../source/resctrl.h"
#include "tree.h"

#define SECOND UINT64_C(1000000000)
#define PEAK   10e9

static struct intp_sample samples[INTP_MAX_WATCHES];
static struct intp_source *source;
static char reason[INTP_MAX_REASON];
static int mkdir_errno;
static char group[128];

/* What the kernel does: a group comes with its files. */
static int fake_mkdir(const char *path, mode_t mode)
{
	if (mkdir_errno) {
		errno = mkdir_errno;
		return -1;
	}
	if (mkdir(path, mode) < 0)
		return -1;
	const char *name = path + strlen(tree_root) + 1;
	char file[256];
	static const char *const files[] = {"tasks", "mon_data/mon_L3_00/mbm_total_bytes",
					    "mon_data/mon_L3_01/mbm_total_bytes", "mon_data/mon_L3_00/llc_occupancy",
					    "mon_data/mon_L3_01/llc_occupancy"};
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(file, sizeof(file), "%s/%s", name, files[i]);
		tree_put(file, "%s", i == 0 ? "" : "1000\n");
	}
	return 0;
}

static bool elsewhere; /* somebody moved the threads to another control group */

static ssize_t fake_write(int fd, const void *bytes, size_t count)
{
	if (!elsewhere)
		return write(fd, bytes, count);
	errno = EINVAL;
	return -1;
}

static int access_errno; /* of the directory that monitoring groups are made in */

static int fake_access(const char *path, int mode)
{
	CHECK(strcmp(path, tree_path("resctrl/mon_groups")) == 0 && mode == W_OK);
	errno = access_errno;
	return access_errno ? -1 : 0;
}

static const struct intp_resctrl_ops ops = {
	.mkdir = fake_mkdir, .rmdir = tree_remove, .write = fake_write, .access = fake_access};

static uint64_t at_one_second(void)
{
	return SECOND;
}

static struct intp_source *opened(double peak)
{
	struct intp_resctrl_options options = {.root = tree_path("resctrl"),
					       .peak_bytes = peak,
					       .proc = tree_path("proc"),
					       .sys = tree_path("sys"),
					       .now = at_one_second,
					       .ops = &ops};
	return intp_resctrl_open(&options, reason, sizeof(reason));
}

static void machine(void)
{
	tree_begin();
	mkdir_errno = 0;
	tree_put("proc/filesystems", "nodev\tsysfs\nnodev\tresctrl\n\text4\n");
	tree_put("resctrl/info/L3_MON/mon_features", "llc_occupancy\nmbm_total_bytes\nmbm_local_bytes\n");
	tree_put("resctrl/mon_groups", NULL);
	tree_put("sys/devices/system/cpu/online", "0\n");
	tree_put("sys/devices/system/cpu/cpu0/cache/index0/level", "3\n");
	tree_put("sys/devices/system/cpu/cpu0/cache/index0/size", "1M\n");
	tree_put("sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list", "0\n");
	tree_process(10, 1, 10, 100);
	tree_thread(10, 10, 0, 0, 0);
	tree_thread(10, 11, 0, 0, 0);
	snprintf(group, sizeof(group), "resctrl/mon_groups/intpd.%d.5", getpid());
}

static void begin(void)
{
	machine();
	source = opened(PEAK);
	CHECK(source);
}

static int watch(void)
{
	struct intp_watch wanted = {.id = "c", .root = 10, .attribution = INTP_TREE};
	return source->watch(source, 5, &wanted);
}

static void shows(const char *file, const char *first, const char *second)
{
	char name[256];
	snprintf(name, sizeof(name), "%s/mon_data/mon_L3_00/%s", group, file);
	tree_put(name, "%s\n", first);
	snprintf(name, sizeof(name), "%s/mon_data/mon_L3_01/%s", group, file);
	tree_put(name, "%s\n", second);
}

static const struct intp_count *at(int seconds, enum intp_signal signal)
{
	CHECK(source->snapshot(source, (uint64_t)seconds * SECOND, samples) == 0);
	return &samples[5].counts[signal];
}

static const char *tasks(void)
{
	static char text[256];
	char name[256];
	snprintf(name, sizeof(name), "%s/tasks", group);
	FILE *file = fopen(tree_path(name), "r");
	CHECK(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}

static void end(void)
{
	source->close(source);
	CHECK(access(tree_path(group), F_OK) < 0);
	tree_end();
}

static void bytes_are_summed_over_the_domains_since_the_watch(void)
{
	begin();
	CHECK(watch() == 0);
	shows("mbm_total_bytes", "1500", "3000");
	const struct intp_count *count = at(3, INTP_MBW);
	CHECK(count->status == INTP_OK && strcmp(count->source, "resctrl") == 0);
	CHECK_NEAR(count->used, 2500, 0);
	CHECK_NEAR(count->capacity, 2 * PEAK, 0);
	end();
}

static void occupancy_is_the_area_between_the_snapshots(void)
{
	begin();
	CHECK(watch() == 0);
	shows("llc_occupancy", "3000", "3000");
	const struct intp_count *count = at(3, INTP_LLOCC);
	CHECK_NEAR(count->used, (2000 + 6000) / 2 * 2e9, 1);
	CHECK_NEAR(count->capacity, 1048576 * 2e9, 1);
	end();
}

static void a_counter_that_goes_back_loses_its_window_only(void)
{
	begin();
	CHECK(watch() == 0);
	shows("mbm_total_bytes", "1500", "10");
	CHECK(at(2, INTP_MBW)->status == INTP_UNAVAILABLE);
	shows("mbm_total_bytes", "1600", "20");
	const struct intp_count *count = at(3, INTP_MBW);
	CHECK(count->status == INTP_OK);
	CHECK_NEAR(count->used, 110, 0);
	CHECK_NEAR(count->capacity, PEAK, 0);
	end();
}

static void a_value_that_is_missing_says_why_and_leaves_the_window_open(void)
{
	static const char *const words[] = {"Unavailable", "Error", "Unassigned"};
	begin();
	CHECK(watch() == 0);
	for (int i = 0; i < 3; i++) {
		shows("mbm_total_bytes", "2000", words[i]);
		CHECK(at(2 + i, INTP_MBW)->status == INTP_UNAVAILABLE);
		CHECK(strstr(samples[5].counts[INTP_MBW].reason, words[i]));
		CHECK(samples[5].counts[INTP_LLOCC].status == INTP_OK);
	}
	shows("mbm_total_bytes", "2000", "3000");
	CHECK_NEAR(at(5, INTP_MBW)->used, 3000, 0);
	CHECK_NEAR(samples[5].counts[INTP_MBW].capacity, 4 * PEAK, 0);
	end();
}

static void threads_that_join_are_added_one_by_one(void)
{
	begin();
	CHECK(watch() == 0);
	CHECK(strcmp(tasks(), "10\n11\n") == 0);
	tree_thread(10, 12, 0, 0, 0);
	at(2, INTP_MBW);
	CHECK(strcmp(tasks(), "10\n11\n12\n") == 0);
	end();
}

static void threads_that_were_moved_to_another_control_group_are_not_taken_for_idle(void)
{
	begin();
	CHECK(watch() == 0);
	shows("mbm_total_bytes", "1500", "1500");
	CHECK_NEAR(at(2, INTP_MBW)->used, 1000, 0);
	/* The kernel takes moved threads out of the group, and refuses to add them again. */
	elsewhere = true;
	char name[256];
	snprintf(name, sizeof(name), "%s/tasks", group);
	tree_put(name, "%s", "");
	CHECK(at(3, INTP_MBW)->status == INTP_UNAVAILABLE);
	CHECK(strstr(samples[5].counts[INTP_MBW].reason, "another control group"));
	CHECK(samples[5].counts[INTP_LLOCC].status == INTP_UNAVAILABLE);
	shows("mbm_total_bytes", "1600", "1600");
	elsewhere = false;
	CHECK_NEAR(at(4, INTP_MBW)->used, 1000, 0);
	shows("mbm_total_bytes", "1700", "1600");
	CHECK_NEAR(at(5, INTP_MBW)->used, 1100, 0);
	CHECK_NEAR(samples[5].counts[INTP_MBW].capacity, 2 * PEAK, 0);
	end();
}

static void without_a_monitoring_id_the_container_is_unavailable_until_one_is_free(void)
{
	begin();
	mkdir_errno = ENOSPC;
	CHECK(watch() == 0);
	CHECK(at(2, INTP_MBW)->status == INTP_UNAVAILABLE && strstr(samples[5].counts[INTP_MBW].reason, "RMID"));
	CHECK(samples[5].counts[INTP_LLOCC].status == INTP_UNAVAILABLE);
	mkdir_errno = 0;
	CHECK(at(3, INTP_MBW)->status == INTP_OK);
	shows("mbm_total_bytes", "1001", "1001");
	CHECK_NEAR(at(4, INTP_MBW)->used, 2, 0);
	CHECK_NEAR(samples[5].counts[INTP_MBW].capacity, PEAK, 0);
	end();
}

static void another_failure_refuses_the_watch_and_leaves_the_slot_free(void)
{
	begin();
	mkdir_errno = EROFS;
	CHECK(watch() == -EROFS);
	mkdir_errno = 0;
	CHECK(watch() == 0);
	end();
}

static void unwatching_removes_the_group(void)
{
	begin();
	CHECK(watch() == 0 && access(tree_path(group), F_OK) == 0);
	source->unwatch(source, 5);
	CHECK(access(tree_path(group), F_OK) < 0);
	end();
}

static void groups_of_dead_collectors_go_and_those_of_others_stay(void)
{
	machine();
	tree_put("proc/500/comm", "intpd\n");
	tree_put("proc/501/comm", "bash\n");
	tree_put("resctrl/mon_groups/intpd.500.0", NULL);
	tree_put("resctrl/mon_groups/intpd.501.0", NULL);
	tree_put("resctrl/mon_groups/intpd.502.1", NULL);
	tree_put("resctrl/mon_groups/intpd.502.x", NULL);
	tree_put("resctrl/mon_groups/mine", NULL);
	source = opened(PEAK);
	CHECK(source);
	CHECK(access(tree_path("resctrl/mon_groups/intpd.500.0"), F_OK) == 0);
	CHECK(access(tree_path("resctrl/mon_groups/intpd.501.0"), F_OK) < 0);
	CHECK(access(tree_path("resctrl/mon_groups/intpd.502.1"), F_OK) < 0);
	CHECK(access(tree_path("resctrl/mon_groups/intpd.502.x"), F_OK) == 0);
	CHECK(access(tree_path("resctrl/mon_groups/mine"), F_OK) == 0);
	end();
}

static void without_a_peak_bandwidth_is_unavailable_and_occupancy_is_not(void)
{
	machine();
	source = opened(0);
	CHECK(source && source->signals == 1u << INTP_LLOCC);
	CHECK(strstr(source->reason(source, INTP_MBW), "intpd calibrate"));
	CHECK(!source->reason(source, INTP_LLOCC) && !source->reason(source, INTP_CPU));
	end();
}

static void what_the_calibration_could_not_be_read_for_is_the_reason(void)
{
	machine();
	struct intp_resctrl_options options = {.root = tree_path("resctrl"),
					       .no_peak = "/var/lib/intpd/peak: Permission denied",
					       .proc = tree_path("proc"),
					       .sys = tree_path("sys"),
					       .ops = &ops};
	source = intp_resctrl_open(&options, reason, sizeof(reason));
	CHECK(source && strcmp(source->reason(source, INTP_MBW), options.no_peak) == 0);
	end();
}

static void where_no_group_can_be_made_nothing_is_promised(void)
{
	static const int errors[] = {EROFS, EACCES};
	machine();
	for (int i = 0; i < 2; i++) {
		access_errno = errors[i];
		CHECK(!opened(PEAK) && strstr(reason, "root"));
	}
	access_errno = 0;
	source = opened(PEAK);
	CHECK(source && source->signals == (1u << INTP_MBW | 1u << INTP_LLOCC));
	end();
}

static void why_it_does_not_open_is_told_apart(void)
{
	machine();
	tree_put("resctrl/info/L3_MON/mon_features", "mbm_local_bytes\n");
	CHECK(!opened(PEAK) && strstr(reason, "no event mbm_total_bytes"));
	CHECK(tree_remove(tree_path("resctrl/info/L3_MON")) == 0);
	CHECK(!opened(PEAK) && strstr(reason, "monitors nothing"));
	struct intp_resctrl_options mounted = {
		.root = tree_path("resctrl"), .check_filesystem = true, .proc = tree_path("proc")};
	CHECK(!intp_resctrl_open(&mounted, reason, sizeof(reason)) && strstr(reason, "mount -t resctrl resctrl"));
	tree_put("proc/filesystems", "nodev\tnoresctrl\n");
	CHECK(!opened(PEAK) && strstr(reason, "kernel has no resctrl"));
	tree_end();
}

int main(void)
{
	CLAIM(bytes_are_summed_over_the_domains_since_the_watch);
	CLAIM(occupancy_is_the_area_between_the_snapshots);
	CLAIM(a_counter_that_goes_back_loses_its_window_only);
	CLAIM(a_value_that_is_missing_says_why_and_leaves_the_window_open);
	CLAIM(threads_that_join_are_added_one_by_one);
	CLAIM(threads_that_were_moved_to_another_control_group_are_not_taken_for_idle);
	CLAIM(without_a_monitoring_id_the_container_is_unavailable_until_one_is_free);
	CLAIM(another_failure_refuses_the_watch_and_leaves_the_slot_free);
	CLAIM(unwatching_removes_the_group);
	CLAIM(groups_of_dead_collectors_go_and_those_of_others_stay);
	CLAIM(without_a_peak_bandwidth_is_unavailable_and_occupancy_is_not);
	CLAIM(what_the_calibration_could_not_be_read_for_is_the_reason);
	CLAIM(where_no_group_can_be_made_nothing_is_promised);
	CLAIM(why_it_does_not_open_is_told_apart);
	return 0;
}
