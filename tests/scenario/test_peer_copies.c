/* SPDX-License-Identifier: Apache-2.0 */
/* Copies from and to another process's memory, by the way that SOFTDOCA_REACH forces. */
#include "support/peer_fixture.h"

#define LEN ((size_t)1 << 20)
#define NUM_PIECES 64

static bool holds_pattern(const uint8_t *bytes, size_t offset, size_t len_bytes)
{
	for (size_t i = 0; i < len_bytes; i++)
		if (bytes[i] != exporter_byte(offset + i))
			return false;
	return true;
}

static void the_importer_reads_what_the_exporter_has(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);

	assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, LEN),
			      dma_target(peer.dma, 0, LEN)),
		    DOCA_SUCCESS);
	assert_true(holds_pattern(peer.dma->target.bytes, 0, LEN));
	peer_close_all(&peer);
}

static void the_importer_writes_what_the_exporter_then_has(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);

	assert_doca(peer_copy(peer.dma, dma_source(peer.dma, 0, LEN),
			      peer_target(peer.dma, peer.mmap, 0, LEN)),
		    DOCA_SUCCESS);
	assert_int_equal(exporter_do(&peer.exporter, EXPORTER_SUM),
			 exporter_sum(peer.dma->source.bytes, LEN));
	peer_close_all(&peer);
}

static void a_part_at_an_odd_place_moves_and_nothing_beside_it(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);

	assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 12345, 3001),
			      dma_target(peer.dma, 77, 3001)),
		    DOCA_SUCCESS);
	assert_true(holds_pattern(peer.dma->target.bytes + 77, 12345, 3001));
	assert_true(dma_is_untouched(peer.dma, 0, 77));
	assert_true(dma_is_untouched(peer.dma, 77 + 3001, 1000));
	peer_close_all(&peer);
}

static void both_sides_may_be_of_other_processes(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);
	struct peer_fixture other;
	struct doca_mmap *second = NULL;

	/* What this process keeps for its first foreign copy is there before the other counts. */
	assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, 1),
			      dma_target(peer.dma, 0, 1)),
		    DOCA_SUCCESS);
	other = peer_open_usual(LEN);
	/* The other's memory is made different first, then filled from the first's. */
	assert_doca(peer_copy(other.dma, dma_source(other.dma, 0, LEN),
			      peer_target(other.dma, other.mmap, 0, LEN)),
		    DOCA_SUCCESS);
	assert_doca(peer_import(peer.dma, &other.exporter, &second), DOCA_SUCCESS);
	assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, LEN - 1),
			      peer_target(peer.dma, second, 1, LEN - 1)),
		    DOCA_SUCCESS);
	assert_doca(peer_copy(peer.dma, peer_source(peer.dma, second, 0, LEN),
			      dma_target(peer.dma, 0, LEN)),
		    DOCA_SUCCESS);
	assert_int_equal(peer.dma->target.bytes[0], other.dma->source.bytes[0]);
	assert_true(holds_pattern(peer.dma->target.bytes + 1, 0, LEN - 1));
	assert_doca(doca_mmap_destroy(second), DOCA_SUCCESS);
	peer_close_all(&other);
	peer_close_all(&peer);
}

static void one_piece_over_another_behaves_like_memmove(void **state)
{
	static const size_t shifts[] = {1, 4096, 300000};
	struct peer_fixture peer = peer_open_usual(LEN);

	for (size_t i = 0; i < sizeof(shifts) / sizeof(shifts[0]); i++) {
		const size_t len = LEN - shifts[i];

		/* Up, and back down. */
		assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, len),
				      peer_target(peer.dma, peer.mmap, shifts[i], len)),
			    DOCA_SUCCESS);
		assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, shifts[i], len),
				      peer_target(peer.dma, peer.mmap, 0, len)),
			    DOCA_SUCCESS);
		assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, len),
				      dma_target(peer.dma, 0, len)),
			    DOCA_SUCCESS);
		assert_true(holds_pattern(peer.dma->target.bytes, 0, len));
	}
	peer_close_all(&peer);
}

