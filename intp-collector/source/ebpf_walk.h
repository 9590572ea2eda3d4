/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the probes' map of owners. Not thread-safe. */
#ifndef INTP_EBPF_WALK_H
#define INTP_EBPF_WALK_H

#include <stdbool.h>

#include "ebpf_load.h"

#define INTP_KEYS_AT_ONCE 8192

/* Some keys after the other. */
struct intp_owner_walk {
	__u64 keys[INTP_KEYS_AT_ONCE];
	__u32 slots[INTP_KEYS_AT_ONCE];
	__u32 position, count;
	bool begun, over;
	int error; /* negative errno, or 0 */
};

/* The one walk that there is, at its beginning. */
struct intp_owner_walk *intp_owner_walk_begin(void);

/* Reads the next ones; false where there are none, or where the map cannot be read. */
bool intp_owner_walk_on(struct intpd_bpf *bpf, struct intp_owner_walk *walk);

#endif
