/* SPDX-License-Identifier: Apache-2.0 */
/* What the source of /proc counts is a number and never falls, whatever the files say. Run by libFuzzer. */
#include <math.h>

#include "../source/proc.h"
#include "fuzz.h"

static uint64_t now;

static uint64_t clock_of_the_test(void)
{
	return now;
}

static void must_be_counts(const struct intp_sample *sample, const struct intp_sample *before)
{
	for (int i = 0; i < INTP_SIGNALS; i++) {
		const struct intp_count *count = &sample->counts[i], *earlier = &before->counts[i];

		if (count->status == INTP_UNAVAILABLE)
			continue;
		must_hold(isfinite(count->used) && isfinite(count->capacity) && count->used >= 0 &&
			  count->capacity >= 0);
		if (earlier->status != INTP_UNAVAILABLE && earlier->source)
			must_hold(count->used >= earlier->used && count->capacity >= earlier->capacity);
	}
}

static void put_files(const struct fuzz_part *parts)
{
	static const char *const files[4] = {"proc/7/task/7/schedstat", "proc/7/task/7/stat", "proc/7/io",
					     "proc/diskstats"};

	for (int i = 0; i < 4; i++)
		fuzz_put(files[i], parts[i].text, parts[i].length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char stat[] = "7 (x) S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9 0";
	static const char disk[] = "8 0 sda 1 1 1 1 1 1 1 1 1 1 1\n";
	const struct intp_watch watch = {.root = 7, .attribution = INTP_TREE};
	static struct intp_sample before[INTP_MAX_WATCHES], after[INTP_MAX_WATCHES];
	struct intp_proc_options options = {.now = clock_of_the_test};
	struct fuzz_part parts[FUZZ_PARTS];
	struct intp_source *source;
	static bool prepared;
	char reason[256];

	fuzz_cut(data, size, parts);
	if (!prepared)
		atexit(fuzz_remove);
	prepared = true;
	options.proc = fuzz_path("proc");
	options.sys = fuzz_path("sys");
	now = 1000000000;
	fuzz_put_text("proc/self/schedstat", "1 1 1\n");
	fuzz_put_text("proc/sys/kernel/task_delayacct", "1\n");
	fuzz_put_text("proc/7/stat", stat);
	fuzz_put_text("proc/diskstats", disk);
	fuzz_put_text("sys/devices/system/cpu/online", "0-3\n");
	fuzz_put_text("sys/block/sda/device/x", "");
	source = intp_proc_open(&options, reason, sizeof(reason));
	must_hold(source != NULL);
	before[0] = after[0] = (struct intp_sample){0};
	put_files(parts);
	if (source->watch(source, 0, &watch) == 0) {
		now += 1000000000;
		must_hold(source->snapshot(source, now, before) == 0);
		must_be_counts(&before[0], &after[0]);
		put_files(parts + 4);
		now += 1000000000;
		must_hold(source->snapshot(source, now, after) == 0);
		must_be_counts(&after[0], &before[0]);
	}
	source->close(source);
	return 0;
}
