/* SPDX-License-Identifier: Apache-2.0 */
/* The table of containers over a /proc, cgroups and sources that the test makes. */
#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../publish/alive.h"
#include "../publish/attribution.h"
#include "../publish/watches.h"
#include "claims.h"

static char root[] = "/tmp/intpd-watches-XXXXXX";

/* A path below the test's directory; the last few stay valid. */
__attribute__((format(printf, 1, 2))) static const char *below(const char *format, ...)
{
	static char paths[4][INTP_MAX_PATH];
	static int next;
	char *path = paths[next++ % 4];
	int length = sprintf(path, "%s/", root);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(path + length, INTP_MAX_PATH - length, format, arguments);
	va_end(arguments);
	return path;
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void make_directories(const char *path)
{
	char part[INTP_MAX_PATH];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		mkdir(part, 0755);
	}
	mkdir(path, 0755);
}

static void make_process(int pid, int session, char state, int start, const char *cgroups)
{
	char text[512];

	make_directories(below("proc/%d", pid));
	snprintf(text, sizeof(text), "%d (a (b) c) %c 1 1 %d 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 0 0\n", pid, state,
		 session, start);
	write_file(below("proc/%d/stat", pid), text);
	write_file(below("proc/%d/cgroup", pid), cgroups);
}

static void end_process(int pid)
{
	unlink(below("proc/%d/stat", pid));
	unlink(below("proc/%d/cgroup", pid));
	rmdir(below("proc/%d", pid));
}

static void make_world(void)
{
	char mounts[4096];

	CHECK(mkdtemp(root));
	make_directories(below("proc/self"));
	snprintf(mounts, sizeof(mounts),
		 "22 1 0:20 / /proc rw - proc proc rw\n"
		 "31 30 0:27 / %s/cg/cpuset rw - cgroup cgroup rw,cpuset\n"
		 "32 30 0:28 / %s/cg/cpu\\040here rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
		 "33 30 0:29 /outer %s/cg/unified rw,nosuid - cgroup2 cgroup2 rw\n"
		 "34 30 0:30 / %s/cg/memory rw - cgroup cgroup rw,memory\n",
		 root, root, root, root);
	write_file(below("proc/self/mountinfo"), mounts);
	write_file(below("proc/self/cgroup"),
		   "4:cpu,cpuacct:/container_daemon/x\n0::/outer/system.slice/intpd.service\n");
}

static struct intp_watch attributed(const char *id, int pid)
{
	struct intp_watch watch = {.root = pid};
	struct intp_hierarchies hierarchies;

	strcpy(watch.id, id);
	intp_hierarchies_read(below("proc"), &hierarchies);
	intp_attribute(below("proc"), &hierarchies, &watch);
	return watch;
}

static uint64_t inode(const char *path)
{
	struct stat status;

	CHECK(stat(path, &status) == 0);
	return status.st_ino;
}

static void a_v2_cgroup_named_for_the_container_is_its_own(void)
{
	struct intp_watch watch;

	make_directories(below("cg/unified/yarn/container_1_01/inner"));
	make_process(101, 101, 'S', 5, "3:cpuset:/container_1_01\n0::/outer/yarn/container_1_01/inner\n");
	watch = attributed("container_1_01", 101);
	CHECK(watch.attribution == INTP_CGROUP_V2);
	CHECK(strcmp(watch.directory, below("cg/unified/yarn/container_1_01")) == 0);
	CHECK(watch.cgroup == inode(watch.directory));
}

static void a_v1_cpu_cgroup_is_taken_where_v2_has_none(void)
{
	struct intp_watch watch;

	make_directories(below("cg/cpu here/hadoop-yarn/container_1_02"));
	make_process(102, 102, 'S', 5, "4:cpu,cpuacct:/hadoop-yarn/container_1_02\n0::/outer\n");
	watch = attributed("container_1_02", 102);
	CHECK(watch.attribution == INTP_CGROUP_V1);
	CHECK(strcmp(watch.directory, below("cg/cpu here/hadoop-yarn/container_1_02")) == 0);
	CHECK(watch.cgroup == inode(watch.directory));
}

static void v2_goes_before_v1(void)
{
	make_directories(below("cg/cpu here/container_1_03"));
	make_directories(below("cg/unified/container_1_03"));
	make_process(103, 103, 'S', 5, "4:cpu,cpuacct:/container_1_03\n0::/outer/container_1_03\n");
	CHECK(attributed("container_1_03", 103).attribution == INTP_CGROUP_V2);
}

