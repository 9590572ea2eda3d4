/* SPDX-License-Identifier: Apache-2.0 */
/* The server on a real socket; client and server take turns in one thread, so nothing depends on timing. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../publish/server.h"
#include "claims.h"

#define NOBODY	 65534
#define STALL_MS 50
#define NOW	 0    /* ms to wait for what has happened already */
#define SOON	 5000 /* ms to wait for what must happen */

static char directory[] = "/tmp/intpd-server-XXXXXX";
static char path[64];
static struct intp_server *server;
static uint64_t answered, turns, last_turn;
static size_t answer_size;

/* Gives a line back behind an equals sign, or so many bytes. */
static void echo(void *context, struct intp_asker *asker, uint64_t turn, const char *line, size_t length,
		 struct intp_buffer *out)
{
	(void)context;
	(void)asker;
	answered++;
	turns += turn != last_turn;
	last_turn = turn;
	intp_buffer_text(out, "=");
	intp_buffer_append(out, line, length);
	for (size_t i = 0; i < answer_size; i += 16)
		intp_buffer_text(out, "0123456789abcdef");
	intp_buffer_text(out, "\n");
}

static void start(uid_t user)
{
	struct intp_endpoint endpoint;
	char reason[512];

	CHECK(intp_endpoint_open(&endpoint, path, (uid_t)-1, (gid_t)-1, reason, sizeof(reason)));
	server = intp_server_open(&endpoint, user, STALL_MS, -1, echo, NULL);
	CHECK(server);
	answered = turns = last_turn = answer_size = 0;
}

static void stop(void)
{
	intp_server_close(server);
	CHECK(access(path, F_OK) < 0);
}

static void turn(void)
{
	CHECK(intp_server_turn(server, NOW) == 0);
}

static int dial(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, path);
	CHECK(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	return fd;
}

static void say(int fd, const char *text)
{
	CHECK(send(fd, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text));
}

/* What the server sent so far, terminated. */
static const char *heard(int fd)
{
	static char text[65536];
	ssize_t length = recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT);

	text[length > 0 ? length : 0] = '\0';
	return text;
}

static bool closed(int fd)
{
	char byte;

	return recv(fd, &byte, 1, MSG_DONTWAIT) == 0 || errno == ECONNRESET;
}

static void ask(int fd, const char *line, const char *answer)
{
	say(fd, line);
	turn();
	turn();
	CHECK(strcmp(heard(fd), answer) == 0);
}

static void a_line_is_answered_on_a_connection_that_stays_open(void)
{
	int fd;

	start(-1);
	fd = dial();
	ask(fd, "one\n", "=one\n");
	ask(fd, "two\n", "=two\n");
	ask(fd, "\n", "=\n");
	close(fd);
	stop();
}

static void half_a_line_waits_for_the_other_half(void)
{
	int fd;

	start(-1);
	fd = dial();
	ask(fd, "ha", "");
	ask(fd, "lf\nan", "=half\n");
	ask(fd, "other\n", "=another\n");
	close(fd);
	stop();
}

static void lines_of_one_write_are_answered_in_order_and_in_one_turn(void)
{
	int fd;

	start(-1);
	fd = dial();
	turn();
	say(fd, "1\n2\n3\n4\n5\n");
	turn();
	CHECK(strcmp(heard(fd), "=1\n=2\n=3\n=4\n=5\n") == 0);
	CHECK(turns == 1);
	close(fd);
	stop();
}

static void requests_of_two_clients_that_wait_are_answered_in_one_turn(void)
{
	int one, two;

	start(-1);
	one = dial();
	two = dial();
	turn();
	say(one, "a\n");
	say(two, "b\n");
	turn();
	CHECK(answered == 2 && turns == 1);
	close(one);
	close(two);
	stop();
}

