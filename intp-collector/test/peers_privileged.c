// SPDX-License-Identifier: Apache-2.0
/*
 * Real sockets of real processes, counted by connection in the running kernel. What is compared with is what the test
 * sent.
 */
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

#include "real.h"

#define BYTES	    (1 << 20)
#define CONNECTIONS 40
#define ROOM	    32 /* fewer than connections, and half of it more than INTP_MOST_PEERS */
#define SECOND_NS   1000000000ULL

/* What one process does: it sends that many bytes through each socket, or receives them. */
struct work {
	int sockets[CONNECTIONS];
	int count;
	size_t bytes;
};

static void send_through(void *argument)
{
	static char block[BYTES];
	const struct work *work = argument;

	for (int i = 0; i < work->count; i++)
		if (send(work->sockets[i], block, work->bytes, 0) != (ssize_t)work->bytes)
			_exit(1);
}

static void receive_through(void *argument)
{
	static char block[BYTES];
	const struct work *work = argument;

	for (int i = 0; i < work->count; i++)
		if (recv(work->sockets[i], block, work->bytes, MSG_WAITALL) != (ssize_t)work->bytes)
			_exit(1);
}

static bool open_again(unsigned int entries, bool peers)
{
	struct intp_ebpf_options options = {
		.nominal_nic_bits = 1e9, .old = getenv("OLD"), .entries = entries, .peers = peers};
	char reason[INTP_MAX_REASON] = "";

	if (source)
		source->close(source);
	source = intp_ebpf_open(&options, reason, sizeof(reason));
	CHECK(source);
	return source->peers;
}

static socklen_t loopback(int family, struct sockaddr_storage *address)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)address;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;

	*address = (struct sockaddr_storage){.ss_family = (sa_family_t)family};
	if (family == AF_INET)
		v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		v6->sin6_addr = in6addr_loopback;
	return family == AF_INET ? sizeof(*v4) : sizeof(*v6);
}

/* A socket that listens; its address is written. */
static int listen_on_loopback(int family, struct sockaddr_storage *address, socklen_t *size)
{
	int listener = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	*size = loopback(family, address);
	if (listener < 0 || bind(listener, (struct sockaddr *)address, *size) || listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)address, size)) {
		close(listener);
		return -1;
	}
	return listener;
}

/* `through` is the family of the client's socket: one of IPv6 can have a peer of IPv4. */
static bool connect_pair(int family, int through, int *client, int *server)
{
	struct sockaddr_storage address;
	socklen_t size;
	int listener = listen_on_loopback(family, &address, &size);

	if (listener < 0)
		return false;
	if (through != family) {
		in_port_t port = ((struct sockaddr_in *)&address)->sin_port;
		struct sockaddr_in6 mapped = {.sin6_family = AF_INET6, .sin6_port = port};

		inet_pton(AF_INET6, "::ffff:127.0.0.1", &mapped.sin6_addr);
		memcpy(&address, &mapped, sizeof(mapped));
		size = sizeof(mapped);
	}
	*client = socket(through, SOCK_STREAM | SOCK_CLOEXEC, 0);
	CHECK(*client >= 0 && !connect(*client, (struct sockaddr *)&address, size));
	*server = accept(listener, NULL, NULL);
	CHECK(*server >= 0);
	close(listener);
	return true;
}

/* A process in slot 0 sends through all, and one in slot 1 receives; then both are read. */
static void transfer(struct work *from, struct work *to)
{
	transfer_between(child(send_through, from), child(receive_through, to));
}

static void done(struct work *from, struct work *to)
{
	for (int i = 0; i < from->count; i++) {
		close(from->sockets[i]);
		close(to->sockets[i]);
	}
	source->unwatch(source, 0);
	source->unwatch(source, 1);
}

static struct intp_peers peers_of(int slot)
{
	struct intp_peers peers;

	source->peers(source, slot, &peers);
	return peers;
}

static bool same_end(const unsigned char one[16], uint16_t port, const unsigned char other[16], uint16_t other_port)
{
	return !memcmp(one, other, 16) && port == other_port;
}

static bool both_ends_tell(int family, int through, const char *address)
{
	struct work from = {.count = 1, .bytes = BYTES}, to = {.count = 1, .bytes = BYTES};
	struct intp_peers sender, receiver;
	const struct intp_peer *one = sender.list, *other = receiver.list;
	struct in6_addr expected;

	if (!connect_pair(family, through, &from.sockets[0], &to.sockets[0]))
		return false;
	transfer(&from, &to);
	sender = peers_of(0);
	receiver = peers_of(1);
	CHECK(sender.count == 1 && receiver.count == 1);
	CHECK(one->sent == BYTES && one->received == 0 && other->sent == 0 && other->received == BYTES);
	CHECK(same_end(one->local, one->local_port, other->remote, other->remote_port));
	CHECK(same_end(one->remote, one->remote_port, other->local, other->local_port));
	CHECK(one->local_port != one->remote_port && one->remote_port);
	CHECK(inet_pton(AF_INET6, address, &expected) == 1 && !memcmp(one->local, &expected, 16));
	CHECK(sender.other_sent == 0 && receiver.other_received == 0);
	/* What stays here is still no traffic of the network. */
	CHECK_NEAR(used(0, INTP_NETP) + used(1, INTP_NETP), 0, 0);
	done(&from, &to);
	return true;
}

static void both_ends_tell_of_a_connection(void)
{
	if (!both_ends_tell(AF_INET, AF_INET, "::ffff:127.0.0.1"))
		SKIP("no loopback interface is up");
}