static void memory_is_that_of_the_group_with_the_controller(void)
{
	make_directories(below("cg/unified/container_1_06"));
	make_directories(below("cg/memory/hadoop-yarn/container_1_06"));
	make_process(106, 106, 'S', 5, "9:memory:/hadoop-yarn/container_1_06\n0::/outer/container_1_06\n");
	CHECK(strcmp(attributed("container_1_06", 106).memory, below("cg/memory/hadoop-yarn/container_1_06")) == 0);
	write_file(below("cg/unified/container_1_06/memory.current"), "1\n");
	CHECK(strcmp(attributed("container_1_06", 106).memory, below("cg/unified/container_1_06")) == 0);
	make_process(106, 106, 'S', 5, "9:memory:/\n0::/outer/container_1_066\n");
	CHECK(attributed("container_1_06", 106).memory[0] == '\0');
}

static void check_tree(const char *id, int pid)
{
	struct intp_watch watch = attributed(id, pid);

	CHECK(watch.attribution == INTP_TREE && watch.cgroup == 0 && watch.directory[0] == '\0');
}

static void a_cgroup_that_is_not_the_containers_own_makes_a_tree(void)
{
	make_directories(below("cg/unified/yarn/container_1_045"));
	make_directories(below("cg/unified/container_1_04.slice"));
	make_directories(below("cg/cpu here/container_daemon/x"));
	make_process(104, 104, 'S', 5, "4:cpu,cpuacct:/\n0::/\n");
	check_tree("container_1_04", 104);
	make_process(104, 104, 'S', 5, "0::/outer/yarn/container_1_045\n");
	check_tree("container_1_04", 104);
	make_process(104, 104, 'S', 5, "0::/outer/container_1_04.slice\n");
	check_tree("container_1_04", 104);
	make_process(104, 104, 'S', 5, "4:cpu,cpuacct:/container_daemon/x\n");
	check_tree("container_daemon", 104);
}

static void a_cgroup_that_cannot_be_seen_makes_a_tree(void)
{
	make_process(105, 105, 'S', 5, "0::/elsewhere/container_1_05\n");
	check_tree("container_1_05", 105);
	make_process(105, 105, 'S', 5, "0::/outer/container_1_05_gone\n3:cpuset:/container_1_05\n");
	check_tree("container_1_05", 105);
	make_process(105, 105, 'S', 5, "0::/../container_1_05\n");
	check_tree("container_1_05", 105);
	check_tree("container_1_05", 999);
}

static bool alive(struct intp_watch watch, int start)
{
	const struct intp_birth birth = {.start = start, .session = watch.root};

	struct intp_sessions sessions = {0};
	bool lives = intp_container_alive(below("proc"), &watch, &birth, &sessions);

	intp_sessions_free(&sessions);
	return lives;
}

static void a_container_lives_while_one_of_its_processes_does(void)
{
	struct intp_watch tree = {.root = 110, .attribution = INTP_TREE}, cgroup = tree;

	make_process(110, 110, 'S', 7, "0::/\n");
	CHECK(alive(tree, 7));
	make_process(110, 110, 'Z', 7, "0::/\n");
	CHECK(!alive(tree, 7));
	make_process(110, 110, 'S', 8, "0::/\n");
	make_process(111, 111, 'S', 9, "0::/\n");
	CHECK(!alive((struct intp_watch){.root = 111, .attribution = INTP_TREE}, 7));
	end_process(110);
	CHECK(!alive(tree, 7));
	make_process(112, 110, 'R', 9, "0::/\n");
	CHECK(alive(tree, 7));
	end_process(112);
	make_directories(below("cg/unified/alive/inner"));
	cgroup.attribution = INTP_CGROUP_V2;
	strcpy(cgroup.directory, below("cg/unified/alive"));
	write_file(below("cg/unified/alive/cgroup.procs"), "");
	write_file(below("cg/unified/alive/inner/cgroup.procs"), "");
	CHECK(!alive(cgroup, 7));
	write_file(below("cg/unified/alive/inner/cgroup.procs"), "4711\n");
	CHECK(alive(cgroup, 7));
}

