/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "alive.h"

#define DEEPEST_CGROUP 8 /* levels below a container's directory that are looked at */

/* The beginning of a small file, terminated; false where it cannot be read or is empty. */
static bool read_start(const char *name, char *text, size_t size)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return false;
	length = read(fd, text, size - 1);
	close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	return true;
}

bool intp_birth_read(const char *proc, pid_t pid, struct intp_birth *birth)
{
	char name[INTP_MAX_PATH], text[1024], *fields, state;
	unsigned long long start;
	int session, threads;

	snprintf(name, sizeof(name), "%s/%d/stat", proc, pid);
	if (!read_start(name, text, sizeof(text)))
		return false;
	/* The command may hold blanks and brackets of its own; the last bracket closes it. */
	fields = strrchr(text, ')');
	if (!fields ||
	    sscanf(fields + 1, " %c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d %*d %llu",
		   &state, &session, &threads, &start) != 4)
		return false;
	/* A leader that has ended while other threads run is shown as a zombie too. */
	if (state == 'X' || (state == 'Z' && threads <= 1))
		return false;
	*birth = (struct intp_birth){.start = start, .session = session};
	return true;
}

bool intp_sees_others(const char *proc)
{
	struct intp_birth birth;

	return intp_birth_read(proc, 1, &birth);
}

int intp_birth_follow(const char *proc, pid_t pid, const struct intp_birth *birth)
{
	struct intp_birth now;
	int descriptor;

	if (strcmp(proc, "/proc") != 0)
		return -1;
	descriptor = pidfd_open(pid, 0);
	/* The number may have gone to another process before the descriptor was opened. */
	if (descriptor >= 0 && (!intp_birth_read(proc, pid, &now) || now.start != birth->start)) {
		close(descriptor);
		return -1;
	}
	return descriptor;
}

void intp_births_last(const int *descriptors, size_t count, bool *last)
{
	struct pollfd polled[INTP_MAX_WATCHES];
	int ended;

	for (size_t i = 0; i < count; i++)
		polled[i] = (struct pollfd){.fd = descriptors[i], .events = POLLIN};
	ended = poll(polled, count, 0);
	for (size_t i = 0; i < count; i++)
		last[i] = descriptors[i] >= 0 && ended >= 0 && !polled[i].revents;
}

static bool cgroup_populated(const char *directory, int depth)
{
	char name[INTP_MAX_PATH], first[2];
	struct dirent *entry;
	bool populated;
	DIR *inside;

	if (snprintf(name, sizeof(name), "%s/cgroup.procs", directory) >= (int)sizeof(name))
		return false;
	populated = read_start(name, first, sizeof(first));
	inside = populated || depth == DEEPEST_CGROUP ? NULL : opendir(directory);
	while (inside && !populated && (entry = readdir(inside))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (snprintf(name, sizeof(name), "%s/%s", directory, entry->d_name) < (int)sizeof(name))
			populated = cgroup_populated(name, depth + 1);
	}
	if (inside)
		closedir(inside);
	return populated;
}

static bool session_populated(const char *proc, pid_t session, struct intp_sessions *sessions)
{
	struct intp_birth process;
	struct dirent *entry;
	DIR *all = sessions->read ? NULL : opendir(proc);

	if (all)
		sessions->ids.count = 0;
	while (all && (entry = readdir(all)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    intp_birth_read(proc, atoi(entry->d_name), &process) &&
		    intp_ids_add(&sessions->ids, process.session))
			break;
	if (all) {
		closedir(all);
		intp_ids_sort(&sessions->ids);
		sessions->read = true;
	}
	return sessions->read && intp_ids_hold(&sessions->ids, session);
}

void intp_sessions_free(struct intp_sessions *sessions)
{
	intp_ids_free(&sessions->ids);
	*sessions = (struct intp_sessions){0};
}

bool intp_container_alive(const char *proc, const struct intp_watch *watch, const struct intp_birth *root,
			  struct intp_sessions *sessions)
{
	struct intp_birth now;
	bool taken = intp_birth_read(proc, watch->root, &now);

	if (taken && now.start == root->start)
		return true;
	if (watch->attribution != INTP_TREE)
		return cgroup_populated(watch->directory, 0);
	/* The kernel gives a number to another process only when no process has it as its session any more. */
	return !taken && root->session == watch->root && session_populated(proc, root->session, sessions);
}
