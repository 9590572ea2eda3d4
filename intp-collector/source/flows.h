/* SPDX-License-Identifier: Apache-2.0 */
/* Who of a container's connections is told of, and who is summed. Thread-safe on distinct lists. */
#ifndef INTP_FLOWS_H
#define INTP_FLOWS_H

#include <stddef.h>

#include "source.h"

/* A connection of the container in a slot. */
struct intp_flow_row {
	int slot;
	struct intp_peer peer;
};

/* Sorts by slot, of each the one with the most bytes first. */
void intp_flows_sort(struct intp_flow_row *rows, size_t count);

/* Writes what is told of a slot, from rows that are sorted: the first INTP_MOST_PEERS, and the sum of the others. */
void intp_flows_tell(const struct intp_flow_row *rows, size_t count, int slot, struct intp_peers *peers);

#endif