/* Whether it lives as far as can be told by one who may open no file. */
static bool alive_without_descriptors(struct intp_watch watch)
{
	struct rlimit limit, none;
	bool lives;

	CHECK(!getrlimit(RLIMIT_NOFILE, &limit));
	none = (struct rlimit){.rlim_cur = 0, .rlim_max = limit.rlim_max};
	CHECK(!setrlimit(RLIMIT_NOFILE, &none));
	lives = alive(watch, 7);
	CHECK(!setrlimit(RLIMIT_NOFILE, &limit));
	return lives;
}

static void a_container_that_cannot_be_looked_at_is_not_dead(void)
{
	struct intp_watch tree = {.root = 113, .attribution = INTP_TREE};
	struct intp_watch cgroup = {.root = 113, .attribution = INTP_CGROUP_V2};
	struct intp_sessions sessions = {.read = true, .error = -ENOMEM};
	const struct intp_birth birth = {.start = 7, .session = 113};

	strcpy(cgroup.directory, below("cg/unified/unseen"));
	CHECK(alive_without_descriptors(tree) && alive_without_descriptors(cgroup));
	CHECK(!alive(tree, 7) && !alive(cgroup, 7));
	make_directories(cgroup.directory);
	CHECK(!alive(cgroup, 7));
	/* What is no file cannot be read, and that says nothing of who is in there. */
	make_directories(below("cg/unified/unseen/cgroup.procs"));
	CHECK(alive(cgroup, 7));
	/* It was not among the sessions, of which not all could be read. */
	CHECK(intp_container_alive(below("proc"), &tree, &birth, &sessions));
}

static void a_proc_that_hides_other_users_processes_is_known_by_the_first_one(void)
{
	CHECK(!intp_sees_others(below("proc")));
	make_process(1, 1, 'S', 1, "0::/\n");
	CHECK(intp_sees_others(below("proc")));
	end_process(1);
}

/* A source whose counts grow with the snapshots of each watch, and which can be told to fail. */
struct fake {
	struct intp_source source;
	int refusal, failure;
	int watched[INTP_MAX_WATCHES];
	int snapshots[INTP_MAX_WATCHES];
};

static int fake_watch(struct intp_source *source, int slot, const struct intp_watch *watch)
{
	struct fake *fake = (struct fake *)source;

	CHECK(!fake->watched[slot]);
	if (fake->refusal)
		return fake->refusal;
	fake->watched[slot] = watch->root;
	fake->snapshots[slot] = 0;
	return 0;
}

static void fake_unwatch(struct intp_source *source, int slot)
{
	((struct fake *)source)->watched[slot] = 0;
}

static int fake_snapshot(struct intp_source *source, uint64_t now_ns, struct intp_sample *samples)
{
	struct fake *fake = (struct fake *)source;

	if (fake->failure)
		return fake->failure;
	for (int slot = 0; slot < INTP_MAX_WATCHES; slot++)
		for (int signal = 0; fake->watched[slot] && signal < INTP_SIGNALS; signal++)
			if (source->signals & (1u << signal))
				samples[slot].counts[signal] =
					intp_count_of(source->name, ++fake->snapshots[slot], (double)now_ns);
	return 0;
}

static const char *fake_reason(const struct intp_source *source, enum intp_signal signal)
{
	(void)source;
	return signal == INTP_NETP ? "the fake has no network" : NULL;
}

static void fake_close(struct intp_source *source)
{
	(void)source;
}

static struct fake primary, secondary;
static struct intp_panel panel;
static struct intp_watches *watches;
static struct intp_row rows[INTP_MAX_WATCHES];

static void open_table(int limit)
{
	const struct intp_source source = {
		.watch = fake_watch,
		.unwatch = fake_unwatch,
		.snapshot = fake_snapshot,
		.reason = fake_reason,
		.close = fake_close,
	};

	primary = (struct fake){.source = source};
	primary.source.name = "ebpf";
	primary.source.signals = 1u << INTP_CPU;
	secondary = (struct fake){.source = source};
	secondary.source.name = "perf";
	secondary.source.signals = 1u << INTP_CPU | 1u << INTP_LLCMR;
	panel = (struct intp_panel){0};
	intp_panel_add(&panel, &primary.source, 1u << INTP_CPU | 1u << INTP_NETP);
	intp_panel_add(&panel, &secondary.source, 1u << INTP_LLCMR);
	intp_panel_add_absent(&panel, "resctrl", 1u << INTP_LLOCC, "resctrl is not mounted");
	watches = intp_watches_open(&panel, limit, below("proc"));
	CHECK(watches);
}