static void both_ends_tell_of_a_connection_of_ipv6(void)
{
	if (!both_ends_tell(AF_INET6, AF_INET6, "::1"))
		SKIP("no IPv6 here");
}

static void ipv4_is_the_same_through_a_socket_of_ipv6(void)
{
	int probe = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (probe < 0)
		SKIP("no IPv6 here");
	close(probe);
	if (!both_ends_tell(AF_INET, AF_INET6, "::ffff:127.0.0.1"))
		SKIP("no loopback interface is up");
}

static void send_datagrams(void *argument)
{
	struct sockaddr_in nobody = {.sin_family = AF_INET, .sin_port = htons(9)};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	nobody.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (int i = 0; i < *(int *)argument; i++)
		if (sendto(fd, "datagram", 8, 0, (struct sockaddr *)&nobody, sizeof(nobody)) != 8)
			_exit(1);
}

static void what_has_no_other_end_is_counted_as_other(void)
{
	int datagrams = 10;
	pid_t pid = child(send_datagrams, &datagrams);
	struct intp_peers peers;

	watch_tree(0, pid);
	go(pid);
	finish(pid);
	snapshot();
	peers = peers_of(0);
	CHECK(peers.count == 0 && peers.other_sent == 80 && peers.other_received == 0);
	source->unwatch(source, 0);
	watch_tree(0, getpid());
	snapshot();
	CHECK(peers_of(0).other_sent == 0);
	source->unwatch(source, 0);
}

static double all_sent(const struct intp_peers *peers)
{
	double sent = peers->other_sent;

	for (int i = 0; i < peers->count; i++)
		sent += peers->list[i].sent;
	return sent;
}

static double all_received(const struct intp_peers *peers)
{
	double received = peers->other_received;

	for (int i = 0; i < peers->count; i++)
		received += peers->list[i].received;
	return received;
}

static void no_byte_is_lost_where_there_is_no_room(void)
{
	struct work from = {.count = CONNECTIONS, .bytes = 1000}, to = {.count = CONNECTIONS, .bytes = 1000};
	struct intp_peers sender, receiver;

	for (int i = 0; i < CONNECTIONS; i++)
		CHECK(connect_pair(AF_INET, AF_INET, &from.sockets[i], &to.sockets[i]));
	transfer(&from, &to);
	sender = peers_of(0);
	receiver = peers_of(1);
	CHECK(sender.count + receiver.count > 0 && sender.count + receiver.count <= ROOM);
	CHECK_NEAR(all_sent(&sender), 1000.0 * CONNECTIONS, 0);
	CHECK_NEAR(all_received(&receiver), 1000.0 * CONNECTIONS, 0);
	done(&from, &to);
}

static void snapshot_at(uint64_t ns)
{
	CHECK(!source->snapshot(source, ns, samples));
}

static void who_is_idle_makes_room(void)
{
	struct work from = {.count = ROOM / 2 - 1, .bytes = 10}, to = {.count = ROOM / 2 - 1, .bytes = 10};
	struct work again = {.count = 1, .bytes = 10}, against = {.count = 1, .bytes = 10};
	uint64_t from_ns = now_ns();
	pid_t sender, receiver;
	struct intp_peers peers;

	for (int i = 0; i < from.count; i++)
		CHECK(connect_pair(AF_INET, AF_INET, &from.sockets[i], &to.sockets[i]));
	transfer(&from, &to);
	CHECK(peers_of(0).count == from.count);
	/* Rounds of a second, as a reader makes them that asks no more often. */
	for (int i = 1; i <= 4; i++)
		snapshot_at(from_ns + (uint64_t)i * SECOND_NS);
	peers = peers_of(0);
	CHECK(peers.count == 0 && peers.other_sent == 10.0 * from.count);
	source->unwatch(source, 0);
	source->unwatch(source, 1);

	CHECK(connect_pair(AF_INET, AF_INET, &again.sockets[0], &against.sockets[0]));
	sender = child(send_through, &again);
	receiver = child(receive_through, &against);
	watch_tree(0, sender);
	watch_tree(1, receiver);
	go(sender);
	go(receiver);
	finish(sender);
	finish(receiver);
	snapshot_at(from_ns + 5 * SECOND_NS);
	CHECK(peers_of(0).count == 1 && peers_of(0).other_sent == 0);
	done(&again, &against);
	for (int i = 0; i < from.count; i++) {
		close(from.sockets[i]);
		close(to.sockets[i]);
	}
}

static void nothing_is_counted_that_nobody_asked_for(void)
{
	CHECK(!open_again(0, false));
	CHECK(source->no_peers && strstr(source->no_peers, "--peers"));
}

int main(void)
{
	if (geteuid()) {
		printf("  skipped all: not root\n");
		return 0;
	}
	CLAIM(nothing_is_counted_that_nobody_asked_for);
	if (!open_again(0, true)) {
		printf("  skipped the others: %s\n", source->no_peers);
		source->close(source);
		return 0;
	}
	CLAIM(both_ends_tell_of_a_connection);
	CLAIM(both_ends_tell_of_a_connection_of_ipv6);
	CLAIM(ipv4_is_the_same_through_a_socket_of_ipv6);
	CLAIM(what_has_no_other_end_is_counted_as_other);
	CHECK(open_again(ROOM, true));
	CLAIM(no_byte_is_lost_where_there_is_no_room);
	CLAIM(who_is_idle_makes_room);
	source->close(source);
	return 0;
}
