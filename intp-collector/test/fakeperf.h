/* SPDX-License-Identifier: Apache-2.0 */
/* A PMU that the test sets: which events open, and what they have counted. An fd is 1000 + its number. */
#ifndef INTP_TEST_FAKEPERF_H
#define INTP_TEST_FAKEPERF_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../source/perf_event.h"

#define FAKE_EVENTS 64

static struct fake_event {
	struct perf_event_attr attr;
	pid_t pid;
	int cpu, group;
	unsigned long flags;
	bool open;
	uint64_t value, enabled, running;
} fake_events[FAKE_EVENTS];
static int fake_opened, fake_open_now, fake_errno, fake_errno_cgroup, fake_most;
static int fake_errno_of[PERF_COUNT_HW_MAX]; /* of each hardware event */

static inline int fake_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
	errno = flags & PERF_FLAG_PID_CGROUP && fake_errno_cgroup ? fake_errno_cgroup : fake_errno;
	if (!errno && attr->type == PERF_TYPE_HARDWARE)
		errno = fake_errno_of[attr->config];
	if (!errno && fake_open_now >= fake_most)
		errno = EMFILE;
	if (errno || fake_opened == FAKE_EVENTS)
		return -1;
	fake_events[fake_opened] = (struct fake_event){
		.attr = *attr, .pid = pid, .cpu = cpu, .group = group, .flags = flags, .open = true};
	fake_open_now++;
	return 1000 + fake_opened++;
}

static inline ssize_t fake_read(int fd, void *buffer, size_t size)
{
	const struct fake_event *leader = &fake_events[fd - 1000];
	uint64_t values[5] = {1, leader->enabled, leader->running, leader->value, 0};
	for (int i = 0; i < fake_opened; i++)
		if (fake_events[i].group == fd) {
			values[0] = 2;
			values[4] = fake_events[i].value;
		}
	size_t length = (3 + values[0]) * sizeof(uint64_t);
	if (size < length) {
		errno = ENOSPC;
		return -1;
	}
	memcpy(buffer, values, length);
	return (ssize_t)length;
}

static inline int fake_close(int fd)
{
	struct fake_event *event = &fake_events[fd - 1000];
	if (!event->open)
		abort();
	event->open = false;
	fake_open_now--;
	return 0;
}

static const struct intp_perf_ops fake_perf = {.open = fake_open, .read = fake_read, .close = fake_close};

static inline void fake_reset(void)
{
	memset(fake_events, 0, sizeof(fake_events));
	memset(fake_errno_of, 0, sizeof(fake_errno_of));
	fake_opened = fake_open_now = fake_errno = fake_errno_cgroup = 0;
	fake_most = FAKE_EVENTS;
}

#endif
