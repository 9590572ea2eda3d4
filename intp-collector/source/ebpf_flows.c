// SPDX-License-Identifier: Apache-2.0
#include "ebpf_flows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

#include "ebpf_rows.h"

/* A round of looking at connections takes this long at least, however often somebody asks. */
#define ROUND_NS 1000000000ULL
/* In rounds. Readers work out differences between two of their own questions, which are nearer than this. */
#define LONG_IDLE 60
/* The same where room is short: a connection that was not used for a whole round. */
#define SHORT_IDLE 2

int intp_flows_open(struct intp_flows *flows, struct intpd_bpf *bpf)
{
	size_t room = bpf_map__max_entries(bpf->maps.flows);

	flows->keys = calloc(room, sizeof(*flows->keys));
	flows->values = calloc(room, sizeof(*flows->values));
	flows->rows = calloc(room, sizeof(*flows->rows));
	if (!flows->keys || !flows->values || !flows->rows)
		return -ENOMEM;
	flows->bpf = bpf;
	return 0;
}

static struct intp_flow_row row_of(const struct intp_flow_key *key, const struct intp_flow *flow)
{
	struct intp_flow_row row = {
		.slot = (int)key->slot,
		.peer =
			{
				.local_port = key->local_port,
				.remote_port = key->remote_port,
				.sent = (double)flow->sent,
				.received = (double)flow->received,
			},
	};

	memcpy(row.peer.local, key->local, sizeof(row.peer.local));
	memcpy(row.peer.remote, key->remote, sizeof(row.peer.remote));
	return row;
}

/* The kernel gives what was added until it was taken out, or, before Linux 5.14, does without. */
static void take_out(struct intp_flows *flows, const struct intp_flow_key *key, struct intp_flow flow)
{
	int map = bpf_map__fd(flows->bpf->maps.flows);

	if (bpf_map_lookup_and_delete_elem(map, key, &flow))
		bpf_map_delete_elem(map, key);
	if (key->slot >= INTP_PROBE_SLOTS)
		return;
	flows->gone[key->slot].sent += (double)flow.sent;
	flows->gone[key->slot].received += (double)flow.received;
}

/* Those that are idle, of what was read; the rest is what is told. */
static void part(struct intp_flows *flows, size_t read)
{
	__u32 round = flows->bpf->bss->state.flow_round;
	__u32 most = read > bpf_map__max_entries(flows->bpf->maps.flows) / 2 ? SHORT_IDLE : LONG_IDLE;

	flows->count = 0;
	for (size_t i = 0; i < read; i++) {
		if (round - flows->values[i].round >= most)
			take_out(flows, &flows->keys[i], flows->values[i]);
		else
			flows->rows[flows->count++] = row_of(&flows->keys[i], &flows->values[i]);
	}
	intp_flows_sort(flows->rows, flows->count);
}

int intp_flows_read(struct intp_flows *flows, uint64_t now_ns)
{
	long read;

	if (!flows->bpf)
		return 0;
	read = intp_rows_read_map(flows->bpf->maps.flows, flows->keys, flows->values);
	if (read < 0)
		return (int)read;
	part(flows, (size_t)read);
	if (now_ns - flows->round_ns >= ROUND_NS) {
		flows->round_ns = now_ns;
		flows->bpf->bss->state.flow_round++;
	}
	return 0;
}

void intp_flows_forget(struct intp_flows *flows, int slot)
{
	long read = flows->bpf ? intp_rows_read_map(flows->bpf->maps.flows, flows->keys, flows->values) : 0;
	size_t kept = 0;

	for (long i = 0; i < read; i++)
		if ((int)flows->keys[i].slot == slot)
			bpf_map_delete_elem(bpf_map__fd(flows->bpf->maps.flows), &flows->keys[i]);
	for (size_t i = 0; i < flows->count; i++)
		if (flows->rows[i].slot != slot)
			flows->rows[kept++] = flows->rows[i];
	flows->count = kept;
	flows->gone[slot].sent = flows->gone[slot].received = 0;
}

void intp_flows_of(const struct intp_flows *flows, int slot, struct intp_peers *peers)
{
	intp_flows_tell(flows->rows, flows->count, slot, peers);
	peers->other_sent += flows->gone[slot].sent;
	peers->other_received += flows->gone[slot].received;
}

void intp_flows_close(struct intp_flows *flows)
{
	free(flows->keys);
	free(flows->values);
	free(flows->rows);
}