/* A list of pieces, every second of it foreign when is_mixed; element i covers len at i * stride.
 */
static struct doca_buf *make_list(struct peer_fixture *peer, bool is_foreign, bool is_mixed,
				  bool is_source, size_t stride, size_t len)
{
	struct doca_buf *head = NULL;

	for (size_t i = 0; i < NUM_PIECES; i++) {
		bool foreign = is_mixed ? i % 2 == 0 : is_foreign;
		size_t at = i * stride;
		struct doca_buf *piece =
			is_source ? (foreign ? peer_source(peer->dma, peer->mmap, at, len)
					     : dma_source(peer->dma, at, len))
				  : (foreign ? peer_target(peer->dma, peer->mmap, at, len)
					     : dma_target(peer->dma, at, len));

		if (head == NULL)
			head = piece;
		else
			assert_doca(doca_buf_chain_list(head, piece), DOCA_SUCCESS);
	}
	return head;
}

static void sixty_four_pieces_are_gathered_and_scattered(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);

	assert_doca(peer_copy(peer.dma, make_list(&peer, true, false, true, 5000, 1111),
			      dma_target(peer.dma, 0, NUM_PIECES * 1111)),
		    DOCA_SUCCESS);
	for (size_t i = 0; i < NUM_PIECES; i++)
		assert_true(holds_pattern(peer.dma->target.bytes + i * 1111, i * 5000, 1111));
	assert_doca(peer_copy(peer.dma, dma_source(peer.dma, 0, NUM_PIECES * 777),
			      make_list(&peer, true, false, false, 6000, 777)),
		    DOCA_SUCCESS);
	for (size_t i = 0; i < NUM_PIECES; i++) {
		assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, i * 6000, 777),
				      dma_target(peer.dma, i * 777, 777)),
			    DOCA_SUCCESS);
		assert_true(dma_was_copied(peer.dma, i * 777, 777));
	}
	peer_close_all(&peer);
}

static void lists_may_mix_own_and_foreign_pieces(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);
	const uint8_t *to = peer.dma->target.bytes;

	assert_doca(peer_copy(peer.dma, make_list(&peer, false, true, true, 4096, 1000),
			      dma_target(peer.dma, 500000, NUM_PIECES * 1000)),
		    DOCA_SUCCESS);
	for (size_t i = 0; i < NUM_PIECES; i++) {
		const uint8_t *piece = to + 500000 + i * 1000;

		if (i % 2 == 0)
			assert_true(holds_pattern(piece, i * 4096, 1000));
		else
			assert_memory_equal(piece, peer.dma->source.bytes + i * 4096, 1000);
	}
	peer_close_all(&peer);
}

static void local_and_foreign_tasks_come_back_in_order(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);
	size_t num_tasks = 0;

	for (size_t i = 0; i < 60; i++) {
		struct doca_buf *source = i % 3 == 0
						  ? peer_source(peer.dma, peer.mmap, i * 4096, 4096)
						  : dma_source(peer.dma, i * 4096, 4096);
		struct doca_task *task =
			dma_task(peer.dma, source, dma_target(peer.dma, i * 4096, 4096), i);

		assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	}
	dma_wait_tasks(peer.dma, 60);
	for (size_t i = 0; i < peer.dma->num_events; i++)
		if (peer.dma->events[i].kind == DMA_EVENT_SUCCESS)
			assert_int_equal(peer.dma->events[i].tag, num_tasks++);
	assert_int_equal(num_tasks, 60);
	for (size_t i = 0; i < 60; i++) {
		if (i % 3 == 0)
			assert_true(
				holds_pattern(peer.dma->target.bytes + i * 4096, i * 4096, 4096));
		else
			assert_true(dma_was_copied(peer.dma, i * 4096, 4096));
	}
	peer_close_all(&peer);
}

