/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory can be exported, by which way it is then reached, and what the import is as a map.
 */
#include "support/log_capture.h"
#include "support/peer_fixture.h"

#define LEN ((size_t)1 << 20)
#define PCI_READ DOCA_ACCESS_FLAG_PCI_READ_ONLY
#define PCI_WRITE DOCA_ACCESS_FLAG_PCI_READ_WRITE

static void assert_reads(struct peer_fixture *peer, size_t offset, size_t len_bytes)
{
	assert_doca(peer_copy(peer->dma, peer_source(peer->dma, peer->mmap, offset, len_bytes),
			      dma_target(peer->dma, 0, len_bytes)),
		    DOCA_SUCCESS);
	for (size_t i = 0; i < len_bytes; i++)
		assert_int_equal(peer->dma->target.bytes[i], exporter_byte(offset + i));
}

static struct peer_fixture open_memory(enum exporter_memory memory, uint32_t access)
{
	const struct dma_options dma_options = {.area_bytes = LEN};
	const struct exporter_options options = {
		.memory = memory, .len_bytes = LEN, .access = access};

	return peer_open_with(&options, &dma_options);
}

/* Exported, imported, read; the import's debug line has that text. */
static void assert_imported(void **state, enum exporter_memory memory, uint32_t access,
			    const char *way)
{
	struct doca_devinfo **list;
	struct peer_fixture peer;
	uint32_t num_devs;

	/* The first look at the devices has lines of its own. */
	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	log_forget(state);
	peer = open_memory(memory, access);
	assert_logged(state, "DBG", way);
	assert_reads(&peer, 0, LEN);
	assert_reads(&peer, 4097, LEN - 4097);
	if (access == PCI_WRITE) {
		assert_doca(peer_copy(peer.dma, dma_source(peer.dma, 0, LEN),
				      peer_target(peer.dma, peer.mmap, 0, LEN)),
			    DOCA_SUCCESS);
		assert_int_equal(exporter_do(&peer.exporter, EXPORTER_SUM),
				 exporter_sum(peer.dma->source.bytes, LEN));
	}
	peer_close_all(&peer);
}

static void private_memory_of_every_kind_is_reached_by_cma(void **state)
{
	static const enum exporter_memory kinds[] = {EXPORTER_MALLOC, EXPORTER_STATIC,
						     EXPORTER_STACK, EXPORTER_HUGE_PAGES,
						     EXPORTER_FILE_PRIVATE};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		assert_imported(state, kinds[i], PCI_READ, ": cma");
		assert_imported(state, kinds[i], PCI_WRITE, ": cma");
	}
	assert_imported(state, EXPORTER_READ_ONLY, PCI_READ, ": cma");
}

static void a_sealed_memory_file_is_mapped(void **state)
{
	assert_imported(state, EXPORTER_MEMFD, PCI_WRITE, ": mapped");
	assert_imported(state, EXPORTER_MEMFD_FROZEN, PCI_READ, ": mapped");
}

static void a_memory_file_whose_seals_do_not_keep_the_promise_is_not_mapped(void **state)
{
	assert_imported(state, EXPORTER_MEMFD, PCI_READ, ": cma");
	assert_imported(state, EXPORTER_MEMFD_FROZEN, PCI_WRITE, ": cma");
	assert_imported(state, EXPORTER_MEMFD_UNSEALED, PCI_WRITE, ": cma");
	assert_imported(state, EXPORTER_FILE_SHARED, PCI_READ, ": cma");
}

static void read_only_pages_are_not_exported_for_writing(void **state)
{
	const struct exporter_options options = {
		.memory = EXPORTER_READ_ONLY, .len_bytes = LEN, .access = PCI_WRITE};
	struct exporter exporter;

	exporter_start(&exporter, &options);
	assert_doca(exporter.result, DOCA_ERROR_NOT_PERMITTED);
	exporter_end(&exporter);
}

static void a_hundred_megabytes_are_reached_at_both_ends(void **state)
{
	const struct dma_options dma_options = {.area_bytes = LEN};
	const struct exporter_options options = {
		.memory = EXPORTER_MALLOC, .len_bytes = 100000000, .access = PCI_READ};
	struct peer_fixture peer = peer_open_with(&options, &dma_options);

	assert_reads(&peer, 0, LEN);
	assert_reads(&peer, 100000000 - LEN, LEN);
	peer_close_all(&peer);
}

static void eight_gibibytes_stay_sparse(void **state)
{
	const struct dma_options dma_options = {.area_bytes = LEN};
	const struct exporter_options options = {
		.memory = EXPORTER_SPARSE, .len_bytes = (size_t)8 << 30, .access = PCI_WRITE};
	struct peer_fixture peer = peer_open_with(&options, &dma_options);

	assert_reads(&peer, 0, 4096);
	assert_reads(&peer, ((size_t)8 << 30) - 4096, 4096);
	assert_true(exporter_do(&peer.exporter, EXPORTER_RSS) < (uint64_t)500 << 20);
	peer_close_all(&peer);
}

static void an_rdma_export_is_imported_with_its_rights(void **state)
{
	const struct dma_options dma_options = {.area_bytes = LEN};
	struct exporter_options options = {.memory = EXPORTER_MALLOC,
					   .len_bytes = LEN,
					   .access = DOCA_ACCESS_FLAG_RDMA_READ,
					   .is_rdma = 1};
	struct peer_fixture peer = peer_open_with(&options, &dma_options);
	struct doca_task *task;

	assert_reads(&peer, 0, LEN);
	task = dma_task(peer.dma, dma_source(peer.dma, 0, 100),
			peer_target(peer.dma, peer.mmap, 0, 100), 0);
	assert_doca(doca_task_submit(task), DOCA_ERROR_NOT_PERMITTED);
	dma_task_release(task);
	peer_close_all(&peer);

	options.access = DOCA_ACCESS_FLAG_RDMA_WRITE;
	peer = peer_open_with(&options, &dma_options);
	task = dma_task(peer.dma, peer_source(peer.dma, peer.mmap, 0, 100),
			dma_target(peer.dma, 0, 100), 0);
	assert_doca(doca_task_submit(task), DOCA_ERROR_NOT_PERMITTED);
	dma_task_release(task);
	assert_doca(peer_copy(peer.dma, dma_source(peer.dma, 0, LEN),
			      peer_target(peer.dma, peer.mmap, 0, LEN)),
		    DOCA_SUCCESS);
	peer_close_all(&peer);
}

