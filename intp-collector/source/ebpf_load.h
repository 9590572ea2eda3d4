/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the probes that the running kernel can carry. */
#ifndef INTP_EBPF_LOAD_H
#define INTP_EBPF_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include "../probe/layout.h"
#include "intpd.skel.h"

/* What is loaded besides the scheduler's probes, and why the rest is not (static text). */
struct intp_probes {
	bool block, packets, sockets, futex;
	const char *block_reason, *packets_reason, *sockets_reason;
};

/*
 * Loads and attaches; tries again with less if the kernel lacks events or refuses a group of probes. Returns NULL
 * with `reason` if not even the scheduler's can be had.
 */
struct intpd_bpf *intp_probes_load(struct intp_probes *probes, bool futex, char *reason, size_t size);

#endif
