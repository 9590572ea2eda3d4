/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "queue.h"
#include "text.h"

/* "none [mq-deadline] kyber bfq": the one in brackets is at work; a disk without a choice has "none" alone. */
static void parse_schedulers(const char *text, struct intp_queue *queue)
{
	const char *from = strchr(text, '['), *to = from ? strchr(from, ']') : NULL;

	if (to)
		snprintf(queue->scheduler, sizeof(queue->scheduler), "%.*s", (int)(to - from - 1), from + 1);
	else
		snprintf(queue->scheduler, sizeof(queue->scheduler), "%.*s", (int)strcspn(text, " \n"), text);
	queue->offers_bfq = strstr(text, "bfq") != NULL;
}

/* io.cost.qos has a line for each disk that it was set for: "8:0 enable=1 ctrl=auto ...". */
static bool is_costed(const char *cgroup, const char *number)
{
	char path[4096], text[4096];
	size_t length = strcspn(number, "\n");

	snprintf(path, sizeof(path), "%s/io.cost.qos", cgroup);
	if (intp_read_start(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return false;
	for (const char *line = text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
		if (strncmp(line, number, length) == 0 && strncmp(line + length, " enable=1", 9) == 0)
			return true;
	return false;
}

static bool read_queue(const char *sys, const char *cgroup, const char *disk, struct intp_queue *queue)
{
	char path[4096], text[256];
	uint64_t rotational = 0, removable = 0;

	*queue = (struct intp_queue){0};
	if (strlen(disk) >= sizeof(queue->disk))
		return false;
	strcpy(queue->disk, disk);
	snprintf(path, sizeof(path), "%s/block/%s/device", sys, disk);
	if (access(path, F_OK) != 0)
		return false;
	snprintf(path, sizeof(path), "%s/block/%s/removable", sys, disk);
	if (intp_read_number(AT_FDCWD, path, &removable) == 0 && removable == 1)
		return false;
	snprintf(path, sizeof(path), "%s/block/%s/queue/scheduler", sys, disk);
	if (intp_read(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return false;
	parse_schedulers(text, queue);
	snprintf(path, sizeof(path), "%s/block/%s/queue/rotational", sys, disk);
	queue->rotational = intp_read_number(AT_FDCWD, path, &rotational) == 0 && rotational == 1;
	queue->virtual = strncmp(disk, "vd", 2) == 0 || strncmp(disk, "xvd", 3) == 0;
	snprintf(path, sizeof(path), "%s/block/%s/dev", sys, disk);
	queue->costed = intp_read(AT_FDCWD, path, text, sizeof(text)) > 0 && is_costed(cgroup, text);
	return true;
}

int intp_queues_each(const char *sys, const char *cgroup, void (*each)(void *context, const struct intp_queue *queue),
		     void *context)
{
	char path[4096];
	struct dirent **names;
	int found, disks = 0;

	snprintf(path, sizeof(path), "%s/block", sys);
	found = scandir(path, &names, NULL, alphasort);
	if (found < 0)
		return -errno;
	for (int i = 0; i < found; i++) {
		struct intp_queue queue;

		if (names[i]->d_name[0] != '.' && read_queue(sys, cgroup, names[i]->d_name, &queue)) {
			each(context, &queue);
			disks++;
		}
		free(names[i]);
	}
	free(names);
	return disks;
}

const char *intp_queue_shares(const struct intp_queue *queue)
{
	return queue->costed || strcmp(queue->scheduler, "bfq") == 0 ? "limits and weights hold"
								     : "limits hold, weights do not";
}

const char *intp_queue_better(const struct intp_queue *queue, const char **why)
{
	bool orders = queue->scheduler[0] && strcmp(queue->scheduler, "none") != 0;

	if (queue->virtual)
		return NULL;
	if (queue->rotational && !orders) {
		*why = "the head goes from one container's file to another's with each request";
		return queue->offers_bfq ? "bfq" : "mq-deadline";
	}
	if (!queue->rotational && strcmp(queue->scheduler, "bfq") == 0) {
		*why = "unless weights are wanted: nothing turns, and bfq costs CPU with each request";
		return "none";
	}
	return NULL;
}
