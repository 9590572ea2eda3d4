// SPDX-License-Identifier: Apache-2.0
#include "flows.h"

#include <stdlib.h>
#include <string.h>

#include "sorted.h"

/* Of two with as many bytes, either order would do, but each time the same. */
static int by_slot_and_bytes(const void *left, const void *right)
{
	const struct intp_flow_row *a = left, *b = right;
	double bytes = a->peer.sent + a->peer.received, others = b->peer.sent + b->peer.received;
	int order;

	if (a->slot != b->slot)
		return (a->slot > b->slot) - (a->slot < b->slot);
	if (bytes != others)
		return (bytes < others) - (bytes > others);
	order = memcmp(a->peer.remote, b->peer.remote, sizeof(a->peer.remote));
	if (order)
		return order;
	if (a->peer.remote_port != b->peer.remote_port)
		return a->peer.remote_port - b->peer.remote_port;
	return a->peer.local_port - b->peer.local_port;
}

void intp_flows_sort(struct intp_flow_row *rows, size_t count)
{
	qsort(rows, count, sizeof(*rows), by_slot_and_bytes);
}

void intp_flows_tell(const struct intp_flow_row *rows, size_t count, int slot, struct intp_peers *peers)
{
	*peers = (struct intp_peers){0};
	for (size_t at = intp_sorted_at(rows, count, sizeof(*rows), slot); at < count && rows[at].slot == slot;
	     at++) {
		const struct intp_peer *peer = &rows[at].peer;

		if (peers->count < INTP_MOST_PEERS) {
			peers->list[peers->count++] = *peer;
			continue;
		}
		peers->other_sent += peer->sent;
		peers->other_received += peer->received;
	}
}
