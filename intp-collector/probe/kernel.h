/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The parts of kernel structures that the probes read. Offsets are relocated at load against the running kernel's BTF
 * (CO-RE), so nothing here depends on the machine that compiles it; only names and nesting have to be right.
 */
#ifndef INTP_PROBE_KERNEL_H
#define INTP_PROBE_KERNEL_H

#include <linux/types.h>
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>

#include "layout.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct list_head {
	struct list_head *next, *prev;
};

struct kernfs_node {
	__u64 id;
};

struct cgroup_root {
	unsigned int subsys_mask;
	int hierarchy_id;
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
	struct cgroup_root *root;
};

struct css_set {
	struct cgroup_subsys_state *subsys[1];
	struct cgroup *dfl_cgrp;
};

enum cgroup_subsys_id {
	cpu_cgrp_id = 1,
};

struct sched_info {
	unsigned long long run_delay;
	unsigned long long last_arrival;
	unsigned long long last_queued;
};

struct rq {
	unsigned int nr_running;
	__u64 clock;
	__u64 clock_task;
	struct task_struct *curr;
	struct list_head cfs_tasks;
};

struct cfs_rq {
	struct rq *rq;
};

struct task_group {
	struct cfs_rq **cfs_rq; /* [cpu] */
};

struct sched_entity {
	struct list_head group_node;
	__u64 exec_start;
	__u64 sum_exec_runtime;
	struct cfs_rq *cfs_rq;
};

struct task_struct {
	unsigned int flags;
	int pid;
	int tgid;
	unsigned int sched_contributes_to_load : 1;
	unsigned int in_iowait : 1;
	struct sched_entity se;
	struct task_group *sched_task_group;
	struct sched_info sched_info;
	struct css_set *cgroups;
};

/* The name of task_struct.__state before 5.14. */
struct task_struct___before_5_14 {
	long state;
};

struct task_struct___since_5_14 {
	unsigned int __state;
};

struct blkcg {
	struct cgroup_subsys_state css;
};

struct blkcg_gq {
	struct blkcg *blkcg;
};

struct bio {
	struct blkcg_gq *bi_blkg;
};

struct request {
	unsigned int cmd_flags;
	unsigned int __data_len;
	struct bio *bio;
};

enum req_flag_bits {
	__REQ_IDLE = 15,
};

enum pageflags {
	PG_head = 6,
};

struct folio {
	unsigned long flags;
};

typedef struct {
	unsigned long f;
} memdesc_flags_t;

struct folio___since_6_18 {
	memdesc_flags_t flags;
};

struct folio___since_6_15 {
	unsigned int _nr_pages;
};

struct folio___before_6_15 {
	unsigned int _folio_nr_pages;
};

struct in6_addr {
	union {
		__u32 u6_addr32[4];
	} in6_u;
};

struct sock_common {
	__u32 skc_daddr;
	__u32 skc_rcv_saddr;
	unsigned short skc_dport;
	unsigned short skc_num;
	unsigned short skc_family;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
};

struct sock {
	struct sock_common __sk_common;
};

struct socket {
	struct sock *sk;
};

struct net_device {
	unsigned int flags;
};

struct sk_buff {
	struct net_device *dev;
	struct sock *sk;
};

struct napi_struct {
	struct net_device *dev;
};

#pragma clang attribute pop

/* Of include/linux/sched.h; the same in every kernel that has BTF. */
#define PF_KTHREAD	     0x00200000
#define TASK_UNINTERRUPTIBLE 0x0002
#define TASK_NOLOAD	     0x0400

#define NET_RX_SOFTIRQ 3

#define E2BIG  7
#define EBUSY  16
#define EEXIST 17

#define MSG_PEEK     0x02
#define AF_INET	     2
#define AF_INET6     10
#define IFF_LOOPBACK 0x08

#define REQ_OP_MASK  0xff
#define REQ_OP_READ  0
#define REQ_OP_WRITE 1

#endif