static void close_table(void)
{
	intp_watches_close(watches);
	for (int slot = 0; slot < INTP_MAX_WATCHES; slot++)
		CHECK(!primary.watched[slot] && !secondary.watched[slot]);
	intp_panel_close(&panel);
}

static const struct intp_asker *asker; /* NULL: may everything */

static struct intp_outcome watch(const char *id, int64_t pid)
{
	const struct intp_target target = {.container = id, .pid = pid};
	struct intp_outcome outcome;

	intp_watches_watch(watches, asker, &target, 1, &outcome);
	CHECK(!outcome.code || outcome.message[0]);
	return outcome;
}

static bool refused_as(const char *code, const char *id, int64_t pid)
{
	struct intp_outcome outcome = watch(id, pid);

	return outcome.code && strcmp(outcome.code, code) == 0;
}

static const struct intp_count *count_of(enum intp_signal signal)
{
	CHECK(intp_watches_snapshot(watches, 1, rows) >= 1);
	return &rows[0].sample.counts[signal];
}

static void what_cannot_be_watched_is_refused_with_a_code(void)
{
	open_table(4);
	make_process(201, 201, 'S', 5, "0::/\n");
	CHECK(refused_as(INTP_BAD_CONTAINER, "", 201));
	CHECK(refused_as(INTP_BAD_CONTAINER, "../etc", 201));
	CHECK(refused_as(INTP_NO_PROCESS, "a", 0));
	CHECK(refused_as(INTP_NO_PROCESS, "a", -1));
	CHECK(refused_as(INTP_NO_PROCESS, "a", 4000000000000));
	CHECK(refused_as(INTP_NO_PROCESS, "a", 998));
	CHECK(intp_watches_snapshot(watches, 1, rows) == 0);
	CHECK(!watch("a", 201).code);
	close_table();
}

static void an_id_that_is_refused_is_given_back_as_whole_characters(void)
{
	char id[200] = "";

	open_table(1);
	for (int i = 0; i < 66; i++)
		strcat(id, i ? "\xc3\xa9" : "x");
	CHECK(strlen(watch(id, 1).container) == 127);
	close_table();
}

static void watching_again_changes_nothing_but_another_process_starts_from_zero(void)
{
	open_table(4);
	make_process(202, 202, 'S', 5, "0::/\n");
	make_process(203, 203, 'S', 6, "0::/\n");
	CHECK(!watch("a", 202).code);
	CHECK(count_of(INTP_CPU)->used == 1 && count_of(INTP_CPU)->used == 2);
	CHECK(!watch("a", 202).code && count_of(INTP_CPU)->used == 3);
	CHECK(!watch("a", 203).code && count_of(INTP_CPU)->used == 1);
	make_process(203, 203, 'S', 99, "0::/\n");
	CHECK(!watch("a", 203).code && count_of(INTP_CPU)->used == 1);
	CHECK(!watch("a", 203).code && count_of(INTP_CPU)->used == 2);
	close_table();
}

static void a_container_that_ended_stays_for_a_while(void)
{
	open_table(4);
	make_process(204, 204, 'S', 5, "0::/\n");
	watch("a", 204);
	CHECK(count_of(INTP_CPU)->used == 1 && rows[0].alive);
	end_process(204);
	CHECK(count_of(INTP_CPU)->used == 2 && !rows[0].alive);
	CHECK(!watch("a", 204).code);
	intp_watches_unwatch(watches, "a");
	intp_watches_unwatch(watches, "a");
	CHECK(intp_watches_snapshot(watches, 1, rows) == 0);
	close_table();
}

static void a_full_table_gives_up_the_dead_only(void)
{
	open_table(2);
	make_process(205, 205, 'S', 5, "0::/\n");
	make_process(206, 206, 'S', 5, "0::/\n");
	make_process(207, 207, 'S', 5, "0::/\n");
	CHECK(!watch("a", 205).code && !watch("b", 206).code);
	CHECK(refused_as(INTP_TOO_MANY, "c", 207));
	end_process(206);
	CHECK(!watch("c", 207).code);
	CHECK(intp_watches_snapshot(watches, 1, rows) == 2);
	CHECK(strcmp(rows[0].container, "a") == 0 && strcmp(rows[1].container, "c") == 0);
	close_table();
}

