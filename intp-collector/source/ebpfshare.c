// SPDX-License-Identifier: Apache-2.0
#include "ebpfshare.h"

#include <math.h>

/*
 * Dirty data is written after 30 s at the latest by the kernel's defaults, so what is still unwritten long after that
 * was deleted before it reached a disk: the memory of it halves about every 40 s.
 */
#define MEMORY_NS 60e9

static void give_block(const struct intp_shared *shared, struct intp_claim *claims[], size_t count)
{
	double total = 0, memory = exp(-shared->elapsed_ns / MEMORY_NS);

	for (size_t i = 0; i < count; i++) {
		struct intp_claim *claim = claims[i];

		claim->unwritten = fmax(claim->unwritten * memory + claim->dirtied - claim->written, 0);
		total += claim->unwritten;
	}
	if (total <= 0 || shared->block_operations <= 0)
		return;
	for (size_t i = 0; i < count; i++) {
		struct intp_claim *claim = claims[i];
		double share = claim->unwritten / total;

		if (share <= 0)
			continue;
		claim->block_ns += shared->block_ns * share;
		claim->block_operations += shared->block_operations * share;
		claim->block_bytes += shared->block_bytes * share;
		claim->given_block = true;
		claim->unwritten = fmax(claim->unwritten - shared->written * share, 0);
	}
}

static void give_network(const struct intp_shared *shared, struct intp_claim *claims[], size_t count)
{
	double total = 0;

	for (size_t i = 0; i < count; i++)
		total += claims[i]->moved;
	if (total <= 0 || shared->network_ns <= 0)
		return;
	for (size_t i = 0; i < count; i++) {
		struct intp_claim *claim = claims[i];

		if (claim->moved <= 0)
			continue;
		claim->network_ns += shared->network_ns * claim->moved / total;
		claim->given_network = true;
	}
}

void intp_share(const struct intp_shared *shared, struct intp_claim *claims[], size_t count)
{
	give_block(shared, claims, count);
	give_network(shared, claims, count);
}
