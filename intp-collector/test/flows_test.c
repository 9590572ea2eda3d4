// SPDX-License-Identifier: Apache-2.0
#include "claims.h"
#include "source/flows.h"

#include <string.h>

#define MOST 64

static struct intp_flow_row rows[MOST];
static size_t count;

static void flow(int slot, int port, double sent, double received)
{
	rows[count++] = (struct intp_flow_row){
		.slot = slot,
		.peer = {.remote_port = (uint16_t)port, .sent = sent, .received = received},
	};
}

static struct intp_peers told(int slot)
{
	struct intp_peers peers;

	memset(&peers, 0xff, sizeof(peers));
	intp_flows_sort(rows, count);
	intp_flows_tell(rows, count, slot, &peers);
	return peers;
}

static void who_has_no_connection_has_no_peers(void)
{
	struct intp_peers peers;

	count = 0;
	peers = told(3);
	CHECK(peers.count == 0 && peers.other_sent == 0 && peers.other_received == 0);
	flow(2, 1, 1, 1);
	flow(4, 1, 1, 1);
	peers = told(3);
	CHECK(peers.count == 0 && peers.other_sent == 0 && peers.other_received == 0);
}

static void those_with_the_most_bytes_of_both_directions_come_first(void)
{
	struct intp_peers peers;

	count = 0;
	flow(1, 10, 5, 0);
	flow(1, 11, 0, 7);
	flow(1, 12, 3, 3);
	flow(0, 13, 100, 100);
	peers = told(1);
	CHECK(peers.count == 3);
	CHECK(peers.list[0].remote_port == 11 && peers.list[1].remote_port == 12 && peers.list[2].remote_port == 10);
	CHECK(peers.list[0].received == 7 && peers.list[0].sent == 0);
	CHECK(told(0).count == 1);
}

static void no_byte_is_missing_beyond_the_list(void)
{
	double sent = 0, received = 0;
	struct intp_peers peers;

	count = 0;
	for (int i = 0; i < MOST; i++)
		flow(i % 2, i, i, 2 * i);
	peers = told(1);
	CHECK(peers.count == INTP_MOST_PEERS);
	for (int i = 0; i < peers.count; i++) {
		sent += peers.list[i].sent;
		received += peers.list[i].received;
		CHECK(peers.list[i].sent > MOST - 2 * (INTP_MOST_PEERS + 1));
	}
	CHECK(peers.other_sent > 0);
	CHECK_NEAR(sent + peers.other_sent, MOST / 2 * MOST / 2, 0);
	CHECK_NEAR(received + peers.other_received, 2 * (sent + peers.other_sent), 0);
}

static void the_order_does_not_depend_on_how_they_were_read(void)
{
	struct intp_peers before, after;

	count = 0;
	for (int i = 0; i < MOST; i++)
		flow(0, i, 1, 0);
	before = told(0);
	for (size_t i = 0; i < MOST / 2; i++) {
		struct intp_flow_row row = rows[i];

		rows[i] = rows[MOST - 1 - i];
		rows[MOST - 1 - i] = row;
	}
	after = told(0);
	CHECK(before.count == after.count);
	for (int i = 0; i < before.count; i++)
		CHECK(before.list[i].remote_port == after.list[i].remote_port);
}

int main(void)
{
	CLAIM(who_has_no_connection_has_no_peers);
	CLAIM(those_with_the_most_bytes_of_both_directions_come_first);
	CLAIM(no_byte_is_missing_beyond_the_list);
	CLAIM(the_order_does_not_depend_on_how_they_were_read);
	return 0;
}