static void many_lines_leave_other_clients_their_turn(void)
{
	int greedy, modest;

	start(-1);
	greedy = dial();
	modest = dial();
	turn();
	for (int i = 0; i < 3 * INTP_LINES_A_TURN; i++)
		say(greedy, "x\n");
	say(modest, "y\n");
	turn();
	CHECK(answered == INTP_LINES_A_TURN + 1 && strcmp(heard(modest), "=y\n") == 0);
	turn();
	turn();
	turn();
	CHECK(answered == 3 * INTP_LINES_A_TURN + 1);
	close(greedy);
	close(modest);
	stop();
}

static void lines_sent_before_hanging_up_for_writing_are_answered(void)
{
	int fd;

	start(-1);
	fd = dial();
	say(fd, "last\nhalf");
	CHECK(shutdown(fd, SHUT_WR) == 0);
	turn();
	turn();
	CHECK(strcmp(heard(fd), "=last\n") == 0 && closed(fd) && answered == 1);
	close(fd);
	stop();
}

static void the_longest_line_is_answered_and_a_longer_one_ends_the_connection(void)
{
	static char line[INTP_MAX_LINE + 3];
	int fd, other;

	start(-1);
	fd = dial();
	other = dial();
	memset(line, 'x', sizeof(line));
	line[INTP_MAX_LINE] = '\n';
	line[INTP_MAX_LINE + 1] = '\0';
	say(fd, line);
	turn();
	turn();
	CHECK(answered == 1);
	while (heard(fd)[0])
		turn();
	line[INTP_MAX_LINE] = 'x';
	say(fd, line);
	turn();
	CHECK(strstr(heard(fd), "\"code\":\"too_long\"") && closed(fd) && answered == 1);
	ask(other, "still\n", "=still\n");
	close(fd);
	close(other);
	stop();
}

static void a_client_that_does_not_read_holds_up_nobody_and_is_given_up(void)
{
	int slow, other;

	start(-1);
	answer_size = 1 << 20;
	slow = dial();
	turn();
	for (int i = 0; i < 100; i++)
		say(slow, "x\n");
	turn();
	CHECK(answered == 1);
	answer_size = 0;
	other = dial();
	ask(other, "well\n", "=well\n");
	CHECK(answered == 2);
	/* The server itself waits for the moment at which it gives the client up. */
	CHECK(intp_server_turn(server, SOON) == 0);
	CHECK(intp_server_turn(server, NOW) == 0);
	for (int i = 0; i < 100 && heard(slow)[0]; i++)
		;
	CHECK(closed(slow) && answered == 2);
	ask(other, "again\n", "=again\n");
	close(slow);
	close(other);
	stop();
}

static void a_client_that_reads_late_gets_every_answer(void)
{
	size_t bytes = 0;
	int fd;

	start(-1);
	answer_size = 400000;
	fd = dial();
	turn();
	for (int i = 0; i < 5; i++)
		say(fd, "x\n");
	for (int i = 0; i < 10000 && bytes < 5 * 400003; i++) {
		turn();
		bytes += strlen(heard(fd));
	}
	CHECK(bytes == 5 * 400003 && answered == 5);
	close(fd);
	stop();
}

static void an_answer_beyond_the_limit_ends_the_connection(void)
{
	int fd;

	start(-1);
	answer_size = INTP_PENDING_LIMIT + 1;
	fd = dial();
	say(fd, "x\n");
	turn();
	turn();
	CHECK(closed(fd));
	close(fd);
	stop();
}

static void a_client_that_dies_leaves_the_server_well(void)
{
	int fd;

	start(-1);
	answer_size = 1 << 20;
	fd = dial();
	say(fd, "x\nx\n");
	turn();
	turn();
	close(fd);
	turn();
	fd = dial();
	say(fd, "unfinished");
	close(fd);
	turn();
	answer_size = 0;
	fd = dial();
	ask(fd, "well\n", "=well\n");
	close(fd);
	stop();
}