static void a_refusal_of_the_primary_source_is_a_refusal(void)
{
	open_table(2);
	make_process(208, 208, 'S', 5, "0::/\n");
	primary.refusal = -ESRCH;
	CHECK(refused_as(INTP_NO_PROCESS, "a", 208));
	primary.refusal = -E2BIG;
	CHECK(refused_as(INTP_FAILED, "a", 208));
	CHECK(intp_watches_snapshot(watches, 1, rows) == 0 && !secondary.watched[0]);
	close_table();
}

static void a_refusal_of_another_source_costs_its_signals_only(void)
{
	open_table(2);
	make_process(209, 209, 'S', 5, "0::/\n");
	secondary.refusal = -ENOSPC;
	CHECK(!watch("a", 209).code);
	CHECK(count_of(INTP_CPU)->status == INTP_OK);
	CHECK(count_of(INTP_LLCMR)->status == INTP_UNAVAILABLE);
	CHECK(strcmp(count_of(INTP_LLCMR)->source, "perf") == 0);
	CHECK(strstr(count_of(INTP_LLCMR)->reason, strerror(ENOSPC)));
	close_table();
}

static void a_source_that_fails_leaves_no_stale_count(void)
{
	open_table(2);
	make_process(210, 210, 'S', 5, "0::/\n");
	watch("a", 210);
	CHECK(strcmp(count_of(INTP_CPU)->source, "ebpf") == 0);
	CHECK(count_of(INTP_LLCMR)->status == INTP_OK);
	primary.failure = secondary.failure = -EIO;
	CHECK(count_of(INTP_CPU)->status == INTP_UNAVAILABLE);
	CHECK(strcmp(count_of(INTP_CPU)->source, "ebpf") == 0);
	CHECK(count_of(INTP_LLCMR)->status == INTP_UNAVAILABLE);
	secondary.failure = 0;
	CHECK(strcmp(count_of(INTP_CPU)->source, "perf") == 0);
	close_table();
}

static void an_absent_count_names_the_source_whose_business_it_is(void)
{
	open_table(2);
	make_process(211, 211, 'S', 5, "0::/\n");
	watch("a", 211);
	CHECK(strcmp(count_of(INTP_LLOCC)->reason, "resctrl is not mounted") == 0);
	CHECK(strcmp(count_of(INTP_LLOCC)->source, "resctrl") == 0);
	CHECK(strcmp(count_of(INTP_NETP)->reason, "the fake has no network") == 0);
	CHECK(strcmp(count_of(INTP_FUTEX)->source, "none") == 0);
	close_table();
}

static void a_pid_that_went_to_another_process_is_refused_by_its_start(void)
{
	struct intp_target target = {.container = "a", .pid = 212, .start = 5};
	struct intp_outcome outcome;

	open_table(2);
	make_process(212, 212, 'S', 6, "0::/\n");
	intp_watches_watch(watches, NULL, &target, 1, &outcome);
	CHECK(outcome.code && strcmp(outcome.code, INTP_NO_PROCESS) == 0);
	target.start = 6;
	intp_watches_watch(watches, NULL, &target, 1, &outcome);
	CHECK(!outcome.code && intp_watches_snapshot(watches, 1, rows) == 1);
	close_table();
}

static void the_dead_are_forgotten_after_ten_minutes(void)
{
	const uint64_t minute = 60000000000, seen = 5 * minute;

	open_table(3);
	make_process(213, 213, 'S', 5, "0::/\n");
	make_process(214, 214, 'S', 5, "0::/\n");
	CHECK(!watch("dead", 213).code && !watch("alive", 214).code);
	end_process(213);
	CHECK(intp_watches_snapshot(watches, seen, rows) == 2);
	CHECK(intp_watches_snapshot(watches, seen + 10 * minute - 1, rows) == 2);
	CHECK(intp_watches_snapshot(watches, seen + 10 * minute, rows) == 1);
	CHECK(strcmp(rows[0].container, "alive") == 0 && !primary.watched[0] && !secondary.watched[0]);
	close_table();
}

static int together;

