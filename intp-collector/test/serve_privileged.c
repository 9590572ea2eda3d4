/* SPDX-License-Identifier: Apache-2.0 */
/* The real daemon, $INTPD, on a socket of its own: what it counts, and what it leaves behind when it ends. */
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "claims.h"

#define CPU_TO_SEE_NS 200e6 /* what the spinning child must be seen to use */
#define PATIENCE_NS   20e9  /* within which it must */
#define START_SECONDS 30

static char directory[] = "/tmp/intpd-serve-XXXXXX";
static char socket_path[64];
static const char *intpd;
static pid_t spinner;

/* A daemon that is ready: it notifies us as it would the service manager. */
static pid_t start_daemon(const char *source)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int ready = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct pollfd polled = {.fd = ready, .events = POLLIN};
	pid_t daemon;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/notify", directory);
	unlink(address.sun_path);
	CHECK(ready >= 0 && bind(ready, (struct sockaddr *)&address, sizeof(address)) == 0);
	daemon = fork();
	CHECK(daemon >= 0);
	if (daemon == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		setenv("NOTIFY_SOCKET", address.sun_path, 1);
		execl(intpd, "intpd", "serve", "--socket", socket_path, "--source", source, NULL);
		_exit(127);
	}
	CHECK(poll(&polled, 1, START_SECONDS * 1000) == 1);
	close(ready);
	return daemon;
}

static void end_daemon(pid_t daemon, int signal, int *status)
{
	CHECK(kill(daemon, signal) == 0);
	CHECK(waitpid(daemon, status, 0) == daemon);
}

static FILE *connect_to_daemon(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, socket_path);
	CHECK(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	return fdopen(fd, "r+");
}

static json_t *ask(FILE *stream, const char *request)
{
	static char *line;
	static size_t room;
	json_t *answer;
	ssize_t length;

	fprintf(stream, "%s\n", request);
	fflush(stream);
	length = getline(&line, &room, stream);
	CHECK(length > 0);
	answer = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
	CHECK(json_is_true(json_object_get(answer, "ok")));
	return answer;
}

static void watch_spinner(FILE *stream)
{
	char request[128];
	json_t *answer;

	snprintf(request, sizeof(request),
		 "{\"v\":1,\"op\":\"watch\",\"containers\":[{\"container\":\"spinner\",\"pid\":%d}]}", spinner);
	answer = ask(stream, request);
	CHECK(json_array_size(json_object_get(answer, "watched")) == 1);
	json_decref(answer);
}

struct seen {
	json_int_t start_ns, time_ns;
	size_t containers;
	double cpu;
	double capacity;
	bool alive;
	char source[16];
};

static struct seen snapshot(FILE *stream)
{
	json_t *answer = ask(stream, "{\"v\":1,\"op\":\"snapshot\"}");
	json_t *row = json_array_get(json_object_get(answer, "containers"), 0);
	json_t *cpu = json_object_get(json_object_get(row, "signals"), "cpu");
	struct seen seen = {
		.start_ns = json_integer_value(json_object_get(answer, "start_ns")),
		.time_ns = json_integer_value(json_object_get(answer, "time_ns")),
		.containers = json_array_size(json_object_get(answer, "containers")),
		.cpu = json_number_value(json_object_get(cpu, "used")),
		.capacity = json_number_value(json_object_get(cpu, "capacity")),
		.alive = json_is_true(json_object_get(row, "alive")),
	};

	if (row) {
		CHECK(json_object_size(json_object_get(row, "signals")) == 10);
		snprintf(seen.source, sizeof(seen.source), "%s", json_string_value(json_object_get(cpu, "source")));
	}
	json_decref(answer);
	return seen;
}

/* Asks until the spinner has used enough; a count may go up only. */
static struct seen snapshot_that_grew(FILE *stream)
{
	struct seen first = snapshot(stream), before = first, now;

	do {
		now = snapshot(stream);
		CHECK(now.cpu >= before.cpu && now.capacity >= before.capacity);
		CHECK(now.time_ns - first.time_ns < PATIENCE_NS);
		before = now;
	} while (now.cpu - first.cpu < CPU_TO_SEE_NS);
	/* One thread cannot use more than the time that passed; a tick of slack for accounting. */
	CHECK(now.cpu - first.cpu <= now.time_ns - first.time_ns + 20e6);
	return now;
}

static void start_spinner(void)
{
	spinner = fork();
	CHECK(spinner >= 0);
	if (spinner == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setsid();
		for (volatile unsigned long i = 0;; i++)
			;
	}
}

