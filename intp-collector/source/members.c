/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "members.h"
#include "procfs.h"
#include "sorted.h"

#define DEEPEST_CGROUP 32

static int add(struct intp_process **list, size_t *count, size_t *room, const struct intp_process *process)
{
	if (*count == *room) {
		size_t wanted = *room ? 2 * *room : 32;
		struct intp_process *grown = realloc(*list, wanted * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		*list = grown;
		*room = wanted;
	}
	(*list)[(*count)++] = *process;
	return 0;
}

static int find(const struct intp_process *list, size_t count, pid_t pid)
{
	size_t at = intp_sorted_at(list, count, sizeof(*list), pid);
	return at < count && list[at].pid == pid ? (int)at : -1;
}

/* False if the process has ended. */
static bool look_up(int proc, pid_t pid, struct intp_process *process)
{
	char path[32], text[1024];
	struct intp_stat stat;
	snprintf(path, sizeof(path), "%d/stat", pid);
	if (intp_read(proc, path, text, sizeof(text)) < 0 || !intp_parse_stat(text, &stat) || stat.pid != pid)
		return false;
	*process = (struct intp_process){
		.pid = pid, .parent = stat.parent, .session = stat.session, .start = stat.start, .above = -1};
	return true;
}

/* Adds those of sorted `ids` that live. */
static int add_living(int proc, const struct intp_ids *ids, struct intp_process **list, size_t *count, size_t *room)
{
	*count = 0;
	for (size_t i = 0; i < ids->count; i++) {
		struct intp_process process;
		if (!look_up(proc, ids->ids[i], &process))
			continue;
		int error = add(list, count, room, &process);
		if (error)
			return error;
	}
	return 0;
}

int intp_processes_read(struct intp_processes *processes, int proc)
{
	int error = intp_list_ids(proc, ".", &processes->ids);
	if (error)
		return error;
	intp_ids_sort(&processes->ids);
	error = add_living(proc, &processes->ids, &processes->list, &processes->count, &processes->room);
	for (size_t i = 0; i < processes->count; i++)
		processes->list[i].above = find(processes->list, processes->count, processes->list[i].parent);
	return error;
}

int intp_processes_find(const struct intp_processes *processes, pid_t pid)
{
	return find(processes->list, processes->count, pid);
}

void intp_processes_free(struct intp_processes *processes)
{
	free(processes->list);
	intp_ids_free(&processes->ids);
	*processes = (struct intp_processes){0};
}

void intp_members_init(struct intp_members *members, const struct intp_watch *watch)
{
	*members = (struct intp_members){.watch = *watch};
}

static int add_cgroup(struct intp_members *members, int at, const char *name, int depth)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (depth ? O_NOFOLLOW : 0));
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : -errno;
	int error = 0;
	ssize_t got = intp_read_text(fd, "cgroup.procs", &members->text);
	if (got >= 0)
		error = intp_parse_ids(members->text.data, &members->ids);
	else if (got != -ENOENT && got != -ENODEV && got != -EOPNOTSUPP) /* gone, or a threaded cgroup of version 2 */
		error = (int)got;
	DIR *directory = error || depth == DEEPEST_CGROUP ? NULL : fdopendir(fd);
	if (!directory) {
		close(fd);
		return error;
	}
	struct dirent *entry;
	while (!error && (entry = readdir(directory)))
		if (entry->d_name[0] != '.' && (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN))
			error = add_cgroup(members, dirfd(directory), entry->d_name, depth + 1);
	closedir(directory);
	return error;
}

static int refresh_cgroup(struct intp_members *members, int proc)
{
	members->ids.count = 0;
	int error = add_cgroup(members, AT_FDCWD, members->watch.directory, 0);
	if (error)
		return error;
	intp_ids_sort(&members->ids);
	return add_living(proc, &members->ids, &members->list, &members->count, &members->room);
}

static bool is_root(const struct intp_members *members, const struct intp_process *process)
{
	return process->pid == members->watch.root && process->start == members->root_start;
}

static bool was_member(const struct intp_members *members, const struct intp_process *process)
{
	int known = find(members->list, members->count, process->pid);
	return known >= 0 && members->list[known].start == process->start;
}

/* Whether row `at` is a member by itself, whoever its parent is. */
static bool is_member(const struct intp_members *members, const struct intp_processes *processes, int at)
{
	const struct intp_process *process = &processes->list[at];
	if (is_root(members, process) || was_member(members, process))
		return true;
	if (process->session != members->watch.root || process->start < members->root_start)
		return false;
	/* The number of a session becomes a pid again only after its last process; then the leader is another one. */
	int leader = find(processes->list, processes->count, process->session);
	return leader < 0 || is_root(members, &processes->list[leader]);
}

/* Walks up from `at` to a row whose verdict is known, then writes it on the way; a loop of parents ends by the count.
 */
static void judge(struct intp_members *members, const struct intp_processes *processes, int at)
{
	signed char verdict = -1;
	int ancestor = at;
	for (size_t steps = 0; ancestor >= 0 && steps <= processes->count; steps++) {
		if (members->verdict[ancestor]) {
			verdict = members->verdict[ancestor];
			break;
		}
		if (is_member(members, processes, ancestor)) {
			verdict = 1;
			break;
		}
		ancestor = processes->list[ancestor].above;
	}
	for (int row = at; row >= 0 && !members->verdict[row]; row = processes->list[row].above) {
		members->verdict[row] = verdict;
		if (row == ancestor)
			break;
	}
}

static int refresh_tree(struct intp_members *members, const struct intp_processes *processes)
{
	if (members->verdicts < processes->count) {
		signed char *grown = realloc(members->verdict, processes->count);
		if (!grown)
			return -ENOMEM;
		members->verdict = grown;
		members->verdicts = processes->count;
	}
	if (processes->count)
		memset(members->verdict, 0, processes->count);
	int root = find(processes->list, processes->count, members->watch.root);
	if (!members->root_start && root >= 0)
		members->root_start = processes->list[root].start;
	if (!members->root_start)
		return 0;
	for (size_t i = 0; i < processes->count; i++)
		judge(members, processes, (int)i);
	size_t count = 0;
	int error = 0;
	struct intp_process *list = NULL;
	size_t room = 0;
	for (size_t i = 0; i < processes->count && !error; i++)
		if (members->verdict[i] > 0)
			error = add(&list, &count, &room, &processes->list[i]);
	if (error) {
		free(list);
		return error;
	}
	free(members->list);
	members->list = list;
	members->count = count;
	members->room = room;
	return 0;
}

int intp_members_refresh(struct intp_members *members, int proc, const struct intp_processes *processes)
{
	if (members->watch.attribution != INTP_TREE)
		return refresh_cgroup(members, proc);
	return processes ? refresh_tree(members, processes) : -EINVAL;
}

int intp_members_threads(const struct intp_members *members, int proc, struct intp_ids *tids)
{
	struct intp_ids threads = {0};
	int error = 0;
	tids->count = 0;
	for (size_t i = 0; i < members->count && !error; i++) {
		char path[32];
		snprintf(path, sizeof(path), "%d/task", members->list[i].pid);
		if (intp_list_ids(proc, path, &threads) < 0)
			continue;
		for (size_t j = 0; j < threads.count && !error; j++)
			error = intp_ids_add(tids, threads.ids[j]);
	}
	intp_ids_free(&threads);
	intp_ids_sort(tids);
	return error;
}

void intp_members_free(struct intp_members *members)
{
	free(members->list);
	free(members->verdict);
	intp_ids_free(&members->ids);
	intp_text_free(&members->text);
	*members = (struct intp_members){0};
}
