/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "server.h"

#define EVENTS_A_TURN	(INTP_MAX_CLIENTS + 2)
#define ACCEPT_RETRY_MS 1000 /* after the system had no descriptor for a new connection */

struct client {
	bool used;
	enum intp_connection_state state;
	uint32_t events; /* what epoll waits for */
	uint64_t served; /* the turn in which it last had something to say, or was let in */
	struct intp_connection connection;
};

struct intp_server {
	struct intp_endpoint endpoint;
	uid_t user;
	uint64_t stall_ms;
	int stop;
	int epoll;
	bool accepting;
	uint64_t turn;
	int first; /* the client that is served first of those that have lines left */
	intp_answer_line *answer;
	void *context;
	struct client clients[INTP_MAX_CLIENTS];
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* `data` tells the listener, `stop` and the clients apart. */
static int wait_for(struct intp_server *server, int fd, uint32_t events, void *data)
{
	struct epoll_event event = {.events = events, .data.ptr = data};

	return epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event);
}

struct intp_server *intp_server_open(const struct intp_endpoint *endpoint, uid_t user, int stall_ms, int stop,
				     intp_answer_line *answer, void *context)
{
	struct intp_server *server = calloc(1, sizeof(*server));

	if (!server)
		return NULL;
	server->endpoint = *endpoint;
	server->user = user;
	server->stall_ms = stall_ms;
	server->stop = stop;
	server->accepting = true;
	server->answer = answer;
	server->context = context;
	server->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (server->epoll >= 0 && wait_for(server, endpoint->listener, EPOLLIN, &server->endpoint) == 0 &&
	    (stop < 0 || wait_for(server, stop, EPOLLIN, &server->stop) == 0))
		return server;
	if (server->epoll >= 0)
		close(server->epoll);
	free(server);
	return NULL;
}

static int connections_of(const struct intp_server *server, pid_t process)
{
	int count = 0;

	for (int i = 0; i < INTP_MAX_CLIENTS; i++)
		count += server->clients[i].used && server->clients[i].connection.asker.process == process;
	return count;
}

/* Fills in who connected; false for one who is not answered. */
static bool welcome(const struct intp_server *server, int fd, struct intp_asker *asker)
{
	struct ucred peer;
	socklen_t length = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0)
		return false;
	*asker = (struct intp_asker){
		.trusted = peer.uid == 0 || peer.uid == geteuid(),
		.user = peer.uid,
		.process = peer.pid,
	};
	return asker->trusted ||
	       (peer.uid == server->user && connections_of(server, peer.pid) < INTP_MAX_CONNECTIONS);
}

static void end_client(struct client *client)
{
	intp_connection_close(&client->connection);
	client->used = false;
}

/* Whether `one` is rather to make room than `other`, NULL: nobody. */
static bool goes_before(const struct intp_server *server, const struct client *one, const struct client *other)
{
	int connections = connections_of(server, one->connection.asker.process);
	int others = other ? connections_of(server, other->connection.asker.process) : 0;

	return connections > others || (connections == others && one->served < other->served);
}

/*
 * A place for a newcomer. Where all are taken, the process that has the most of them gives up the one that was idle
 * the longest: tasks may run as the NodeManager's user, and must not shut it out by holding connections. One that is
 * trusted gives up none.
 */
static struct client *make_room(struct intp_server *server)
{
	struct client *last = NULL;

	for (int i = 0; i < INTP_MAX_CLIENTS; i++) {
		struct client *client = &server->clients[i];

		if (!client->used)
			return client;
		if (!client->connection.asker.trusted && goes_before(server, client, last))
			last = client;
	}
	if (last)
		end_client(last);
	return last;
}

static void accept_one(struct intp_server *server, int fd)
{
	struct intp_asker asker;
	struct client *client = welcome(server, fd, &asker) ? make_room(server) : NULL;

	if (!client || wait_for(server, fd, EPOLLIN, client) < 0) {
		close(fd);
		return;
	}
	*client = (struct client){
		.used = true,
		.events = EPOLLIN,
		.served = server->turn,
		.connection = {.fd = fd, .asker = asker},
	};
}

