// SPDX-License-Identifier: Apache-2.0
/*
 * Entries that the kernel would not take out of a map, as some refuse to in an interrupt. This one does not: the test
 * puts them there.
 */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "real.h"
#include "source/ebpf_load.h"
#include "source/ebpf_owner.h"
#include "source/ebpf_rows.h"

#define SLOT  3
#define BLOCK 4096
#define READS 400

static struct intpd_bpf *bpf;
static struct intp_rows rows;
static char file_name[] = "intp-test-taken";

static void own(pid_t pid)
{
	struct intp_watch watch = {.id = "container", .root = pid, .attribution = INTP_TREE};
	struct intp_entry entry = {.slot = SLOT, .watch = &watch};

	intp_owner_add(bpf, &entry, 1);
	CHECK(!entry.error);
}

static int owners(void)
{
	return bpf_map__fd(bpf->maps.owners);
}

static __u32 *place(__u64 key)
{
	return &bpf->bss->state.filter[intp_filter_index(key)];
}

static void leave_behind(__u64 key)
{
	__u32 done = INTP_PROBE_DONE;

	CHECK(!bpf_map_update_elem(owners(), &key, &done, BPF_NOEXIST));
	__atomic_fetch_add(place(key), 1, __ATOMIC_SEQ_CST);
}

static bool is_owned(__u64 key)
{
	__u32 slot;

	return !bpf_map_lookup_elem(owners(), &key, &slot) && slot == SLOT;
}

static void wait_for_ever(void *unused)
{
	(void)unused;
	for (;;)
		pause();
}

/* A child with a number of the test's choice; -1 where that is refused. */
static pid_t child_with(pid_t number)
{
	struct clone_args arguments = {
		.exit_signal = SIGCHLD,
		.set_tid = (__u64)(unsigned long)&number,
		.set_tid_size = 1,
	};
	pid_t pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof(arguments));

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		wait_for_ever(NULL);
	}
	return pid;
}

static void who_has_the_number_of_one_that_was_left_behind_is_owned(void)
{
	pid_t pid = child(wait_for_ever, NULL), number, taken = -1;
	__s32 *of_nobody = &bpf->bss->state.owned[INTP_PROBE_DONE & (INTP_PROBE_SLOTS - 1)], before = *of_nobody;
	__u64 key = (__u64)pid | INTP_PROBE_TREE;

	leave_behind(key);
	own(pid);
	CHECK(is_owned(key) && *of_nobody == before);
	intp_owner_remove(bpf, SLOT, INTP_TREE);
	CHECK(!*place(key));
	end(pid);
	own(getpid());
	for (number = 30000; number > 29000 && taken < 0; number--) {
		key = (__u64)number | INTP_PROBE_TREE;
		if (!kill(number, 0))
			continue;
		leave_behind(key);
		CHECK(!is_owned(key));
		taken = child_with(number);
		if (taken < 0)
			bpf_map_delete_elem(owners(), &key);
	}
	if (taken >= 0) {
		CHECK(is_owned(key) && bpf->bss->state.owned[SLOT] == 2);
		end(taken);
	}
	intp_owner_remove(bpf, SLOT, INTP_TREE);
	if (taken < 0)
		SKIP("no process can be made with a number of one's choice");
}

static void read_directly(void *unused)
{
	int fd = open(file_name, O_RDONLY | O_DIRECT | O_CLOEXEC);
	void *buffer = aligned_alloc(BLOCK, BLOCK);

	(void)unused;
	for (int i = 0; i < READS; i++)
		if (pread(fd, buffer, BLOCK, (off_t)i * BLOCK) != BLOCK)
			_exit(1);
}

static bool make_file(void)
{
	int fd = open(file_name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	static char block[BLOCK] = {1};

	CHECK(fd >= 0);
	for (int i = 0; i < READS; i++)
		CHECK(write(fd, block, BLOCK) == BLOCK);
	CHECK(!fsync(fd));
	close(fd);
	fd = open(file_name, O_RDONLY | O_DIRECT | O_CLOEXEC);
	close(fd);
	return fd >= 0;
}

enum { ADDRESSES = 256 };

/* Lets a child read, watched, and looks which addresses its requests have; whether all were counted. */
static bool read_and_look(__u64 *seen, int *seen_count)
{
	__u64 before, keys[4096];
	static struct intp_request requests[4096];
	int slot = SLOT, count = 0, status;
	pid_t pid = child(read_directly, NULL);

	own(pid);
	before = intp_rows_sum(&rows, SLOT).read_operations;
	go(pid);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		long read = intp_rows_read_map(bpf->maps.requests, keys, requests);

		for (long i = 0; i < read && count < ADDRESSES; i++) {
			bool known = requests[i].row != SLOT;

			for (int j = 0; j < count && !known; j++)
				known = seen[j] == keys[i];
			if (!known)
				seen[count++] = keys[i];
		}
	}
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
	CHECK(!intp_rows_read(&rows, &slot, 1));
	intp_owner_remove(bpf, SLOT, INTP_TREE);
	*seen_count = count;
	return rows.last[SLOT].read_operations - before >= READS;
}

