/* SPDX-License-Identifier: Apache-2.0 */
/* Whom the daemon lets watch what, over a /proc that the test makes. */
#include <string.h>

#include "../publish/permission.h"
#include "tree.h"

#define YARN	990 /* the NodeManager's user */
#define TENANT	1001
#define MANAGER 50 /* the NodeManager's process */

static const struct intp_asker manager = {.user = YARN, .process = MANAGER};

static void process(int pid, int parent, int user, const char *command)
{
	char name[64];

	tree_process(pid, parent, pid, 5);
	snprintf(name, sizeof(name), "proc/%d/status", pid);
	tree_put(name, "Name:\tx\\nUid:\t990\t990\t990\t990\nUmask:\t0022\nUid:\t%d\t%d\t%d\t%d\nGid:\t1\n", user,
		 user, user, user);
	snprintf(name, sizeof(name), "proc/%d/cmdline", pid);
	tree_put(name, "%s", command);
}

static bool may(const struct intp_asker *asker, int pid, const char *id, enum intp_attribution attribution)
{
	struct intp_watch watch = {.root = pid, .attribution = attribution};

	strcpy(watch.id, id);
	return intp_may_watch(tree_path("proc"), asker, &watch);
}

static void root_and_the_daemon_itself_may_everything(void)
{
	const struct intp_asker root = {.trusted = true};

	CHECK(may(NULL, 1, "x", INTP_TREE));
	CHECK(may(&root, 1, "x", INTP_TREE));
}

static void a_process_of_the_same_user_may_be_watched(void)
{
	process(100, 1, YARN, "java");
	CHECK(may(&manager, 100, "x", INTP_TREE));
	process(100, 1, TENANT, "java");
	CHECK(!may(&manager, 100, "x", INTP_TREE));
	CHECK(!may(&manager, 999, "x", INTP_TREE));
}

static void a_descendant_of_who_asks_may_be_watched_whoever_it_runs_as(void)
{
	process(MANAGER, 1, YARN, "java");
	process(60, MANAGER, 0, "container-executor");
	process(61, 60, TENANT, "bash");
	process(62, 1, TENANT, "bash");
	CHECK(may(&manager, 61, "x", INTP_TREE));
	CHECK(!may(&manager, 62, "x", INTP_TREE));
	CHECK(!may(&manager, 1, "x", INTP_TREE));
}

static void a_recovered_container_is_known_by_its_cgroup_or_its_command(void)
{
	static const char id[] = "container_e17_1700000000000_0001_01_000002";

	process(70, 1, TENANT, "bash");
	CHECK(!may(&manager, 70, id, INTP_TREE));
	CHECK(may(&manager, 70, id, INTP_CGROUP_V2));
	CHECK(may(&manager, 70, id, INTP_CGROUP_V1));
	process(70, 1, TENANT, "bash /local/container_e17_1700000000000_0001_01_000002/launch_container.sh");
	CHECK(may(&manager, 70, id, INTP_TREE));
	process(70, 1, TENANT, "bash /local/container_e17_1700000000000_0001_01_0000020/launch_container.sh");
	CHECK(!may(&manager, 70, id, INTP_TREE));
}

#define LOOKED_AT 65535 /* bytes of a command line */

static void a_long_command_line_is_judged_by_its_beginning(void)
{
	static const char id[] = "container_e17_1700000000000_0001_01_000002";
	static char rest[2 * LOOKED_AT], line[sizeof(rest) + 256];

	memset(rest, 'x', sizeof(rest) - 1);
	snprintf(line, sizeof(line), "bash /local/%s/launch_container.sh %s", id, rest);
	process(71, 1, TENANT, line);
	CHECK(may(&manager, 71, id, INTP_TREE));
	snprintf(line, sizeof(line), "bash %s /local/%s/launch_container.sh", rest, id);
	process(71, 1, TENANT, line);
	CHECK(!may(&manager, 71, id, INTP_TREE));
	/* The id ends where what is looked at ends; it is another container's. */
	snprintf(line, sizeof(line), "%.*s %s0", (int)(LOOKED_AT - 1 - strlen(id)), rest, id);
	process(71, 1, TENANT, line);
	CHECK(!may(&manager, 71, id, INTP_TREE));
}

static void what_is_not_named_as_yarn_names_containers_is_no_container(void)
{
	process(80, 1, 0, "sshd: sshd.service container_1");
	CHECK(!may(&manager, 80, "sshd.service", INTP_CGROUP_V2));
	CHECK(!may(&manager, 80, "container_1", INTP_TREE));
}

static void yarns_ids_are_told_from_others(void)
{
	static const char *const good[] = {"container_1_0001_01_000001", "container_e9_17_2_3_4"};
	static const char *const bad[] = {"",
					  "container_",
					  "container_1_2_3",
					  "container_1_2_3_4_5",
					  "container_e_1_2_3_4",
					  "container_1_2_3_x",
					  "container_1_2_3_4.service",
					  "xcontainer_1_2_3_4"};

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		CHECK(intp_is_yarns(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK(!intp_is_yarns(bad[i]));
}

static void a_program_with_anothers_powers_is_not_the_users(void)
{
	CHECK(intp_status_is_of("Name:\tx\nUid:\t990\t990\t990\t990\n", YARN));
	CHECK(!intp_status_is_of("Name:\tx\nUid:\t990\t0\t0\t0\n", YARN));
	CHECK(!intp_status_is_of("Name:\tx\nUid:\t990\t990\t990\n", YARN));
	CHECK(!intp_status_is_of("Name:\tx\n", YARN));
	CHECK(!intp_status_is_of("", YARN));
}

int main(void)
{
	tree_begin();
	CLAIM(root_and_the_daemon_itself_may_everything);
	CLAIM(a_process_of_the_same_user_may_be_watched);
	CLAIM(a_descendant_of_who_asks_may_be_watched_whoever_it_runs_as);
	CLAIM(a_recovered_container_is_known_by_its_cgroup_or_its_command);
	CLAIM(a_long_command_line_is_judged_by_its_beginning);
	CLAIM(what_is_not_named_as_yarn_names_containers_is_no_container);
	CLAIM(yarns_ids_are_told_from_others);
	CLAIM(a_program_with_anothers_powers_is_not_the_users);
	tree_end();
	return 0;
}