static void a_client_beyond_the_most_is_turned_away_until_one_goes(void)
{
	int fds[INTP_MAX_CLIENTS], fd;

	start(-1);
	for (int i = 0; i < INTP_MAX_CLIENTS; i++) {
		fds[i] = dial();
		turn();
	}
	fd = dial();
	turn();
	CHECK(closed(fd));
	close(fd);
	close(fds[0]);
	turn();
	fd = dial();
	ask(fd, "in\n", "=in\n");
	for (int i = 1; i < INTP_MAX_CLIENTS; i++)
		close(fds[i]);
	close(fd);
	stop();
}

/* Whether another user gets an answer; the child says so by its exit. */
static bool answers_user(uid_t user)
{
	struct pollfd polled = {.events = POLLIN};
	pid_t child = fork();
	char byte;
	int status;

	if (child == 0) {
		if (setuid(user) < 0)
			_exit(2);
		polled.fd = dial();
		send(polled.fd, "x\n", 2, MSG_NOSIGNAL);
		poll(&polled, 1, SOON);
		_exit(recv(polled.fd, &byte, 1, MSG_DONTWAIT) == 1 ? 0 : 1);
	}
	while (waitpid(child, &status, WNOHANG) == 0)
		CHECK(intp_server_turn(server, 10) == 0);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) < 2);
	return WEXITSTATUS(status) == 0;
}

static void only_root_and_the_configured_user_are_answered(void)
{
	if (geteuid() != 0)
		SKIP("only root can become another user");
	CHECK(chmod(directory, 0755) == 0);
	start(-1);
	CHECK(chmod(path, 0666) == 0);
	CHECK(!answers_user(NOBODY) && answered == 0);
	CHECK(answers_user(0));
	stop();
	start(NOBODY);
	CHECK(chmod(path, 0666) == 0);
	CHECK(answers_user(NOBODY) && !answers_user(NOBODY - 1));
	stop();
}

