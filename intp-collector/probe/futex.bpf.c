// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * futex: how often the container's threads call futex(2) or one of its successors. Loaded only when it is asked for,
 * since a probe of system calls slows every system call of the node.
 */
#include "owner.h"

char LICENSE[] SEC("license") = "GPL";

/* The numbers of this machine's system calls; the daemon sets them. */
const volatile long futex_call = -1, futex_waitv_call = -1;

/* futex_wake, futex_wait and futex_requeue have these numbers on every machine. */
#define FUTEX_WAKE_CALL	   454
#define FUTEX_REQUEUE_CALL 456

SEC("?tp_btf/sys_enter")
int BPF_PROG(intp_call, void *registers, long number)
{
	struct intp_lane *lane;

	if (number != futex_call && number != futex_waitv_call &&
	    (number < FUTEX_WAKE_CALL || number > FUTEX_REQUEUE_CALL))
		return 0;
	if (!watching())
		return 0;
	lane = lane_of(row_of_current());
	if (lane)
		__sync_fetch_and_add(&lane->futex, 1);
	return 0;
}
