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

#include "ebpf_rows.h"
#include "ebpf_walk.h"
#include "members.h"

/* A cgroup tree deeper than this is not followed when it is watched. */
#define CGROUP_DEPTH 16
/* Two will do, but for a container that forks faster than it is listed: its own limit ends that. */
#define MOST_LISTINGS 10

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

static __s32 *owned(struct intpd_bpf *bpf, __u32 slot)
{
	return &bpf->bss->state.owned[slot & (INTP_PROBE_SLOTS - 1)];
}

/* The latest watch wins a key that another has. */
static int enter(struct intpd_bpf *bpf, __u64 key, __u32 slot)
{
	__u32 former;
	bool known = !bpf_map_lookup_elem(owners_of(bpf), &key, &former);

	if (known && former == slot)
		return 0;
	if (__atomic_load_n(owned(bpf, slot), __ATOMIC_SEQ_CST) >= bpf->bss->state.most_owned)
		return -E2BIG;
	if (!bpf_map_update_elem(owners_of(bpf), &key, &slot, BPF_NOEXIST)) {
		__atomic_fetch_add(place(bpf, key), 1, __ATOMIC_SEQ_CST);
		__atomic_fetch_add(owned(bpf, slot), 1, __ATOMIC_SEQ_CST);
		return 0;
	}
	if (errno != EEXIST)
		return -errno;
	if (bpf_map_update_elem(owners_of(bpf), &key, &slot, BPF_ANY))
		return -errno;
	if (known && former != INTP_PROBE_DONE)
		__atomic_fetch_sub(owned(bpf, former), 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(owned(bpf, slot), 1, __ATOMIC_SEQ_CST);
	return 0;
}

static void remove_key(struct intpd_bpf *bpf, __u64 key, __u32 slot)
{
	if (bpf_map_delete_elem(owners_of(bpf), &key))
		return;
	__atomic_fetch_sub(place(bpf, key), 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_sub(owned(bpf, slot), 1, __ATOMIC_SEQ_CST);
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

static int enter_process(struct intpd_bpf *bpf, pid_t pid, __u32 slot)
{
	__u64 key = (__u64)pid | INTP_PROBE_TREE;
	int error = enter(bpf, key, slot);

	/* If it was freed before it was entered, nobody else takes it out again. */
	if (!error && kill(pid, 0) && errno == ESRCH) {
		remove_key(bpf, key, slot);
		return -ESRCH;
	}
	return error;
}

/* Of a process that is to be entered: not known yet, nobody's, or a slot. */
enum { UNKNOWN = -1, NOBODYS = -2 };

/* The slot whose root is the nearest above a process; what was found on the way is remembered. */
static int slot_above(const struct intp_processes *processes, int *slots, int at)
{
	int found = NOBODYS, row;

	row = at;
	for (size_t steps = 0; row >= 0 && steps <= processes->count; steps++) {
		if (slots[row] != UNKNOWN) {
			found = slots[row];
			break;
		}
		row = processes->list[row].above;
	}
	for (int back = at; back >= 0 && slots[back] == UNKNOWN; back = processes->list[back].above)
		slots[back] = found;
	return found;
}

static void set_roots(const struct intp_processes *processes, int *slots, const struct intp_entry *entries,
		      size_t count)
{
	for (size_t i = 0; i < processes->count; i++)
		slots[i] = UNKNOWN;
	for (size_t i = 0; i < count; i++) {
		int row = intp_processes_find(processes, entries[i].watch->root);

		if (!entries[i].error && entries[i].watch->attribution == INTP_TREE && row >= 0)
			slots[row] = entries[i].slot;
	}
	/* Whoever is in a root's session is its, too, where its parent has ended: as in members.c. */
	for (size_t i = 0; i < processes->count; i++) {
		const struct intp_process *process = &processes->list[i];
		int leader = slots[i] == UNKNOWN ? intp_processes_find(processes, process->session) : -1;

		if (leader >= 0 && slots[leader] != UNKNOWN && processes->list[leader].start <= process->start)
			slots[i] = slots[leader];
	}
}

static void fail(struct intp_entry *entries, size_t count, int slot, int error)
{
	for (size_t i = 0; i < count; i++)
		if (entries[i].watch->attribution == INTP_TREE && (slot < 0 || entries[i].slot == slot) &&
		    !entries[i].error)
			entries[i].error = error;
}

static bool is_entered(struct intpd_bpf *bpf, pid_t pid, __u32 slot)
{
	__u64 key = (__u64)pid | INTP_PROBE_TREE;
	__u32 owner;

	return !bpf_map_lookup_elem(owners_of(bpf), &key, &owner) && owner == slot;
}

/* Enters what lives below roots that are entered; returns how many were not before. */
static size_t enter_living(struct intpd_bpf *bpf, struct intp_entry *entries, size_t count)
{
	static struct intp_processes processes;
	size_t entered = 0;
	int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC), *slots;
	int error = proc < 0 ? -errno : intp_processes_read(&processes, proc);

	if (proc >= 0)
		close(proc);
	slots = error ? NULL : malloc((processes.count + 1) * sizeof(*slots));
	if (!slots) {
		fail(entries, count, -1, error ? error : -ENOMEM);
		return 0;
	}
	set_roots(&processes, slots, entries, count);
	for (size_t i = 0; i < processes.count; i++) {
		int slot = slot_above(&processes, slots, (int)i);

		if (slot < 0 || is_entered(bpf, processes.list[i].pid, slot))
			continue;
		error = enter_process(bpf, processes.list[i].pid, slot);
		if (error && error != -ESRCH)
			fail(entries, count, slot, error);
		entered += !error;
	}
	free(slots);
	return entered;
}

/*
 * Enters what lived already below roots that are entered. What an entered process forks the probe enters; what one
 * has forked after it was listed and before it was entered is found by the next listing.
 */
static void enter_trees(struct intpd_bpf *bpf, struct intp_entry *entries, size_t count)
{
	for (int round = 0; round < MOST_LISTINGS && enter_living(bpf, entries, count); round++)
		;
}

static void changed(struct intpd_bpf *bpf)
{
	__atomic_fetch_add(&bpf->bss->state.epoch, 1, __ATOMIC_SEQ_CST);
}

/*
 * While nobody was watched no probe followed who ran: what is remembered by pid may be of another task with the
 * number. There is no probe that reads it meanwhile.
 */
static void forget_tasks(struct intp_state *state)
{
	if (state->v2 | state->v1 | state->trees)
		return;
	memset(state->running, 0, sizeof(state->running));
	memset(state->delays, 0, sizeof(state->delays));
}

void intp_owner_add(struct intpd_bpf *bpf, struct intp_entry *entries, size_t count)
{
	bool trees = false, entered[INTP_PROBE_SLOTS] = {0};

	forget_tasks(&bpf->bss->state);
	for (size_t i = 0; i < count; i++) {
		const struct intp_watch *watch = entries[i].watch;
		bool tree = watch->attribution == INTP_TREE;

		if (entries[i].error)
			continue;
		__atomic_fetch_add(users(bpf, watch->attribution), 1, __ATOMIC_SEQ_CST);
		__atomic_store_n(owned(bpf, (__u32)entries[i].slot), 0, __ATOMIC_SEQ_CST);
		__atomic_store_n(&bpf->bss->state.closed[entries[i].slot], 0, __ATOMIC_SEQ_CST);
		if (!tree)
			entries[i].error = enter_cgroup(bpf, entries[i].slot, watch);
		else
			entries[i].error =
				watch->root > 0 ? enter_process(bpf, watch->root, entries[i].slot) : -EINVAL;
		trees |= tree && !entries[i].error;
		entered[i] = true;
	}
	if (trees)
		enter_trees(bpf, entries, count);
	changed(bpf);
	for (size_t i = 0; i < count; i++)
		if (entered[i] && entries[i].error)
			intp_owner_remove(bpf, entries[i].slot, entries[i].watch->attribution);
}

/* Two will do, but for a walk that a change of the map has begun anew. */
#define MOST_ROUNDS 100

/* Takes the keys of a slot out; returns how many there were. */
static int remove_keys(struct intpd_bpf *bpf, __u32 slot)
{
	struct intp_owner_walk *walk = intp_owner_walk_begin();
	int removed = 0;

	while (intp_owner_walk_on(bpf, walk))
		for (__u32 i = 0; i < walk->count; i++) {
			if (walk->slots[i] != slot)
				continue;
			remove_key(bpf, walk->keys[i], slot);
			removed++;
		}
	return removed;
}

static int by_slot(const void *left, const void *right)
{
	const struct intp_tree_member *a = left, *b = right;

	return a->slot != b->slot ? (a->slot > b->slot) - (a->slot < b->slot) : (a->pid > b->pid) - (a->pid < b->pid);
}

long intp_owner_tree_members(struct intpd_bpf *bpf, const struct intp_tree_member **members)
{
	static struct intp_tree_member *list;
	static size_t room;
	struct intp_owner_walk *walk = intp_owner_walk_begin();
	size_t count = 0;

	while (intp_owner_walk_on(bpf, walk)) {
		if (room < count + walk->count) {
			size_t wanted = 2 * (count + walk->count);
			struct intp_tree_member *grown = realloc(list, wanted * sizeof(*grown));

			if (!grown)
				return -ENOMEM;
			list = grown;
			room = wanted;
		}
		for (__u32 i = 0; i < walk->count; i++)
			if (walk->keys[i] & INTP_PROBE_TREE && !(walk->keys[i] & INTP_PROBE_V1) &&
			    walk->slots[i] != INTP_PROBE_DONE)
				list[count++] = (struct intp_tree_member){.slot = (int)walk->slots[i],
									  .pid = (pid_t)walk->keys[i]};
	}
	if (walk->error)
		return walk->error;
	qsort(list, count, sizeof(*list), by_slot);
	*members = list;
	return (long)count;
}

/*
 * Read as a whole: key after key, one would begin anew with the first each time that the one before has woken up, and
 * on a machine whose threads sleep and wake up without pause never come to an end.
 */
static void remove_sleeps(struct intpd_bpf *bpf, __u32 slot)
{
	size_t room = bpf_map__max_entries(bpf->maps.sleeps);
	struct intp_sleep *sleeps = malloc(room * sizeof(*sleeps));
	__u32 *pids = malloc(room * sizeof(*pids));
	long count = sleeps && pids ? intp_rows_read_map(bpf->maps.sleeps, pids, sleeps) : 0;

	for (long i = 0; i < count; i++)
		if (sleeps[i].slot == slot)
			bpf_map_delete_elem(bpf_map__fd(bpf->maps.sleeps), &pids[i]);
	free(sleeps);
	free(pids);
}

void intp_owner_remove(struct intpd_bpf *bpf, int slot, enum intp_attribution attribution)
{
	int removed;

	/* From here on no fork enters anybody; the second round finds whom one that was under way has entered behind
	 * the first. */
	__atomic_store_n(&bpf->bss->state.closed[slot], 1, __ATOMIC_SEQ_CST);
	for (int round = 0; round < MOST_ROUNDS; round++) {
		removed = remove_keys(bpf, slot);
		if (round && !removed)
			break;
	}
	__atomic_fetch_sub(users(bpf, attribution), 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&bpf->bss->state.generation[slot], 1, __ATOMIC_SEQ_CST);
	changed(bpf);
	remove_sleeps(bpf, slot);
}
