// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * netp and nets.
 *
 * netp counts the payload that the container's tasks send to and receive from IP sockets, in their own context,
 * whatever the container is recognised by; headers are not in it, nor what never leaves the machine. nets is the time
 * from the hand-over of a packet to the network stack's transmit side until the driver has it, booked to the
 * container whose socket sends it, and on the receive side the time from the softirq's being raised to the end of the
 * poll: that is shared, because whose packets they are is not known then.
 *
 * Flows count the same payload by connection, and what stays on the machine too, if the daemon asks for it.
 */
#include "owner.h"

char LICENSE[] SEC("license") = "GPL";

/* Sockets that a watched task has used lately, by address; the row. The daemon says how many. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u64);
	__type(value, __u32);
} sockets SEC(".maps");

/* Packets between the stack and the driver, by address. One that is dropped ages out. The daemon says how many. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u64);
	__type(value, struct intp_packet);
} packets SEC(".maps");

/*
 * Never one of the kernel's choice is thrown out for another: what finds no place is counted as other. The daemon
 * says how many, and takes out what is idle.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, INTP_PROBE_FLOWS);
	__type(key, struct intp_flow_key);
	__type(value, struct intp_flow);
} flows SEC(".maps");

/* Whether flows are counted; the daemon sets it before it loads, and without it the kernel drops what is for them. */
const volatile bool peers;

static __always_inline struct intp_running *here(void)
{
	return &state.running[bpf_get_smp_processor_id() & (INTP_PROBE_CPUS - 1)];
}

/* Whether both ends are on this machine, as far as the addresses tell: they are equal, or the other is 127/8 or ::1.
 */
static __always_inline bool stays_here(struct sock *sock)
{
	const struct sock_common *common = &sock->__sk_common;

	if (common->skc_family == AF_INET)
		return (common->skc_daddr & bpf_htonl(0xff000000)) == bpf_htonl(0x7f000000) ||
		       (common->skc_daddr && common->skc_daddr == common->skc_rcv_saddr);
	if (common->skc_v6_daddr.in6_u.u6_addr32[0] | common->skc_v6_daddr.in6_u.u6_addr32[1])
		return common->skc_v6_daddr.in6_u.u6_addr32[0] == common->skc_v6_rcv_saddr.in6_u.u6_addr32[0] &&
		       common->skc_v6_daddr.in6_u.u6_addr32[1] == common->skc_v6_rcv_saddr.in6_u.u6_addr32[1] &&
		       common->skc_v6_daddr.in6_u.u6_addr32[2] == common->skc_v6_rcv_saddr.in6_u.u6_addr32[2] &&
		       common->skc_v6_daddr.in6_u.u6_addr32[3] == common->skc_v6_rcv_saddr.in6_u.u6_addr32[3];
	/* An IPv4 peer of a v6 socket is ::ffff:a.b.c.d. */
	if (common->skc_v6_daddr.in6_u.u6_addr32[2] == bpf_htonl(0xffff))
		return (common->skc_v6_daddr.in6_u.u6_addr32[3] & bpf_htonl(0xff000000)) == bpf_htonl(0x7f000000) ||
		       common->skc_v6_daddr.in6_u.u6_addr32[3] == common->skc_v6_rcv_saddr.in6_u.u6_addr32[3];
	return common->skc_v6_daddr.in6_u.u6_addr32[3] == bpf_htonl(1);
}

/* The two ends of a socket that has another end; false for one that has not. */
static __always_inline bool ends_of(struct sock *sock, struct intp_flow_key *key)
{
	const struct sock_common *common = &sock->__sk_common;

	key->local_port = common->skc_num;
	key->remote_port = bpf_ntohs(common->skc_dport);
	if (common->skc_family == AF_INET) {
		key->local[2] = key->remote[2] = bpf_htonl(0xffff);
		key->local[3] = common->skc_rcv_saddr;
		key->remote[3] = common->skc_daddr;
		return key->remote_port;
	}
	key->local[0] = common->skc_v6_rcv_saddr.in6_u.u6_addr32[0];
	key->local[1] = common->skc_v6_rcv_saddr.in6_u.u6_addr32[1];
	key->local[2] = common->skc_v6_rcv_saddr.in6_u.u6_addr32[2];
	key->local[3] = common->skc_v6_rcv_saddr.in6_u.u6_addr32[3];
	key->remote[0] = common->skc_v6_daddr.in6_u.u6_addr32[0];
	key->remote[1] = common->skc_v6_daddr.in6_u.u6_addr32[1];
	key->remote[2] = common->skc_v6_daddr.in6_u.u6_addr32[2];
	key->remote[3] = common->skc_v6_daddr.in6_u.u6_addr32[3];
	return key->remote_port;
}

static __always_inline struct intp_flow *flow_of(const struct intp_flow_key *key)
{
	struct intp_flow *flow = bpf_map_lookup_elem(&flows, key), none = {0};

	if (flow)
		return flow;
	/* Another CPU may have entered it meanwhile. */
	bpf_map_update_elem(&flows, key, &none, BPF_NOEXIST);
	return bpf_map_lookup_elem(&flows, key);
}

static __always_inline void count_flow(struct sock *sock, __u32 row, int bytes, bool sends)
{
	struct intp_flow_key key = {.slot = row};
	struct intp_flow *flow = NULL;
	struct intp_lane *lane;

	if (row >= INTP_PROBE_SLOTS)
		return;
	if (ends_of(sock, &key))
		flow = flow_of(&key);
	if (flow) {
		__sync_fetch_and_add(sends ? &flow->sent : &flow->received, bytes);
		flow->round = state.flow_round;
		return;
	}
	lane = lane_of(row);
	if (lane)
		__sync_fetch_and_add(sends ? &lane->other_sent : &lane->other_received, bytes);
}

