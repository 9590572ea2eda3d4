// SPDX-License-Identifier: Apache-2.0
#include "ebpf_events.h"

#include <errno.h>
#include <stdio.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

const struct intp_events intp_events_modern = {4, 1, 2, 0, 1, 3, 3, 1, .loop = true, .allocates = true};

bool intp_release_is_modern(const char *release)
{
	int major, minor;

	return sscanf(release, "%d.%d", &major, &minor) == 2 && (major > 6 || (major == 6 && minor >= 5));
}

bool intp_may_allocate(int has_helper)
{
	return has_helper == 1;
}

static int arguments_of(const struct btf *btf, const char *event)
{
	char name[64];
	const struct btf_type *type;
	int id;

	snprintf(name, sizeof(name), "btf_trace_%s", event);
	id = btf__find_by_name_kind(btf, name, BTF_KIND_TYPEDEF);
	type = id > 0 ? btf__type_by_id(btf, id) : NULL;
	type = type ? btf__type_by_id(btf, type->type) : NULL; /* a pointer */
	type = type ? btf__type_by_id(btf, type->type)
		    : NULL; /* to a function, whose first argument is not the event's */
	return type && btf_is_func_proto(type) ? btf_vlen(type) - 1 : 0;
}

int intp_events_read(struct intp_events *events)
{
	struct btf *btf = btf__load_vmlinux_btf();

	if (!btf)
		return -errno;
	*events = (struct intp_events){
		.sched_switch = arguments_of(btf, "sched_switch"),
		.block_rq_issue = arguments_of(btf, "block_rq_issue"),
		.writeback_dirty_folio = arguments_of(btf, "writeback_dirty_folio"),
		.writeback_dirty_page = arguments_of(btf, "writeback_dirty_page"),
		.net_dev_queue = arguments_of(btf, "net_dev_queue"),
		.napi_poll = arguments_of(btf, "napi_poll"),
		.sock_send_length = arguments_of(btf, "sock_send_length"),
		.block_rq_merge = arguments_of(btf, "block_rq_merge"),
		.inet_sendmsg = btf__find_by_name_kind(btf, "inet_sendmsg", BTF_KIND_FUNC) > 0 &&
				btf__find_by_name_kind(btf, "inet6_sendmsg", BTF_KIND_FUNC) > 0,
		.inet_sendpage = btf__find_by_name_kind(btf, "inet_sendpage", BTF_KIND_FUNC) > 0,
		.loop = libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_FUNC_loop, NULL) == 1,
		.allocates = intp_may_allocate(
			libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_FUNC_ktime_get_tai_ns, NULL)),
	};
	btf__free(btf);
	return 0;
}
