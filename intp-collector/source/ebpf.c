// SPDX-License-Identifier: Apache-2.0
#include "ebpf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "ebpf_flows.h"
#include "ebpf_load.h"
#include "ebpf_loss.h"
#include "ebpf_owner.h"
#include "ebpf_rows.h"
#include "ebpfshare.h"
#include "text.h"

_Static_assert(INTP_PROBE_SLOTS == INTP_MAX_WATCHES, "the probes have as many slots as the daemon");

struct slot {
	bool watched;
	enum intp_attribution attribution;
	uint64_t start_ns;
	/* What the row held, with open intervals, when it was watched: rows are never cleared. */
	struct intp_lane base;
	struct intp_open base_open;
	struct intp_claim claim;
	double used[INTP_SIGNALS], operations[INTP_SIGNALS]; /* the highest so far */
	uint64_t reported_ns;
};

struct ebpf {
	struct intp_source source;
	struct intpd_bpf *bpf;
	struct intp_probes probes;
	struct intp_rows rows;
	struct intp_losses losses;
	struct intp_flows flows;
	double usable_cpus;
	double nominal_nic_bits;
	char nic_reason[INTP_MAX_REASON];
	uint64_t last_ns;		 /* of the last apportioning */
	struct intp_lane nobody, shared; /* as of the last apportioning */
	struct intp_claim nobody_claim;
	struct slot slots[INTP_PROBE_SLOTS];
};

/* Distributes what was shared since the last call. `before` holds the rows as they were then. */
static void apportion(struct ebpf *ebpf, uint64_t now_ns, const struct intp_lane *before)
{
	struct intp_claim *claims[INTP_PROBE_SLOTS + 1];
	struct intp_lane nobody = intp_rows_sum(&ebpf->rows, INTP_PROBE_NOBODY);
	struct intp_lane together = intp_rows_sum(&ebpf->rows, INTP_PROBE_SHARED);
	struct intp_shared shared = {
		.block_ns = together.blk_ns - ebpf->shared.blk_ns,
		.block_operations = together.blk_operations - ebpf->shared.blk_operations,
		.block_bytes = together.blk_bytes - ebpf->shared.blk_bytes,
		.written = together.written - ebpf->shared.written,
		.network_ns = together.net_ns - ebpf->shared.net_ns,
		.elapsed_ns = now_ns > ebpf->last_ns ? now_ns - ebpf->last_ns : 0,
	};
	size_t count = 0;

	ebpf->nobody_claim.dirtied = nobody.dirtied - ebpf->nobody.dirtied;
	ebpf->nobody_claim.written = nobody.written - ebpf->nobody.written;
	ebpf->nobody_claim.moved = nobody.net_bytes - ebpf->nobody.net_bytes;
	claims[count++] = &ebpf->nobody_claim;
	for (int i = 0; i < INTP_PROBE_SLOTS; i++) {
		const struct intp_lane *last = &ebpf->rows.last[i];
		struct slot *slot = &ebpf->slots[i];

		if (!slot->watched)
			continue;
		slot->claim.dirtied = last->dirtied - before->dirtied;
		slot->claim.written = last->written - before->written;
		slot->claim.moved = last->net_bytes - before->net_bytes;
		before++;
		claims[count++] = &slot->claim;
	}
	intp_share(&shared, claims, count);
	ebpf->nobody = nobody;
	ebpf->shared = together;
	ebpf->last_ns = now_ns;
}

static void put(const struct ebpf *ebpf, struct slot *slot, struct intp_sample *sample, enum intp_signal signal,
		double used, double capacity)
{
	if (!(ebpf->source.signals & (1U << signal)))
		return;
	if (used > slot->used[signal])
		slot->used[signal] = used;
	sample->counts[signal] = intp_count_of(ebpf->source.name, slot->used[signal], capacity);
}

/*
 * No more than all threads of the machine can have waited since the last report, whatever was read of a moving queue.
 * How many of them are the container's is not known without asking for each of its processes.
 */
static double possible_wait(const struct slot *slot, uint64_t now_ns, double threads, double wait)
{
	double growth = now_ns > slot->reported_ns ? threads * (double)(now_ns - slot->reported_ns) : 0;
	double most = slot->used[INTP_CPUWAIT] + growth;

	return wait < most ? wait : most;
}

static void put_operations(struct slot *slot, struct intp_sample *sample, enum intp_signal signal, double operations)
{
	if (operations > slot->operations[signal])
		slot->operations[signal] = operations;
	sample->counts[signal].operations = slot->operations[signal];
}

