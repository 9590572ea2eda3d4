/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "alive.h"

#define DEEPEST_CGROUP 8 /* levels below a container's directory that are looked at */

/*
 * What is found out here is 1: there is somebody; 0: there is nobody, because the file or directory is gone or empty;
 * or a negative errno: it cannot be told now, for want of descriptors or memory, say.
 */
static int unless_gone(int error)
{
	return error == ENOENT || error == ESRCH || error == ENODEV ? 0 : -error;
}

/* The beginning of a small file, terminated. */
static int read_start(const char *name, char *text, size_t size)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC), error;
	ssize_t length;

	if (fd < 0)
		return unless_gone(errno);
	length = read(fd, text, size - 1);
	error = errno;
	close(fd);
	if (length < 0)
		return unless_gone(error);
	text[length] = '\0';
	return length > 0;
}

static int find_birth(const char *proc, pid_t pid, struct intp_birth *birth)
{
	char name[INTP_MAX_PATH], text[1024], *fields, state;
	unsigned long long start;
	int session, threads, found;

	snprintf(name, sizeof(name), "%s/%d/stat", proc, pid);
	found = read_start(name, text, sizeof(text));
	if (found <= 0)
		return found;
	/* The command may hold blanks and brackets of its own; the last bracket closes it. */
	fields = strrchr(text, ')');
	if (!fields ||
	    sscanf(fields + 1, " %c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d %*d %llu",
		   &state, &session, &threads, &start) != 4)
		return 0;
	/* A leader that has ended while other threads run is shown as a zombie too. */
	if (state == 'X' || (state == 'Z' && threads <= 1))
		return 0;
	*birth = (struct intp_birth){.start = start, .session = session};
	return 1;
}

bool intp_birth_read(const char *proc, pid_t pid, struct intp_birth *birth)
{
	return find_birth(proc, pid, birth) > 0;
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

static int cgroup_populated(const char *directory, int depth)
{
	char name[INTP_MAX_PATH], first[2];
	struct dirent *entry;
	int populated;
	DIR *inside;

	if (snprintf(name, sizeof(name), "%s/cgroup.procs", directory) >= (int)sizeof(name))
		return 0;
	populated = read_start(name, first, sizeof(first));
	if (populated || depth == DEEPEST_CGROUP)
		return populated;
	inside = opendir(directory);
	if (!inside)
		return unless_gone(errno);
	while (!populated && (entry = readdir(inside))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (snprintf(name, sizeof(name), "%s/%s", directory, entry->d_name) < (int)sizeof(name))
			populated = cgroup_populated(name, depth + 1);
	}
	closedir(inside);
	return populated;
}

/* Returns 0 or a negative errno. */
static int read_sessions(const char *proc, struct intp_ids *ids)
{
	struct intp_birth process;
	struct dirent *entry;
	DIR *all = opendir(proc);
	int error = all ? 0 : -errno;

	while (!error && (entry = readdir(all))) {
		int found = isdigit((unsigned char)entry->d_name[0]) ? find_birth(proc, atoi(entry->d_name), &process)
								     : 0;

		/* Whom it may not see is none of the containers': another user's. */
		if (found < 0 && found != -EACCES && found != -EPERM)
			error = found;
		else if (found > 0)
			error = intp_ids_add(ids, process.session);
	}
	if (all)
		closedir(all);
	intp_ids_sort(ids);
	return error;
}

static int session_populated(const char *proc, pid_t session, struct intp_sessions *sessions)
{
	if (!sessions->read)
		sessions->error = read_sessions(proc, &sessions->ids);
	sessions->read = true;
	if (intp_ids_hold(&sessions->ids, session))
		return 1;
	return sessions->error;
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
	int found = find_birth(proc, watch->root, &now);

	/* The dead do not come back: so none is said to be dead for want of a descriptor. */
	if (found < 0 || (found && now.start == root->start))
		return true;
	if (watch->attribution != INTP_TREE)
		return cgroup_populated(watch->directory, 0) != 0;
	/* The kernel gives a number to another process only when no process has it as its session any more. */
	return !found && root->session == watch->root && session_populated(proc, root->session, sessions) != 0;
}
