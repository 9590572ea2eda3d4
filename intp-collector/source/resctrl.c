/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "cache.h"
#include "members.h"
#include "resctrl.h"
#include "clock.h"
#include "resctrl_value.h"
#include "text.h"

#define NAME	    "resctrl"
#define DAEMON	    "intpd"
#define MAGIC	    0x7655821
#define BIT(signal) (UINT32_C(1) << (signal))
#define NO_PEAK	    "no calibrated peak memory bandwidth: run `intpd calibrate`"
#define ASTRAY	    "its threads are in another control group of resctrl, where they cannot be monitored from here"
#define OUT_OF_IDS  "no monitoring id (RMID) is left: too many resctrl groups on this machine"

struct slot {
	struct intp_members members;
	const char *failed; /* why there is no group */
	bool astray;	    /* somebody gave its threads to a control group, whose monitoring groups are others */
	struct intp_resctrl_reading moved, held;
	uint64_t moved_ns, held_ns; /* when they were read; 0: never, since the group was made */
	double bytes, bytes_capacity, occupancy, occupancy_capacity;
};

struct resctrl {
	struct intp_source source; /* first, so that the one is the other */
	struct intp_resctrl_ops ops;
	char root[INTP_MAX_PATH];
	int proc;
	uint64_t (*now)(void);
	double peak_bytes;
	struct intp_l3 l3;
	struct intp_processes processes;
	struct intp_ids tids, tasks; /* scratch */
	struct intp_text text;	     /* scratch */
	const char *reasons[INTP_SIGNALS];
	struct slot *slots[INTP_MAX_WATCHES];
};

static void group_path(const struct resctrl *resctrl, int index, const char *file, char *path, size_t size)
{
	snprintf(path, size, "%s/mon_groups/" DAEMON ".%d.%d%s", resctrl->root, getpid(), index, file);
}

/* Without a value, the window stays open; with one that went backwards, it is left out. */
static const char *count_moved(struct resctrl *resctrl, struct slot *slot, int index, uint64_t now_ns)
{
	char path[1024];
	struct intp_resctrl_reading now;
	double bytes;
	const char *why = NULL;
	group_path(resctrl, index, "/mon_data", path, sizeof(path));
	intp_resctrl_read(path, "mbm_total_bytes", &now);
	if (now.failed)
		return now.failed;
	if (slot->moved_ns && now_ns > slot->moved_ns && !(why = intp_resctrl_growth(&slot->moved, &now, &bytes))) {
		slot->bytes += bytes;
		slot->bytes_capacity += resctrl->peak_bytes * (double)(now_ns - slot->moved_ns) / 1e9;
	}
	slot->moved = now;
	slot->moved_ns = now_ns;
	return why;
}

static const char *count_held(struct resctrl *resctrl, struct slot *slot, int index, uint64_t now_ns)
{
	char path[1024];
	struct intp_resctrl_reading now;
	group_path(resctrl, index, "/mon_data", path, sizeof(path));
	intp_resctrl_read(path, "llc_occupancy", &now);
	if (now.failed)
		return now.failed;
	if (slot->held_ns && now_ns > slot->held_ns) {
		double ns = (double)(now_ns - slot->held_ns);
		slot->occupancy += (intp_resctrl_sum(&slot->held) + intp_resctrl_sum(&now)) / 2 * ns;
		slot->occupancy_capacity += resctrl->l3.bytes * ns;
	}
	slot->held = now;
	slot->held_ns = now_ns;
	return NULL;
}

