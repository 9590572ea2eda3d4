/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * What the probes and the daemon share in memory. Included by both, after a header that defines the kernel's __u32
 * and
 * __u64.
 */
#ifndef INTP_PROBE_LAYOUT_H
#define INTP_PROBE_LAYOUT_H

#define INTP_PROBE_SLOTS  1024 /* containers, as many as the daemon watches */
#define INTP_PROBE_NOBODY 1024 /* the row of what is known to be of no watched container */
#define INTP_PROBE_SHARED 1025 /* the row of what the kernel did for it does not say whom */
#define INTP_PROBE_ROWS	  1026
/*
 * In place of a slot or row, in an entry that is to be taken out and that the kernel would not take out: until late
 * in 2023 it refuses in an interrupt that comes while the same CPU is about to lock the entry's place.
 */
#define INTP_PROBE_DONE	  (~0U)
#define INTP_PROBE_CPUS	  1024
#define INTP_PROBE_FILTER 4096
#define INTP_PROBE_DELAYS 8192
#define INTP_PROBE_TAKERS 4096
#define INTP_PROBE_FLOWS  16384
/* Tasks looked at in one CPU's queue where there is no bpf_loop. */
#define INTP_PROBE_QUEUED_WITHOUT_LOOP 64

/* The kinds of owner keys; the upper bits keep apart numbers that the three give independently of each other. */
#define INTP_PROBE_V1	(1ULL << 63)
#define INTP_PROBE_TREE (1ULL << 62)

/*
 * What one CPU counted of one row since loading; only that CPU writes it, so the sum over CPUs is the count. Times
 * are nanoseconds. Three cache lines: the first belongs to the scheduler, whose probe runs with interrupts off and
 * adds without an atomic operation, the second to disks, the third to the network.
 */
struct intp_lane {
	__u64 cpu;
	__u64 wait;
	__u64 sleep;
	__u64 futex;
	__u64 switches;
	__u64 preempted; /* of those: it could have gone on */
	__u64 blocked;	 /* from giving up a CPU to being on one again */
	__u64 scheduler_unused;
	__u64 blk_ns;
	__u64 blk_operations;
	__u64 dirtied; /* bytes of page cache made dirty */
	__u64 written; /* bytes of page cache written back, as far as the row is known */
	__u64 read_ns; /* of blk_ns and so on, what were reads */
	__u64 read_operations;
	__u64 read_bytes;
	__u64 blk_bytes;
	__u64 net_ns;
	__u64 net_bytes;
	__u64 other_sent; /* bytes of sockets that are in no flow */
	__u64 other_received;
	__u64 unused[4];
};

/* Who runs on a CPU; the probe of the next switch need not look it up again. */
struct intp_running {
	__u32 pid;
	__u32 owner; /* slot + 1; 0: no watched container */
	__u32 epoch;
	__u32 loopback;	  /* a loopback packet is being handed over: the softirq raised meanwhile is not a NIC's */
	__u64 receive_ns; /* when the pending receive softirq was raised; 0: none is */
	__u64 executed;	  /* the task's sum_exec_runtime when it got the CPU; 0: it had no owner then */
	__u64 unused[4];
};

/*
 * Intervals of a slot that have not ended, in nanoseconds; the daemon clears them before it runs the walk, which adds
 * those of tasks, and adds those in maps.
 */
struct intp_open {
	__u64 cpu;
	__u64 wait;
	__u64 sleep;
	__u64 blk;
};

/* What was known of a watched task when it last left a CPU. */
struct intp_delay {
	__u64 run_delay; /* of its sched_info */
	__u64 executed;	 /* its sum_exec_runtime */
	__u64 left;	 /* the run queue's clock; its lowest bit: it gave the CPU up */
	__u32 pid;
	__u32 met; /* the run of intp_open that counted its wait */
};

struct intp_sleep {
	__u64 since; /* the run queue's clock */
	__u32 slot;
	__u32 unused;
};

struct intp_request {
	__u64 since; /* 0: inserted, not issued */
	__u32 row;
	__u32 generation;
};

struct intp_packet {
	__u64 since;
	__u32 row;
	__u32 unused;
};

/* Who took a CPU from whom; each with its slot + 1, a taker also 0: it is of no watched container. */
struct intp_taking {
	__u32 victim;
	__u32 taker;
};

/*
 * A connection of a container, by its two ends. Addresses are as IPv6 has them, IPv4 as ::ffff:a.b.c.d; ports are in
 * the machine's byte order, 0 where there is none.
 */
struct intp_flow_key {
	__u32 slot;
	__u16 local_port, remote_port;
	__u32 local[4], remote[4];
};

/* What its sockets have sent and received, in bytes of payload. */
struct intp_flow {
	__u64 sent, received;
	__u32 round; /* intp_state.flow_round when it was last used */
	__u32 unused;
};

struct intp_state {
	/* How many watches there are by kind; what is 0 costs no look-up. The daemon writes them. */
	__u32 v2;
	__u32 v1;
	__u32 trees;
	__u32 epoch; /* grows whenever ownership changes: intp_running.owner is valid only for its own epoch */
	__u32 cpus;
	__u32 runs;	  /* of the walk of open intervals; the daemon counts them */
	__u32 flow_round; /* of looking at flows; the daemon counts them */
	/* How many keys in `owners` a slot may have, so that no container's forks leave no room for the others'. */
	__s32 most_owned;
	/* When that walk was: by the scheduler's clock, never in the future, and by CLOCK_MONOTONIC. */
	__u64 now;
	__u64 monotonic;
	/*
	 * CLOCK_MONOTONIC less the scheduler's clock, never less than the truth by more than clock discipline adds in
	 * the time since clock_seen; see intp_open.
	 */
	__u64 clock_offset;
	__u64 clock_seen;
	/* How many keys in `owners` fall on each place: 0 spares the look-up of a task that nobody watches. */
	__u32 filter[INTP_PROBE_FILTER];
	/* What found its map full, or a slot with all that it may have: sleeps and requests of anybody, processes and
	 * control groups of a slot. */
	__u64 lost_sleeps;
	__u64 lost_requests;
	__u32 lost_owners[INTP_PROBE_SLOTS];
	/* How many keys in `owners` are a slot's; off by some, below 0 too, where a key changed hands as it went. */
	__s32 owned[INTP_PROBE_SLOTS];
	/* Grows when a slot is given up: a request stamped under another generation is booked to nobody. */
	__u32 generation[INTP_PROBE_SLOTS];
	/* Not 0 while a slot is nobody's: what its former container forks then is not entered. */
	__u8 closed[INTP_PROBE_SLOTS];
	struct intp_open open[INTP_PROBE_SLOTS];
	struct intp_running running[INTP_PROBE_CPUS];
	/* By pid; where two pids fall on one place the later one has it, and the other's moved waits go uncounted. */
	struct intp_delay delays[INTP_PROBE_DELAYS];
};

static inline __u32 intp_filter_index(__u64 key)
{
	return (__u32)key & (INTP_PROBE_FILTER - 1);
}

#endif
