/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf_event.h"

static int kernel_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group, flags);
}

const struct intp_perf_ops intp_perf_kernel = {.open = kernel_open, .read = read, .close = close};

const char *intp_perf_reason(int error)
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return "no PMU on this machine";
	case EACCES:
	case EPERM:
		return "perf_event_open is refused: it needs CAP_PERFMON or sysctl kernel.perf_event_paranoid=-1";
	case EMFILE:
	case ENFILE:
		return "too many open files for the events: raise RLIMIT_NOFILE (LimitNOFILE= of the service), or "
		       "count none "
		       "(--no-pmu)";
	case ENOSYS:
		return "this kernel has no perf events (CONFIG_PERF_EVENTS)";
	case EBUSY:
		return "the PMU is held by another user";
	default:
		return strerror(error);
	}
}

struct perf_event_attr intp_perf_attr(uint32_t type, uint64_t config)
{
	return (struct perf_event_attr){.size = sizeof(struct perf_event_attr),
					.type = type,
					.config = config,
					.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
						       PERF_FORMAT_TOTAL_TIME_RUNNING};
}

/* Opens an event of a thread and its children or, with PERF_FLAG_PID_CGROUP, of a cgroup; -1 with errno on failure.
 */
static int open_event(const struct intp_perf_ops *ops, uint32_t type, uint64_t config, pid_t pid, int cpu, int leader,
		      unsigned long flags)
{
	struct perf_event_attr attr = intp_perf_attr(type, config);
	attr.inherit = !(flags & PERF_FLAG_PID_CGROUP);
	return ops->open(&attr, pid, cpu, leader, flags | PERF_FLAG_FD_CLOEXEC);
}

#define LAST_LEVEL_READ(result)                                                                                      \
	(PERF_COUNT_HW_CACHE_LL | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16)

struct intp_cache_events intp_perf_cache_events(const char *machine, const char *cpuinfo)
{
	/* Hygon's are AMD's Zen. */
	if (strstr(cpuinfo, "AuthenticAMD") || strstr(cpuinfo, "HygonGenuine"))
		return (struct intp_cache_events){
			.absent = "on this processor perf's generic events count the L2 cache, not the last level"};
	if (strcmp(machine, "aarch64") == 0)
		return (struct intp_cache_events){.type = PERF_TYPE_HW_CACHE,
						  .references = LAST_LEVEL_READ(ACCESS),
						  .misses = LAST_LEVEL_READ(MISS)};
	return (struct intp_cache_events){.type = PERF_TYPE_HARDWARE,
					  .references = PERF_COUNT_HW_CACHE_REFERENCES,
					  .misses = PERF_COUNT_HW_CACHE_MISSES};
}

int intp_perf_open_cache(const struct intp_perf_ops *ops, const struct intp_cache_events *events, pid_t pid, int cpu,
			 unsigned long flags, struct intp_perf_group *group)
{
	*group = (struct intp_perf_group){.leader = -1, .member = -1};
	int leader = open_event(ops, events->type, events->references, pid, cpu, -1, flags);
	if (leader < 0)
		return -errno;
	group->member = open_event(ops, events->type, events->misses, pid, cpu, leader, flags);
	if (group->member < 0) {
		int error = -errno;
		ops->close(leader);
		return error;
	}
	group->leader = leader;
	return 0;
}

int intp_perf_open_instructions(const struct intp_perf_ops *ops, pid_t pid, int cpu, unsigned long flags,
				struct intp_perf_group *group)
{
	*group = (struct intp_perf_group){.leader = -1, .member = -1};
	group->leader = open_event(ops, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, pid, cpu, -1, flags);
	return group->leader < 0 ? -errno : 0;
}

enum intp_perf_window intp_perf_grow(const struct intp_perf_ops *ops, struct intp_perf_group *group, double *growth)
{
	struct {
		uint64_t count, enabled, running, values[2];
	} now = {0};
	uint64_t members = group->member >= 0 ? 2 : 1;
	ssize_t wanted = (ssize_t)((3 + members) * sizeof(uint64_t));
	if (ops->read(group->leader, &now, (size_t)wanted) != wanted || now.count != members)
		return INTP_PERF_STARVED;
	uint64_t enabled = now.enabled - group->enabled, running = now.running - group->running;
	if (now.enabled < group->enabled || now.running < group->running)
		return INTP_PERF_STARVED;
	if (running == 0)
		return enabled == 0 ? INTP_PERF_IDLE : INTP_PERF_STARVED;
	for (uint64_t i = 0; i < members; i++)
		if (now.values[i] > group->values[i])
			growth[i] += (double)(now.values[i] - group->values[i]) * (double)enabled / (double)running;
	group->enabled = now.enabled;
	group->running = now.running;
	memcpy(group->values, now.values, sizeof(now.values));
	return INTP_PERF_RAN;
}
