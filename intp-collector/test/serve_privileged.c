/* SPDX-License-Identifier: Apache-2.0 */
/* The real daemon, $INTPD, on a socket of its own: what it counts, and what it leaves behind when it ends. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <jansson.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <math.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../signal/signal.h"
#include "claims.h"

#define CPU_TO_SEE_NS 600e6 /* what the spinning child must be seen to use */
#define PATIENCE_NS   20e9  /* within which it must */
#define FIRST_SECONDS 0.25  /* in which not all counts are too low: see intp_rows_read */
#define START_SECONDS 30

static char directory[] = "/tmp/intpd-serve-XXXXXX";
static char socket_path[64];
static const char *intpd;
static pid_t spinner;

#define CONFIGURED 12345
#define STRANGER   12346

/* A daemon that is ready: it notifies us as it would the service manager. */
static pid_t start_daemon_for(const char *source, const char *user)
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
		execl(intpd, "intpd", "serve", "--socket", socket_path, "--source", source, user ? "--user" : NULL,
		      user, NULL);
		_exit(127);
	}
	CHECK(poll(&polled, 1, START_SECONDS * 1000) == 1);
	close(ready);
	return daemon;
}

static pid_t start_daemon(const char *source)
{
	return start_daemon_for(source, NULL);
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

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

struct seen {
	json_int_t start_ns, time_ns;
	double asked, answered; /* seconds by the clock here */
	size_t containers;
	double cpu;
	double capacity;
	bool alive;
	char source[16];
};

static struct seen snapshot(FILE *stream)
{
	double asked = seconds();
	json_t *answer = ask(stream, "{\"v\":1,\"op\":\"snapshot\"}");
	double answered = seconds();
	json_t *row = json_array_get(json_object_get(answer, "containers"), 0);
	json_t *cpu = json_object_get(json_object_get(row, "signals"), "cpu");
	struct seen seen = {
		.start_ns = json_integer_value(json_object_get(answer, "start_ns")),
		.time_ns = json_integer_value(json_object_get(answer, "time_ns")),
		.asked = asked,
		.answered = answered,
		.containers = json_array_size(json_object_get(answer, "containers")),
		.cpu = json_number_value(json_object_get(cpu, "used")),
		.capacity = json_number_value(json_object_get(cpu, "capacity")),
		.alive = json_is_true(json_object_get(row, "alive")),
	};

	if (row) {
		CHECK(json_object_size(json_object_get(row, "signals")) == INTP_SIGNALS);
		snprintf(seen.source, sizeof(seen.source), "%s", json_string_value(json_object_get(cpu, "source")));
	}
	json_decref(answer);
	return seen;
}

/* Asks until the spinner has used enough; a count may go up only. */
static struct seen snapshot_that_grew(FILE *stream)
{
	struct seen first = snapshot(stream), before = first, now;
	double ahead = first.cpu - 1e9 * first.asked;

	for (;;) {
		now = snapshot(stream);
		CHECK(now.cpu >= before.cpu && now.capacity >= before.capacity);
		CHECK(now.time_ns - first.time_ns < PATIENCE_NS);
		if (now.cpu - first.cpu >= CPU_TO_SEE_NS)
			break;
		if (now.asked - first.asked < FIRST_SECONDS && now.cpu - 1e9 * now.asked > ahead)
			ahead = now.cpu - 1e9 * now.asked;
		before = now;
	}
	/*
	 * One thread cannot use more than the time that passed; a tick of slack for accounting. By the time here: the
	 * daemon may have to wait for a CPU between taking the time and counting.
	 */
	CHECK_NEAR(fmax(now.cpu - 1e9 * now.answered - ahead, 0), 0, 20e6);
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

/* What a process of this user and no group gets: an answer (0), a closed connection (1), or none at all (2). */
static int try_as(uid_t user)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		struct sockaddr_un address = {.sun_family = AF_UNIX};
		static const char hello[] = "{\"v\":1,\"op\":\"hello\"}\n";
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);
		char answer[16];

		strcpy(address.sun_path, socket_path);
		CHECK(setgroups(0, NULL) == 0 && setresgid(user, user, user) == 0 &&
		      setresuid(user, user, user) == 0);
		if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
			_exit(2);
		if (send(fd, hello, sizeof(hello) - 1, MSG_NOSIGNAL) < 0)
			_exit(1);
		_exit(recv(fd, answer, sizeof(answer), 0) > 0 ? 0 : 1);
	}
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void roots_daemon_answers_the_configured_user_and_no_other(void)
{
	pid_t daemon = start_daemon_for("best", "12345");
	int status;

	CHECK(chmod(directory, 0755) == 0);
	CHECK(try_as(CONFIGURED) == 0);
	CHECK(try_as(STRANGER) == 2);
	end_daemon(daemon, SIGTERM, &status);
}

/*
 * What the daemon says and how it ends, 0 to 255, as a user who sees no process but his own: /proc is mounted so in a
 * mount namespace of the child's. 256: the machine does not let it be.
 */