/* What was read and what was written, apart: requests that have completed. Writeback is writes. */
static void report_blocks(const struct ebpf *ebpf, struct slot *slot, const struct intp_lane *last, double open_ns,
			  double elapsed, struct intp_sample *sample)
{
	static const enum intp_signal written[] = {INTP_BLK, INTP_BLKW, INTP_WRITEB};
	const struct intp_lane *base = &slot->base;
	const struct intp_claim *claim = &slot->claim;
	double read_ns = (double)(last->read_ns - base->read_ns);
	double read_operations = (double)(last->read_operations - base->read_operations);
	double read_bytes = (double)(last->read_bytes - base->read_bytes);
	double ns = (double)(last->blk_ns - base->blk_ns) + claim->block_ns;
	double operations = (double)(last->blk_operations - base->blk_operations) + claim->block_operations;
	double bytes = (double)(last->blk_bytes - base->blk_bytes) + claim->block_bytes;

	if (!ebpf->probes.block)
		return;
	put(ebpf, slot, sample, INTP_BLK, ns + open_ns, elapsed);
	put(ebpf, slot, sample, INTP_BLKR, read_ns, elapsed);
	put(ebpf, slot, sample, INTP_BLKW, ns - read_ns, elapsed);
	put(ebpf, slot, sample, INTP_READB, read_bytes, elapsed / 1e9);
	put(ebpf, slot, sample, INTP_WRITEB, bytes - read_bytes, elapsed / 1e9);
	put_operations(slot, sample, INTP_BLK, operations);
	put_operations(slot, sample, INTP_BLKR, read_operations);
	put_operations(slot, sample, INTP_BLKW, operations - read_operations);
	for (size_t i = 0; claim->given_block && i < sizeof(written) / sizeof(*written); i++)
		sample->counts[written[i]].status = INTP_APPORTIONED;
}

static void report(const struct ebpf *ebpf, int index, struct slot *slot, uint64_t now_ns, double threads,
		   struct intp_sample *sample)
{
	const struct intp_open *open = &ebpf->bpf->bss->state.open[index];
	const struct intp_lane *last = &ebpf->rows.last[index], *base = &slot->base;
	double elapsed = now_ns > slot->start_ns ? now_ns - slot->start_ns : 0;

	put(ebpf, slot, sample, INTP_CPU,
	    (double)(last->cpu - base->cpu) + (double)open->cpu - (double)slot->base_open.cpu,
	    elapsed * ebpf->usable_cpus);
	put(ebpf, slot, sample, INTP_CPUWAIT,
	    possible_wait(slot, now_ns, threads,
			  (double)(last->wait - base->wait) + (double)open->wait - (double)slot->base_open.wait),
	    0);
	slot->reported_ns = now_ns;
	sample->counts[INTP_CPUWAIT].capacity = slot->used[INTP_CPUWAIT] + slot->used[INTP_CPU];
	put(ebpf, slot, sample, INTP_BLKWAIT,
	    (double)(last->sleep - base->sleep) + (double)open->sleep - (double)slot->base_open.sleep, elapsed);
	put(ebpf, slot, sample, INTP_SWITCHES, (double)(last->switches - base->switches), elapsed / 1e9);
	put(ebpf, slot, sample, INTP_PREEMPTED, (double)(last->preempted - base->preempted), elapsed / 1e9);
	put(ebpf, slot, sample, INTP_CSW, (double)(last->blocked - base->blocked), elapsed);
	report_blocks(ebpf, slot, last, (double)open->blk, elapsed, sample);
	put(ebpf, slot, sample, INTP_NETS, (double)(last->net_ns - base->net_ns) + slot->claim.network_ns, elapsed);
	put(ebpf, slot, sample, INTP_NETP, 8.0 * (double)(last->net_bytes - base->net_bytes),
	    ebpf->nominal_nic_bits * elapsed / 1e9);
	put(ebpf, slot, sample, INTP_FUTEX, (double)(last->futex - base->futex), elapsed / 1e9);
	if (ebpf->probes.packets && slot->claim.given_network)
		sample->counts[INTP_NETS].status = INTP_APPORTIONED;
}

