// SPDX-License-Identifier: Apache-2.0
/* Which programs are loaded on which kernel; loading them is for others. */
#include <errno.h>

#include "claims.h"
#include "source/ebpf_load.h"

static struct intpd_bpf *bpf;

/* What a kernel has, by number of its version, as far as it matters here. */
static struct intp_events events_of(int version)
{
	struct intp_events events = intp_events_modern;

	events.sock_send_length = version >= 603 ? 3 : 0;
	events.inet_sendpage = version < 605;
	events.inet_sendmsg = true;
	return events;
}

static void select_for(int version, bool sendpage)
{
	const struct intp_probes wanted = {.block = true, .packets = true, .sockets = true, .sendpage = sendpage};
	struct intp_events events = events_of(version);

	intp_probes_select(bpf, &wanted, &events);
}

static bool loads(const struct bpf_program *program)
{
	return bpf_program__autoload(program);
}

static void bytes_that_are_sent_are_counted_once_on_every_kernel(void)
{
	select_for(602, true);
	CHECK(!loads(bpf->progs.intp_send) && loads(bpf->progs.intp_send_before_6_3));
	CHECK(loads(bpf->progs.intp_send_page_before_6_5));
	select_for(604, true);
	CHECK(loads(bpf->progs.intp_send) && !loads(bpf->progs.intp_send_before_6_3));
	CHECK(loads(bpf->progs.intp_send_page_before_6_5));
	select_for(604, false);
	CHECK(loads(bpf->progs.intp_send) && !loads(bpf->progs.intp_send_page_before_6_5));
	select_for(605, false);
	CHECK(loads(bpf->progs.intp_send) && !loads(bpf->progs.intp_send_page_before_6_5));
}

static void a_kernel_that_may_have_sendpage_is_not_taken_for_one_of_today(void)
{
	CHECK(!intp_events_modern.inet_sendpage);
	CHECK(intp_release_is_modern("6.5.0-1-amd64") && intp_release_is_modern("7.0"));
	CHECK(!intp_release_is_modern("6.4.16") && !intp_release_is_modern("5.15.0-100-generic"));
	CHECK(!intp_release_is_modern("") && !intp_release_is_modern("next"));
}

static void maps_allocate_only_where_the_kernel_is_known_to_bear_it(void)
{
	const struct intp_probes wanted = {0};
	struct intp_events events = intp_events_modern;

	/* Not where the helper could not be asked for either. */
	CHECK(intp_may_allocate(1) && !intp_may_allocate(0) && !intp_may_allocate(-EPERM));
	CHECK(bpf_map__map_flags(bpf->maps.owners) == BPF_F_NO_PREALLOC);
	intp_probes_select(bpf, &wanted, &events);
	CHECK(bpf_map__map_flags(bpf->maps.owners) == BPF_F_NO_PREALLOC);
	events.allocates = false;
	intp_probes_select(bpf, &wanted, &events);
	CHECK(bpf_map__map_flags(bpf->maps.owners) == 0);
}

int main(void)
{
	bpf = intpd_bpf__open();
	CHECK(bpf);
	CLAIM(bytes_that_are_sent_are_counted_once_on_every_kernel);
	CLAIM(a_kernel_that_may_have_sendpage_is_not_taken_for_one_of_today);
	CLAIM(maps_allocate_only_where_the_kernel_is_known_to_bear_it);
	intpd_bpf__destroy(bpf);
	return 0;
}
