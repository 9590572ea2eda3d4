/* SPDX-License-Identifier: Apache-2.0 */
/* Who is whose, whoever wrote the files of a process and the machine's mounts. Run by libFuzzer. */
#include "../publish/alive.h"
#include "../publish/attribution.h"
#include "../publish/permission.h"
#include "../source/calibrate.h"
#include "../source/members.h"
#include "../source/resctrl_value.h"
#include "fuzz.h"

#define PID 7
#define ID  "container_1_0001_01_000002"

static void attribute(void)
{
	struct intp_watch watch = {.root = PID, .id = ID};
	const struct intp_asker asker = {.user = 990, .process = 50};
	struct intp_hierarchies hierarchies;
	struct intp_birth birth;
	struct intp_sessions sessions = {0};

	intp_hierarchies_read(fuzz_path("proc"), &hierarchies);
	intp_attribute(fuzz_path("proc"), &hierarchies, &watch);
	must_hold((watch.attribution == INTP_TREE) == (watch.directory[0] == '\0'));
	must_hold((watch.attribution == INTP_TREE) == (watch.cgroup == 0));
	must_hold(watch.attribution == INTP_TREE || strstr(watch.directory, ID));
	intp_may_watch(fuzz_path("proc"), &asker, &watch);
	watch.attribution = INTP_TREE;
	if (intp_birth_read(fuzz_path("proc"), PID, &birth))
		must_hold(intp_container_alive(fuzz_path("proc"), &watch, &birth, &sessions));
	intp_sessions_free(&sessions);
}

static void find_members(int proc)
{
	const struct intp_watch watch = {.root = PID, .id = ID, .attribution = INTP_TREE};
	struct intp_processes processes = {0};
	struct intp_members members;

	intp_members_init(&members, &watch);
	must_hold(intp_processes_read(&processes, proc) == 0);
	must_hold(intp_members_refresh(&members, proc, &processes) == 0);
	must_hold(members.count <= processes.count && processes.count <= 2);
	intp_members_free(&members);
	intp_processes_free(&processes);
}

static void read_hardware(void)
{
	struct intp_resctrl_reading reading, later;
	char reason[256] = "";
	double bytes;

	intp_resctrl_read(fuzz_path("mon_data"), "mbm_total_bytes", &reading);
	if (!reading.failed) {
		intp_resctrl_read(fuzz_path("mon_data"), "mbm_total_bytes", &later);
		must_hold(intp_resctrl_growth(&reading, &later, &bytes) == NULL && bytes == 0);
	}
	must_hold(intp_peak_load(fuzz_path("peak"), &bytes, reason, sizeof(reason)) == 0 ? bytes > 0
											 : reason[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const files[FUZZ_PARTS] = {"proc/7/stat",
						      "proc/7/cgroup",
						      "proc/7/status",
						      "proc/7/cmdline",
						      "proc/self/mountinfo",
						      "proc/self/cgroup",
						      "mon_data/mon_L3_00/mbm_total_bytes",
						      "peak"};
	static int proc = -1;
	struct fuzz_part parts[FUZZ_PARTS];

	if (proc < 0) {
		fuzz_put_text("proc/8/stat", "8 (y) S 7 1 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9 0");
		proc = open(fuzz_path("proc"), O_RDONLY | O_DIRECTORY);
		atexit(fuzz_remove);
	}
	fuzz_cut(data, size, parts);
	for (int i = 0; i < FUZZ_PARTS; i++)
		fuzz_put(files[i], parts[i].text, parts[i].length);
	attribute();
	find_members(proc);
	read_hardware();
	return 0;
}