static void a_request_at_the_place_of_one_that_was_left_behind_is_counted(void)
{
	struct intp_request done = {.row = INTP_PROBE_DONE};
	__u64 seen[ADDRESSES], again[ADDRESSES];
	int count = 0, unused;
	bool counted = false;

	if (!make_file()) {
		unlink(file_name);
		SKIP("the file system here has no direct I/O");
	}
	/* As on a disk without a scheduler, which issues at once. */
	bpf_link__destroy(bpf->links.intp_insert);
	bpf->links.intp_insert = NULL;
	/* Of one of several trials: there are sandboxes whose kernel hides a completion. */
	for (int trial = 0; trial < 5 && !(count && counted); trial++) {
		read_and_look(seen, &count);
		for (int i = 0; i < count; i++)
			CHECK(!bpf_map_update_elem(bpf_map__fd(bpf->maps.requests), &seen[i], &done, BPF_ANY));
		counted = read_and_look(again, &unused);
	}
	for (int i = 0; i < count; i++)
		bpf_map_delete_elem(bpf_map__fd(bpf->maps.requests), &seen[i]);
	unlink(file_name);
	if (!count)
		SKIP("no request was seen under way");
	printf("  %d addresses of requests\n", count);
	CHECK(counted);
}

/* Reads all blocks in any order, as many at once as the disk's queue takes: the scheduler merges those that meet. */
static void read_at_random(int fd, unsigned int seed)
{
	static struct iocb requests[READS], *list[READS];
	static struct io_event events[READS];
	aio_context_t context = 0;
	void *buffer = aligned_alloc(BLOCK, BLOCK);

	srand(seed);
	if (syscall(SYS_io_setup, READS, &context))
		_exit(1);
	for (int i = 0; i < READS; i++) {
		int other = rand() % (i + 1);

		requests[i] = (struct iocb){
			.aio_lio_opcode = IOCB_CMD_PREAD,
			.aio_fildes = (__u32)fd,
			.aio_buf = (__u64)(unsigned long)buffer,
			.aio_nbytes = BLOCK,
			.aio_offset = (__s64)i * BLOCK,
		};
		list[i] = list[other];
		list[other] = &requests[i];
	}
	for (int i = 0; i < READS; i++)
		if (syscall(SYS_io_submit, context, 1, &list[i]) != 1)
			_exit(1);
	if (syscall(SYS_io_getevents, context, READS, READS, events, NULL) != READS)
		_exit(1);
	syscall(SYS_io_destroy, context);
}

static void read_at_random_together(void *unused)
{
	enum { READERS = 4, ROUNDS = 50 };
	int status;

	(void)unused;
	for (unsigned int reader = 0; reader < READERS; reader++) {
		if (fork())
			continue;
		int fd = open(file_name, O_RDONLY | O_DIRECT | O_CLOEXEC);

		for (unsigned int round = 0; round < ROUNDS; round++)
			read_at_random(fd, READERS * round + reader);
		_exit(0);
	}
	for (int reader = 0; reader < READERS; reader++)
		if (wait(&status) < 0 || status)
			_exit(1);
}

/* How many requests of the container are taken to be queued or under way. */
static int under_way(void)
{
	__u64 keys[4096];
	static struct intp_request requests[4096];
	long read = intp_rows_read_map(bpf->maps.requests, keys, requests);
	int count = 0;

	CHECK(read >= 0);
	for (long i = 0; i < read; i++)
		count += requests[i].row == SLOT;
	return count;
}

static void requests_that_were_merged_are_not_under_way(void)
{
	int left = -1;

	if (!bpf_program__autoload(bpf->progs.intp_merge))
		SKIP("the kernel does not tell of merged requests");
	if (!make_file()) {
		unlink(file_name);
		SKIP("the file system here has no direct I/O");
	}
	/* Of one of several trials, as above. */
	for (int trial = 0; trial < 3 && left; trial++) {
		pid_t pid = child(read_at_random_together, NULL);

		own(pid);
		go(pid);
		finish(pid);
		left = under_way();
		intp_owner_remove(bpf, SLOT, INTP_TREE);
		printf("  %d requests left\n", left);
	}
	unlink(file_name);
	CHECK(!left);
}

int main(void)
{
	struct intp_map_sizes sizes = intp_map_sizes_here();
	struct intp_ebpf_options options = {0};
	struct intp_probes probes;
	char reason[INTP_MAX_REASON] = "";

	if (geteuid()) {
		printf("  skipped all: not root\n");
		return 0;
	}
	sizes.requests = 4096;
	bpf = intp_probes_load(&probes, &sizes, &options, reason, sizeof(reason));
	if (!bpf) {
		printf("  skipped all: %s\n", reason);
		return 0;
	}
	CHECK(!intp_rows_open(&rows, bpf));
	CLAIM(who_has_the_number_of_one_that_was_left_behind_is_owned);
	CLAIM(requests_that_were_merged_are_not_under_way);
	CLAIM(a_request_at_the_place_of_one_that_was_left_behind_is_counted);
	intp_rows_close(&rows);
	intpd_bpf__destroy(bpf);
	return 0;
}