static void an_armed_handle_wakes_for_a_foreign_copy(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);
	doca_notification_handle_t handle = doca_event_invalid_handle;
	struct doca_task *task = dma_task(peer.dma, peer_source(peer.dma, peer.mmap, 0, LEN),
					  dma_target(peer.dma, 0, LEN), 0);

	assert_doca(doca_pe_get_notification_handle(peer.dma->pe, &handle), DOCA_SUCCESS);
	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	while (peer.dma->num_success == 0) {
		assert_doca(doca_pe_request_notification(peer.dma->pe), DOCA_SUCCESS);
		assert_true(test_fd_is_readable(handle, TEST_DEADLINE_S * 1000));
		assert_doca(doca_pe_clear_notification(peer.dma->pe, handle), DOCA_SUCCESS);
		while (doca_pe_progress(peer.dma->pe) != 0)
			;
	}
	assert_true(holds_pattern(peer.dma->target.bytes, 0, LEN));
	peer_close_all(&peer);
}

static void a_read_only_export_is_not_written(void **state)
{
	const struct dma_options dma_options = {.area_bytes = LEN};
	struct exporter_options options = {
		.memory = EXPORTER_MALLOC,
		.len_bytes = LEN,
		.access = DOCA_ACCESS_FLAG_PCI_READ_ONLY,
	};
	struct peer_fixture peer;
	struct doca_task *task;
	uint64_t before;

	if (strcmp(peer_reach_name(), "mapped") == 0)
		options.memory = EXPORTER_MEMFD_FROZEN;
	peer = peer_open_with(&options, &dma_options);
	before = exporter_do(&peer.exporter, EXPORTER_SUM);
	task = dma_task(peer.dma, dma_source(peer.dma, 0, 100),
			peer_target(peer.dma, peer.mmap, 0, 100), 0);
	peer_log_start();
	assert_doca(doca_task_submit(task), DOCA_ERROR_NOT_PERMITTED);
	assert_non_null(strstr(peer_log_take(), "lacks PCI_READ_WRITE"));
	assert_doca(doca_task_try_submit(task), DOCA_ERROR_NOT_PERMITTED);
	dma_task_release(task);
	assert_int_equal(exporter_do(&peer.exporter, EXPORTER_SUM), before);
	assert_doca(peer_copy(peer.dma, peer_source(peer.dma, peer.mmap, 0, LEN),
			      dma_target(peer.dma, 0, LEN)),
		    DOCA_SUCCESS);
	assert_true(holds_pattern(peer.dma->target.bytes, 0, LEN));
	peer_close_all(&peer);
}

static void a_buffer_beyond_the_range_is_refused(void **state)
{
	struct peer_fixture peer = peer_open_usual(4096);
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_addr(peer.dma->inventory, peer.mmap,
						       peer.exporter.addr + 4095, 2, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_inventory_buf_get_by_addr(peer.dma->inventory, peer.mmap,
						       peer.exporter.addr - 1, 1, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	peer_close_all(&peer);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_importer_reads_what_the_exporter_has),
		cmocka_unit_test(the_importer_writes_what_the_exporter_then_has),
		cmocka_unit_test(a_part_at_an_odd_place_moves_and_nothing_beside_it),
		cmocka_unit_test(both_sides_may_be_of_other_processes),
		cmocka_unit_test(one_piece_over_another_behaves_like_memmove),
		cmocka_unit_test(sixty_four_pieces_are_gathered_and_scattered),
		cmocka_unit_test(lists_may_mix_own_and_foreign_pieces),
		cmocka_unit_test(local_and_foreign_tasks_come_back_in_order),
		cmocka_unit_test(an_armed_handle_wakes_for_a_foreign_copy),
		cmocka_unit_test(a_read_only_export_is_not_written),
		cmocka_unit_test(a_buffer_beyond_the_range_is_refused),
	};

	exporter_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