/* Adds the members' threads that the group does not have. One that ended meanwhile is no error. */
static int add_tasks(struct resctrl *resctrl, struct slot *slot, int index)
{
	char path[1024];
	int error = intp_members_refresh(&slot->members, resctrl->proc, &resctrl->processes);
	if (!error)
		error = intp_members_threads(&slot->members, resctrl->proc, &resctrl->tids);
	if (error)
		return error;
	group_path(resctrl, index, "/tasks", path, sizeof(path));
	ssize_t got = intp_read_text(AT_FDCWD, path, &resctrl->text);
	resctrl->tasks.count = 0;
	error = got < 0 ? (int)got : intp_parse_ids(resctrl->text.data, &resctrl->tasks);
	if (error)
		return error;
	intp_ids_sort(&resctrl->tasks);
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	for (size_t i = 0; i < resctrl->tids.count && !error; i++) {
		if (intp_ids_hold(&resctrl->tasks, resctrl->tids.ids[i]))
			continue;
		char line[16];
		int length = snprintf(line, sizeof(line), "%d\n", resctrl->tids.ids[i]);
		if (resctrl->ops.write(fd, line, (size_t)length) < 0 && errno != ESRCH)
			error = -errno;
	}
	close(fd);
	return error;
}

/* Makes the slot's group and begins to count. Running out of ids is no error: the slot says so in `failed`. */
static int make_group(struct resctrl *resctrl, struct slot *slot, int index, uint64_t now_ns)
{
	char path[1024];
	group_path(resctrl, index, "", path, sizeof(path));
	if (resctrl->ops.mkdir(path, 0755) < 0) {
		slot->failed = OUT_OF_IDS;
		return errno == ENOSPC ? 0 : -errno;
	}
	int error = add_tasks(resctrl, slot, index);
	if (error) {
		resctrl->ops.rmdir(path);
		slot->failed = "its monitoring group cannot be filled";
		return error;
	}
	slot->failed = NULL;
	slot->moved_ns = slot->held_ns = 0;
	if (resctrl->source.signals & BIT(INTP_MBW))
		count_moved(resctrl, slot, index, now_ns);
	if (resctrl->source.signals & BIT(INTP_LLOCC))
		count_held(resctrl, slot, index, now_ns);
	return 0;
}

