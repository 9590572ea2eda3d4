// SPDX-License-Identifier: Apache-2.0
#include "ebpf_load.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "text.h"

#ifndef __NR_futex_waitv
#define __NR_futex_waitv 449
#endif

#define TEXT_OF_TOKEN(token) #token
#define TEXT_OF(macro)	     TEXT_OF_TOKEN(macro)

/* The first line of libbpf's first complaint since it was cleared: the most that a reason has room for. */
static char complaint[100];

static int remember(enum libbpf_print_level level, const char *format, va_list arguments)
{
	if (level == LIBBPF_WARN && !complaint[0]) {
		vsnprintf(complaint, sizeof(complaint), format, arguments);
		complaint[strcspn(complaint, "\n")] = '\0';
	}
	return 0;
}

/* Leaves out of `wanted` what the events do not allow. */
static void restrict_to(struct intp_probes *wanted, const struct intp_events *events)
{
	if (!events->block_rq_issue) {
		wanted->block = false;
		wanted->block_reason = "the kernel has no event block_rq_issue";
	}
	if (!events->net_dev_queue || !events->napi_poll) {
		wanted->packets = false;
		wanted->packets_reason = "the kernel has no event net_dev_queue or napi_poll";
	}
	if (!events->inet_sendpage)
		wanted->sendpage = false;
	if (!events->sock_send_length && !events->inet_sendmsg) {
		wanted->sockets = wanted->sendpage = false;
		wanted->sockets_reason =
			"the kernel has neither the event sock_send_length (Linux 6.3) nor IPv4 and IPv6 to hook";
	}
}

void intp_probes_select(struct intpd_bpf *bpf, const struct intp_probes *wanted, const struct intp_events *events)
{
	bool old_block = events->block_rq_issue > 1;
	bool functions = wanted->sockets && !events->sock_send_length;

	if (!events->allocates)
		bpf_map__set_map_flags(bpf->maps.owners, 0);
	bpf_program__set_autoload(bpf->progs.intp_open, events->loop);
	bpf_program__set_autoload(bpf->progs.intp_open_before_5_17, !events->loop);
	bpf_program__set_autoload(bpf->progs.intp_switch, events->sched_switch >= 4);
	bpf_program__set_autoload(bpf->progs.intp_switch_before_5_18, events->sched_switch == 3);
	bpf_program__set_autoload(bpf->progs.intp_insert, wanted->block && !old_block);
	bpf_program__set_autoload(bpf->progs.intp_issue, wanted->block && !old_block);
	bpf_program__set_autoload(bpf->progs.intp_insert_before_5_11, wanted->block && old_block);
	bpf_program__set_autoload(bpf->progs.intp_issue_before_5_11, wanted->block && old_block);
	/* Linux 5.9 has the event; without, what was swallowed stays until another request has its place. */
	bpf_program__set_autoload(bpf->progs.intp_merge, wanted->block && events->block_rq_merge == 1);
	bpf_program__set_autoload(bpf->progs.intp_merge_before_5_11, wanted->block && events->block_rq_merge == 2);
	bpf_program__set_autoload(bpf->progs.intp_complete, wanted->block);
	bpf_program__set_autoload(bpf->progs.intp_complete_too, wanted->block);
	bpf_program__set_autoload(bpf->progs.intp_dirty, wanted->block && events->writeback_dirty_folio);
	bpf_program__set_autoload(bpf->progs.intp_dirty_before_5_18,
				  wanted->block && !events->writeback_dirty_folio && events->writeback_dirty_page);
	bpf_program__set_autoload(bpf->progs.intp_queue, wanted->packets);
	bpf_program__set_autoload(bpf->progs.intp_transmit, wanted->packets);
	bpf_program__set_autoload(bpf->progs.intp_raise, wanted->packets);
	bpf_program__set_autoload(bpf->progs.intp_poll, wanted->packets);
	bpf_program__set_autoload(bpf->progs.intp_send, wanted->sockets && !functions);
	bpf_program__set_autoload(bpf->progs.intp_receive, wanted->sockets && !functions);
	bpf_program__set_autoload(bpf->progs.intp_send_before_6_3, functions);
	bpf_program__set_autoload(bpf->progs.intp_send_v6_before_6_3, functions);
	bpf_program__set_autoload(bpf->progs.intp_receive_before_6_3, functions);
	bpf_program__set_autoload(bpf->progs.intp_receive_v6_before_6_3, functions);
	bpf_program__set_autoload(bpf->progs.intp_send_page_before_6_5, wanted->sendpage);
	bpf_program__set_autoload(bpf->progs.intp_call, wanted->futex);
}

/* One attempt; NULL with errno. */
static struct intpd_bpf *attempt(const struct intp_probes *wanted, const struct intp_events *events)
{
	struct intpd_bpf *bpf = intpd_bpf__open();
	int cpus = libbpf_num_possible_cpus(), error = cpus < 0 ? cpus : 0;

