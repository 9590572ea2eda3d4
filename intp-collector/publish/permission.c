/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../source/procfs.h"
#include "../source/text.h"
#include "attribution.h"
#include "permission.h"

#define GENERATIONS  64	   /* from a container's process up to the NodeManager there are a handful */
#define COMMAND_LINE 65536 /* what is looked at of one, its beginning; the kernel allows more */

static ssize_t read_of(const char *proc, pid_t pid, const char *file, char *text, size_t size)
{
	char path[INTP_MAX_PATH];

	snprintf(path, sizeof(path), "%s/%d/%s", proc, pid, file);
	return intp_read(AT_FDCWD, path, text, size);
}

bool intp_status_is_of(const char *status, uid_t user)
{
	const char *line = strncmp(status, "Uid:", 4) == 0 ? status : strstr(status, "\nUid:");
	uint64_t id;

	if (!line)
		return false;
	line = strchr(line, ':') + 1;
	/* Real, effective, saved and file system's: one that differs is a program with another's powers. */
	for (int i = 0; i < 4; i++)
		if (!intp_scan(&line, &id) || id != user)
			return false;
	return true;
}

static bool same_user(const char *proc, pid_t pid, uid_t user)
{
	char status[16384];

	return read_of(proc, pid, "status", status, sizeof(status)) > 0 && intp_status_is_of(status, user);
}

static bool descends(const char *proc, pid_t pid, pid_t ancestor)
{
	struct intp_stat stat = {.parent = pid};
	char text[1024];

	for (int i = 0; i < GENERATIONS && ancestor > 1 && stat.parent > 1; i++) {
		if (stat.parent == ancestor)
			return true;
		if (read_of(proc, stat.parent, "stat", text, sizeof(text)) <= 0 || !intp_parse_stat(text, &stat))
			return false;
	}
	return false;
}

bool intp_is_yarns(const char *id)
{
	static const char prefix[] = "container_";
	const char *at = id + sizeof(prefix) - 1;
	int numbers = 0;

	if (strncmp(id, prefix, sizeof(prefix) - 1) != 0)
		return false;
	if (*at == 'e') {
		size_t digits = strspn(at + 1, "0123456789");

		if (!digits || at[1 + digits] != '_')
			return false;
		at += 1 + digits + 1;
	}
	for (;; at++) {
		size_t digits = strspn(at, "0123456789");

		if (!digits)
			return false;
		numbers++;
		at += digits;
		if (*at != '_')
			return *at == '\0' && numbers == 4;
	}
}

static bool started_as(const char *proc, pid_t pid, const char *id)
{
	static char line[COMMAND_LINE]; /* the daemon has one thread, and a small stack is not asked for more */
	char path[INTP_MAX_PATH];
	ssize_t length;

	snprintf(path, sizeof(path), "%s/%d/cmdline", proc, pid);
	length = intp_read_start(AT_FDCWD, path, line, sizeof(line));
	/* The last word may be a longer id's beginning where more follows. */
	if (length == sizeof(line) - 1)
		while (length > 0 && (isalnum((unsigned char)line[length - 1]) || line[length - 1] == '_'))
			length--;
	return length > 0 && intp_names_container(line, (size_t)length, id);
}

bool intp_may_watch(const char *proc, const struct intp_asker *asker, const struct intp_watch *watch)
{
	if (!asker || asker->trusted || same_user(proc, watch->root, asker->user) ||
	    descends(proc, watch->root, asker->process))
		return true;
	return intp_is_yarns(watch->id) &&
	       (watch->attribution != INTP_TREE || started_as(proc, watch->root, watch->id));
}