/* How many connections a process of this user keeps of those that it makes. */
static int connections_of(uid_t user, int made)
{
	int ready[2], done[2], kept = 0, status;
	pid_t child;
	char byte;

	CHECK(pipe(ready) == 0 && pipe(done) == 0);
	child = fork();
	if (child == 0) {
		int connections[INTP_MAX_CLIENTS];

		CHECK(setresuid(user, user, user) == 0);
		for (int i = 0; i < made; i++)
			connections[i] = dial();
		CHECK(write(ready[1], "x", 1) == 1 && read(done[0], &byte, 1) == 1);
		for (int i = 0; i < made; i++)
			kept += recv(connections[i], &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
		_exit(kept);
	}
	CHECK(read(ready[0], &byte, 1) == 1);
	turn();
	CHECK(write(done[1], "x", 1) == 1);
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
	for (int i = 0; i < 2; i++)
		close(ready[i]), close(done[i]);
	turn();
	return WEXITSTATUS(status);
}

static void one_process_cannot_take_all_connections(void)
{
	if (geteuid() != 0)
		SKIP("only root can become another user");
	start(NOBODY);
	CHECK(chmod(path, 0666) == 0);
	CHECK(connections_of(NOBODY, 12) == INTP_MAX_CONNECTIONS);
	CHECK(connections_of(NOBODY, 3) == 3);
	stop();
}

/* Another user's process, and the connections that it holds. */
struct holder {
	pid_t process;
	int orders, reports;
};

static void hold(struct holder *holder, uid_t user)
{
	int connections[INTP_MAX_CLIENTS], count = 0, to[2], from[2], kept;
	char order, byte;

	CHECK(pipe(to) == 0 && pipe(from) == 0);
	*holder = (struct holder){.process = fork(), .orders = to[1], .reports = from[0]};
	if (holder->process) {
		close(to[0]);
		close(from[1]);
		return;
	}
	CHECK(setresuid(user, user, user) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);
	while (read(to[0], &order, 1) == 1) {
		if (order == 'd')
			connections[count++] = dial();
		for (int i = 0; order == 's' && i < count; i++)
			send(connections[i], "x\n", 2, MSG_NOSIGNAL);
		kept = 0;
		for (int i = 0; order == 'k' && i < count; i++)
			kept += recv(connections[i], &byte, 1, MSG_DONTWAIT | MSG_PEEK) != 0;
		byte = (char)kept;
		CHECK(write(from[1], &byte, 1) == 1);
	}
	_exit(0);
}

/* Has it dial once more ('d'), say a line on each of its connections ('s'), or tell how many are kept ('k'). */
static int order(const struct holder *holder, char what)
{
	char told;

	CHECK(write(holder->orders, &what, 1) == 1 && read(holder->reports, &told, 1) == 1);
	turn();
	turn();
	return told;
}

static void release(struct holder *holder)
{
	close(holder->orders);
	close(holder->reports);
	kill(holder->process, SIGKILL);
	CHECK(waitpid(holder->process, NULL, 0) == holder->process);
}

#define FORKS 5

/* Four processes of the configured user have as many connections as there are. */
static void fill(struct holder holders[FORKS])
{
	start(NOBODY);
	CHECK(chmod(directory, 0755) == 0 && chmod(path, 0666) == 0);
	for (int i = 0; i < FORKS; i++)
		hold(&holders[i], NOBODY);
	for (int i = 0; i < INTP_MAX_CLIENTS; i++)
		order(&holders[i / INTP_MAX_CONNECTIONS], 'd');
	for (int i = 0; i < FORKS; i++)
		CHECK(order(&holders[i], 'k') == (i < 4 ? INTP_MAX_CONNECTIONS : 0));
}

static void empty(struct holder holders[FORKS])
{
	for (int i = 0; i < FORKS; i++)
		release(&holders[i]);
	turn();
	stop();
}

static void however_many_are_idle_a_newcomer_is_answered(void)
{
	struct holder holders[FORKS];
	int root;

	if (geteuid() != 0)
		SKIP("only root can become another user");
	fill(holders);
	/* What was idle the longest goes: the first connection of the second process, as the first has spoken. */
	order(&holders[0], 's');
	root = dial();
	ask(root, "root\n", "=root\n");
	CHECK(order(&holders[0], 'k') == INTP_MAX_CONNECTIONS);
	CHECK(order(&holders[1], 'k') == INTP_MAX_CONNECTIONS - 1);
	order(&holders[4], 'd');
	CHECK(order(&holders[4], 'k') == 1);
	CHECK(order(&holders[2], 'k') == INTP_MAX_CONNECTIONS - 1);
	ask(root, "still\n", "=still\n");
	close(root);
	empty(holders);
}

static void a_process_that_has_few_connections_loses_none_to_those_that_have_many(void)
{
	struct holder holders[FORKS];
	int root;

	if (geteuid() != 0)
		SKIP("only root can become another user");
	fill(holders);
	order(&holders[4], 'd');
	root = dial();
	turn();
	for (int i = 0; i < 3 * INTP_MAX_CLIENTS; i++) {
		order(&holders[i % 4], 's');
		order(&holders[i % 4], 'd');
	}
	CHECK(order(&holders[4], 'k') == 1);
	ask(root, "root\n", "=root\n");
	close(root);
	empty(holders);
}

static void connections_of_a_turn_are_bounded(void)
{
	enum { MANY = INTP_ACCEPTS_A_TURN + 1 };
	int fds[MANY];

	start(-1);
	for (int i = 0; i < MANY; i++) {
		fds[i] = dial();
		say(fds[i], "x\n");
	}
	turn();
	CHECK(answered == 0);
	turn();
	CHECK(answered == INTP_ACCEPTS_A_TURN);
	turn();
	CHECK(answered == MANY);
	for (int i = 0; i < MANY; i++)
		close(fds[i]);
	stop();
}

static uint64_t piece_of_turn;
static int pieces[3];

/* A line "0", "1" or "2" is that client's; in a turn one of them gets on by a piece, and never to the end. */
static void answer_one_piece_a_turn(void *context, struct intp_asker *asker, uint64_t turn, const char *line,
				    size_t length, struct intp_buffer *out)
{
	(void)context;
	(void)length;
	(void)out;
	asker->unfinished = &pieces;
	if (piece_of_turn != turn)
		pieces[*line - '0']++;
	piece_of_turn = turn;
}

static void forget_nothing(void *unfinished)
{
	(void)unfinished;
}

static void answer_and_forget_nothing(void *context, struct intp_asker *asker, uint64_t turn, const char *line,
				      size_t length, struct intp_buffer *out)
{
	asker->forget = forget_nothing;
	answer_one_piece_a_turn(context, asker, turn, line, length, out);
}

static void clients_that_wait_for_a_piece_take_turns(void)
{
	static const char *const lines[] = {"0\n", "1\n", "2\n"};
	struct intp_endpoint endpoint;
	char reason[512];
	int fds[3];

	CHECK(intp_endpoint_open(&endpoint, path, (uid_t)-1, (gid_t)-1, reason, sizeof(reason)));
	server = intp_server_open(&endpoint, -1, STALL_MS, -1, answer_and_forget_nothing, NULL);
	for (int i = 0; i < 3; i++) {
		fds[i] = dial();
		say(fds[i], lines[i]);
	}
	for (int i = 0; i < 62; i++)
		turn();
	for (int i = 0; i < 3; i++)
		CHECK(pieces[i] >= 19 && pieces[i] <= 21);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
	stop();
}

static int pieces_left;

static void answer_in_pieces(void *context, struct intp_asker *asker, uint64_t turn, const char *line, size_t length,
			     struct intp_buffer *out)
{
	if (strncmp(line, "long", 4) != 0) {
		echo(context, asker, turn, line, length, out);
		return;
	}
	asker->unfinished = --pieces_left ? &pieces_left : NULL;
	if (!pieces_left)
		echo(context, asker, turn, line, length, out);
}

static void a_line_that_is_answered_in_pieces_leaves_other_clients_their_turn(void)
{
	struct intp_endpoint endpoint;
	char reason[512];
	int greedy, other;

	CHECK(intp_endpoint_open(&endpoint, path, (uid_t)-1, (gid_t)-1, reason, sizeof(reason)));
	server = intp_server_open(&endpoint, -1, STALL_MS, -1, answer_in_pieces, NULL);
	pieces_left = 5;
	greedy = dial();
	other = dial();
	say(greedy, "long\nafter\n");
	turn();
	turn();
	say(other, "short\n");
	turn();
	CHECK(strcmp(heard(other), "=short\n") == 0);
	CHECK(pieces_left > 0 && heard(greedy)[0] == '\0');
	for (int i = 0; i < 5; i++)
		turn();
	CHECK(strcmp(heard(greedy), "=long\n=after\n") == 0);
	close(greedy);
	close(other);
	stop();
}

static void the_socket_is_for_its_owner_and_group(void)
{
	struct stat status;

	start(-1);
	CHECK(stat(path, &status) == 0 && (status.st_mode & 07777) == 0660);
	stop();
}

static void a_live_daemons_socket_is_refused_and_a_dead_ones_replaced(void)
{
	struct intp_endpoint first, second;
	char reason[512] = "";

	CHECK(intp_endpoint_open(&first, path, (uid_t)-1, (gid_t)-1, reason, sizeof(reason)));
	CHECK(!intp_endpoint_open(&second, path, (uid_t)-1, (gid_t)-1, reason, sizeof(reason)));
	CHECK(strstr(reason, "another intpd serves") && access(path, F_OK) == 0);
	/* As after a kill: the descriptors are gone, the socket is not. */
	close(first.listener);
	close(first.lock);
	CHECK(access(path, F_OK) == 0);
	CHECK(intp_endpoint_open(&second, path, (uid_t)-1, (gid_t)-1, reason, sizeof(reason)));
	intp_endpoint_close(&second);
}

static void what_is_not_a_socket_is_left_alone(void)
{
	struct intp_endpoint endpoint;
	char reason[512];
	FILE *file = fopen(path, "w");

	CHECK(file && fclose(file) == 0);
	CHECK(!intp_endpoint_open(&endpoint, path, (uid_t)-1, (gid_t)-1, reason, sizeof(reason)));
	CHECK(strstr(reason, "is not a socket") && access(path, F_OK) == 0);
	unlink(path);
}

static void a_missing_directory_is_made_and_an_impossible_path_refused(void)
{
	struct intp_endpoint endpoint;
	char below[96], longest[200], reason[512];
	struct stat status;

	snprintf(below, sizeof(below), "%s/run/intpd.sock", directory);
	CHECK(intp_endpoint_open(&endpoint, below, (uid_t)-1, (gid_t)-1, reason, sizeof(reason)));
	intp_endpoint_close(&endpoint);
	snprintf(below, sizeof(below), "%s/run", directory);
	CHECK(stat(below, &status) == 0 && (status.st_mode & 07777) == 0755);
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	CHECK(!intp_endpoint_open(&endpoint, longest, (uid_t)-1, (gid_t)-1, reason, sizeof(reason)));
	CHECK(strstr(reason, "199 bytes"));
	CHECK(!intp_endpoint_open(&endpoint, "/nonexistent/deeper/socket", (uid_t)-1, (gid_t)-1, reason,
				  sizeof(reason)));
	snprintf(below, sizeof(below), "%s/run/intpd.sock.lock", directory);
	unlink(below);
	snprintf(below, sizeof(below), "%s/run", directory);
	rmdir(below);
}

static void a_descriptor_that_can_be_read_stops_it(void)
{
	struct intp_endpoint endpoint;
	char reason[512];
	int ends[2];

	CHECK(pipe(ends) == 0);
	CHECK(intp_endpoint_open(&endpoint, path, (uid_t)-1, (gid_t)-1, reason, sizeof(reason)));
	server = intp_server_open(&endpoint, -1, STALL_MS, ends[0], echo, NULL);
	CHECK(server && intp_server_turn(server, NOW) == 0);
	CHECK(write(ends[1], "x", 1) == 1 && intp_server_turn(server, NOW) == 1);
	stop();
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	CHECK(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/intpd.sock", directory);
	CLAIM(a_line_is_answered_on_a_connection_that_stays_open);
	CLAIM(half_a_line_waits_for_the_other_half);
	CLAIM(lines_of_one_write_are_answered_in_order_and_in_one_turn);
	CLAIM(requests_of_two_clients_that_wait_are_answered_in_one_turn);
	CLAIM(many_lines_leave_other_clients_their_turn);
	CLAIM(lines_sent_before_hanging_up_for_writing_are_answered);
	CLAIM(the_longest_line_is_answered_and_a_longer_one_ends_the_connection);
	CLAIM(a_client_that_does_not_read_holds_up_nobody_and_is_given_up);
	CLAIM(a_client_that_reads_late_gets_every_answer);
	CLAIM(an_answer_beyond_the_limit_ends_the_connection);
	CLAIM(a_client_that_dies_leaves_the_server_well);
	CLAIM(a_client_beyond_the_most_is_turned_away_until_one_goes);
	CLAIM(only_root_and_the_configured_user_are_answered);
	CLAIM(one_process_cannot_take_all_connections);
	CLAIM(however_many_are_idle_a_newcomer_is_answered);
	CLAIM(a_process_that_has_few_connections_loses_none_to_those_that_have_many);
	CLAIM(connections_of_a_turn_are_bounded);
	CLAIM(clients_that_wait_for_a_piece_take_turns);
	CLAIM(a_line_that_is_answered_in_pieces_leaves_other_clients_their_turn);
	CLAIM(the_socket_is_for_its_owner_and_group);
	CLAIM(a_live_daemons_socket_is_refused_and_a_dead_ones_replaced);
	CLAIM(what_is_not_a_socket_is_left_alone);
	CLAIM(a_missing_directory_is_made_and_an_impossible_path_refused);
	CLAIM(a_descriptor_that_can_be_read_stops_it);
	strcat(path, ".lock");
	unlink(path);
	return rmdir(directory);
}
