/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "commands.h"
#include "measure.h"

/* What usually helps where a signal is not measured; the reason says more. */
static const char *const remedies[INTP_SIGNALS] = {
	[INTP_NETP] = "load eBPF (CAP_BPF and CAP_PERFMON, Linux 6.3 or later), and give --nic-speed where the NIC "
		      "does not say it",
	[INTP_NETS] = "load eBPF (CAP_BPF and CAP_PERFMON, Linux 5.17 or later with BTF)",
	[INTP_BLK] = "load eBPF (CAP_BPF and CAP_PERFMON, Linux 5.17 or later with BTF)",
	[INTP_MBW] = "mount resctrl on a CPU with MBM and run as root (intpd-root.conf), or run where the memory "
		     "controllers' counters show; then calibrate",
	[INTP_LLCMR] = "run where the PMU shows: bare metal, or a virtual machine with a vPMU",
	[INTP_LLOCC] = "mount -t resctrl resctrl /sys/fs/resctrl, on a CPU that monitors its cache's occupancy, "
		       "and run as root (intpd-root.conf)",
	[INTP_CPU] = "load eBPF, or a kernel with /proc/PID/schedstat",
	[INTP_CPUWAIT] = "load eBPF, or a kernel with /proc/PID/schedstat",
	[INTP_BLKWAIT] = "load eBPF, or sysctl kernel.task_delayacct=1",
	[INTP_FUTEX] = "give --futex, if the cost to every system call is acceptable",
};

static void print_ability(enum intp_signal signal, const struct intp_count *count)
{
	printf("%-8s %-12s %-8s", intp_signal_name(signal),
	       count->status == INTP_UNAVAILABLE ? "unavailable" : "measured", count->source);
	if (count->status == INTP_UNAVAILABLE)
		printf(" %s\n%31sremedy: %s", count->reason, "", remedies[signal]);
	putchar('\n');
}

int intp_command_check(const struct intp_options *options)
{
	struct intp_panel panel = {0};
	const char *blind = intp_why_blind();
	struct intp_sample abilities;
	char reason[1024];

	if (!intp_measure_open(options, &panel, reason, sizeof(reason)))
		printf("no container can be measured: %s\n", reason);
	if (blind)
		printf("no container of another user can be measured: %s\n", blind);
	intp_panel_abilities(&panel, &abilities);
	for (int i = 0; i < INTP_SIGNALS; i++)
		print_ability(i, &abilities.counts[i]);
	intp_panel_close(&panel);
	return 0;
}
