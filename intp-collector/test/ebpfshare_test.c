/* SPDX-License-Identifier: Apache-2.0 */
#include "claims.h"
#include "source/ebpfshare.h"

#include <stdint.h>

static void share(struct intp_shared shared, struct intp_claim *claims, size_t count)
{
	struct intp_claim *all[8];

	for (size_t i = 0; i < count; i++)
		all[i] = &claims[i];
	intp_share(&shared, all, count);
}

static void writeback_is_shared_by_bytes_not_written_yet(void)
{
	struct intp_claim claims[2] = {{.dirtied = 3e6}, {.dirtied = 1e6}};

	share((struct intp_shared){.block_ns = 8e6, .block_operations = 40, .block_bytes = 4e6, .written = 4e6},
	      claims, 2);

	CHECK_NEAR(claims[0].block_ns, 6e6, 1);
	CHECK_NEAR(claims[1].block_operations, 10, 1e-9);
	CHECK_NEAR(claims[1].block_bytes, 1e6, 1e-6);
	CHECK(claims[0].given_block && claims[1].given_block);
}

static void who_was_written_already_gets_nothing_more(void)
{
	struct intp_claim claims[2] = {{.dirtied = 1e6, .written = 1e6}, {.dirtied = 1e6}};

	share((struct intp_shared){.block_ns = 5e6, .block_operations = 1, .written = 1e6}, claims, 2);

	CHECK_NEAR(claims[0].block_ns, 0, 0);
	CHECK(!claims[0].given_block);
	CHECK_NEAR(claims[1].block_ns, 5e6, 1);
}

static void what_was_made_dirty_in_one_window_is_paid_in_a_later_one(void)
{
	struct intp_claim claims[1] = {{.dirtied = 1e6}};

	share((struct intp_shared){.elapsed_ns = 1e9}, claims, 1);
	CHECK(!claims[0].given_block);
	claims[0].dirtied = 0;
	share((struct intp_shared){.block_ns = 7, .block_operations = 1, .elapsed_ns = 1e9}, claims, 1);

	CHECK_NEAR(claims[0].block_ns, 7, 1e-9);
}

static void deleted_data_is_forgotten(void)
{
	struct intp_claim claims[2] = {{.dirtied = 1e6}};

	share((struct intp_shared){.elapsed_ns = 1e9}, claims, 2);
	claims[0].dirtied = 0;
	share((struct intp_shared){.elapsed_ns = 3600e9}, claims, 2);

	CHECK(claims[0].unwritten < 1);
}

static void receiving_is_shared_by_bytes_moved(void)
{
	struct intp_claim claims[3] = {{.moved = 900}, {.moved = 100}, {.moved = 0}};

	share((struct intp_shared){.network_ns = 1000}, claims, 3);

	CHECK_NEAR(claims[0].network_ns, 900, 1e-9);
	CHECK_NEAR(claims[1].network_ns, 100, 1e-9);
	CHECK(!claims[2].given_network);
}

static void nobody_to_share_with_takes_nothing(void)
{
	struct intp_claim claims[1] = {{0}};

	share((struct intp_shared){.block_ns = 1, .block_operations = 1, .network_ns = 1}, claims, 1);

	CHECK(!claims[0].given_block && !claims[0].given_network);
}

/* Whatever the windows bring, the shares of one never exceed what there was to share. */
static void no_window_gives_more_than_it_has(void)
{
	uint64_t state = 42;
	struct intp_claim claims[8] = {{0}};

	for (int window = 0; window < 10000; window++) {
		struct intp_shared shared = {.elapsed_ns = 1e9};
		double before = 0, after = 0;

		for (int i = 0; i < 8; i++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			claims[i].dirtied = (double)(state >> 44);
			claims[i].written = (double)(state >> 20 & 0xfffff);
			before += claims[i].block_ns;
		}
		shared.block_ns = (double)(state >> 40);
		shared.block_operations = 1 + (double)(state >> 60);
		shared.written = (double)(state >> 44);
		share(shared, claims, 8);
		for (int i = 0; i < 8; i++) {
			CHECK(claims[i].unwritten >= 0);
			after += claims[i].block_ns;
		}
		CHECK(after >= before && after - before <= shared.block_ns * (1 + 1e-9) + 1e-9 * after);
	}
}

int main(void)
{
	CLAIM(writeback_is_shared_by_bytes_not_written_yet);
	CLAIM(who_was_written_already_gets_nothing_more);
	CLAIM(what_was_made_dirty_in_one_window_is_paid_in_a_later_one);
	CLAIM(deleted_data_is_forgotten);
	CLAIM(receiving_is_shared_by_bytes_moved);
	CLAIM(nobody_to_share_with_takes_nothing);
	CLAIM(no_window_gives_more_than_it_has);
	return 0;
}