static int ebpf_snapshot(struct intp_source *source, uint64_t now_ns, struct intp_sample *samples)
{
	struct ebpf *ebpf = (struct ebpf *)source;
	static struct intp_lane before[INTP_PROBE_SLOTS];
	size_t count = 0;
	long threads;
	int slots[INTP_PROBE_SLOTS], error;

	for (int i = 0; i < INTP_PROBE_SLOTS; i++) {
		if (!ebpf->slots[i].watched)
			continue;
		before[count] = ebpf->rows.last[i];
		slots[count++] = i;
	}
	if (!count)
		return 0;
	error = intp_rows_read(&ebpf->rows, slots, count);
	if (error)
		return error;
	error = intp_rows_read_takings(&ebpf->rows);
	if (!error)
		error = intp_flows_read(&ebpf->flows, now_ns);
	if (error)
		return error;
	threads = intp_machine_threads();
	if (threads < 0)
		return (int)threads;
	apportion(ebpf, now_ns, before);
	intp_losses_look(&ebpf->losses, now_ns);
	for (int i = 0; i < INTP_PROBE_SLOTS; i++) {
		if (!ebpf->slots[i].watched)
			continue;
		report(ebpf, i, &ebpf->slots[i], now_ns, (double)threads, &samples[i]);
		intp_losses_withdraw(&ebpf->losses, i, source, &samples[i]);
	}
	return 0;
}

static void ebpf_unwatch(struct intp_source *source, int index)
{
	struct ebpf *ebpf = (struct ebpf *)source;

	if (index < 0 || index >= INTP_PROBE_SLOTS || !ebpf->slots[index].watched)
		return;
	intp_owner_remove(ebpf->bpf, index, ebpf->slots[index].attribution);
	intp_rows_forget_takings(&ebpf->rows, index);
	intp_flows_forget(&ebpf->flows, index);
	ebpf->slots[index].watched = false;
}

static int is_free(const struct ebpf *ebpf, int index)
{
	if (index < 0 || index >= INTP_PROBE_SLOTS)
		return -EINVAL;
	return ebpf->slots[index].watched ? -EBUSY : 0;
}

static void ebpf_watch_many(struct intp_source *source, struct intp_entry *entries, size_t count)
{
	struct ebpf *ebpf = (struct ebpf *)source;
	int begun[INTP_PROBE_SLOTS], error;
	size_t begun_count = 0;
	uint64_t now_ns;

	for (size_t i = 0; i < count; i++) {
		entries[i].error = is_free(ebpf, entries[i].slot);
		if (entries[i].error)
			continue;
		ebpf->slots[entries[i].slot] = (struct slot){.attribution = entries[i].watch->attribution};
		intp_losses_watch(&ebpf->losses, entries[i].slot);
	}
	intp_owner_add(ebpf->bpf, entries, count);
	for (size_t i = 0; i < count; i++) {
		if (entries[i].error || ebpf->slots[entries[i].slot].watched)
			continue;
		ebpf->slots[entries[i].slot].watched = true;
		begun[begun_count++] = entries[i].slot;
	}
	error = intp_rows_read(&ebpf->rows, begun, begun_count);
	now_ns = intp_now_ns();
	for (size_t i = 0; i < count; i++) {
		struct slot *slot = &ebpf->slots[entries[i].slot];

		if (entries[i].error)
			continue;
		slot->start_ns = slot->reported_ns = now_ns;
		/* Read again, after the open intervals: one that ended while these were read is in neither otherwise.
		 */
		slot->base = intp_rows_sum(&ebpf->rows, entries[i].slot);
		slot->base_open = ebpf->bpf->bss->state.open[entries[i].slot];
		entries[i].error = error;
		if (error)
			ebpf_unwatch(source, entries[i].slot);
	}
}

static int ebpf_takers(struct intp_source *source, int index, struct intp_taker *takers, int room)
{
	return intp_rows_takers(&((const struct ebpf *)source)->rows, index, takers, room);
}

static void ebpf_peers(struct intp_source *source, int index, struct intp_peers *peers)
{
	const struct ebpf *ebpf = (const struct ebpf *)source;
	const struct intp_lane *last = &ebpf->rows.last[index], *base = &ebpf->slots[index].base;

	intp_flows_of(&ebpf->flows, index, peers);
	peers->other_sent += (double)(last->other_sent - base->other_sent);
	peers->other_received += (double)(last->other_received - base->other_received);
}

static long ebpf_tree_members(struct intp_source *source, const struct intp_tree_member **members)
{
	return intp_owner_tree_members(((struct ebpf *)source)->bpf, members);
}

