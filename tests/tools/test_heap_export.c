/* SPDX-License-Identifier: Apache-2.0 */
/* Under softdoca run --shared-heap, with SOFTDOCA_REACH=mapped: what malloc gave is mapped. */
#include "support/peer_fixture.h"

#define LEN ((size_t)1 << 20)

static struct peer_fixture open_malloced(uint32_t access)
{
	const struct dma_options dma_options = {.area_bytes = LEN};
	const struct exporter_options options = {
		.memory = EXPORTER_MALLOC, .len_bytes = LEN, .access = access};

	return peer_open_with(&options, &dma_options);
}

static void assert_reads(struct peer_fixture *peer)
{
	assert_doca(peer_copy(peer->dma, peer_source(peer->dma, peer->mmap, 0, LEN),
			      dma_target(peer->dma, 0, LEN)),
		    DOCA_SUCCESS);
	for (size_t i = 0; i < LEN; i++)
		assert_int_equal(peer->dma->target.bytes[i], exporter_byte(i));
}

static void memory_of_malloc_is_mapped_to_be_read(void **state)
{
	struct peer_fixture peer = open_malloced(DOCA_ACCESS_FLAG_PCI_READ_ONLY);

	assert_reads(&peer);
	peer_close_all(&peer);
}

static void memory_of_malloc_is_mapped_to_be_written(void **state)
{
	struct peer_fixture peer = open_malloced(DOCA_ACCESS_FLAG_PCI_READ_WRITE);

	assert_reads(&peer);
	assert_doca(peer_copy(peer.dma, dma_source(peer.dma, 0, LEN),
			      peer_target(peer.dma, peer.mmap, 0, LEN)),
		    DOCA_SUCCESS);
	assert_int_equal(exporter_do(&peer.exporter, EXPORTER_SUM),
			 exporter_sum(peer.dma->source.bytes, LEN));
	peer_close_all(&peer);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_of_malloc_is_mapped_to_be_read),
		cmocka_unit_test(memory_of_malloc_is_mapped_to_be_written),
	};

	exporter_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
