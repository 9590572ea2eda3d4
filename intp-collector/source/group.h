/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel keeps for a control group anyway: its memory and, of version 2, its pressure (PSI).
 *
 * mem is the working set, what reclaim cannot take without anybody noticing: the group's memory less the inactive
 * page cache, as the kubelet has it; memanon and memfile are its anonymous memory and its page cache. A container
 * without a group with the memory controller has the resident memory of its processes, in which what they share
 * counts once for each, and what is mapped from files is memfile. `used` is KiB seconds: between two looks
 * memory is taken to have grown evenly. Looking makes the kernel add up what the CPUs hold, so that is done once a
 * second, and the less often the longer a container has been there, to once in ten seconds; in between its memory is
 * taken to be what it was. Of a container that has ended, counts stay what they were.
 *
 * psicpu, psiio and psimem are the time in which at least one task of the group was stalled, psicpuf, psiiof and
 * psimemf that in which all of them were; see Documentation/accounting/psi.rst of the kernel.
 *
 * Not thread-safe.
 */
#ifndef INTP_GROUP_H
#define INTP_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source.h"

/* What it counts. */
#define INTP_MEMORY_SIGNALS (UINT32_C(1) << INTP_MEM | UINT32_C(1) << INTP_MEMANON | UINT32_C(1) << INTP_MEMFILE)
#define INTP_PRESSURE_SIGNALS                                                                                        \
	(UINT32_C(1) << INTP_PSICPU | UINT32_C(1) << INTP_PSIIO | UINT32_C(1) << INTP_PSIMEM |                       \
	 UINT32_C(1) << INTP_PSICPUF | UINT32_C(1) << INTP_PSIIOF | UINT32_C(1) << INTP_PSIMEMF)
#define INTP_GROUP_SIGNALS (INTP_MEMORY_SIGNALS | INTP_PRESSURE_SIGNALS)

struct intp_group_options {
	const char *proc;      /* NULL: /proc */
	uint64_t (*now)(void); /* ns, on the clock that snapshots are given; NULL: CLOCK_MONOTONIC */
	uint64_t page_bytes;   /* 0: the machine's */
	/* See struct intp_resident; it must outlive this one. */
	struct intp_source *trees;
};

/* Returns NULL with why in `reason`. */
struct intp_source *intp_group_open(const struct intp_group_options *options, char *reason, size_t size);

/* The number behind `word` where that begins a line, as in memory.stat and meminfo; false where there is none. */
bool intp_parse_named(const char *text, const char *word, uint64_t *number);

/* Of a file such as cpu.pressure: microseconds stalled; `kind` is "some " or "full ". False where there is no such
 * line. */
bool intp_parse_pressure(const char *text, const char *kind, uint64_t *microseconds);

#endif
