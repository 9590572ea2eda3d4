/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>

#include "resident.h"
#include "sorted.h"

bool intp_parse_statm(const char *text, uint64_t *resident, uint64_t *shared)
{
	uint64_t size;
	return intp_scan(&text, &size) && intp_scan(&text, resident) && intp_scan(&text, shared);
}

static int list_trees(struct intp_resident *resident)
{
	struct intp_source *trees = resident->trees;
	long count = trees ? trees->tree_members(trees, &resident->members) : -ENOSYS;
	int error = 0;
	resident->known = count >= 0;
	resident->member_count = count >= 0 ? (size_t)count : 0;
	if (!resident->known)
		error = intp_processes_read(&resident->processes, resident->proc);
	resident->listed = !error;
	return error;
}

static void add(const struct intp_resident *resident, pid_t pid, struct intp_resident_bytes *bytes)
{
	char path[32], text[256];
	uint64_t all, mapped;
	snprintf(path, sizeof(path), "%d/statm", pid);
	if (intp_read(resident->proc, path, text, sizeof(text)) < 0 || !intp_parse_statm(text, &all, &mapped))
		return;
	bytes->all += all * resident->page_bytes;
	bytes->mapped += mapped * resident->page_bytes;
}

int intp_resident_read(struct intp_resident *resident, int slot, struct intp_members *members,
		       struct intp_resident_bytes *bytes)
{
	bool tree = members->watch.attribution == INTP_TREE;
	int error = tree && !resident->listed ? list_trees(resident) : 0;
	size_t count = 0;
	*bytes = (struct intp_resident_bytes){0};
	if (error)
		return error;
	if (tree && resident->known) {
		size_t i =
			intp_sorted_at(resident->members, resident->member_count, sizeof(*resident->members), slot);
		for (; i < resident->member_count && resident->members[i].slot == slot; i++, count++)
			add(resident, resident->members[i].pid, bytes);
		return count ? 0 : -ENOENT;
	}
	error = intp_members_refresh(members, resident->proc, &resident->processes);
	for (size_t i = 0; !error && i < members->count; i++, count++)
		add(resident, members->list[i].pid, bytes);
	return error ? error : count ? 0 : -ENOENT;
}

void intp_resident_free(struct intp_resident *resident)
{
	intp_processes_free(&resident->processes);
}
