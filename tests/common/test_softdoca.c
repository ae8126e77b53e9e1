/* SPDX-License-Identifier: Apache-2.0 */
/* What softdoca tells of itself. */
#include "support/test.h"
#include "support/dma_fixture.h"

#include <softdoca.h>

#include "copy/kernel.h"

#define refused(call) assert_doca(call, DOCA_ERROR_INVALID_VALUE)

static uint8_t memory[4096];

static struct doca_dev *open_host(void)
{
	struct doca_devinfo **list = NULL;
	struct doca_dev *dev = NULL;
	uint32_t num_devs = 0;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	assert_doca(doca_dev_open(list[num_devs - 1], &dev), DOCA_SUCCESS);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	return dev;
}

static void null_is_refused_and_nothing_written(void **state)
{
	struct doca_dev *dev = dma_open_device();
	const struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
	struct doca_mmap *mmap = NULL;
	const char *one = NULL;
	const char *other = NULL;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	refused(softdoca_devinfo_get_engine(NULL, &one, &other));
	refused(softdoca_devinfo_get_engine(devinfo, NULL, &other));
	refused(softdoca_devinfo_get_engine(devinfo, &one, NULL));
	refused(softdoca_mmap_get_way(NULL, &one));
	refused(softdoca_mmap_get_way(mmap, NULL));
	assert_null(one);
	assert_null(other);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void an_engine_and_a_kernel_have_their_names(void **state)
{
	struct doca_dev *dev = dma_open_device();
	const char *engine = NULL;
	const char *kernel = NULL;

	assert_doca(softdoca_devinfo_get_engine(doca_dev_as_devinfo(dev), &engine, &kernel),
		    DOCA_SUCCESS);
	assert_string_equal(engine, "inline");
	assert_string_equal(kernel, kernel_at(0)->name);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void a_map_knows_the_way_to_its_memory(void **state)
{
	struct doca_dev *dpu = dma_open_device();
	struct doca_dev *host = open_host();
	struct doca_mmap *mmap = NULL;
	struct doca_mmap *import = NULL;
	const char *way = NULL;
	const void *bytes;
	size_t len;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(mmap, host), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, memory, sizeof(memory)), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_ONLY), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(softdoca_mmap_get_way(mmap, &way), DOCA_SUCCESS);
	assert_string_equal(way, "local");

	assert_doca(doca_mmap_export_pci(mmap, host, &bytes, &len), DOCA_SUCCESS);
	assert_doca(doca_mmap_create_from_export(NULL, bytes, len, dpu, &import), DOCA_SUCCESS);
	assert_doca(softdoca_mmap_get_way(import, &way), DOCA_SUCCESS);
	assert_string_equal(way, "mapped");
	assert_doca(doca_mmap_destroy(import), DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	assert_doca(doca_dev_close(host), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dpu), DOCA_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(null_is_refused_and_nothing_written),
		cmocka_unit_test(an_engine_and_a_kernel_have_their_names),
		cmocka_unit_test(a_map_knows_the_way_to_its_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
