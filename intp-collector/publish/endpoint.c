/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "endpoint.h"

#define BACKLOG 16

static bool failed(char *reason, size_t size, const char *what, const char *path)
{
	snprintf(reason, size, "cannot %s %s: %s", what, path, strerror(errno));
	return false;
}

static bool make_directory(const char *path, char *reason, size_t size)
{
	char directory[INTP_MAX_PATH];
	char *slash;

	snprintf(directory, sizeof(directory), "%s", path);
	slash = strrchr(directory, '/');
	if (!slash || slash == directory)
		return true;
	*slash = '\0';
	if (mkdir(directory, 0755) < 0)
		return errno == EEXIST || failed(reason, size, "create the directory", directory);
	/* A umask may have cut it, and whom the socket is for has to get through. */
	return chmod(directory, 0755) == 0 || failed(reason, size, "change the mode of", directory);
}

static bool take_lock(struct intp_endpoint *endpoint, char *reason, size_t size)
{
	char name[INTP_MAX_PATH + 8];

	snprintf(name, sizeof(name), "%s.lock", endpoint->path);
	endpoint->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (endpoint->lock < 0)
		return failed(reason, size, "open the lock", name);
	if (flock(endpoint->lock, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (errno != EWOULDBLOCK)
		return failed(reason, size, "lock", name);
	snprintf(reason, size, "another intpd serves %s; stop it, or give this one another --socket", endpoint->path);
	return false;
}

static bool remove_stale(const char *path, char *reason, size_t size)
{
	struct stat status;

	if (lstat(path, &status) < 0)
		return errno == ENOENT || failed(reason, size, "look at", path);
	if (!S_ISSOCK(status.st_mode)) {
		snprintf(reason, size, "%s is there and is not a socket; remove it, or give another --socket", path);
		return false;
	}
	return unlink(path) == 0 || failed(reason, size, "remove the stale socket", path);
}

static bool bind_socket(struct intp_endpoint *endpoint, uid_t owner, gid_t group, char *reason, size_t size)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	mode_t mask;
	int bound;

	strcpy(address.sun_path, endpoint->path);
	endpoint->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (endpoint->listener < 0)
		return failed(reason, size, "make a socket for", endpoint->path);
	/* Nobody may connect between the bind and the change of owner. */
	mask = umask(0777);
	bound = bind(endpoint->listener, (struct sockaddr *)&address, sizeof(address));
	umask(mask);
	if (bound < 0)
		return failed(reason, size, "bind", endpoint->path);
	/* The mode first: only the owner may change it, or somebody with a power that the daemon need not have. */
	if (listen(endpoint->listener, BACKLOG) < 0 || chmod(endpoint->path, 0660) < 0 ||
	    ((owner != (uid_t)-1 || group != (gid_t)-1) && chown(endpoint->path, owner, group) < 0)) {
		failed(reason, size, "publish", endpoint->path);
		unlink(endpoint->path);
		return false;
	}
	return true;
}

static void close_both(struct intp_endpoint *endpoint)
{
	if (endpoint->listener >= 0)
		close(endpoint->listener);
	if (endpoint->lock >= 0)
		close(endpoint->lock);
	endpoint->listener = endpoint->lock = -1;
}

bool intp_endpoint_open(struct intp_endpoint *endpoint, const char *path, uid_t owner, gid_t group, char *reason,
			size_t size)
{
	const size_t longest = sizeof(((struct sockaddr_un *)0)->sun_path) - 1;

	*endpoint = (struct intp_endpoint){.listener = -1, .lock = -1};
	if (strlen(path) == 0 || strlen(path) > longest) {
		snprintf(reason, size,
			 "the socket's path has %zu bytes, allowed are 1 to %zu; give a shorter --socket",
			 strlen(path), longest);
		return false;
	}
	strcpy(endpoint->path, path);
	if (make_directory(path, reason, size) && take_lock(endpoint, reason, size) &&
	    remove_stale(path, reason, size) && bind_socket(endpoint, owner, group, reason, size))
		return true;
	close_both(endpoint);
	return false;
}

void intp_endpoint_close(struct intp_endpoint *endpoint)
{
	if (endpoint->listener >= 0)
		unlink(endpoint->path);
	close_both(endpoint);
}
