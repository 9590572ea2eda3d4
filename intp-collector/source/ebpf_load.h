/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the probes that the running kernel can carry. */
#ifndef INTP_EBPF_LOAD_H
#define INTP_EBPF_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include "../probe/layout.h"
#include "ebpf.h"
#include "ebpf_events.h"
#include "intpd.skel.h"

/* How many entries maps have. */
struct intp_map_sizes {
	__u32 owners;	/* processes and control groups of watched containers */
	__u32 owned;	/* those of one container */
	__u32 sleeps;	/* threads of theirs that wait for I/O at once */
	__u32 requests; /* of disks, queued and in flight at once */
	__u32 packets;	/* between the network stack and the driver; and sockets that were used lately */
	__u32 flows;	/* connections of watched containers */
};

/* What is loaded besides the scheduler's probes, and why the rest is not (static text). */
struct intp_probes {
	bool block, packets, sockets, futex, peers;
	bool sendpage; /* of sockets: what sendfile and splice send, by a function of its own until 6.5 */
	struct intp_map_sizes sizes;
	const char *block_reason, *packets_reason, *sockets_reason;
	const char *lacks; /* what the kernel is too old for, and what that costs; NULL: nothing */
};

/* What this machine may need, as far as a bounded amount of memory goes: 8 MiB at most. */
struct intp_map_sizes intp_map_sizes_here(void);

/* Sets which programs are loaded on a kernel that has `events`, and how their maps are made. */
void intp_probes_select(struct intpd_bpf *bpf, const struct intp_probes *wanted, const struct intp_events *events);

/*
 * Loads and attaches; tries again with less if the kernel lacks events or helpers, or refuses a group of probes; as
 * if it lacked them if options->old. Returns NULL with `reason` if not even the scheduler's can be had.
 */
struct intpd_bpf *intp_probes_load(struct intp_probes *probes, const struct intp_map_sizes *sizes,
				   const struct intp_ebpf_options *options, char *reason, size_t size);

#endif
