/* SPDX-License-Identifier: Apache-2.0 */
/* The resident memory of a container's processes. Not thread-safe. */
#ifndef INTP_RESIDENT_H
#define INTP_RESIDENT_H

#include "members.h"
#include "source.h"

/* In bytes; what processes share counts once for each. */
struct intp_resident_bytes {
	uint64_t all;
	uint64_t mapped; /* of those: mapped from files, or shared */
};

/* Zeroed but for the first three, it is ready. */
struct intp_resident {
	int proc; /* the root of /proc, open as a directory */
	uint64_t page_bytes;
	/* Who knows the processes of trees, with slots of its own for the same containers; NULL: they are looked for
	 * in /proc. */
	struct intp_source *trees;
	bool listed; /* the processes of trees are as of now; the caller clears it when time goes on */
	bool known;  /* by slot, from `trees`: else they are in `processes` */
	const struct intp_tree_member *members;
	size_t member_count;
	struct intp_processes processes;
};

/*
 * Adds up what the processes of a slot hold; one that ends meanwhile holds nothing. Returns 0, -ENOENT where it has
 * no process, or another negative errno.
 */
int intp_resident_read(struct intp_resident *resident, int slot, struct intp_members *members,
		       struct intp_resident_bytes *bytes);

/* Of /proc/PID/statm: pages that are resident, and those of them that are mapped from files or shared. */
bool intp_parse_statm(const char *text, uint64_t *resident, uint64_t *shared);

void intp_resident_free(struct intp_resident *resident);

#endif
