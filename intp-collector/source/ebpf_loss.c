// SPDX-License-Identifier: Apache-2.0
#include "ebpf_loss.h"

#include <stdio.h>

#define SAY_EVERY_NS 60000000000

void intp_losses_init(struct intp_losses *losses, const struct intp_state *state, const struct intp_map_sizes *sizes,
		      void (*say)(const char *format, ...))
{
	*losses = (struct intp_losses){.state = state, .say = say};
	snprintf(losses->owners_full, sizeof(losses->owners_full),
		 "more than %u processes and control groups, or more than %u of all containers: some are not known",
		 sizes->owned, sizes->owners);
	snprintf(losses->sleeps_full, sizeof(losses->sleeps_full), "more than %u threads waited for I/O at once",
		 sizes->sleeps);
	snprintf(losses->requests_full, sizeof(losses->requests_full), "more than %u requests were under way at once",
		 sizes->requests);
}

void intp_losses_watch(struct intp_losses *losses, int slot)
{
	losses->slots[slot].base = losses->state->lost_owners[slot];
	losses->slots[slot].lost = false;
}

void intp_losses_look(struct intp_losses *losses, uint64_t now_ns)
{
	uint64_t sleeps = losses->state->lost_sleeps, requests = losses->state->lost_requests;

	if (sleeps != losses->sleeps)
		losses->sleeps_until_ns = now_ns + INTP_LOSS_HELD_NS;
	if (requests != losses->requests)
		losses->requests_until_ns = now_ns + INTP_LOSS_HELD_NS;
	losses->lost_sleeps = now_ns < losses->sleeps_until_ns;
	losses->lost_requests = now_ns < losses->requests_until_ns;
	losses->sleeps = sleeps;
	losses->requests = requests;
	if (!losses->say || (losses->said_ns && now_ns - losses->said_ns < SAY_EVERY_NS))
		return;
	if (losses->lost_sleeps)
		losses->say("blkwait is not counted: %s", losses->sleeps_full);
	if (losses->lost_requests)
		losses->say("blk is not counted: %s", losses->requests_full);
	if (losses->lost_sleeps || losses->lost_requests)
		losses->said_ns = now_ns;
}

void intp_losses_withdraw(struct intp_losses *losses, int slot, const struct intp_source *source,
			  struct intp_sample *sample)
{
	bool lost = losses->state->lost_owners[slot] != losses->slots[slot].base;

	if (lost && !losses->slots[slot].lost && losses->say)
		losses->say("a container is not counted any more: %s", losses->owners_full);
	losses->slots[slot].lost = lost;
	for (int signal = 0; signal < INTP_SIGNALS; signal++)
		if (lost && source->signals & (1U << signal))
			sample->counts[signal] = intp_no_count(source->name, losses->owners_full);
	if (!lost && losses->lost_sleeps)
		sample->counts[INTP_BLKWAIT] = intp_no_count(source->name, losses->sleeps_full);
	for (int signal = 0; signal < INTP_SIGNALS; signal++)
		if (!lost && losses->lost_requests && source->signals & INTP_BLOCK_SIGNALS & (1U << signal))
			sample->counts[signal] = intp_no_count(source->name, losses->requests_full);
}
