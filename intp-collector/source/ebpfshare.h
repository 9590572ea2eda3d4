/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Apportions what the kernel did for several containers at once: writeback, by the bytes that each has made dirty and
 * that are not written yet; receive processing, by the bytes that each moved in the window. Pure; not thread-safe.
 */
#ifndef INTP_EBPFSHARE_H
#define INTP_EBPFSHARE_H

#include <stdbool.h>
#include <stddef.h>

/* One claimant: a container, or everybody who is watched by nobody. Zeroed, it has no past. */
struct intp_claim {
	double dirtied, written; /* bytes in the window that are known to be its own */
	double moved;		 /* network bytes in the window */
	double unwritten;	 /* bytes; carried from window to window */
	/* What it was given, since it was zeroed. */
	double block_ns, block_operations, block_bytes, network_ns;
	bool given_block, given_network; /* whether it ever was given any */
};

/* What was done in the window for nobody knows whom. */
struct intp_shared {
	double block_ns, block_operations, block_bytes; /* writeback */
	double written;					/* bytes of page cache in it */
	double network_ns;
	double elapsed_ns;
};

/* Gives each of `count` claimants its share of a window. */
void intp_share(const struct intp_shared *shared, struct intp_claim *claims[], size_t count);

#endif