/* Trees are looked for in the table of processes as it was read last. */
static int begin(struct intp_source *source, int index, const struct intp_watch *wanted)
{
	struct resctrl *resctrl = (struct resctrl *)source;
	if (index < 0 || index >= INTP_MAX_WATCHES || resctrl->slots[index])
		return -EINVAL;
	struct slot *slot = calloc(1, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	intp_members_init(&slot->members, wanted);
	int error = make_group(resctrl, slot, index, resctrl->now());
	if (error) {
		intp_members_free(&slot->members);
		free(slot);
		return error;
	}
	resctrl->slots[index] = slot;
	return 0;
}

static void watch_many(struct intp_source *source, struct intp_entry *entries, size_t count)
{
	struct resctrl *resctrl = (struct resctrl *)source;
	bool trees = false;
	for (size_t i = 0; i < count; i++)
		trees |= entries[i].watch->attribution == INTP_TREE;
	int error = trees ? intp_processes_read(&resctrl->processes, resctrl->proc) : 0;
	for (size_t i = 0; i < count; i++)
		entries[i].error = error && entries[i].watch->attribution == INTP_TREE
					   ? error
					   : begin(source, entries[i].slot, entries[i].watch);
}

static int watch(struct intp_source *source, int index, const struct intp_watch *wanted)
{
	struct intp_entry entry = {.slot = index, .watch = wanted};
	watch_many(source, &entry, 1);
	return entry.error;
}

static void unwatch(struct intp_source *source, int index)
{
	struct resctrl *resctrl = (struct resctrl *)source;
	if (index < 0 || index >= INTP_MAX_WATCHES || !resctrl->slots[index])
		return;
	char path[1024];
	group_path(resctrl, index, "", path, sizeof(path));
	if (!resctrl->slots[index]->failed)
		resctrl->ops.rmdir(path);
	intp_members_free(&resctrl->slots[index]->members);
	free(resctrl->slots[index]);
	resctrl->slots[index] = NULL;
}

static void count_slot(struct resctrl *resctrl, int index, uint64_t now_ns, struct intp_count *counts)
{
	struct slot *slot = resctrl->slots[index];
	const char *why = slot->failed ? slot->failed : slot->astray ? ASTRAY : NULL, *moved = why, *held = why;
	/* What is counted meanwhile is not theirs: the windows begin anew when they are back. */
	if (slot->astray)
		slot->moved_ns = slot->held_ns = 0;
	if (!why && resctrl->source.signals & BIT(INTP_MBW))
		moved = count_moved(resctrl, slot, index, now_ns);
	if (!why && resctrl->source.signals & BIT(INTP_LLOCC))
		held = count_held(resctrl, slot, index, now_ns);
	if (resctrl->source.signals & BIT(INTP_MBW))
		counts[INTP_MBW] =
			moved ? intp_no_count(NAME, moved) : intp_count_of(NAME, slot->bytes, slot->bytes_capacity);
	if (resctrl->source.signals & BIT(INTP_LLOCC))
		counts[INTP_LLOCC] = held ? intp_no_count(NAME, held)
					  : intp_count_of(NAME, slot->occupancy, slot->occupancy_capacity);
}

static int snapshot(struct intp_source *source, uint64_t now_ns, struct intp_sample *samples)
{
	struct resctrl *resctrl = (struct resctrl *)source;
	bool trees = false;
	for (int i = 0; i < INTP_MAX_WATCHES; i++)
		trees |= resctrl->slots[i] && resctrl->slots[i]->members.watch.attribution == INTP_TREE;
	int error = trees ? intp_processes_read(&resctrl->processes, resctrl->proc) : 0;
	if (error)
		return error;
	for (int i = 0; i < INTP_MAX_WATCHES; i++) {
		if (!resctrl->slots[i])
			continue;
		/* The threads that cannot be added now are tried again with the next snapshot. */
		if (resctrl->slots[i]->failed)
			make_group(resctrl, resctrl->slots[i], i, now_ns);
		else
			resctrl->slots[i]->astray = add_tasks(resctrl, resctrl->slots[i], i) == -EINVAL;
		count_slot(resctrl, i, now_ns, samples[i].counts);
	}
	return 0;
}

static const char *reason_of(const struct intp_source *source, enum intp_signal signal)
{
	const struct resctrl *resctrl = (const struct resctrl *)source;
	return (unsigned)signal < INTP_SIGNALS ? resctrl->reasons[signal] : NULL;
}

static void close_all(struct intp_source *source)
{
	struct resctrl *resctrl = (struct resctrl *)source;
	for (int i = 0; i < INTP_MAX_WATCHES; i++)
		unwatch(source, i);
	intp_processes_free(&resctrl->processes);
	intp_ids_free(&resctrl->tids);
	intp_ids_free(&resctrl->tasks);
	intp_text_free(&resctrl->text);
	if (resctrl->proc >= 0)
		close(resctrl->proc);
	free(resctrl);
}

/* Whether the process that made a group is a collector that runs; this one has made none yet. */
static bool owner_lives(const struct resctrl *resctrl, int pid)
{
	char path[32], comm[64];
	snprintf(path, sizeof(path), "%d/comm", pid);
	if (pid == getpid() || intp_read(resctrl->proc, path, comm, sizeof(comm)) < 0)
		return false;
	return strcmp(comm, DAEMON "\n") == 0;
}

static void remove_leftovers(struct resctrl *resctrl)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/mon_groups", resctrl->root);
	DIR *directory = opendir(path);
	struct dirent *entry;
	while (directory && (entry = readdir(directory))) {
		int pid, slot, end = 0;
		if (sscanf(entry->d_name, DAEMON ".%d.%d%n", &pid, &slot, &end) != 2 || entry->d_name[end] ||
		    owner_lives(resctrl, pid))
			continue;
		snprintf(path, sizeof(path), "%s/mon_groups/%.255s", resctrl->root, entry->d_name);
		resctrl->ops.rmdir(path);
	}
	if (directory)
		closedir(directory);
}

