/* SPDX-License-Identifier: Apache-2.0 */
/* What may be exported, and what an export leaves of a map's freedom. */
#include "support/log_capture.h"
#include "support/dma_fixture.h"
#include "support/fail_calloc.h"
#include "support/needs.h"

#include <sys/wait.h>
#include <unistd.h>

#define PCI_READ DOCA_ACCESS_FLAG_PCI_READ_ONLY

static const void *const untouched = "as it was";

/* A fixture whose source may be read by importers. */
static struct dma_fixture *open_readable(void)
{
	const struct dma_options options = {.source_access = PCI_READ,
					    .target_access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
					    .has_access = true};

	return dma_open(&options);
}

/* Refused by both kinds or by PCI alone; what is given back is untouched. */
static void assert_refused(void **state, struct doca_mmap *mmap, const struct doca_dev *dev,
			   doca_error_t result, const char *words)
{
	const void *descriptor = untouched;
	size_t len = 5;

	log_forget(state);
	assert_doca(doca_mmap_export_pci(mmap, dev, &descriptor, &len), result);
	assert_logged(state, "ERR", words);
	assert_ptr_equal(descriptor, untouched);
	assert_int_equal(len, 5);
}

static void export_refuses_null(void **state)
{
	struct dma_fixture *fixture = open_readable();
	struct doca_mmap *mmap = fixture->source.mmap;
	const void *descriptor = NULL;
	uint8_t is_exported = 0;
	size_t len = 0;

	assert_doca(doca_mmap_export_pci(NULL, fixture->dev, &descriptor, &len),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_export_pci(mmap, NULL, &descriptor, &len), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_export_pci(mmap, fixture->dev, NULL, &len), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_export_pci(mmap, fixture->dev, &descriptor, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_export_rdma(NULL, fixture->dev, &descriptor, &len),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_exported(NULL, &is_exported), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_exported(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	dma_close(fixture);
}

static void export_gives_the_same_descriptor_again(void **state)
{
	struct dma_fixture *fixture = open_readable();
	struct doca_mmap *mmap = fixture->source.mmap;
	const void *first = NULL;
	const void *second = NULL;
	uint8_t is_exported = 7;
	size_t first_len = 0;
	size_t second_len = 0;

	assert_doca(doca_mmap_get_exported(mmap, &is_exported), DOCA_SUCCESS);
	assert_int_equal(is_exported, 0);
	assert_doca(doca_mmap_export_pci(mmap, fixture->dev, &first, &first_len), DOCA_SUCCESS);
	assert_doca(doca_mmap_export_pci(mmap, fixture->dev, &second, &second_len), DOCA_SUCCESS);
	assert_ptr_equal(first, second);
	assert_int_equal(first_len, second_len);
	assert_true(first_len > 0 && first_len <= 512);
	assert_doca(doca_mmap_get_exported(mmap, &is_exported), DOCA_SUCCESS);
	assert_int_equal(is_exported, 1);
	dma_close(fixture);
}

static void a_forked_child_exports_anew(void **state)
{
	skip_unless(child_can_start_threads(), NO_THREADS_AFTER_FORK);

	struct dma_fixture *fixture = open_readable();
	const void *descriptor = NULL;
	uint8_t first[512];
	size_t len = 0;
	int status = 0;
	pid_t child;

	assert_doca(doca_mmap_export_pci(fixture->source.mmap, fixture->dev, &descriptor, &len),
		    DOCA_SUCCESS);
	assert_true(len <= sizeof(first));
	memcpy(first, descriptor, len);
	child = fork();
	if (child == 0) {
		alarm(TEST_DEADLINE_S);
		if (doca_mmap_export_pci(fixture->source.mmap, fixture->dev, &descriptor, &len) !=
			    DOCA_SUCCESS ||
		    memcmp(first, descriptor, len) == 0 ||
		    doca_mmap_destroy(fixture->source.mmap) != DOCA_SUCCESS)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	dma_close(fixture);
}

static void an_exported_map_does_not_stop(void **state)
{
	struct dma_fixture *fixture = open_readable();
	const void *descriptor = NULL;
	size_t len = 0;

	assert_doca(doca_mmap_export_pci(fixture->source.mmap, fixture->dev, &descriptor, &len),
		    DOCA_SUCCESS);
	log_forget(state);
	assert_doca(doca_mmap_stop(fixture->source.mmap), DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "it is exported; doca_mmap_destroy ends the export");
	dma_close(fixture);
}

static void export_refuses_a_map_without_a_right_for_importers(void **state)
{
	const struct dma_options options = {0};
	struct dma_fixture *fixture = dma_open(&options);

	assert_refused(state, fixture->source.mmap, fixture->dev, DOCA_ERROR_NOT_PERMITTED,
		       "its permissions let no importer in");
	dma_close(fixture);
}

static void an_rdma_export_wants_an_rdma_right(void **state)
{
	struct dma_fixture *fixture = open_readable();
	const void *descriptor = untouched;
	size_t len = 5;

	log_forget(state);
	assert_doca(doca_mmap_export_rdma(fixture->source.mmap, fixture->dev, &descriptor, &len),
		    DOCA_ERROR_NOT_PERMITTED);
	assert_logged(state, "ERR", "DOCA_ACCESS_FLAG_RDMA_READ or RDMA_WRITE");
	assert_ptr_equal(descriptor, untouched);
	dma_close(fixture);
}

static void export_refuses_a_device_that_was_not_added_and_a_map_not_started(void **state)
{
	struct dma_fixture *fixture = open_readable();
	struct doca_mmap *mmap = NULL;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, fixture->target.bytes, 64), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(mmap, PCI_READ), DOCA_SUCCESS);
	assert_refused(state, mmap, fixture->dev, DOCA_ERROR_NOT_PERMITTED,
		       "it is not started; call doca_mmap_start first");
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_refused(state, mmap, fixture->dev, DOCA_ERROR_NOT_FOUND, "the device was not added");
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	dma_close(fixture);
}

static void export_without_memory_leaves_the_map_as_it_was(void **state)
{
	struct dma_fixture *fixture = open_readable();
	const void *descriptor = NULL;
	uint8_t is_exported = 1;
	size_t len = 0;

	next_calloc_fails = true;
	assert_refused(state, fixture->source.mmap, fixture->dev, DOCA_ERROR_NO_MEMORY,
		       "out of memory");
	assert_doca(doca_mmap_get_exported(fixture->source.mmap, &is_exported), DOCA_SUCCESS);
	assert_int_equal(is_exported, 0);
	assert_doca(doca_mmap_export_pci(fixture->source.mmap, fixture->dev, &descriptor, &len),
		    DOCA_SUCCESS);
	dma_close(fixture);
}

static void both_functions_export_and_only_the_dpu_imports(void **state)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 0;
	uint8_t can = 7;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	assert_int_equal(num_devs, 2);
	for (uint32_t i = 0; i < num_devs; i++) {
		assert_doca(doca_mmap_cap_is_export_pci_supported(list[i], &can), DOCA_SUCCESS);
		assert_int_equal(can, 1);
		assert_doca(doca_mmap_cap_is_create_from_export_pci_supported(list[i], &can),
			    DOCA_SUCCESS);
		assert_int_equal(can, i == 0);
	}
	assert_doca(doca_mmap_cap_is_export_pci_supported(NULL, &can), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_cap_is_export_pci_supported(list[0], NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_cap_is_create_from_export_pci_supported(NULL, &can),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_cap_is_create_from_export_pci_supported(list[0], NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(export_refuses_null),
		cmocka_unit_test(export_gives_the_same_descriptor_again),
		cmocka_unit_test(a_forked_child_exports_anew),
		cmocka_unit_test(an_exported_map_does_not_stop),
		cmocka_unit_test(export_refuses_a_map_without_a_right_for_importers),
		cmocka_unit_test(an_rdma_export_wants_an_rdma_right),
		cmocka_unit_test(export_refuses_a_device_that_was_not_added_and_a_map_not_started),
		cmocka_unit_test(export_without_memory_leaves_the_map_as_it_was),
		cmocka_unit_test(both_functions_export_and_only_the_dpu_imports),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