	if (!bpf)
		return NULL;
	intp_probes_select(bpf, wanted, events);
	bpf->rodata->peers = wanted->peers && wanted->sockets;
	bpf->rodata->page_bytes = (__u32)sysconf(_SC_PAGESIZE);
	bpf->rodata->futex_call = SYS_futex;
	bpf->rodata->futex_waitv_call = __NR_futex_waitv;
	if (!error)
		error = bpf_map__set_max_entries(bpf->maps.lanes, cpus * INTP_PROBE_ROWS);
	if (!error)
		error = bpf_map__set_max_entries(bpf->maps.owners, wanted->sizes.owners);
	if (!error)
		error = bpf_map__set_max_entries(bpf->maps.sleeps, wanted->sizes.sleeps);
	if (!error)
		error = bpf_map__set_max_entries(bpf->maps.requests, wanted->sizes.requests);
	if (!error)
		error = bpf_map__set_max_entries(bpf->maps.sockets, wanted->sizes.packets);
	if (!error)
		error = bpf_map__set_max_entries(bpf->maps.packets, wanted->sizes.packets);
	if (!error)
		error = bpf_map__set_max_entries(bpf->maps.flows, bpf->rodata->peers ? wanted->sizes.flows : 1);
	if (!error)
		error = intpd_bpf__load(bpf);
	if (!error) {
		bpf->bss->state.cpus = cpus;
		bpf->bss->state.most_owned = (__s32)wanted->sizes.owned;
		error = intpd_bpf__attach(bpf);
	}
	if (!error)
		return bpf;
	intpd_bpf__destroy(bpf);
	errno = -error;
	return NULL;
}

static __u32 between(__u64 least, __u64 wanted, __u64 most)
{
	return wanted < least ? least : wanted > most ? most : wanted;
}

struct intp_map_sizes intp_map_sizes_here(void)
{
	int possible = libbpf_num_possible_cpus(), cpus = possible > 0 ? possible : 1;

	return (struct intp_map_sizes){
		.owners = 32768,
		/* Far more than any has that means well; a fork bomb leaves the others seven parts in eight. */
		.owned = 4096,
		.sleeps = between(2048, 512 * (__u64)cpus, 16384),
		.requests = between(8192, 1024 * (__u64)cpus, 65536),
		/* The kernel keeps up to 128 free entries of such a map for each CPU, and throws away others
		   meanwhile. */
		.packets = between(8192, 1024 * (__u64)cpus, 65536),
		.flows = INTP_PROBE_FLOWS,
	};
}

static void explain(int error, char *reason, size_t size)
{
	if (error == EPERM || error == EACCES)
		snprintf(reason, size, "not permitted: run as root or with CAP_BPF and CAP_PERFMON");
	else
		snprintf(reason, size, "the kernel refuses the probes: %s (%s)", strerror(error), complaint);
}

enum { SENDPAGE = 1, SOCKETS = 2, PACKETS = 4, BLOCK = 8 };

static void leave_out(int groups, struct intp_probes *probes)
{
	static const char refused[] = "the kernel refuses the probes of this signal";

	if (groups & SENDPAGE && probes->sendpage) {
		probes->sendpage = false;
		probes->lacks = "its leave to hook inet_sendpage: what sendfile and splice send is not in netp "
				"before Linux 6.5";
	}
	if (groups & SOCKETS && probes->sockets) {
		probes->sockets = probes->sendpage = false;
		probes->lacks = NULL;
		probes->sockets_reason = refused;
	}
	if (groups & PACKETS && probes->packets) {
		probes->packets = false;
		probes->packets_reason = refused;
	}
	if (groups & BLOCK && probes->block) {
		probes->block = false;
		probes->block_reason = refused;
	}
}

struct intpd_bpf *intp_probes_load(struct intp_probes *probes, const struct intp_map_sizes *sizes,
				   const struct intp_ebpf_options *options, char *reason, size_t size)
{
	struct intp_probes all = {
		.block = true,
		.packets = true,
		.sockets = true,
		.sendpage = true,
		.futex = options->futex,
		.peers = options->peers,
		.sizes = *sizes,
	};
	struct intp_events events = {0};
	struct utsname kernel;
	struct intpd_bpf *bpf;
	int error;

	complaint[0] = '\0';
	libbpf_set_print(remember);
	if (access("/sys/kernel/btf/vmlinux", R_OK)) {
		snprintf(reason, size, "no /sys/kernel/btf/vmlinux: needs a kernel with CONFIG_DEBUG_INFO_BTF");
		return NULL;
	}
	if (libbpf_num_possible_cpus() > INTP_PROBE_CPUS) {
		snprintf(reason, size, "more than %d CPUs", INTP_PROBE_CPUS);
		return NULL;
	}
	*probes = all;
	restrict_to(probes, &intp_events_modern);
	bpf = options->old || uname(&kernel) || !intp_release_is_modern(kernel.release)
		      ? NULL
		      : attempt(probes, &intp_events_modern);
	if (bpf)
		goto done;
	error = intp_events_read(&events);
	if (error) {
		errno = -error;
		goto done;
	}
	if (options->old)
		events.loop = events.allocates = false;
	restrict_to(&all, &events);
	/* A refusal of one group must not cost the others: the first set that has all of the refused has no more. */
	for (int groups = 0; !bpf && groups <= (SENDPAGE | SOCKETS | PACKETS | BLOCK); groups++) {
		/* Sets that are others by a part that is not there, or is in another part that is left out. */
		if (groups & SENDPAGE && (!all.sendpage || groups & SOCKETS))
			continue;
		*probes = all;
		leave_out(groups, probes);
		complaint[0] = '\0';
		bpf = attempt(probes, &events);
	}
	if (bpf && !events.loop)
		probes->lacks = "bpf_loop, which Linux 5.17 has: of the tasks that wait for one CPU, beyond " TEXT_OF(
			INTP_PROBE_QUEUED_WITHOUT_LOOP) " are counted when they get it";
done:
	if (!bpf)
		explain(errno, reason, size);
	/* Loading takes ten times the memory that is needed from here on. */
	malloc_trim(0);
	return bpf;
}