static int run_blind(const char *said, const char *command, const char *user)
{
	int program = open(intpd, O_RDONLY), status;
	pid_t child = fork();

	CHECK(program >= 0 && child >= 0);
	if (child == 0) {
		const char *arguments[] = {"intpd", command,	"--source", "proc", user ? "--user" : NULL,
					   user,    "--socket", "socket",   NULL};

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("proc", "/proc", "proc", 0, "hidepid=2"))
			kill(getpid(), SIGKILL);
		CHECK(freopen(said, "w", stdout) && dup2(fileno(stdout), STDERR_FILENO) >= 0);
		CHECK(chdir(directory) == 0 && setgroups(0, NULL) == 0);
		CHECK(setresgid(STRANGER, STRANGER, STRANGER) == 0 && setresuid(STRANGER, STRANGER, STRANGER) == 0);
		/* One that serves is ended by this. */
		alarm(START_SECONDS);
		fexecve(program, (char **)arguments, (char *[]){NULL});
		_exit(errno == ENOENT ? 126 : 127);
	}
	close(program);
	CHECK(waitpid(child, &status, 0) == child);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return 256;
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static bool contains(const char *path, const char *word)
{
	static char text[65536];
	FILE *file = fopen(path, "r");

	CHECK(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return strstr(text, word);
}

static void where_other_users_processes_are_hidden_it_says_so_and_does_not_serve_them(void)
{
	char said[96];
	int status;

	snprintf(said, sizeof(said), "%s/said", directory);
	CHECK(chmod(directory, 0777) == 0);
	status = run_blind(said, "check", NULL);
	if (status == 126 || status == 256) {
		remove(said);
		SKIP(status == 126 ? "this kernel runs no program by its descriptor"
				   : "this machine lets nobody mount /proc");
	}
	CHECK(status == 0 && contains(said, "hidepid"));
	CHECK(run_blind(said, "serve", "12345") == 2 && contains(said, "hidepid"));
	CHECK(remove(said) == 0);
}

#define SLEEPERS   1500
#define CONTAINERS 1200

/* Many processes; they end with the one that is returned. */
static pid_t start_sleepers(pid_t first[SLEEPERS])
{
	int given[2];
	pid_t parent;

	CHECK(pipe(given) == 0);
	parent = fork();
	CHECK(parent >= 0);
	if (parent == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (int i = 0; i < SLEEPERS; i++) {
			pid_t child = fork();

			if (child == 0) {
				prctl(PR_SET_PDEATHSIG, SIGKILL);
				for (;;)
					pause();
			}
			CHECK(write(given[1], &child, sizeof(child)) == sizeof(child));
		}
		for (;;)
			pause();
	}
	for (int i = 0; i < SLEEPERS; i++)
		CHECK(read(given[0], &first[i], sizeof(*first)) == sizeof(*first));
	close(given[0]);
	close(given[1]);
	return parent;
}

/* How long it takes to look at every process once, now. */
static double time_to_list(void)
{
	double begun = seconds();
	struct dirent *entry;
	DIR *proc = opendir("/proc");

	CHECK(proc);
	while ((entry = readdir(proc))) {
		char path[300], text[1024];
		int fd;

		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		fd = atoi(entry->d_name) > 0 ? open(path, O_RDONLY) : -1;
		if (fd >= 0 && read(fd, text, sizeof(text)) >= 0)
			close(fd);
	}
	closedir(proc);
	return seconds() - begun;
}

static void a_line_for_many_containers_does_not_hold_up_a_hello(void)
{
	static pid_t sleepers[SLEEPERS];
	pid_t daemon = start_daemon("ebpf"), parent = start_sleepers(sleepers);
	FILE *greedy = connect_to_daemon(), *other = connect_to_daemon();
	double begun, answered, listing, longest = 0;
	struct pollfd polled = {.fd = fileno(greedy), .events = POLLIN};
	int status, hellos = 0;

	listing = time_to_list();
	fprintf(greedy, "{\"v\":1,\"op\":\"watch\",\"containers\":[");
	for (int i = 0; i < CONTAINERS; i++)
		fprintf(greedy, "%s{\"container\":\"c%d\",\"pid\":%d}", i ? "," : "", i, sleepers[i]);
	fprintf(greedy, "]}\n");
	begun = seconds();
	fflush(greedy);
	do {
		answered = seconds();
		json_decref(ask(other, "{\"v\":1,\"op\":\"hello\"}"));
		if (seconds() - answered > longest)
			longest = seconds() - answered;
		hellos++;
	} while (poll(&polled, 1, 0) == 0 && seconds() - begun < 60);
	printf("    %d containers among %d processes in %.2f s; %d hellos meanwhile, the longest %.0f ms; /proc is "
	       "listed in %.0f ms\n",
	       CONTAINERS, SLEEPERS, seconds() - begun, hellos, longest * 1e3, time_to_list() * 1e3);
	/* 32 at a time, and each time the processes are listed once, with some room for what else there is to do. */
	CHECK(hellos > CONTAINERS / 32 / 4);
	CHECK(longest < 12 * (listing + time_to_list()) + 0.2);
	CHECK(fgetc(greedy) == '{');
	fclose(greedy);
	fclose(other);
	kill(parent, SIGKILL);
	waitpid(parent, &status, 0);
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
	CLAIM(roots_daemon_answers_the_configured_user_and_no_other);
	CLAIM(where_other_users_processes_are_hidden_it_says_so_and_does_not_serve_them);
	CLAIM(a_line_for_many_containers_does_not_hold_up_a_hello);
	CLAIM(a_second_daemon_on_the_same_socket_is_refused);
	CLAIM(sigterm_removes_the_socket);
	CLAIM(a_container_whose_process_ended_is_not_alive);
	CLAIM(nothing_of_it_stays_in_the_kernel);
	kill(spinner, SIGKILL);
	remove_directory();
	return 0;
}
