/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <sys/wait.h>

#include "../source/members.h"
#include "../source/procfs.h"
#include "tree.h"

static struct intp_processes table;
static struct intp_members members;

static int proc_open(void)
{
	int fd = open(tree_path("proc"), O_RDONLY | O_DIRECTORY);
	CHECK(fd >= 0);
	return fd;
}

static void watch_tree(pid_t root)
{
	struct intp_watch watch = {.root = root, .attribution = INTP_TREE};
	intp_members_init(&members, &watch);
}

/* The members' pids as text, "10 11". */
static const char *refreshed(void)
{
	static char text[256];
	int proc = proc_open();
	text[0] = '\0';
	CHECK(intp_processes_read(&table, proc) == 0);
	CHECK(intp_members_refresh(&members, proc, &table) == 0);
	for (size_t i = 0; i < members.count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d", i ? " " : "", members.list[i].pid);
	close(proc);
	return text;
}

static void end(void)
{
	intp_members_free(&members);
	intp_processes_free(&table);
	tree_end();
}

static void a_tree_holds_descendants_and_nobody_else(void)
{
	tree_begin();
	tree_process(1, 0, 1, 1);
	tree_process(10, 1, 5, 100);
	tree_process(11, 10, 5, 101);
	tree_process(12, 11, 12, 102);
	tree_process(20, 1, 5, 103);
	watch_tree(10);
	CHECK(strcmp(refreshed(), "10 11 12") == 0);
	end();
}

static void a_child_whose_parents_died_stays_a_member(void)
{
	tree_begin();
	tree_process(1, 0, 1, 1);
	tree_process(10, 1, 5, 100);
	tree_process(11, 10, 5, 101);
	tree_process(12, 11, 12, 102);
	watch_tree(10);
	refreshed();
	CHECK(tree_remove(tree_path("proc/10")) == 0 && tree_remove(tree_path("proc/11")) == 0);
	tree_process(12, 1, 12, 102);
	tree_process(13, 12, 12, 104);
	CHECK(strcmp(refreshed(), "12 13") == 0);
	end();
}

static void an_orphan_never_seen_before_is_found_by_its_session(void)
{
	tree_begin();
	tree_process(1, 0, 1, 1);
	tree_process(10, 1, 10, 100);
	tree_process(14, 1, 10, 105);
	watch_tree(10);
	CHECK(strcmp(refreshed(), "10 14") == 0);
	end();
}

static void a_pid_with_another_start_time_is_no_member(void)
{
	tree_begin();
	tree_process(1, 0, 1, 1);
	tree_process(10, 1, 10, 100);
	tree_process(11, 10, 10, 101);
	watch_tree(10);
	refreshed();
	tree_process(10, 1, 10, 900);
	tree_process(11, 1, 11, 901);
	CHECK(strcmp(refreshed(), "") == 0);
	end();
}

static void parents_in_a_loop_end_the_walk(void)
{
	tree_begin();
	tree_process(10, 0, 10, 100);
	tree_process(30, 31, 30, 101);
	tree_process(31, 30, 31, 101);
	watch_tree(10);
	CHECK(strcmp(refreshed(), "10") == 0);
	end();
}

static void a_cgroup_holds_its_children_and_only_those_that_live(void)
{
	tree_begin();
	tree_process(10, 1, 10, 100);
	tree_process(11, 1, 10, 100);
	tree_process(12, 1, 10, 100);
	tree_put("cg/cgroup.procs", "10\n999\n");
	tree_put("cg/below/cgroup.procs", "11\n");
	tree_put("cg/below/deeper/cgroup.procs", "12\n10\n");
	struct intp_watch watch = {.root = 10, .attribution = INTP_CGROUP_V2};
	snprintf(watch.directory, sizeof(watch.directory), "%s", tree_path("cg"));
	intp_members_init(&members, &watch);
	CHECK(strcmp(refreshed(), "10 11 12") == 0);
	CHECK(tree_remove(tree_path("cg")) == 0);
	CHECK(strcmp(refreshed(), "") == 0);
	end();
}

static void a_command_name_may_hold_parentheses_and_line_ends(void)
{
	struct intp_stat stat;
	CHECK(intp_parse_stat("7 (x) S 1\n) R 3 4 5 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 99 0", &stat));
	CHECK(stat.pid == 7 && stat.parent == 3 && stat.session == 5 && stat.start == 99 && stat.block_ticks == 0);
	CHECK(!intp_parse_stat("7 (x) R 3 4 5 0 -1 0", &stat));
	CHECK(!intp_parse_stat("", &stat));
}

static void the_real_tree_of_this_process_holds_a_forked_child(void)
{
	pid_t child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	int proc = open("/proc", O_RDONLY | O_DIRECTORY);
	watch_tree(getpid());
	CHECK(intp_processes_read(&table, proc) == 0 && intp_members_refresh(&members, proc, &table) == 0);
	bool found = false;
	for (size_t i = 0; i < members.count; i++)
		found |= members.list[i].pid == child;
	struct intp_ids tids = {0};
	CHECK(intp_members_threads(&members, proc, &tids) == 0 && intp_ids_hold(&tids, child));
	intp_ids_free(&tids);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(proc);
	intp_members_free(&members);
	intp_processes_free(&table);
	CHECK(found);
}

int main(void)
{
	CLAIM(a_tree_holds_descendants_and_nobody_else);
	CLAIM(a_child_whose_parents_died_stays_a_member);
	CLAIM(an_orphan_never_seen_before_is_found_by_its_session);
	CLAIM(a_pid_with_another_start_time_is_no_member);
	CLAIM(parents_in_a_loop_end_the_walk);
	CLAIM(a_cgroup_holds_its_children_and_only_those_that_live);
	CLAIM(a_command_name_may_hold_parentheses_and_line_ends);
	CLAIM(the_real_tree_of_this_process_holds_a_forked_child);
	return 0;
}
