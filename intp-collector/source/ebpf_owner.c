// SPDX-License-Identifier: Apache-2.0
#include "ebpf_owner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>

/* A cgroup tree deeper than this is not followed when it is watched. */
#define CGROUP_DEPTH 16

static int owners_of(struct intpd_bpf *bpf)
{
	return bpf_map__fd(bpf->maps.owners);
}

static __u32 *place(struct intpd_bpf *bpf, __u64 key)
{
	return &bpf->bss->state.filter[intp_filter_index(key)];
}

static __u32 *users(struct intpd_bpf *bpf, enum intp_attribution attribution)
{
	struct intp_state *state = &bpf->bss->state;

	return attribution == INTP_CGROUP_V2   ? &state->v2
	       : attribution == INTP_CGROUP_V1 ? &state->v1
					       : &state->trees;
}

/* The latest watch wins a key that another has. */
static int enter(struct intpd_bpf *bpf, __u64 key, __u32 slot)
{
	if (!bpf_map_update_elem(owners_of(bpf), &key, &slot, BPF_NOEXIST)) {
		__atomic_fetch_add(place(bpf, key), 1, __ATOMIC_SEQ_CST);
		return 0;
	}
	if (errno != EEXIST)
		return -errno;
	return bpf_map_update_elem(owners_of(bpf), &key, &slot, BPF_ANY) ? -errno : 0;
}

static void remove_key(struct intpd_bpf *bpf, __u64 key)
{
	if (!bpf_map_delete_elem(owners_of(bpf), &key))
		__atomic_fetch_sub(place(bpf, key), 1, __ATOMIC_SEQ_CST);
}

