/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads by whom the probes have counted the bytes of sockets, and makes room for new connections by taking out those
 * that are idle. Not thread-safe.
 */
#ifndef INTP_EBPF_FLOWS_H
#define INTP_EBPF_FLOWS_H

#include "ebpf_load.h"
#include "flows.h"

/* Zeroed, it may be closed. */
struct intp_flows {
	struct intpd_bpf *bpf; /* the caller's; NULL: nothing is counted */
	/* Room for the map of the same name; untouched, it takes none. */
	struct intp_flow_key *keys;
	struct intp_flow *values;
	/* As of the last reading. */
	struct intp_flow_row *rows;
	size_t count;
	uint64_t round_ns; /* when the round began */
	/* By slot, the bytes of connections that were taken out. */
	struct {
		double sent, received;
	} gone[INTP_PROBE_SLOTS];
};

/* Returns 0 or -ENOMEM. */
int intp_flows_open(struct intp_flows *flows, struct intpd_bpf *bpf);

/*
 * Reads all connections; then takes out those that were idle for long, or, where more than half of the room is taken,
 * for a moment: their bytes count as others from then on. Returns 0 or a negative errno.
 */
int intp_flows_read(struct intp_flows *flows, uint64_t now_ns);

/* Forgets the connections of a slot. */
void intp_flows_forget(struct intp_flows *flows, int slot);

/* Writes what is known of a slot as of the last reading; what found no room is not in it. */
void intp_flows_of(const struct intp_flows *flows, int slot, struct intp_peers *peers);

/* Before the probes are unloaded. */
void intp_flows_close(struct intp_flows *flows);

#endif