static void an_import_is_a_started_map_that_is_only_destroyed(void **state)
{
	struct peer_fixture peer = open_memory(EXPORTER_MALLOC, PCI_WRITE);
	struct doca_mmap *mmap = peer.mmap;
	union doca_data data = {.u64 = 0};
	const void *descriptor = NULL;
	uint8_t is_imported = 0;
	uint8_t is_exported = 1;
	void *addr = NULL;
	size_t len = 0;

	assert_doca(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_SUCCESS);
	assert_ptr_equal(addr, peer.exporter.addr);
	assert_int_equal(len, LEN);
	assert_doca(doca_mmap_get_from_export(mmap, &is_imported), DOCA_SUCCESS);
	assert_int_equal(is_imported, 1);
	assert_doca(doca_mmap_get_exported(mmap, &is_exported), DOCA_SUCCESS);
	assert_int_equal(is_exported, 0);
	assert_doca(doca_mmap_start(mmap), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_set_memrange(mmap, &peer, 1), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_set_permissions(mmap, 0), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_add_dev(mmap, peer.dma->dev), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_rm_dev(mmap, peer.dma->dev), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_set_max_num_devices(mmap, 4), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_enable_thread_safety(mmap), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_export_pci(mmap, peer.dma->dev, &descriptor, &len),
		    DOCA_ERROR_NOT_PERMITTED);
	data.u64 = 5;
	assert_doca(doca_mmap_set_user_data(mmap, data), DOCA_SUCCESS);
	peer_close_all(&peer);
}

static void user_data_and_a_longer_buffer_come_with_an_import(void **state)
{
	struct peer_fixture peer = open_memory(EXPORTER_MALLOC, PCI_READ);
	union doca_data data = {.u64 = 77};
	struct doca_mmap *again = NULL;

	/* A descriptor is read from a file into a buffer of 512 bytes, its length not known. */
	assert_true(peer.exporter.descriptor_bytes <= 512);
	assert_doca(doca_mmap_create_from_export(&data, peer.exporter.descriptor, 512,
						 peer.dma->dev, &again),
		    DOCA_SUCCESS);
	data.u64 = 0;
	assert_doca(doca_mmap_get_user_data(again, &data), DOCA_SUCCESS);
	assert_int_equal(data.u64, 77);
	assert_doca(doca_mmap_destroy(again), DOCA_SUCCESS);
	peer_close_all(&peer);
}

static void a_process_that_imports_its_own_export_gets_its_own_memory(void **state)
{
	struct dma_options options = {.source_access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
						       DOCA_ACCESS_FLAG_PCI_READ_WRITE,
				      .target_access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
				      .has_access = true};
	struct dma_fixture *dma = dma_open(&options);
	struct doca_mmap *mmap = NULL;
	const void *descriptor = NULL;
	uint8_t is_exported = 0;
	size_t len = 0;
	void *addr = NULL;

	assert_doca(doca_mmap_export_pci(dma->source.mmap, dma->dev, &descriptor, &len),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_get_exported(dma->source.mmap, &is_exported), DOCA_SUCCESS);
	assert_int_equal(is_exported, 1);
	assert_doca(doca_mmap_stop(dma->source.mmap), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_mmap_create_from_export(NULL, descriptor, len, dma->dev, &mmap),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_SUCCESS);
	assert_ptr_equal(addr, dma->source.bytes);
	assert_doca(peer_copy(dma, peer_source(dma, mmap, 0, 1000), dma_target(dma, 0, 1000)),
		    DOCA_SUCCESS);
	assert_true(dma_was_copied(dma, 0, 1000));
	/* Into it, over itself. */
	assert_doca(
		peer_copy(dma, peer_source(dma, mmap, 0, 1000), peer_target(dma, mmap, 100, 1000)),
		DOCA_SUCCESS);
	assert_memory_equal(dma->source.bytes + 100, dma->target.bytes, 1000);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	dma_close(dma);
}

/* The first enumeration says what copies: before any line is counted. */
static int set_up(void **state)
{
	struct doca_devinfo **list;
	uint32_t num_devs;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	return log_capture_debug(state);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(private_memory_of_every_kind_is_reached_by_cma),
		cmocka_unit_test(a_sealed_memory_file_is_mapped),
		cmocka_unit_test(a_memory_file_whose_seals_do_not_keep_the_promise_is_not_mapped),
		cmocka_unit_test(read_only_pages_are_not_exported_for_writing),
		cmocka_unit_test(a_hundred_megabytes_are_reached_at_both_ends),
		cmocka_unit_test(eight_gibibytes_stay_sparse),
		cmocka_unit_test(an_rdma_export_is_imported_with_its_rights),
		cmocka_unit_test(an_import_is_a_started_map_that_is_only_destroyed),
		cmocka_unit_test(user_data_and_a_longer_buffer_come_with_an_import),
		cmocka_unit_test(a_process_that_imports_its_own_export_gets_its_own_memory),
	};

	exporter_main(argc, argv);
	return cmocka_run_group_tests(tests, set_up, NULL);
}
