/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdbool.h>

#include "../source/queue.h"
#include "tree.h"

static struct intp_queue seen[8];
static int count;

static void disk(const char *name, bool device, int rotational, const char *schedulers)
{
	char path[128];
	snprintf(path, sizeof(path), "sys/block/%s/queue/scheduler", name);
	tree_put(path, "%s\n", schedulers);
	snprintf(path, sizeof(path), "sys/block/%s/queue/rotational", name);
	tree_put(path, "%d\n", rotational);
	snprintf(path, sizeof(path), "sys/block/%s/dev", name);
	tree_put(path, "8:%d\n", 16 * (name[2] - 'a'));
	snprintf(path, sizeof(path), "sys/block/%s/device", name);
	if (device)
		tree_put(path, NULL);
}

static void keep(void *context, const struct intp_queue *queue)
{
	(void)context;
	CHECK(count < (int)(sizeof(seen) / sizeof(*seen)));
	seen[count++] = *queue;
}

static int look(void)
{
	count = 0;
	return intp_queues_each(tree_path("sys"), tree_path("cgroup"), keep, NULL);
}

static bool advised(const struct intp_queue *queue, const char *scheduler)
{
	const char *why = NULL, *better = intp_queue_better(queue, &why);
	return better && why && strcmp(better, scheduler) == 0;
}

static bool left_alone(const struct intp_queue *queue)
{
	const char *why;
	return !intp_queue_better(queue, &why);
}

static void disks_are_told_by_name_with_the_scheduler_at_work(void)
{
	tree_begin();
	disk("sdb", true, 0, "none [mq-deadline] kyber");
	disk("sda", true, 1, "none mq-deadline [bfq]");
	CHECK(look() == 2 && count == 2);
	CHECK(strcmp(seen[0].disk, "sda") == 0 && strcmp(seen[0].scheduler, "bfq") == 0);
	CHECK(seen[0].rotational && seen[0].offers_bfq);
	CHECK(strcmp(seen[1].disk, "sdb") == 0 && strcmp(seen[1].scheduler, "mq-deadline") == 0);
	CHECK(!seen[1].rotational && !seen[1].offers_bfq);
	tree_end();
}

static void loops_layers_and_what_can_be_taken_out_are_no_disks(void)
{
	tree_begin();
	disk("sr0", true, 1, "none [mq-deadline]");
	tree_put("sys/block/sr0/removable", "1\n");
	disk("loop0", false, 1, "[none] mq-deadline");
	disk("dm-0", false, 1, "none");
	CHECK(look() == 0);
	tree_end();
}

static void a_machine_without_sysfs_is_an_error(void)
{
	tree_begin();
	CHECK(look() == -ENOENT);
	tree_end();
}

static void a_disk_that_turns_wants_an_order(void)
{
	tree_begin();
	disk("sda", true, 1, "[none] mq-deadline kyber bfq");
	disk("sdb", true, 1, "[none] mq-deadline");
	disk("sdc", true, 1, "none [mq-deadline] bfq");
	disk("sdd", true, 1, "none mq-deadline [bfq]");
	CHECK(look() == 4);
	CHECK(advised(&seen[0], "bfq") && advised(&seen[1], "mq-deadline"));
	CHECK(left_alone(&seen[2]) && left_alone(&seen[3]));
	tree_end();
}

static void a_disk_that_does_not_turn_wants_none(void)
{
	tree_begin();
	disk("sda", true, 0, "[none] mq-deadline bfq");
	disk("sdb", true, 0, "none mq-deadline [bfq]");
	CHECK(look() == 2);
	CHECK(left_alone(&seen[0]) && advised(&seen[1], "none"));
	tree_end();
}

static void what_lies_below_a_virtual_disk_is_not_known(void)
{
	tree_begin();
	disk("vda", true, 1, "[none] mq-deadline bfq");
	disk("xvda", true, 1, "none");
	CHECK(look() == 2);
	CHECK(seen[0].virtual && left_alone(&seen[0]));
	CHECK(seen[1].virtual && strcmp(seen[1].scheduler, "none") == 0 && left_alone(&seen[1]));
	tree_end();
}

static void weights_hold_under_bfq_and_where_costs_are_on(void)
{
	tree_begin();
	disk("sda", true, 1, "none mq-deadline [bfq]");
	disk("sdb", true, 0, "[none] mq-deadline");
	disk("sdc", true, 0, "[none] mq-deadline");
	tree_put("cgroup/io.cost.qos", "8:1 enable=1 ctrl=auto\n8:32 enable=0 ctrl=auto\n8:16 enable=1 ctrl=user\n");
	CHECK(look() == 3);
	CHECK(!seen[0].costed && strcmp(intp_queue_shares(&seen[0]), "limits and weights hold") == 0);
	CHECK(seen[1].costed && strcmp(intp_queue_shares(&seen[1]), "limits and weights hold") == 0);
	CHECK(!seen[2].costed && strcmp(intp_queue_shares(&seen[2]), "limits hold, weights do not") == 0);
	tree_end();
}

int main(void)
{
	CLAIM(disks_are_told_by_name_with_the_scheduler_at_work);
	CLAIM(loops_layers_and_what_can_be_taken_out_are_no_disks);
	CLAIM(a_machine_without_sysfs_is_an_error);
	CLAIM(a_disk_that_turns_wants_an_order);
	CLAIM(a_disk_that_does_not_turn_wants_none);
	CLAIM(what_lies_below_a_virtual_disk_is_not_known);
	CLAIM(weights_hold_under_bfq_and_where_costs_are_on);
	return 0;
}
