/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of files that stands in for /proc, /sys or a cgroup, under $TMPDIR or /tmp; tree_end removes it. */
#ifndef INTP_TEST_TREE_H
#define INTP_TEST_TREE_H

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "claims.h"

static char tree_root[256];

static inline void tree_begin(void)
{
	const char *under = getenv("TMPDIR");
	snprintf(tree_root, sizeof(tree_root), "%s/intpd-test-XXXXXX", under ? under : "/tmp");
	CHECK(mkdtemp(tree_root));
}

static inline int tree_remove_one(const char *path, const struct stat *stat, int flag, struct FTW *at)
{
	(void)stat;
	(void)flag;
	(void)at;
	return remove(path);
}

static inline int tree_remove(const char *path)
{
	return nftw(path, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void tree_end(void)
{
	CHECK(tree_remove(tree_root) == 0);
}

/* The absolute path of `name` in the tree, in one of four buffers that take turns. */
static inline const char *tree_path(const char *name)
{
	static char paths[4][1024];
	static int turn;
	char *path = paths[turn++ % 4];
	snprintf(path, sizeof(paths[0]), "%s/%s", tree_root, name);
	return path;
}

/* Makes the directories on the way to `path`. */
static inline void tree_parents(const char *path)
{
	char directory[1024];
	snprintf(directory, sizeof(directory), "%s", path);
	for (char *at = directory + strlen(tree_root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		CHECK(mkdir(directory, 0755) == 0 || errno == EEXIST);
		*at = '/';
	}
}

/* Writes the file `name`, or with NULL for `format` makes a directory of that name. */
__attribute__((format(printf, 2, 3))) static inline void tree_put(const char *name, const char *format, ...)
{
	const char *path = tree_path(name);
	tree_parents(path);
	if (!format) {
		CHECK(mkdir(path, 0755) == 0 || errno == EEXIST);
		return;
	}
	FILE *file = fopen(path, "w");
	CHECK(file);
	va_list arguments;
	va_start(arguments, format);
	vfprintf(file, format, arguments);
	va_end(arguments);
	CHECK(fclose(file) == 0);
}

/* A process in the fake /proc at proc/; its threads are put by tree_thread. */
static inline void tree_process(int pid, int parent, int session, int start)
{
	char name[64];
	snprintf(name, sizeof(name), "proc/%d/stat", pid);
	tree_put(name,
		 "%d (a) b) S %d %d %d 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		 pid, parent, session, session, start);
}

static inline void tree_thread(int pid, int tid, unsigned long on_cpu_ns, unsigned long wait_ns, int block_ticks)
{
	char name[64];
	snprintf(name, sizeof(name), "proc/%d/task/%d/schedstat", pid, tid);
	tree_put(name, "%lu %lu 7\n", on_cpu_ns, wait_ns);
	snprintf(name, sizeof(name), "proc/%d/task/%d/stat", pid, tid);
	tree_put(name, "%d (t) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 %d\n",
		 tid, block_ticks);
}

#endif