static const char *ebpf_reason(const struct intp_source *source, enum intp_signal signal)
{
	const struct ebpf *ebpf = (const struct ebpf *)source;

	switch (signal) {
	case INTP_BLK:
	case INTP_BLKR:
	case INTP_BLKW:
	case INTP_READB:
	case INTP_WRITEB:
		return ebpf->probes.block_reason;
	case INTP_NETS:
		return ebpf->probes.packets_reason;
	case INTP_NETP:
		return ebpf->probes.sockets ? ebpf->nic_reason : ebpf->probes.sockets_reason;
	case INTP_FUTEX:
		return "switched off (--futex)";
	default:
		return NULL;
	}
}

static void ebpf_close(struct intp_source *source)
{
	struct ebpf *ebpf = (struct ebpf *)source;

	if (!ebpf)
		return;
	intp_rows_close(&ebpf->rows);
	intp_flows_close(&ebpf->flows);
	intpd_bpf__destroy(ebpf->bpf);
	free(ebpf);
}

static int offer_peers(struct ebpf *ebpf, bool wanted, char *reason, size_t size)
{
	int error = 0;

	if (!wanted)
		ebpf->source.no_peers = "switched off (--peers)";
	else if (!ebpf->probes.sockets)
		ebpf->source.no_peers = ebpf->probes.sockets_reason;
	else
		error = intp_flows_open(&ebpf->flows, ebpf->bpf);
	if (error)
		snprintf(reason, size, "out of memory");
	else if (!ebpf->source.no_peers)
		ebpf->source.peers = ebpf_peers;
	return error;
}

struct intp_source *intp_ebpf_open(const struct intp_ebpf_options *options, char *reason, size_t size)
{
	struct intp_map_sizes sizes = intp_map_sizes_here();
	struct ebpf *ebpf = calloc(1, sizeof(*ebpf));
	int error;

	if (!ebpf) {
		snprintf(reason, size, "out of memory");
		return NULL;
	}
	ebpf->source = (struct intp_source){
		.name = "ebpf",
		.watch = intp_watch_one,
		.watch_many = ebpf_watch_many,
		.unwatch = ebpf_unwatch,
		.snapshot = ebpf_snapshot,
		.takers = ebpf_takers,
		.tree_members = ebpf_tree_members,
		.reason = ebpf_reason,
		.close = ebpf_close,
	};
	if (options->entries)
		sizes.owners = sizes.sleeps = sizes.requests = sizes.flows = options->entries;
	if (options->owned)
		sizes.owned = options->owned;
	ebpf->bpf = intp_probes_load(&ebpf->probes, &sizes, options, reason, size);
	error = ebpf->bpf ? intp_rows_open(&ebpf->rows, ebpf->bpf) : 0;
	if (error)
		snprintf(reason, size, "the kernel refuses to run the probe of open intervals: %s", strerror(-error));
	else if (ebpf->bpf)
		error = offer_peers(ebpf, options->peers, reason, size);
	if (!ebpf->bpf || error) {
		ebpf_close(&ebpf->source);
		return NULL;
	}
	intp_losses_init(&ebpf->losses, &ebpf->bpf->bss->state, &sizes, options->say);
	ebpf->last_ns = intp_now_ns();
	ebpf->nominal_nic_bits = options->nominal_nic_bits;
	ebpf->usable_cpus = options->cpus > 0 ? options->cpus : (double)sysconf(_SC_NPROCESSORS_ONLN);
	snprintf(ebpf->nic_reason, sizeof(ebpf->nic_reason), "%s",
		 options->nic_reason ? options->nic_reason : "the nominal speed of the network interface is unknown");
	ebpf->source.signals = 1U << INTP_CPU | 1U << INTP_CPUWAIT | 1U << INTP_BLKWAIT | 1U << INTP_SWITCHES |
			       1U << INTP_PREEMPTED | 1U << INTP_CSW;
	if (ebpf->probes.block)
		ebpf->source.signals |= INTP_BLOCK_SIGNALS;
	if (ebpf->probes.packets)
		ebpf->source.signals |= 1U << INTP_NETS;
	if (ebpf->probes.sockets && options->nominal_nic_bits > 0)
		ebpf->source.signals |= 1U << INTP_NETP;
	if (ebpf->probes.futex)
		ebpf->source.signals |= 1U << INTP_FUTEX;
	ebpf->source.lacks = ebpf->probes.lacks;
	return &ebpf->source;
}
