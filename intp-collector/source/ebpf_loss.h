/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the probes could not count because a map of theirs was full: then there is no count, instead of one that is
 * too low. Not thread-safe.
 */
#ifndef INTP_EBPF_LOSS_H
#define INTP_EBPF_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "ebpf.h"
#include "ebpf_load.h"
#include "source.h"

struct intp_losses {
	const struct intp_state *state; /* the probes' */
	void (*say)(const char *format, ...) __attribute__((format(printf, 1, 2)));
	uint64_t said_ns;
	/* As of the last snapshot, and until when what they are of has no count. */
	uint64_t sleeps, requests;
	uint64_t sleeps_until_ns, requests_until_ns;
	bool lost_sleeps, lost_requests;
	char owners_full[INTP_MAX_REASON], sleeps_full[INTP_MAX_REASON], requests_full[INTP_MAX_REASON];
	struct {
		uint32_t base; /* processes and control groups, when it was watched */
		bool lost;     /* some of its processes are not known as its own */
	} slots[INTP_PROBE_SLOTS];
};

/* Nothing is lost so far. `say` writes to the log; NULL: nothing is said. */
void intp_losses_init(struct intp_losses *losses, const struct intp_state *state, const struct intp_map_sizes *sizes,
		      void (*say)(const char *format, ...) __attribute__((format(printf, 1, 2))));

/* What a slot loses from here on is its new container's. */
void intp_losses_watch(struct intp_losses *losses, int slot);

/* Finds what was lost in the last INTP_LOSS_HELD_NS, and says so once a minute at most. */
void intp_losses_look(struct intp_losses *losses, uint64_t now_ns);

/* Replaces by a reason those of a slot's counts, which are `source`'s, that are not whole as of the last look. */
void intp_losses_withdraw(struct intp_losses *losses, int slot, const struct intp_source *source,
			  struct intp_sample *sample);

#endif
