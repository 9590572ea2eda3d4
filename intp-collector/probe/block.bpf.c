// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * blk: the service time of block requests, from issue to the device to completion, and who asked for them.
 *
 * A request belongs to the task that inserts it, or issues it if it was not inserted first. What a kernel thread asks
 * for belongs to the cgroup that the bio names, where cgroup v2 has one: writeback, or reads that it hands on for a
 * layer such as encryption. Without, what it writes is writeback or a journal: that goes to the shared row, which the
 * daemon apportions by the bytes that each container has made dirty. Only reads and writes are counted; discards and
 * flushes occupy no bandwidth and devices report them in ways of their own.
 *
 * Completions run in interrupts that may interrupt an issue on the same CPU, hence the atomic additions.
 */
#include "owner.h"

char LICENSE[] SEC("license") = "GPL";

/* The daemon sets it. */
const volatile __u32 page_bytes = 4096;

static __always_inline __u32 row_of_bio(struct request *request)
{
	struct cgroup *cgroup;
	__u32 owner;

	if (state.v2 && bpf_core_field_exists(((struct bio *)0)->bi_blkg)) {
		cgroup = BPF_CORE_READ(request, bio, bi_blkg, blkcg, css.cgroup);
		/* Hierarchy 0 is v2: elsewhere the id is that of another cgroup. */
		if (cgroup && !BPF_CORE_READ(cgroup, root, hierarchy_id)) {
			owner = owner_of_key(BPF_CORE_READ(cgroup, kn, id));
			if (owner)
				return owner - 1;
		}
	}
	return (request->cmd_flags & REQ_OP_MASK) == REQ_OP_WRITE ? INTP_PROBE_SHARED : INTP_PROBE_NOBODY;
}

static __always_inline __u32 row_of(struct request *request)
{
	struct task_struct *task = current_task();
	__u32 owner;

	if (BPF_CORE_READ(task, flags) & PF_KTHREAD)
		return row_of_bio(request);
	owner = owner_at(task);
	return owner ? owner - 1 : INTP_PROBE_NOBODY;
}

static __always_inline bool counted(struct request *request)
{
	unsigned int operation = request->cmd_flags & REQ_OP_MASK;

	return watching() && (operation == REQ_OP_READ || operation == REQ_OP_WRITE);
}

static __always_inline void stamp(__u64 key, __u64 since, __u32 row)
{
	struct intp_request stamped = {.since = since, .row = row};

	if (row < INTP_PROBE_SLOTS)
		stamped.generation = state.generation[row & (INTP_PROBE_SLOTS - 1)];
	if (bpf_map_update_elem(&requests, &key, &stamped, BPF_ANY))
		__sync_fetch_and_add(&state.lost_requests, 1);
}

static __always_inline int insert(struct request *request)
{
	if (counted(request))
		stamp((__u64)request, 0, row_of(request));
	return 0;
}

static __always_inline int issue(struct request *request)
{
	struct intp_request *stamped;
	__u64 key = (__u64)request, now;

	if (!counted(request))
		return 0;
	now = bpf_ktime_get_ns();
	stamped = bpf_map_lookup_elem(&requests, &key);
	if (stamped && stamped->row != INTP_PROBE_DONE) {
		/* Also one that the device refused for want of room: whoever issues it again, it is not his. */
		stamped->since = now;
		return 0;
	}
	stamp(key, now, row_of(request));
	return 0;
}