static void check_source_counts_a_spinning_process(const char *source)
{
	pid_t daemon = start_daemon(source);
	FILE *stream = connect_to_daemon();
	struct seen seen;
	int status;

	watch_spinner(stream);
	seen = snapshot_that_grew(stream);
	CHECK(seen.containers == 1 && seen.alive);
	printf("    %s: cpu %.3f s\n", seen.source, seen.cpu / 1e9);
	fclose(stream);
	end_daemon(daemon, SIGTERM, &status);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void the_best_source_counts_a_spinning_process(void)
{
	check_source_counts_a_spinning_process("best");
}

static void proc_counts_a_spinning_process(void)
{
	check_source_counts_a_spinning_process("proc");
}

static void a_daemon_killed_and_started_again_serves_the_same_socket_from_zero(void)
{
	pid_t daemon = start_daemon("best");
	FILE *stream = connect_to_daemon();
	struct seen before, after;
	int status;

	watch_spinner(stream);
	before = snapshot_that_grew(stream);
	end_daemon(daemon, SIGKILL, &status);
	CHECK(access(socket_path, F_OK) == 0);
	CHECK(fgetc(stream) == EOF);
	fclose(stream);

	daemon = start_daemon("best");
	stream = connect_to_daemon();
	CHECK(snapshot(stream).containers == 0);
	watch_spinner(stream);
	after = snapshot(stream);
	CHECK(after.start_ns > before.start_ns);
	CHECK(after.cpu < before.cpu);
	fclose(stream);
	end_daemon(daemon, SIGTERM, &status);
}

static void a_second_daemon_on_the_same_socket_is_refused(void)
{
	pid_t daemon = start_daemon("best"), second = fork();
	FILE *stream;
	int status;

	if (second == 0) {
		CHECK(freopen("/dev/null", "w", stderr));
		execl(intpd, "intpd", "serve", "--socket", socket_path, NULL);
		_exit(127);
	}
	CHECK(waitpid(second, &status, 0) == second);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	stream = connect_to_daemon();
	CHECK(snapshot(stream).containers == 0);
	fclose(stream);
	end_daemon(daemon, SIGTERM, &status);
}

static void sigterm_removes_the_socket(void)
{
	pid_t daemon = start_daemon("best");
	int status;

	CHECK(access(socket_path, F_OK) == 0);
	end_daemon(daemon, SIGTERM, &status);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	CHECK(access(socket_path, F_OK) < 0 && errno == ENOENT);
}

static void a_container_whose_process_ended_is_not_alive(void)
{
	pid_t daemon = start_daemon("best");
	FILE *stream = connect_to_daemon();
	int status;

	watch_spinner(stream);
	CHECK(snapshot(stream).alive);
	kill(spinner, SIGKILL);
	waitpid(spinner, NULL, 0);
	CHECK(!snapshot(stream).alive);
	start_spinner();
	fclose(stream);
	end_daemon(daemon, SIGTERM, &status);
}

/* The ids of the programs in the kernel, as the kernel lists them to root. */
static int count_programs(void)
{
	FILE *list = popen("bpftool prog show 2>/dev/null | grep -c '^[0-9]'", "r");
	int count = -1;

	if (list && fscanf(list, "%d", &count) != 1)
		count = -1;
	if (list)
		pclose(list);
	return count;
}

static void nothing_of_it_stays_in_the_kernel(void)
{
	int status, before = count_programs(), after;
	pid_t daemon;

	if (before < 0)
		SKIP("bpftool is not installed");
	daemon = start_daemon("best");
	end_daemon(daemon, SIGKILL, &status);
	/* The kernel frees programs a moment after their last descriptor; how long is its own affair. */
	for (time_t end = time(NULL) + START_SECONDS; (after = count_programs()) > before && time(NULL) < end;)
		;
	CHECK(after <= before);
}

static void remove_directory(void)
{
	static const char *const left[] = {"notify", "intpd.sock", "intpd.sock.lock", ""};
	char path[96];

	for (size_t i = 0; i < sizeof(left) / sizeof(*left); i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, left[i]);
		CHECK(remove(path) == 0);
	}
}

int main(void)
{
	intpd = getenv("INTPD");
	if (geteuid() != 0 || !intpd) {
		printf("  skipped all: %s\n", intpd ? "not root" : "INTPD does not name the daemon");
		return 0;
	}
	CHECK(mkdtemp(directory));
	snprintf(socket_path, sizeof(socket_path), "%s/intpd.sock", directory);
	start_spinner();
	CLAIM(the_best_source_counts_a_spinning_process);
	CLAIM(proc_counts_a_spinning_process);
	CLAIM(a_daemon_killed_and_started_again_serves_the_same_socket_from_zero);
	CLAIM(a_second_daemon_on_the_same_socket_is_refused);
	CLAIM(sigterm_removes_the_socket);
	CLAIM(a_container_whose_process_ended_is_not_alive);
	CLAIM(nothing_of_it_stays_in_the_kernel);
	kill(spinner, SIGKILL);
	remove_directory();
	return 0;
}
