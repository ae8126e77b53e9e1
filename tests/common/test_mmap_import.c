/* SPDX-License-Identifier: Apache-2.0 */
/* What an import refuses before it looks for anybody; scenario/peer_memory has what it gives. */
#include "support/log_capture.h"
#include "support/dma_fixture.h"
#include "support/fail_calloc.h"

#include "wire/export.h"

/* A descriptor that is whole, and whose exporter was never there. */
static size_t make_descriptor(uint8_t bytes[EXPORT_MAX_BYTES])
{
	struct export_descriptor descriptor = {
		.flags = EXPORT_MAY_READ | EXPORT_PCI,
		.addr = 4096,
		.len_bytes = 4096,
		.num_endpoints = 1,
		.endpoints = {{.type = EXPORT_UNIX, .len_bytes = 10, .bytes = "\0nobody-45"}},
	};

	return export_encode(&descriptor, bytes);
}

static void assert_refused(void **state, const void *bytes, size_t len, struct doca_dev *dev,
			   doca_error_t result, const char *words)
{
	struct doca_mmap *mmap = NULL;

	log_forget(state);
	assert_doca(doca_mmap_create_from_export(NULL, bytes, len, dev, &mmap), result);
	assert_logged(state, "ERR", words);
	assert_null(mmap);
}

static void import_refuses_null(void **state)
{
	struct doca_dev *dev = dma_open_device();
	uint8_t bytes[EXPORT_MAX_BYTES];
	size_t len = make_descriptor(bytes);
	struct doca_mmap *mmap = NULL;
	uint8_t answer = 0;

	assert_refused(state, NULL, len, dev, DOCA_ERROR_INVALID_VALUE, "export_desc");
	assert_refused(state, bytes, len, NULL, DOCA_ERROR_INVALID_VALUE, "dev");
	assert_doca(doca_mmap_create_from_export(NULL, bytes, len, dev, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_get_from_export(NULL, &answer), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_mmap_get_from_export(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	answer = 7;
	assert_doca(doca_mmap_get_from_export(mmap, &answer), DOCA_SUCCESS);
	assert_int_equal(answer, 0);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void import_refuses_what_is_no_descriptor(void **state)
{
	struct doca_dev *dev = dma_open_device();
	uint8_t bytes[EXPORT_MAX_BYTES];
	size_t len = make_descriptor(bytes);

	assert_refused(state, bytes, 0, dev, DOCA_ERROR_INVALID_VALUE, "no export descriptor");
	assert_refused(state, bytes, len - 1, dev, DOCA_ERROR_INVALID_VALUE,
		       "no export descriptor");
	bytes[30] ^= 1;
	assert_refused(state, bytes, len, dev, DOCA_ERROR_INVALID_VALUE, "no export descriptor");
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void import_refuses_a_device_that_cannot(void **state)
{
	struct doca_devinfo **list = NULL;
	struct doca_dev *host = NULL;
	uint8_t bytes[EXPORT_MAX_BYTES];
	size_t len = make_descriptor(bytes);
	uint32_t num_devs = 0;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	assert_doca(doca_dev_open(list[num_devs - 1], &host), DOCA_SUCCESS);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	assert_refused(state, bytes, len, host, DOCA_ERROR_NOT_SUPPORTED,
		       "device 0000:b1:00.0 cannot import");
	assert_doca(doca_dev_close(host), DOCA_SUCCESS);
}

static void import_of_an_exporter_that_was_never_there_is_not_connected(void **state)
{
	struct doca_dev *dev = dma_open_device();
	uint8_t bytes[EXPORT_MAX_BYTES];
	size_t len = make_descriptor(bytes);

	assert_refused(state, bytes, len, dev, DOCA_ERROR_NOT_CONNECTED,
		       "refused with DOCA_ERROR_NOT_CONNECTED");
	/* Nothing holds the device. */
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void import_without_memory_leaves_nothing(void **state)
{
	struct doca_dev *dev = dma_open_device();
	uint8_t bytes[EXPORT_MAX_BYTES];
	size_t len = make_descriptor(bytes);

	next_calloc_fails = true;
	assert_refused(state, bytes, len, dev, DOCA_ERROR_NO_MEMORY, "no memory");
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(import_refuses_null),
		cmocka_unit_test(import_refuses_what_is_no_descriptor),
		cmocka_unit_test(import_refuses_a_device_that_cannot),
		cmocka_unit_test(import_of_an_exporter_that_was_never_there_is_not_connected),
		cmocka_unit_test(import_without_memory_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, log_capture_debug, NULL);
}
