/* SPDX-License-Identifier: Apache-2.0 */
/* What the running kernel has of what the probes attach to and ask for. */
#ifndef INTP_EBPF_EVENTS_H
#define INTP_EBPF_EVENTS_H

#include <stdbool.h>

/* How many arguments events have; 0: there is no such event. And what else the probes may ask of the kernel. */
struct intp_events {
	int sched_switch, block_rq_issue, writeback_dirty_folio, writeback_dirty_page, net_dev_queue, napi_poll,
		sock_send_length, block_rq_merge;
	bool inet_sendmsg, inet_sendpage; /* whether there are such functions */
	bool loop;			  /* the helper bpf_loop */
	bool allocates;			  /* programs of any type may have maps that allocate as they are filled */
};

/* A kernel of today. */
extern const struct intp_events intp_events_modern;

/*
 * Whether a kernel of this release, as uname(2) gives it, may be taken for one of today before its BTF is read, which
 * takes tens of milliseconds. One before 6.5 may not: it may have all of those events, and inet_sendpage besides.
 */
bool intp_release_is_modern(const char *release);

/*
 * Whether programs may have maps that allocate as they are filled, by what libbpf_probe_bpf_helper says of the helper
 * bpf_ktime_get_tai_ns, which came with the same version, 6.1. Before, some types of programs made the kernel warn of
 * such a map, which is the end of a machine that panics on warnings. So only if it is known. Pure.
 */
bool intp_may_allocate(int has_helper);

/* Reads the BTF of the running kernel. Returns 0 or a negative errno. */
int intp_events_read(struct intp_events *events);

#endif