/* Whether the lines of `text` hold one that ends in the word `word`, as those of /proc/filesystems and mon_features.
 */
static bool has_line(const char *text, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = text; (at = strstr(at, word)); at += length)
		if ((at == text || strchr("\n\t", at[-1])) && (at[length] == '\n' || !at[length]))
			return true;
	return false;
}

/* Returns why nothing can be counted, or NULL with the signals and the reasons for the others set. */
static const char *detect(struct resctrl *resctrl, const struct intp_resctrl_options *options)
{
	char path[1024], features[1024];
	struct statfs mount;
	if (intp_read_text(resctrl->proc, "filesystems", &resctrl->text) < 0 ||
	    !has_line(resctrl->text.data, "resctrl"))
		return "this kernel has no resctrl (CONFIG_X86_CPU_RESCTRL), or the CPU has nothing for it";
	snprintf(path, sizeof(path), "%s/info", resctrl->root);
	if (options->check_filesystem ? statfs(resctrl->root, &mount) < 0 || mount.f_type != MAGIC
				      : access(path, F_OK) < 0)
		return "resctrl is not mounted: mount -t resctrl resctrl /sys/fs/resctrl";
	snprintf(path, sizeof(path), "%s/info/L3_MON/mon_features", resctrl->root);
	if (intp_read(AT_FDCWD, path, features, sizeof(features)) < 0)
		return "resctrl of this CPU monitors nothing (no info/L3_MON)";
	/* Root itself cannot where the file system is mounted read-only for it. */
	snprintf(path, sizeof(path), "%s/mon_groups", resctrl->root);
	if (resctrl->ops.access(path, W_OK) < 0)
		return "resctrl lets this daemon make no monitoring groups: it needs root and a writable file system";
	const char **moved = &resctrl->reasons[INTP_MBW], **held = &resctrl->reasons[INTP_LLOCC];
	if (!has_line(features, "mbm_total_bytes"))
		*moved = "resctrl of this CPU has no event mbm_total_bytes";
	else if (options->peak_bytes <= 0)
		*moved = options->no_peak ? options->no_peak : NO_PEAK;
	if (!has_line(features, "llc_occupancy"))
		*held = "resctrl of this CPU has no event llc_occupancy";
	else if (intp_l3_read(options->sys ? options->sys : "/sys", &resctrl->l3) < 0)
		*held = "the size of the L3 cache is not known";
	resctrl->source.signals = (*moved ? 0 : BIT(INTP_MBW)) | (*held ? 0 : BIT(INTP_LLOCC));
	return resctrl->source.signals ? NULL : *moved;
}

struct intp_source *intp_resctrl_open(const struct intp_resctrl_options *options, char *reason, size_t size)
{
	struct resctrl *resctrl = calloc(1, sizeof(*resctrl));
	if (!resctrl) {
		snprintf(reason, size, "out of memory");
		return NULL;
	}
	resctrl->source = (struct intp_source){.name = NAME,
					       .watch = watch,
					       .watch_many = watch_many,
					       .unwatch = unwatch,
					       .snapshot = snapshot,
					       .reason = reason_of,
					       .close = close_all};
	resctrl->ops =
		options->ops
			? *options->ops
			: (struct intp_resctrl_ops){.mkdir = mkdir, .rmdir = rmdir, .write = write, .access = access};
	resctrl->now = options->now ? options->now : intp_now_ns;
	resctrl->peak_bytes = options->peak_bytes;
	snprintf(resctrl->root, sizeof(resctrl->root), "%s", options->root ? options->root : "/sys/fs/resctrl");
	resctrl->proc = open(options->proc ? options->proc : "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const char *why = resctrl->proc < 0 ? "/proc is not readable" : detect(resctrl, options);
	if (!why) {
		remove_leftovers(resctrl);
		return &resctrl->source;
	}
	snprintf(reason, size, "%s", why);
	close_all(&resctrl->source);
	return NULL;
}