SEC("tp_btf/block_rq_insert")
int BPF_PROG(intp_insert, struct request *request)
{
	return insert(request);
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(intp_issue, struct request *request)
{
	return issue(request);
}

/* Before 5.11 the events carry the queue first. */
SEC("?tp_btf/block_rq_insert")
int BPF_PROG(intp_insert_before_5_11, void *queue, struct request *request)
{
	return insert(request);
}

SEC("?tp_btf/block_rq_issue")
int BPF_PROG(intp_issue_before_5_11, void *queue, struct request *request)
{
	return issue(request);
}

/* First marked, as the kernel may refuse to take it out: then it is not of the next request with this address. */
static __always_inline void take_out(__u64 key, struct intp_request *stamped)
{
	stamped->since = 0;
	stamped->row = INTP_PROBE_DONE;
	bpf_map_delete_elem(&requests, &key);
}

/* One that another before it has swallowed never completes. */
static __always_inline int merge(struct request *request)
{
	struct intp_request *stamped;
	__u64 key = (__u64)request;

	if (!watching())
		return 0;
	stamped = bpf_map_lookup_elem(&requests, &key);
	if (stamped)
		take_out(key, stamped);
	return 0;
}

SEC("?tp_btf/block_rq_merge")
int BPF_PROG(intp_merge, struct request *request)
{
	return merge(request);
}

SEC("?tp_btf/block_rq_merge")
int BPF_PROG(intp_merge_before_5_11, void *queue, struct request *request)
{
	return merge(request);
}

static __always_inline int complete(struct request *request, unsigned int bytes)
{
	struct intp_request *stamped;
	struct intp_lane *lane;
	__u64 key = (__u64)request, since, now;
	__u32 row, generation;

	stamped = bpf_map_lookup_elem(&requests, &key);
	/* A request may complete in parts; the last one ends it. */
	if (!stamped || bytes < request->__data_len)
		return 0;
	now = bpf_ktime_get_ns();
	row = stamped->row;
	since = stamped->since;
	generation = stamped->generation;
	take_out(key, stamped);
	if (row < INTP_PROBE_SLOTS && generation != state.generation[row & (INTP_PROBE_SLOTS - 1)])
		row = INTP_PROBE_NOBODY;
	lane = row < INTP_PROBE_ROWS ? lane_of(row) : NULL;
	if (lane && since) {
		__sync_fetch_and_add(&lane->blk_ns, now - since);
		__sync_fetch_and_add(&lane->blk_operations, 1);
		__sync_fetch_and_add(&lane->blk_bytes, bytes);
		if ((request->cmd_flags & REQ_OP_MASK) == REQ_OP_READ) {
			__sync_fetch_and_add(&lane->read_ns, now - since);
			__sync_fetch_and_add(&lane->read_operations, 1);
			__sync_fetch_and_add(&lane->read_bytes, bytes);
		}
		/* Direct writes are idle-marked, and nobody had made their pages dirty. */
		if ((request->cmd_flags & REQ_OP_MASK) == REQ_OP_WRITE &&
		    !(request->cmd_flags & (1U << bpf_core_enum_value(enum req_flag_bits, __REQ_IDLE))))
			__sync_fetch_and_add(&lane->written, bytes);
	}
	return 0;
}

/*
 * Twice, because the kernel skips a program that is running on the CPU already, and a completion in an interrupt does
 * come in the middle of another: then one of the two is free. Whichever comes first takes the stamp, and the other
 * finds none. A completion that is missed would leave its request in flight for good.
 */
SEC("tp_btf/block_rq_complete")
int BPF_PROG(intp_complete, struct request *request, int error, unsigned int bytes)
{
	return complete(request, bytes);
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(intp_complete_too, struct request *request, int error, unsigned int bytes)
{
	return complete(request, bytes);
}

static __always_inline int dirty(struct folio *folio)
{
	struct folio___since_6_18 *newest = (void *)folio;
	struct folio___since_6_15 *new = (void *)folio;
	struct folio___before_6_15 *old = (void *)folio;
	struct intp_lane *lane;
	__u64 pages = 1, flags;

	if (!watching())
		return 0;
	flags = bpf_core_field_exists(newest->flags.f) ? newest->flags.f : folio->flags;
	if (flags & (1UL << bpf_core_enum_value(enum pageflags, PG_head))) {
		if (bpf_core_field_exists(new->_nr_pages))
			pages = new->_nr_pages;
		else if (bpf_core_field_exists(old->_folio_nr_pages))
			pages = old->_folio_nr_pages;
	}
	lane = lane_of(row_of_current());
	if (lane)
		__sync_fetch_and_add(&lane->dirtied, pages * page_bytes);
	return 0;
}

SEC("tp_btf/writeback_dirty_folio")
int BPF_PROG(intp_dirty, struct folio *folio)
{
	return dirty(folio);
}

/* The name before 5.18; a page was one then as far as this event goes. */
SEC("?tp_btf/writeback_dirty_page")
int BPF_PROG(intp_dirty_before_5_18, void *page)
{
	struct intp_lane *lane;

	if (!watching())
		return 0;
	lane = lane_of(row_of_current());
	if (lane)
		__sync_fetch_and_add(&lane->dirtied, page_bytes);
	return 0;
}