static void fake_watch_many(struct intp_source *source, struct intp_entry *entries, size_t count)
{
	together = (int)count;
	for (size_t i = 0; i < count; i++)
		entries[i].error = entries[i].watch->root == 217
					   ? -E2BIG
					   : fake_watch(source, entries[i].slot, entries[i].watch);
}

static void containers_of_one_request_are_entered_together(void)
{
	const struct intp_target targets[] = {{"a", 215, 0}, {"b", 216, 0}, {"c", 217, 0}, {"d", 999, 0}};
	struct intp_outcome outcomes[4];

	open_table(8);
	primary.source.watch_many = fake_watch_many;
	for (int pid = 215; pid <= 217; pid++)
		make_process(pid, pid, 'S', 5, "0::/\n");
	CHECK(intp_watches_watch(watches, NULL, targets, 4, outcomes) == 4);
	CHECK(together == 3);
	CHECK(!outcomes[0].code && !outcomes[1].code);
	CHECK(strcmp(outcomes[2].code, INTP_FAILED) == 0 && strcmp(outcomes[3].code, INTP_NO_PROCESS) == 0);
	CHECK(intp_watches_snapshot(watches, 1, rows) == 2);
	CHECK(secondary.watched[0] && secondary.watched[1] && !secondary.watched[2]);
	close_table();
}

static void a_container_named_twice_ends_the_batch_and_is_the_later_one(void)
{
	const struct intp_target targets[] = {{"a", 215, 0}, {"a", 216, 0}, {"a", 216, 0}};
	struct intp_outcome outcomes[3];

	open_table(8);
	primary.source.watch_many = fake_watch_many;
	for (size_t done = 0; done < 3; done++)
		CHECK(intp_watches_watch(watches, NULL, targets + done, 3 - done, outcomes + done) == 1);
	CHECK(!outcomes[0].code && !outcomes[1].code && !outcomes[2].code);
	CHECK(intp_watches_snapshot(watches, 1, rows) == 1 && primary.watched[0] == 216);
	close_table();
}

static void a_process_of_somebody_else_is_forbidden_until_it_is_watched(void)
{
	const struct intp_asker other = {.user = 12345, .process = 4711};

	open_table(2);
	make_process(218, 218, 'S', 5, "0::/\n");
	asker = &other;
	CHECK(refused_as(INTP_FORBIDDEN, "a", 218));
	asker = NULL;
	CHECK(!watch("a", 218).code);
	asker = &other;
	CHECK(!watch("a", 218).code);
	asker = NULL;
	close_table();
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

int main(void)
{
	make_world();
	CLAIM(a_v2_cgroup_named_for_the_container_is_its_own);
	CLAIM(a_v1_cpu_cgroup_is_taken_where_v2_has_none);
	CLAIM(v2_goes_before_v1);
	CLAIM(memory_is_that_of_the_group_with_the_controller);
	CLAIM(a_cgroup_that_is_not_the_containers_own_makes_a_tree);
	CLAIM(a_cgroup_that_cannot_be_seen_makes_a_tree);
	CLAIM(a_container_lives_while_one_of_its_processes_does);
	CLAIM(a_container_that_cannot_be_looked_at_is_not_dead);
	CLAIM(a_proc_that_hides_other_users_processes_is_known_by_the_first_one);
	CLAIM(what_cannot_be_watched_is_refused_with_a_code);
	CLAIM(an_id_that_is_refused_is_given_back_as_whole_characters);
	CLAIM(watching_again_changes_nothing_but_another_process_starts_from_zero);
	CLAIM(a_container_that_ended_stays_for_a_while);
	CLAIM(a_full_table_gives_up_the_dead_only);
	CLAIM(a_refusal_of_the_primary_source_is_a_refusal);
	CLAIM(a_refusal_of_another_source_costs_its_signals_only);
	CLAIM(a_source_that_fails_leaves_no_stale_count);
	CLAIM(an_absent_count_names_the_source_whose_business_it_is);
	CLAIM(a_pid_that_went_to_another_process_is_refused_by_its_start);
	CLAIM(the_dead_are_forgotten_after_ten_minutes);
	CLAIM(containers_of_one_request_are_entered_together);
	CLAIM(a_container_named_twice_ends_the_batch_and_is_the_later_one);
	CLAIM(a_process_of_somebody_else_is_forbidden_until_it_is_watched);
	return nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
