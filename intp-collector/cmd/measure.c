/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>

#include "../publish/alive.h"
#include "../source/calibrate.h"
#include "../source/ebpf.h"
#include "../source/group.h"
#include "../source/nic.h"
#include "../source/perf.h"
#include "../source/proc.h"
#include "../source/resctrl.h"
#include "../source/uncore.h"
#include "commands.h"
#include "measure.h"

#define BIT(signal) (1u << (signal))
#define PMU	    (BIT(INTP_LLCMR) | BIT(INTP_INSTR))
#define HARDWARE    (BIT(INTP_MBW) | BIT(INTP_LLOCC) | PMU)
/* What an application writes, and what lies in its folders, the NodeManager's plugin reads. */
#define FOLDERS (BIT(INTP_PROGRESS) | BIT(INTP_DISK))
#define ALL	(BIT(INTP_SIGNALS) - 1)

const char *intp_why_blind(void)
{
	return intp_sees_others("/proc")
		       ? NULL
		       : "other users' processes are hidden from this one: /proc is mounted with hidepid; mount it "
			 "with gid= too, and run the daemon with that group (SupplementaryGroups=)";
}

static void add(struct intp_panel *panel, const char *name, struct intp_source *source, uint32_t business,
		const char *reason)
{
	if (source)
		intp_panel_add(panel, source, business);
	else
		intp_panel_add_absent(panel, name, business, reason);
}

static void add_ebpf(const struct intp_options *options, struct intp_panel *panel)
{
	static char nic_reason[INTP_MAX_REASON + 1]; /* the source keeps it */
	char reason[INTP_MAX_REASON + 1] = "";
	const struct intp_ebpf_options ebpf = {
		.nominal_nic_bits =
			intp_nic_bits("/sys", options->nic, options->nic_bits, nic_reason, sizeof(nic_reason)),
		.nic_reason = nic_reason,
		.futex = options->futex,
		.peers = options->peers,
		.cpus = options->cpus,
		.say = intp_say,
	};

	add(panel, "ebpf", intp_ebpf_open(&ebpf, reason, sizeof(reason)),
	    ALL & ~HARDWARE & ~FOLDERS & ~INTP_GROUP_SIGNALS, reason);
}

static void add_proc(const struct intp_options *options, struct intp_panel *panel)
{
	const struct intp_proc_options proc = {.cpus = options->cpus};
	char reason[INTP_MAX_REASON + 1] = "";

	add(panel, "proc", intp_proc_open(&proc, reason, sizeof(reason)),
	    BIT(INTP_CPU) | BIT(INTP_CPUWAIT) | BIT(INTP_BLK) | BIT(INTP_BLKWAIT), reason);
}

static void add_group(struct intp_panel *panel)
{
	const struct intp_group_options group = {.trees = intp_panel_primary(panel)};
	char reason[INTP_MAX_REASON + 1] = "";

	add(panel, "cgroup", intp_group_open(&group, reason, sizeof(reason)), INTP_GROUP_SIGNALS, reason);
}

/* 0 with why in `reason` where it is not known. */
static double peak_bytes(const struct intp_options *options, char *reason, size_t size)
{
	double peak;

	if (options->memory_bandwidth > 0)
		return options->memory_bandwidth;
	return intp_peak_load(options->file, &peak, reason, size) == 0 ? peak : 0;
}

static bool misses(void *perf, int slot, double *count)
{
	return intp_perf_misses(perf, slot, count);
}

/* perf stands before uncore, whose shares are shares by perf's misses in the same snapshot. */
static void add_pmu(struct intp_panel *panel, struct intp_uncore_options *uncore)
{
	char reasons[2][INTP_MAX_REASON + 1] = {"", ""};
	const struct intp_perf_options options = {0};
	struct intp_source *perf = intp_perf_open(&options, reasons[0], INTP_MAX_REASON + 1);

	add(panel, "perf", perf, PMU, reasons[0]);
	uncore->context = perf;
	add(panel, "uncore", intp_uncore_open(uncore, reasons[1], INTP_MAX_REASON + 1), BIT(INTP_MBW), reasons[1]);
}

static void add_hardware(const struct intp_options *options, struct intp_panel *panel)
{
	static const char off[] = "switched off (--no-pmu)";
	static char no_peak[INTP_MAX_REASON + 1]; /* the sources keep it */
	char reason[INTP_MAX_REASON + 1] = "";
	const struct intp_resctrl_options resctrl = {
		.root = options->resctrl,
		.check_filesystem = true,
		.peak_bytes = peak_bytes(options, no_peak, sizeof(no_peak)),
		.no_peak = no_peak,
	};
	struct intp_uncore_options uncore = {.peak_bytes = resctrl.peak_bytes, .no_peak = no_peak, .misses = misses};

	add(panel, "resctrl", intp_resctrl_open(&resctrl, reason, sizeof(reason)), BIT(INTP_MBW) | BIT(INTP_LLOCC),
	    reason);
	if (!options->no_pmu) {
		add_pmu(panel, &uncore);
		return;
	}
	intp_panel_add_absent(panel, "perf", PMU, off);
	intp_panel_add_absent(panel, "uncore", BIT(INTP_MBW), off);
}

bool intp_measure_open(const struct intp_options *options, struct intp_panel *panel, char *reason, size_t size)
{
	if (options->source != INTP_ONLY_PROC)
		add_ebpf(options, panel);
	/* Beside eBPF, /proc would cost time and count nothing more. */
	if (options->source == INTP_ONLY_PROC || (options->source == INTP_BEST && !intp_panel_primary(panel)))
		add_proc(options, panel);
	if (!intp_panel_primary(panel)) {
		const struct intp_panel_entry *best = &panel->entries[0];

		snprintf(reason, size, "%s cannot be used: %s", best->name, best->reason);
		return false;
	}
	add_group(panel);
	add_hardware(options, panel);
	return true;
}
