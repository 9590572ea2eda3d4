/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../publish/daemon.h"
#include "../publish/server.h"
#include "accounts.h"
#include "commands.h"
#include "measure.h"
#include "stop.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

/* Tells the service manager, where there is one, how the daemon is. */
static void notify(const char *state)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const char *name = getenv("NOTIFY_SOCKET");
	size_t length = name ? strlen(name) : 0;
	int fd;

	if (length < 2 || length > sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, name, length);
	if (name[0] == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	if (sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
		   offsetof(struct sockaddr_un, sun_path) + length) < 0)
		intp_say("cannot notify the service manager: %s", strerror(errno));
	close(fd);
}

/* How often the service manager wants to hear that the daemon lives, halved, in ms; -1: it does not. */
static int watchdog_ms(void)
{
	const char *limit = getenv("WATCHDOG_USEC"), *process = getenv("WATCHDOG_PID");
	long long us = limit ? strtoll(limit, NULL, 10) : 0;

	if (us < 2000 || us / 2000 > INT_MAX || (process && strtoll(process, NULL, 10) != getpid()))
		return -1;
	return (int)(us / 2000);
}

static void read_boot_id(char *boot, size_t size)
{
	FILE *file = fopen(BOOT_ID, "re");

	if (!file || !fgets(boot, (int)size, file))
		snprintf(boot, size, "unknown");
	boot[strcspn(boot, "\n")] = '\0';
	if (file)
		fclose(file);
}

/* What slowdowns are predicted from; `intpd check` says the rest. */
static void say_abilities(const struct intp_options *options, const struct intp_panel *panel)
{
	const struct intp_count peers = intp_panel_peers(panel);
	const struct intp_panel_entry *first = &panel->entries[0];
	struct intp_sample abilities;

	if (!first->source)
		intp_say("%s counts, because %s cannot: %s", intp_panel_primary(panel)->name, first->name,
			 first->reason);
	intp_panel_abilities(panel, &abilities);
	for (int i = 0; i < INTP_SIGNALS; i++) {
		const struct intp_count *count = &abilities.counts[i];

		if (count->status == INTP_UNAVAILABLE && intp_signal_is_predictor(i))
			intp_say("%s is not measured: %s", intp_signal_name(i), count->reason);
	}
	if (options->peers && peers.status == INTP_UNAVAILABLE)
		intp_say("--peers: not measured: %s", peers.reason);
}

static void answer(void *daemon, struct intp_asker *asker, uint64_t turn, const char *line, size_t length,
		   struct intp_buffer *out)
{
	intp_daemon_answer(daemon, asker, turn, line, length, out);
}

/* A turn that takes too long is what the service manager is to end. */
static int run(struct intp_server *server)
{
	int interval = watchdog_ms(), result;
	uint64_t told = 0;

	do {
		uint64_t now = intp_now_ns();

		if (interval > 0 && now - told >= (uint64_t)interval * 500000) {
			notify("WATCHDOG=1");
			told = now;
		}
		result = intp_server_turn(server, interval);
	} while (result == 0);
	return result < 0 ? result : 0;
}

static int serve_until_stopped(struct intp_endpoint *endpoint, uid_t user, struct intp_daemon *daemon, int stop)
{
	struct intp_server *server = intp_server_open(endpoint, user, INTP_STALL_MS, stop, answer, daemon);
	int error;

	if (!server)
		return intp_fail("cannot serve: %s", strerror(errno));
	/* The server's from here on: once that is closed, another daemon's socket may be at the path. */
	endpoint->listener = endpoint->lock = -1;
	intp_say("release " INTP_RELEASE " serves %s", endpoint->path);
	notify("READY=1");
	error = run(server);
	intp_server_close(server);
	return error ? intp_fail("stopped serving: %s", strerror(-error)) : 0;
}

static int serve_panel(const struct intp_options *options, struct intp_endpoint *endpoint, uid_t user,
		       struct intp_panel *panel, int stop)
{
	struct intp_watches *watches = intp_watches_open(panel, options->max_watches, "/proc");
	struct intp_identity identity = {
		.release = INTP_RELEASE,
		.start_ns = intp_now_ns(),
		.watches = options->max_watches,
	};
	struct intp_daemon *daemon;
	char boot[64];
	int status = 1;

	read_boot_id(boot, sizeof(boot));
	identity.boot = boot;
	daemon = watches ? intp_daemon_open(&identity, panel, watches, intp_now_ns) : NULL;
	if (daemon)
		status = serve_until_stopped(endpoint, user, daemon, stop);
	else
		intp_fail("out of memory");
	if (daemon)
		intp_daemon_close(daemon);
	if (watches)
		intp_watches_close(watches);
	return status;
}

static int find_accounts(const struct intp_options *options, uid_t *user, gid_t *group)
{
	*user = (uid_t)-1;
	*group = (gid_t)-1;
	if (options->user && !intp_find_user(options->user, user))
		return intp_fail("--user %s is not in /etc/passwd; give a user of this machine, or a number",
				 options->user);
	if (options->group && !intp_find_group(options->group, group))
		return intp_fail("--group %s is not in /etc/group; give a group of this machine, or a number",
				 options->group);
	return 0;
}

/* Root gives the socket to the user; anybody else can only lend it to a group that the user is in. */
static bool publish(const struct intp_options *options, uid_t user, gid_t group, struct intp_endpoint *endpoint)
{
	gid_t of_socket = group == (gid_t)-1 ? getegid() : group;
	bool root = geteuid() == 0;
	char reason[1024];

	if (!intp_endpoint_open(endpoint, options->socket, root ? user : (uid_t)-1, group, reason, sizeof(reason))) {
		intp_fail("%s", reason);
		return false;
	}
	if (!root && user != (uid_t)-1 && user != geteuid() && !intp_user_in_group(user, of_socket))
		intp_say("--user %s is not in group %u, which owns the socket, as far as /etc/group says: the kernel "
			 "will not let it connect; run the daemon with a group that the user is in",
			 options->user, of_socket);
	return true;
}

/* A daemon that refused every container would keep the NodeManager from reading /proc itself: better none. */
static bool sees_whom_it_serves(uid_t user)
{
	const char *blind = intp_why_blind();

	if (blind && user != (uid_t)-1 && user != geteuid()) {
		intp_fail("%s", blind);
		return false;
	}
	if (blind)
		intp_say("%s", blind);
	return true;
}

int intp_command_serve(const struct intp_options *options)
{
	struct intp_panel panel = {0};
	struct intp_endpoint endpoint;
	char reason[1024];
	int stop, status;
	uid_t user;
	gid_t group;

	/* As bad options: starting again would not help. */
	if (find_accounts(options, &user, &group) || !sees_whom_it_serves(user))
		return 2;
	stop = intp_stop_open();
	if (stop < 0)
		return intp_fail("cannot wait for signals: %s", strerror(errno));
	/* The lock comes first: a second daemon must not load its probes only to be refused. */
	if (!publish(options, user, group, &endpoint)) {
		close(stop);
		return 1;
	}
	if (intp_measure_open(options, &panel, reason, sizeof(reason))) {
		say_abilities(options, &panel);
		status = serve_panel(options, &endpoint, user, &panel, stop);
	} else {
		status = intp_fail("%s", reason);
	}
	intp_panel_close(&panel);
	intp_endpoint_close(&endpoint);
	close(stop);
	return status;
}