static __always_inline int moved(struct sock *sock, int bytes, bool sends)
{
	struct intp_lane *lane;
	__u64 key = (__u64)sock;
	__u32 row, *known;
	unsigned short family = sock->__sk_common.skc_family;
	bool stays;

	if (!watching() || bytes <= 0 || (family != AF_INET && family != AF_INET6))
		return 0;
	stays = stays_here(sock);
	if (stays && !peers)
		return 0;
	row = row_of_current();
	if (peers)
		count_flow(sock, row, bytes, sends);
	if (stays)
		return 0;
	lane = lane_of(row);
	if (lane)
		__sync_fetch_and_add(&lane->net_bytes, bytes);
	known = bpf_map_lookup_elem(&sockets, &key);
	if (known)
		*known = row;
	else if (row < INTP_PROBE_SLOTS)
		bpf_map_update_elem(&sockets, &key, &row, BPF_ANY);
	return 0;
}

SEC("?tp_btf/sock_send_length")
int BPF_PROG(intp_send, struct sock *sock, int bytes, int flags)
{
	return moved(sock, bytes, true);
}

SEC("?tp_btf/sock_recv_length")
int BPF_PROG(intp_receive, struct sock *sock, int bytes, int flags)
{
	return flags & MSG_PEEK ? 0 : moved(sock, bytes, false);
}

/* Before 6.3 there is no event for it, and the functions themselves are hooked. */
SEC("?fexit/inet_sendmsg")
int BPF_PROG(intp_send_before_6_3, struct socket *socket, void *message, unsigned long size, int bytes)
{
	return moved(socket->sk, bytes, true);
}

SEC("?fexit/inet6_sendmsg")
int BPF_PROG(intp_send_v6_before_6_3, struct socket *socket, void *message, unsigned long size, int bytes)
{
	return moved(socket->sk, bytes, true);
}

SEC("?fexit/inet_recvmsg")
int BPF_PROG(intp_receive_before_6_3, struct socket *socket, void *message, unsigned long size, int flags, int bytes)
{
	return flags & MSG_PEEK ? 0 : moved(socket->sk, bytes, false);
}

SEC("?fexit/inet6_recvmsg")
int BPF_PROG(intp_receive_v6_before_6_3, struct socket *socket, void *message, unsigned long size, int flags,
	     int bytes)
{
	return flags & MSG_PEEK ? 0 : moved(socket->sk, bytes, false);
}

/* What sendfile and splice hand over, until 6.5. */
SEC("?fexit/inet_sendpage")
int BPF_PROG(intp_send_page_before_6_5, struct socket *socket, void *page, int offset, unsigned long size, int flags,
	     long bytes)
{
	return moved(socket->sk, bytes, true);
}

SEC("tp_btf/net_dev_queue")
int BPF_PROG(intp_queue, struct sk_buff *packet)
{
	struct intp_packet stamped = {.row = INTP_PROBE_SHARED};
	__u64 key = (__u64)packet, sock = 0;
	__u32 *row;

	if (!watching())
		return 0;
	if (BPF_CORE_READ(packet, dev, flags) & IFF_LOOPBACK) {
		here()->loopback = 1;
		return 0;
	}
	bpf_probe_read_kernel(&sock, sizeof(sock), &packet->sk);
	if (sock) {
		row = bpf_map_lookup_elem(&sockets, &sock);
		stamped.row = row ? *row : INTP_PROBE_NOBODY;
	}
	stamped.since = bpf_ktime_get_ns();
	bpf_map_update_elem(&packets, &key, &stamped, BPF_ANY);
	return 0;
}

SEC("raw_tp/net_dev_xmit")
int BPF_PROG(intp_transmit, struct sk_buff *packet, int result, struct net_device *device, unsigned int length)
{
	struct intp_packet *stamped;
	struct intp_lane *lane;
	__u64 key = (__u64)packet;

	if (!watching())
		return 0;
	if (BPF_CORE_READ(device, flags) & IFF_LOOPBACK) {
		here()->loopback = 0;
		return 0;
	}
	stamped = bpf_map_lookup_elem(&packets, &key);
	if (!stamped)
		return 0;
	lane = lane_of(stamped->row);
	if (lane)
		__sync_fetch_and_add(&lane->net_ns, bpf_ktime_get_ns() - stamped->since);
	bpf_map_delete_elem(&packets, &key);
	return 0;
}

/*
 * The softirq is raised to free buffers, too, and then no poll follows: the next one ends an interval that was idle.
 * So it does where nobody watched in between.
 */
#define MOST_RECEIVE_NS 100000000ULL

SEC("raw_tp/softirq_raise")
int BPF_PROG(intp_raise, unsigned int vector)
{
	struct intp_running *running;

	if (vector != NET_RX_SOFTIRQ || !watching())
		return 0;
	running = here();
	if (!running->receive_ns && !running->loopback)
		running->receive_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("raw_tp/napi_poll")
int BPF_PROG(intp_poll, struct napi_struct *napi, int work, int budget)
{
	struct intp_running *running;
	struct intp_lane *lane;
	__u64 since, now;

	if (!watching())
		return 0;
	running = here();
	since = running->receive_ns;
	if (!since)
		return 0;
	now = bpf_ktime_get_ns();
	/* A poll that used up its budget is followed by another without the softirq's being raised. */
	running->receive_ns = work >= budget ? now : 0;
	lane = lane_of(INTP_PROBE_SHARED);
	if (lane && work > 0 && now - since < MOST_RECEIVE_NS)
		__sync_fetch_and_add(&lane->net_ns, now - since);
	return 0;
}
