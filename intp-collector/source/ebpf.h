/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts cpu, cpuwait, blkwait, blk, nets, netp and futex inside the kernel, at its tracepoints. What is counted how
 * is said in probe/. Nothing is pinned: all of it is gone with the process, however that ends.
 */
#ifndef INTP_EBPF_H
#define INTP_EBPF_H

#include <stdbool.h>
#include <stddef.h>

#include "source.h"

/*
 * How long blk and blkwait have no count after something was lost of them. The counts are of all that was ever used,
 * and whose window has the loss in it may ask later than others: so it is longer than anybody's window.
 */
#define INTP_LOSS_HELD_NS 60000000000ULL

/* What the probes of block requests count. */
#define INTP_BLOCK_SIGNALS (1U << INTP_BLK | 1U << INTP_BLKR | 1U << INTP_BLKW | 1U << INTP_READB | 1U << INTP_WRITEB)

struct intp_ebpf_options {
	double nominal_nic_bits; /* bit/s; 0: unknown */
	const char *nic_reason;	 /* why it is unknown; may be NULL; not kept */
	double cpus;		 /* that all containers may use; 0: those that are online */
	bool futex;		 /* count futex calls, which slows every system call of the node */
	bool peers;		 /* count the bytes of sockets by connection too */
	unsigned int entries;	 /* of each map that may be full; 0: what the machine may need */
	unsigned int owned;	 /* processes and control groups of one container; 0: more than any needs */
	bool old;		 /* as on a kernel that has no more than the probes need, for tests */
	void (*say)(const char *format, ...) __attribute__((format(printf, 1, 2))); /* to the log; NULL: nothing */
};

/* Loads and attaches the probes. Returns NULL with the reason, which names the remedy if there is one, in `reason`.
 */
struct intp_source *intp_ebpf_open(const struct intp_ebpf_options *options, char *reason, size_t size);

#endif