/* Enters the cgroups below the open directory `parent`, which it closes. */
static int enter_below(struct intpd_bpf *bpf, int parent, __u64 kind, __u32 slot, int depth)
{
	DIR *directory = fdopendir(parent);
	struct dirent *entry;
	int error = 0;

	if (!directory) {
		error = -errno;
		close(parent);
		return error;
	}
	while (!error && depth < CGROUP_DEPTH && (entry = readdir(directory))) {
		int child;

		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		error = enter(bpf, entry->d_ino | kind, slot);
		child = openat(dirfd(directory), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (!error && child >= 0)
			error = enter_below(bpf, child, kind, slot, depth + 1);
		else if (child >= 0)
			close(child);
	}
	closedir(directory);
	return error;
}

static int enter_cgroup(struct intpd_bpf *bpf, __u32 slot, const struct intp_watch *watch)
{
	__u64 kind = watch->attribution == INTP_CGROUP_V1 ? INTP_PROBE_V1 : 0;
	struct stat status;
	int error, directory;

	if (!watch->cgroup)
		return -EINVAL;
	if (!watch->directory[0])
		return enter(bpf, watch->cgroup | kind, slot);
	directory = open(watch->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return -errno;
	if (fstat(directory, &status) || status.st_ino != watch->cgroup) {
		close(directory);
		return -ENOENT;
	}
	/* The cgroup first: those made below it from here on the probe enters. */
	error = enter(bpf, watch->cgroup | kind, slot);
	if (!error)
		return enter_below(bpf, directory, kind, slot, 0);
	close(directory);
	return error;
}

struct process {
	pid_t pid, parent;
	bool entered;
};

static bool read_parent(const char *pid, pid_t *parent)
{
	char path[64], text[512], *end;
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	/* The name may hold anything, also parentheses. */
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %*c %d", parent) == 1;
}

/* All processes; returns their number, or a negative errno. The caller frees. */
static ssize_t list_processes(struct process **list)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	size_t count = 0, room = 0;

	*list = NULL;
	if (!proc)
		return -errno;
	while ((entry = readdir(proc))) {
		struct process process = {.pid = atoi(entry->d_name)};

		if (process.pid <= 0 || !read_parent(entry->d_name, &process.parent))
			continue;
		if (count == room) {
			struct process *larger;

			room = room ? 2 * room : 256;
			larger = realloc(*list, room * sizeof(**list));
			if (!larger) {
				closedir(proc);
				free(*list);
				*list = NULL;
				return -ENOMEM;
			}
			*list = larger;
		}
		(*list)[count++] = process;
	}
	closedir(proc);
	return (ssize_t)count;
}

static bool in_slot(struct intpd_bpf *bpf, pid_t pid, __u32 slot)
{
	__u64 key = (__u64)pid | INTP_PROBE_TREE;
	__u32 owner;

	return !bpf_map_lookup_elem(owners_of(bpf), &key, &owner) && owner == slot;
}

static int enter_process(struct intpd_bpf *bpf, pid_t pid, __u32 slot)
{
	__u64 key = (__u64)pid | INTP_PROBE_TREE;
	int error = enter(bpf, key, slot);

	/* If it was freed before it was entered, nobody else takes it out again. */
	if (!error && kill(pid, 0) && errno == ESRCH) {
		remove_key(bpf, key);
		return -ESRCH;
	}
	return error;
}

/* The root first: what its tree forks from here on the probe enters. Then those who live already. */
static int enter_tree(struct intpd_bpf *bpf, __u32 slot, pid_t root)
{
	struct process *list;
	bool grown = true;
	ssize_t count;
	int error = root > 0 ? enter_process(bpf, root, slot) : -EINVAL;

	if (error)
		return error;
	count = list_processes(&list);
	if (count < 0)
		return (int)count;
	while (grown) {
		grown = false;
		for (ssize_t i = 0; i < count; i++) {
			if (list[i].entered || list[i].pid == root || !in_slot(bpf, list[i].parent, slot))
				continue;
			list[i].entered = true;
			grown = true;
			error = enter_process(bpf, list[i].pid, slot);
			if (error && error != -ESRCH) {
				free(list);
				return error;
			}
		}
	}
	free(list);
	return 0;
}

static void changed(struct intpd_bpf *bpf)
{
	__atomic_fetch_add(&bpf->bss->state.epoch, 1, __ATOMIC_SEQ_CST);
}

int intp_owner_add(struct intpd_bpf *bpf, int slot, const struct intp_watch *watch)
{
	int error;

	__atomic_fetch_add(users(bpf, watch->attribution), 1, __ATOMIC_SEQ_CST);
	if (watch->attribution == INTP_TREE)
		error = enter_tree(bpf, slot, watch->root);
	else
		error = enter_cgroup(bpf, slot, watch);
	changed(bpf);
	if (error)
		intp_owner_remove(bpf, slot, watch->attribution);
	return error;
}

/* Takes the keys of a slot out; returns how many there were. */
static int remove_keys(struct intpd_bpf *bpf, __u32 slot)
{
	int removed = 0, map = owners_of(bpf);
	__u64 key, next;
	__u32 owner;
	int more = bpf_map_get_next_key(map, NULL, &key);

	while (!more) {
		more = bpf_map_get_next_key(map, &key, &next);
		if (!bpf_map_lookup_elem(map, &key, &owner) && owner == slot) {
			remove_key(bpf, key);
			removed++;
		}
		key = next;
	}
	return removed;
}

static void remove_sleeps(struct intpd_bpf *bpf, __u32 slot)
{
	int map = bpf_map__fd(bpf->maps.sleeps);
	struct intp_sleep sleep;
	__u32 key, next;
	int more = bpf_map_get_next_key(map, NULL, &key);

	while (!more) {
		more = bpf_map_get_next_key(map, &key, &next);
		if (!bpf_map_lookup_elem(map, &key, &sleep) && sleep.slot == slot)
			bpf_map_delete_elem(map, &key);
		key = next;
	}
}

void intp_owner_remove(struct intpd_bpf *bpf, int slot, enum intp_attribution attribution)
{
	/* A fork may enter a child while its parent is taken out; a process forks no faster than this goes round. */
	for (int round = 0; round < 100 && remove_keys(bpf, slot); round++)
		;
	__atomic_fetch_sub(users(bpf, attribution), 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&bpf->bss->state.generation[slot], 1, __ATOMIC_SEQ_CST);
	changed(bpf);
	remove_sleeps(bpf, slot);
}
