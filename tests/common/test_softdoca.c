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

static struct doca_devinfo_rep **list_reps(struct doca_dev *dev)
{
	struct doca_devinfo_rep **reps = NULL;
	uint32_t num_reps = 0;

	assert_doca(
		doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num_reps),
		DOCA_SUCCESS);
	assert_int_equal(num_reps, 1);
	return reps;
}

static void null_is_refused_by_what_tells_of_a_card(void **state)
{
	struct doca_dev *dev = dma_open_device();
	const struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
	struct doca_devinfo_rep **reps = list_reps(dev);
	const char *text = NULL;
	uint8_t is_active = 77;
	uint32_t mtu = 77;

	refused(softdoca_devinfo_get_model(NULL, &text));
	refused(softdoca_devinfo_get_model(devinfo, NULL));
	refused(softdoca_devinfo_get_side(NULL, &text));
	refused(softdoca_devinfo_get_side(devinfo, NULL));
	refused(softdoca_devinfo_get_port(NULL, &is_active, &mtu));
	refused(softdoca_devinfo_get_port(devinfo, NULL, &mtu));
	refused(softdoca_devinfo_get_port(devinfo, &is_active, NULL));
	refused(softdoca_devinfo_rep_get_port(NULL, &is_active, &mtu));
	refused(softdoca_devinfo_rep_get_port(reps[0], NULL, &mtu));
	refused(softdoca_devinfo_rep_get_port(reps[0], &is_active, NULL));
	assert_null(text);
	assert_int_equal(is_active, 77);
	assert_int_equal(mtu, 77);
	assert_doca(doca_devinfo_rep_destroy_list(reps), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dev), DOCA_SUCCESS);
}

static void a_device_knows_its_model_and_its_side(void **state)
{
	struct doca_dev *dpu = dma_open_device();
	struct doca_dev *host = open_host();
	const char *text = NULL;

	assert_doca(softdoca_devinfo_get_model(doca_dev_as_devinfo(host), &text), DOCA_SUCCESS);
	assert_string_equal(text, "bluefield3");
	assert_doca(softdoca_devinfo_get_side(doca_dev_as_devinfo(dpu), &text), DOCA_SUCCESS);
	assert_string_equal(text, "dpu");
	assert_doca(softdoca_devinfo_get_side(doca_dev_as_devinfo(host), &text), DOCA_SUCCESS);
	assert_string_equal(text, "host");
	assert_doca(doca_dev_close(host), DOCA_SUCCESS);
	assert_doca(doca_dev_close(dpu), DOCA_SUCCESS);
}

static void a_port_is_active_and_has_an_mtu(void **state)
{
	struct doca_dev *dev = dma_open_device();
	struct doca_devinfo_rep **reps = list_reps(dev);
	uint8_t is_active = 77;
	uint32_t mtu = 77;

	assert_doca(softdoca_devinfo_get_port(doca_dev_as_devinfo(dev), &is_active, &mtu),
		    DOCA_SUCCESS);
	assert_int_equal(is_active, 1);
	assert_int_equal(mtu, 1500);
	is_active = 77;
	mtu = 77;
	assert_doca(softdoca_devinfo_rep_get_port(reps[0], &is_active, &mtu), DOCA_SUCCESS);
	assert_int_equal(is_active, 1);
	assert_int_equal(mtu, 1500);
	assert_doca(doca_devinfo_rep_destroy_list(reps), DOCA_SUCCESS);
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
		cmocka_unit_test(null_is_refused_by_what_tells_of_a_card),
		cmocka_unit_test(a_device_knows_its_model_and_its_side),
		cmocka_unit_test(a_port_is_active_and_has_an_mtu),
		cmocka_unit_test(an_engine_and_a_kernel_have_their_names),
		cmocka_unit_test(a_map_knows_the_way_to_its_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