/*
 * Those that are left over are told of again in the next turn. Without a free descriptor the listener would stay
 * readable and the loop would spin; so it is left alone a while.
 */
static void accept_some(struct intp_server *server)
{
	for (int i = 0; i < INTP_ACCEPTS_A_TURN; i++) {
		int fd = accept4(server->endpoint.listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0) {
			accept_one(server, fd);
		} else if (errno == EAGAIN) {
			return;
		} else if (errno != EINTR && errno != ECONNABORTED) {
			epoll_ctl(server->epoll, EPOLL_CTL_DEL, server->endpoint.listener, NULL);
			server->accepting = false;
			return;
		}
	}
}

static void accept_again(struct intp_server *server)
{
	if (!server->accepting)
		server->accepting = wait_for(server, server->endpoint.listener, EPOLLIN, &server->endpoint) == 0;
}

static void serve(struct intp_server *server, struct client *client, uint64_t now)
{
	struct epoll_event event = {.data.ptr = client};

	client->served = server->turn;
	client->state = intp_connection_turn(&client->connection, server->turn, now, server->answer, server->context);
	if (client->state == INTP_ENDED) {
		end_client(client);
		return;
	}
	/* One that waits to be read is not read from; its hanging up is told whatever is asked for. */
	event.events = client->state == INTP_BLOCKED ? EPOLLOUT : EPOLLIN;
	if (event.events == client->events)
		return;
	client->events = event.events;
	epoll_ctl(server->epoll, EPOLL_CTL_MOD, client->connection.fd, &event);
}

/* What a turn is enough for is not always the same client's: who was the first is the last one next time. */
static void serve_ready(struct intp_server *server, uint64_t now)
{
	int first = server->first;
	bool served = false;

	for (int i = 0; i < INTP_MAX_CLIENTS; i++) {
		int index = (first + i) % INTP_MAX_CLIENTS;
		struct client *client = &server->clients[index];

		if (client->used && client->state == INTP_READY) {
			if (!served)
				server->first = (index + 1) % INTP_MAX_CLIENTS;
			served = true;
			serve(server, client, now);
		}
		if (client->used && client->state == INTP_BLOCKED &&
		    now - client->connection.stalled_ms >= server->stall_ms)
			end_client(client);
	}
}

static int earlier(int timeout_ms, uint64_t other_ms)
{
	return timeout_ms < 0 || (uint64_t)timeout_ms > other_ms ? (int)other_ms : timeout_ms;
}

/* No later than the next client is to be given up or to be served on. */
static int next_timeout(const struct intp_server *server, int timeout_ms, uint64_t now)
{
	if (!server->accepting)
		timeout_ms = earlier(timeout_ms, ACCEPT_RETRY_MS);
	for (int i = 0; i < INTP_MAX_CLIENTS; i++) {
		const struct client *client = &server->clients[i];
		uint64_t idle = now - client->connection.stalled_ms;

		if (client->used && client->state == INTP_READY)
			return 0;
		if (client->used && client->state == INTP_BLOCKED)
			timeout_ms = earlier(timeout_ms, idle < server->stall_ms ? server->stall_ms - idle : 0);
	}
	return timeout_ms;
}

int intp_server_turn(struct intp_server *server, int timeout_ms)
{
	struct epoll_event events[EVENTS_A_TURN];
	int stopped = 0, count;
	uint64_t now;

	count = epoll_wait(server->epoll, events, EVENTS_A_TURN, next_timeout(server, timeout_ms, now_ms()));
	if (count < 0)
		return errno == EINTR ? 0 : -errno;
	server->turn++;
	now = now_ms();
	accept_again(server);
	serve_ready(server, now);
	for (int i = 0; i < count; i++) {
		void *data = events[i].data.ptr;

		if (data == &server->stop)
			stopped = 1;
		else if (data == &server->endpoint)
			accept_some(server);
		else if (((struct client *)data)->used)
			serve(server, data, now);
	}
	return stopped;
}

void intp_server_close(struct intp_server *server)
{
	for (int i = 0; i < INTP_MAX_CLIENTS; i++)
		if (server->clients[i].used)
			end_client(&server->clients[i]);
	intp_endpoint_close(&server->endpoint);
	close(server->epoll);
	free(server);
}
