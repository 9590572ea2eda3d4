/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

/* The commands are not among what tests link; their command line needs nothing of them. */
#include "../cmd/accounts.c"
#include "../cmd/help.c"
#include "../cmd/options.c"
#include "claims.h"

static struct intp_options given;
static char said[512];

/* Words up to a NULL, without the program's name. */
static bool parses(const char *const *words)
{
	char *argv[32] = {(char *)"intpd"};
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = (char *)words[argc - 1];
	said[0] = '\0';
	return intp_options_parse(argc, argv, &given, said, sizeof(said));
}

#define PARSES(...)  parses((const char *const[]){__VA_ARGS__, NULL})
#define REFUSES(...) (!PARSES(__VA_ARGS__) && said[0] && !strchr(said, '\n'))

static void serve_has_defaults_for_everything(void)
{
	CHECK(PARSES("serve"));
	CHECK(given.command == INTP_SERVE && strcmp(given.socket, "/run/intpd/intpd.sock") == 0);
	CHECK(given.max_watches == 1024 && given.source == INTP_BEST && !given.futex && !given.peers &&
	      !given.no_pmu && given.nic_bits == 0);
}

static void serve_takes_what_its_help_says(void)
{
	CHECK(PARSES("serve", "--socket", "/s", "--user", "yarn", "--group", "hadoop", "--nic=eth0", "--futex",
		     "--peers", "--no-pmu", "--source", "proc", "--max-watches", "64", "--resctrl", "/r",
		     "--nic-speed", "10G"));
	CHECK(strcmp(given.socket, "/s") == 0 && strcmp(given.user, "yarn") == 0 &&
	      strcmp(given.group, "hadoop") == 0);
	CHECK(strcmp(given.nic, "eth0") == 0 && given.futex && given.peers && given.no_pmu &&
	      given.source == INTP_ONLY_PROC);
	CHECK(given.max_watches == 64 && strcmp(given.resctrl, "/r") == 0);
}

static void amounts_take_powers_of_a_thousand(void)
{
	CHECK(PARSES("serve", "--nic-speed", "500M") && given.nic_bits == 5e8);
	CHECK(PARSES("serve", "--nic-speed", "1G") && given.nic_bits == 1e9);
	CHECK(PARSES("serve", "--nic-speed", "2.5G") && given.nic_bits == 2.5e9);
	CHECK(PARSES("serve", "--nic-speed", "125000000") && given.nic_bits == 1.25e8);
	CHECK(PARSES("check", "--memory-bandwidth", "34G") && given.memory_bandwidth == 3.4e10);
	CHECK(PARSES("serve", "--cpus", "0.4") && given.cpus == 0.4);
	CHECK(REFUSES("serve", "--cpus", "0") && REFUSES("serve", "--cpus", "two"));
	CHECK(REFUSES("serve", "--nic-speed", "10Gb") && REFUSES("serve", "--nic-speed", "-1G"));
	CHECK(REFUSES("serve", "--nic-speed", "G") && REFUSES("serve", "--nic-speed", "nan"));
	CHECK(REFUSES("serve", "--nic-speed", "1e300T") && REFUSES("serve", "--nic-speed", "0"));
}

static void top_takes_several_processes_and_csv_one(void)
{
	CHECK(PARSES("top", "--pid", "10", "--pid", "11", "--interval", "0.5", "--count", "3"));
	CHECK(given.pid_count == 2 && given.pids[1] == 11 && given.interval == 0.5 && given.count == 3);
	CHECK(PARSES("csv", "--pid", "10") && given.command == INTP_CSV);
	CHECK(REFUSES("csv", "--pid", "10", "--pid", "11"));
	CHECK(REFUSES("csv", "--pid", "10", "--container", "a"));
}

static void the_originals_spelling_of_csv_is_understood(void)
{
	CHECK(PARSES("--csv", "--pid", "10") && given.command == INTP_CSV && given.pids[0] == 10);
}

static void figures_out_of_range_are_refused_with_the_range(void)
{
	CHECK(REFUSES("serve", "--max-watches", "0") && strstr(said, "from 1 to 1024"));
	CHECK(REFUSES("serve", "--max-watches", "1025") && strstr(said, "1025"));
	CHECK(REFUSES("serve", "--max-watches", "1.5") && strstr(said, "whole"));
	CHECK(REFUSES("top", "--interval", "0") && REFUSES("top", "--interval", "x") &&
	      REFUSES("top", "--count", "0"));
	CHECK(REFUSES("top", "--pid", "0") && REFUSES("top", "--pid", "4294967297"));
	CHECK(REFUSES("serve", "--source", "dtrace") && strstr(said, "ebpf, proc and best"));
	CHECK(REFUSES("serve", "--socket", ""));
}

static void what_a_command_does_not_take_is_refused(void)
{
	CHECK(REFUSES("serve", "--pid", "1") &&
	      strcmp(said, "intpd serve does not take --pid; see intpd --help") == 0);
	CHECK(PARSES("top", "--all") && given.all && PARSES("top") && !given.all && REFUSES("csv", "--all"));
	CHECK(REFUSES("top", "--peers") && REFUSES("top", "--user", "yarn") && REFUSES("calibrate", "--futex"));
	CHECK(REFUSES("serve", "--nonsense") && strstr(said, "--nonsense"));
	CHECK(REFUSES("serve", "--socket") && strstr(said, "lacks its value"));
	CHECK(REFUSES("serve", "word") && strstr(said, "word"));
	CHECK(REFUSES("restart") && strstr(said, "restart"));
	CHECK(!parses((const char *const[]){NULL}) && said[0]);
}

static void help_names_every_option(void)
{
	CHECK(PARSES("--help") && given.command == INTP_SHOW_HELP);
	CHECK(PARSES("--version") && given.command == INTP_SHOW_RELEASE);
	for (const struct option *option = long_options; option->name; option++) {
		char spelled[32];

		snprintf(spelled, sizeof(spelled), "--%s ", option->name);
		CHECK(strstr(intp_help, spelled) || (strcpy(strchr(spelled, ' '), "\n"), strstr(intp_help, spelled)));
	}
}

static void users_and_groups_are_names_or_numbers(void)
{
	uid_t user;
	gid_t group;

	CHECK(intp_find_user("root", &user) && user == 0);
	CHECK(intp_find_user("12345", &user) && user == 12345);
	CHECK(intp_find_group("54321", &group) && group == 54321);
	CHECK(!intp_find_user("no-such-user-here", &user) && !intp_find_group("no-such-group-here", &group));
	CHECK(!intp_find_user("4294967295", &user) && !intp_find_user("12x", &user) && !intp_find_user("-1", &user));
}

int main(void)
{
	CLAIM(serve_has_defaults_for_everything);
	CLAIM(serve_takes_what_its_help_says);
	CLAIM(amounts_take_powers_of_a_thousand);
	CLAIM(top_takes_several_processes_and_csv_one);
	CLAIM(the_originals_spelling_of_csv_is_understood);
	CLAIM(figures_out_of_range_are_refused_with_the_range);
	CLAIM(what_a_command_does_not_take_is_refused);
	CLAIM(help_names_every_option);
	CLAIM(users_and_groups_are_names_or_numbers);
	return 0;
}
