/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "../source/queue.h"
#include "commands.h"
#include "measure.h"

/* What usually helps where a source cannot be used at all; where it can, its reason says what helps. */
static const struct {
	const char *source, *text;
} remedies[] = {
	{"ebpf", "load eBPF (CAP_BPF and CAP_PERFMON, Linux 5.10 or later with BTF)"},
	{"resctrl",
	 "mount -t resctrl resctrl /sys/fs/resctrl, on a CPU that monitors it, and run as root (intpd-root.conf); "
	 "memory bandwidth also where the memory controllers' counters show; then calibrate"},
	{"perf", "run where the PMU shows: bare metal, or a virtual machine with a vPMU"},
};

static bool counts(const struct intp_sample *abilities, const char *source)
{
	for (int i = 0; i < INTP_SIGNALS; i++)
		if (abilities->counts[i].status != INTP_UNAVAILABLE &&
		    strcmp(abilities->counts[i].source, source) == 0)
			return true;
	return false;
}

/* NULL where there is none to give. */
static const char *remedy(const struct intp_sample *abilities, const char *source)
{
	for (size_t i = 0; i < sizeof(remedies) / sizeof(*remedies); i++)
		if (strcmp(remedies[i].source, source) == 0)
			return counts(abilities, source) ? NULL : remedies[i].text;
	return NULL;
}

static void print_ability(const char *name, const struct intp_count *count, const struct intp_sample *abilities)
{
	bool absent = count->status == INTP_UNAVAILABLE;
	bool off = absent && strncmp(count->reason, "switched off", strlen("switched off")) == 0;
	const char *help = absent && !off ? remedy(abilities, count->source) : NULL;

	printf("%-9s %-12s %-8s", name, absent ? "unavailable" : "measured", count->source);
	if (absent)
		printf(" %s", count->reason);
	if (help)
		printf("\n%32sremedy: %s", "", help);
	putchar('\n');
}

/* What orders the requests of a disk that containers share, and what would do it better. */
static void print_queue(void *context, const struct intp_queue *queue)
{
	const char *why, *better = intp_queue_better(queue, &why);

	(void)context;
	printf("scheduler %-12s %-8s %s; %s\n", queue->disk,
	       queue->virtual	   ? "virtual"
	       : queue->rotational ? "turns"
				   : "solid",
	       queue->scheduler[0] ? queue->scheduler : "none", intp_queue_shares(queue));
	if (better)
		printf("%32sadvice: %s, %s (echo %s > /sys/block/%s/queue/scheduler)\n", "", better, why, better,
		       queue->disk);
}

/* By what means containers are counted; which signals are, is said of each. */
static void print_tier(const struct intp_panel *panel)
{
	const struct intp_source *primary = intp_panel_primary(panel);
	const struct intp_panel_entry *best = &panel->entries[0];

	if (!primary)
		return;
	printf("tier      %s", primary->name);
	if (primary->lacks)
		printf(" without %s", primary->lacks);
	else if (!best->source)
		printf(", because %s cannot be used: %s", best->name, best->reason);
	putchar('\n');
}

int intp_command_check(const struct intp_options *options)
{
	struct intp_panel panel = {0};
	const char *blind = intp_why_blind();
	struct intp_sample abilities;
	struct intp_count peers;
	char reason[1024];

	if (!intp_measure_open(options, &panel, reason, sizeof(reason)))
		printf("no container can be measured: %s\n", reason);
	if (blind)
		printf("no container of another user can be measured: %s\n", blind);
	intp_panel_abilities(&panel, &abilities);
	for (int i = 0; i < INTP_SIGNALS; i++)
		print_ability(intp_signal_name(i), &abilities.counts[i], &abilities);
	peers = intp_panel_peers(&panel);
	print_ability("peers", &peers, &abilities);
	intp_queues_each("/sys", "/sys/fs/cgroup", print_queue, NULL);
	print_tier(&panel);
	intp_panel_close(&panel);
	return 0;
}
