/* SPDX-License-Identifier: Apache-2.0 */
/* Representors: the list, each question that one answers, and open ones. */
#include "support/test.h"

#include <pthread.h>

#include "common/dev.h"
#include "support/fail_calloc.h"

#define NUM_THREADS 8
#define NUM_ROUNDS 2000

/* Both functions open, and the representors of the DPU's. */
struct fixture {
	struct doca_dev *dpu;
	struct doca_dev *host;
	struct doca_devinfo_rep **reps;
};

static int setup_reps(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct doca_devinfo **list;
	uint32_t num_devs;
	uint32_t num_reps;

	*state = fixture;
	if (fixture == NULL || doca_devinfo_create_list(&list, &num_devs) != DOCA_SUCCESS)
		return -1;
	if (num_devs != 2 || doca_dev_open(list[0], &fixture->dpu) != DOCA_SUCCESS ||
	    doca_dev_open(list[1], &fixture->host) != DOCA_SUCCESS ||
	    doca_devinfo_destroy_list(list) != DOCA_SUCCESS)
		return -1;
	if (doca_devinfo_rep_create_list(fixture->dpu, DOCA_DEVINFO_REP_FILTER_ALL, &fixture->reps,
					 &num_reps) != DOCA_SUCCESS)
		return -1;
	return num_reps == 1 ? 0 : -1;
}

/* That the devices close proves that no test left a representor open. */
static int teardown_reps(void **state)
{
	struct fixture *fixture = *state;
	bool is_clean = doca_devinfo_rep_destroy_list(fixture->reps) == DOCA_SUCCESS &&
			doca_dev_close(fixture->host) == DOCA_SUCCESS &&
			doca_dev_close(fixture->dpu) == DOCA_SUCCESS;

	free(fixture);
	return is_clean ? 0 : -1;
}

static void assert_lists(struct doca_dev *dev, int filter, uint32_t expected)
{
	struct doca_devinfo_rep **reps = NULL;
	uint32_t num_reps = 77;

	assert_doca(doca_devinfo_rep_create_list(dev, filter, &reps, &num_reps), DOCA_SUCCESS);
	assert_int_equal(num_reps, expected);
	assert_non_null(reps);
	assert_null(reps[num_reps]);
	assert_doca(doca_devinfo_rep_destroy_list(reps), DOCA_SUCCESS);
}

static void create_list_gives_the_one_network_representor(void **state)
{
	struct fixture *fixture = *state;

	assert_lists(fixture->dpu, DOCA_DEVINFO_REP_FILTER_ALL, 1);
	assert_lists(fixture->dpu, DOCA_DEVINFO_REP_FILTER_NET, 1);
	assert_lists(fixture->dpu, DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED,
		     1);
}

static void create_list_finds_no_emulated_function(void **state)
{
	struct fixture *fixture = *state;

	assert_lists(fixture->dpu, DOCA_DEVINFO_REP_FILTER_EMULATED, 0);
}

static void create_list_refuses_unknown_filter_bits(void **state)
{
	static const int unknown[] = {1, 3, 8, 8 | DOCA_DEVINFO_REP_FILTER_NET, -1};
	struct fixture *fixture = *state;
	struct doca_devinfo_rep **reps = NULL;
	uint32_t num_reps = 77;

	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_doca(
			doca_devinfo_rep_create_list(fixture->dpu, unknown[i], &reps, &num_reps),
			DOCA_ERROR_INVALID_VALUE);
	assert_null(reps);
	assert_int_equal(num_reps, 77);
}

static void create_list_refuses_null(void **state)
{
	struct fixture *fixture = *state;
	struct doca_devinfo_rep **reps = NULL;
	uint32_t num_reps = 77;

	assert_doca(doca_devinfo_rep_create_list(NULL, 0, &reps, &num_reps),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_rep_create_list(fixture->dpu, 0, NULL, &num_reps),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_rep_create_list(fixture->dpu, 0, &reps, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_null(reps);
	assert_int_equal(num_reps, 77);
}

static void create_list_is_not_supported_on_the_host_function(void **state)
{
	struct fixture *fixture = *state;
	struct doca_devinfo_rep **reps = NULL;
	uint32_t num_reps = 77;

	assert_doca(doca_devinfo_rep_create_list(fixture->host, DOCA_DEVINFO_REP_FILTER_ALL, &reps,
						 &num_reps),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_null(reps);
	assert_int_equal(num_reps, 77);
}

static void create_list_without_memory_leaves_its_answers_alone(void **state)
{
	struct fixture *fixture = *state;
	struct doca_devinfo_rep **reps = NULL;
	uint32_t num_reps = 77;

	next_calloc_fails = true;
	assert_doca(doca_devinfo_rep_create_list(fixture->dpu, 0, &reps, &num_reps),
		    DOCA_ERROR_NO_MEMORY);
	assert_null(reps);
	assert_int_equal(num_reps, 77);
}

static void destroy_list_refuses_null(void **state)
{
	assert_doca(doca_devinfo_rep_destroy_list(NULL), DOCA_ERROR_INVALID_VALUE);
}

static struct doca_dev_rep *open_rep(struct doca_devinfo_rep *info)
{
	struct doca_dev_rep *rep = NULL;

	assert_doca(doca_dev_rep_open(info, &rep), DOCA_SUCCESS);
	assert_non_null(rep);
	return rep;
}

static void open_of_an_open_representor_gives_the_same_and_counts(void **state)
{
	struct fixture *fixture = *state;
	struct doca_dev_rep *first = open_rep(fixture->reps[0]);
	struct doca_dev_rep *second = open_rep(doca_dev_rep_as_devinfo(first));

	assert_ptr_equal(first, second);
	assert_doca(doca_dev_rep_close(first), DOCA_SUCCESS);
	/* Still open, or this would be another object. */
	assert_ptr_equal(open_rep(fixture->reps[0]), second);
	assert_doca(doca_dev_rep_close(second), DOCA_SUCCESS);
	assert_doca(doca_dev_rep_close(second), DOCA_SUCCESS);
}

static void open_refuses_null(void **state)
{
	struct fixture *fixture = *state;
	struct doca_dev_rep *rep = NULL;

	assert_doca(doca_dev_rep_open(NULL, &rep), DOCA_ERROR_INVALID_VALUE);
	assert_null(rep);
	assert_doca(doca_dev_rep_open(fixture->reps[0], NULL), DOCA_ERROR_INVALID_VALUE);
}

static void open_without_memory_holds_nothing(void **state)
{
	struct fixture *fixture = *state;
	struct doca_dev_rep *rep = NULL;

	next_calloc_fails = true;
	assert_doca(doca_dev_rep_open(fixture->reps[0], &rep), DOCA_ERROR_NO_MEMORY);
	assert_null(rep);
	assert_int_equal(fixture->dpu->num_users, 0);
}

static void close_refuses_null(void **state)
{
	assert_doca(doca_dev_rep_close(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void an_open_representor_keeps_its_device_open(void **state)
{
	struct fixture *fixture = *state;
	struct doca_dev_rep *rep = open_rep(fixture->reps[0]);

	assert_doca(doca_dev_close(fixture->dpu), DOCA_ERROR_IN_USE);
	assert_ptr_equal(open_rep(fixture->reps[0]), rep);
	assert_doca(doca_dev_rep_close(rep), DOCA_SUCCESS);
	assert_doca(doca_dev_close(fixture->dpu), DOCA_ERROR_IN_USE);
	assert_doca(doca_dev_rep_close(rep), DOCA_SUCCESS);
	assert_int_equal(fixture->dpu->num_users, 0);
}

static void the_info_of_an_open_representor_outlives_its_list(void **state)
{
	struct fixture *fixture = *state;
	char addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
	struct doca_devinfo_rep **reps;
	struct doca_dev_rep *rep;
	uint32_t num_reps;

	assert_doca(doca_devinfo_rep_create_list(fixture->dpu, 0, &reps, &num_reps), DOCA_SUCCESS);
	rep = open_rep(reps[0]);
	assert_doca(doca_devinfo_rep_destroy_list(reps), DOCA_SUCCESS);
	assert_doca(doca_devinfo_rep_get_pci_addr_str(doca_dev_rep_as_devinfo(rep), addr),
		    DOCA_SUCCESS);
	assert_string_equal(addr, "0000:b1:00.0");
	assert_doca(doca_dev_rep_close(rep), DOCA_SUCCESS);
}

static void the_info_of_no_representor_is_null(void **state)
{
	assert_null(doca_dev_rep_as_devinfo(NULL));
}

typedef doca_error_t (*text_getter)(const struct doca_devinfo_rep *rep, char *text, uint32_t size);

static void assert_gives_text(text_getter getter, const struct doca_devinfo_rep *rep,
			      const char *expected, uint32_t size)
{
	char text[DOCA_DEVINFO_IFACE_NAME_SIZE] = "untouched";

	assert_doca(getter(rep, text, size - 1), DOCA_ERROR_INVALID_VALUE);
	assert_doca(getter(NULL, text, size), DOCA_ERROR_INVALID_VALUE);
	assert_doca(getter(rep, NULL, size), DOCA_ERROR_INVALID_VALUE);
	assert_string_equal(text, "untouched");
	assert_doca(getter(rep, text, size), DOCA_SUCCESS);
	assert_string_equal(text, expected);
}

static void vuid_is_that_of_the_host_function(void **state)
{
	struct fixture *fixture = *state;

	assert_gives_text(doca_devinfo_rep_get_vuid, fixture->reps[0], "MT0000SOFTDOCAS1D0F0",
			  DOCA_DEVINFO_REP_VUID_SIZE);
}

static void pf_vuid_is_the_vuid_of_the_physical_function(void **state)
{
	struct fixture *fixture = *state;
	struct doca_devinfo_rep *rep = fixture->reps[0];
	char vuid[DOCA_DEVINFO_REP_VUID_SIZE] = "untouched";

	assert_doca(doca_devinfo_rep_get_pf_vuid(rep, vuid, sizeof(vuid) - 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_rep_get_pf_vuid(NULL, vuid, sizeof(vuid)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_rep_get_pf_vuid(rep, NULL, sizeof(vuid)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_string_equal(vuid, "untouched");
	assert_doca(doca_devinfo_rep_get_pf_vuid(rep, vuid, sizeof(vuid)), DOCA_SUCCESS);
	assert_string_equal(vuid, "MT0000SOFTDOCAS1D0F0");
}

static void iface_name_is_that_of_the_representor_itself(void **state)
{
	struct fixture *fixture = *state;

	assert_gives_text(doca_devinfo_rep_get_iface_name, fixture->reps[0], "pf0hpf",
			  DOCA_DEVINFO_IFACE_NAME_SIZE);
}

static void pci_addr_is_that_of_the_host_function(void **state)
{
	struct fixture *fixture = *state;
	char addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE] = "untouched";

	assert_doca(doca_devinfo_rep_get_pci_addr_str(NULL, addr), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_rep_get_pci_addr_str(fixture->reps[0], NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_string_equal(addr, "untouched");
	assert_doca(doca_devinfo_rep_get_pci_addr_str(fixture->reps[0], addr), DOCA_SUCCESS);
	assert_string_equal(addr, "0000:b1:00.0");
}

static void is_equal_pci_addr_compares_with_the_host_function(void **state)
{
	struct fixture *fixture = *state;
	struct doca_devinfo_rep *rep = fixture->reps[0];
	uint8_t is_equal = 77;

	assert_doca(doca_devinfo_rep_is_equal_pci_addr(rep, "0000:b1:00.0", &is_equal),
		    DOCA_SUCCESS);
	assert_int_equal(is_equal, 1);
	assert_doca(doca_devinfo_rep_is_equal_pci_addr(rep, "0000:03:00.0", &is_equal),
		    DOCA_SUCCESS);
	assert_int_equal(is_equal, 0);
	assert_doca(doca_devinfo_rep_is_equal_pci_addr(rep, "b1:00.0", &is_equal), DOCA_SUCCESS);
	assert_int_equal(is_equal, 1);
}

static void is_equal_pci_addr_refuses_null_and_what_is_no_address(void **state)
{
	struct fixture *fixture = *state;
	struct doca_devinfo_rep *rep = fixture->reps[0];
	uint8_t is_equal = 77;

	assert_doca(doca_devinfo_rep_is_equal_pci_addr(rep, "0000:B1:00.0", &is_equal),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_rep_is_equal_pci_addr(rep, "pf0hpf", &is_equal),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_rep_is_equal_pci_addr(NULL, "b1:00.0", &is_equal),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_rep_is_equal_pci_addr(rep, NULL, &is_equal),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_rep_is_equal_pci_addr(rep, "b1:00.0", NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(is_equal, 77);
}

static void the_represented_function_is_a_physical_one(void **state)
{
	struct fixture *fixture = *state;
	enum doca_pci_func_type type = DOCA_PCI_FUNC_TYPE_SF;

	assert_doca(doca_devinfo_rep_get_pci_func_type(NULL, &type), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_rep_get_pci_func_type(fixture->reps[0], NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(type, DOCA_PCI_FUNC_TYPE_SF);
	assert_doca(doca_devinfo_rep_get_pci_func_type(fixture->reps[0], &type), DOCA_SUCCESS);
	assert_int_equal(type, DOCA_PCI_FUNC_TYPE_PF);
}

static void the_represented_function_was_not_plugged_in(void **state)
{
	struct fixture *fixture = *state;
	uint8_t is_hotplug = 77;

	assert_doca(doca_devinfo_rep_get_is_hotplug(NULL, &is_hotplug), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_rep_get_is_hotplug(fixture->reps[0], NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(is_hotplug, 77);
	assert_doca(doca_devinfo_rep_get_is_hotplug(fixture->reps[0], &is_hotplug), DOCA_SUCCESS);
	assert_int_equal(is_hotplug, 0);
}

typedef doca_error_t (*u16_getter)(const struct doca_devinfo_rep *rep, uint16_t *value);
typedef doca_error_t (*u32_getter)(const struct doca_devinfo_rep *rep, uint32_t *value);

static void assert_gives_u16(u16_getter getter, const struct doca_devinfo_rep *rep,
			     uint16_t expected)
{
	uint16_t value = 77;

	assert_doca(getter(NULL, &value), DOCA_ERROR_INVALID_VALUE);
	assert_doca(getter(rep, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(value, 77);
	assert_doca(getter(rep, &value), DOCA_SUCCESS);
	assert_int_equal(value, expected);
}

static void assert_gives_u32(u32_getter getter, const struct doca_devinfo_rep *rep,
			     uint32_t expected)
{
	uint32_t value = 77;

	assert_doca(getter(NULL, &value), DOCA_ERROR_INVALID_VALUE);
	assert_doca(getter(rep, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(value, 77);
	assert_doca(getter(rep, &value), DOCA_SUCCESS);
	assert_int_equal(value, expected);
}

static void vhca_id_is_what_the_host_function_says(void **state)
{
	struct fixture *fixture = *state;
	uint16_t vhca_id;

	assert_doca(doca_devinfo_get_vhca_id(doca_dev_as_devinfo(fixture->host), &vhca_id),
		    DOCA_SUCCESS);
	assert_gives_u16(doca_devinfo_rep_get_vhca_id, fixture->reps[0], vhca_id);
}

static void ib_port_comes_after_that_of_the_uplink(void **state)
{
	struct fixture *fixture = *state;

	assert_gives_u16(doca_devinfo_rep_get_ib_port, fixture->reps[0], 2);
}

static void numbers_say_where_the_function_is(void **state)
{
	struct fixture *fixture = *state;

	assert_gives_u32(doca_devinfo_rep_get_iface_index, fixture->reps[0], 4);
	assert_gives_u32(doca_devinfo_rep_get_host_index, fixture->reps[0], 0);
	assert_gives_u32(doca_devinfo_rep_get_pf_index, fixture->reps[0], 0);
	assert_gives_u32(doca_devinfo_rep_get_total_vfs, fixture->reps[0], 0);
}

static void assert_has_none(u32_getter getter, const struct doca_devinfo_rep *rep)
{
	uint32_t value = 77;

	assert_doca(getter(rep, &value), DOCA_ERROR_INVALID_VALUE);
	assert_doca(getter(NULL, &value), DOCA_ERROR_INVALID_VALUE);
	assert_doca(getter(rep, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(value, 77);
}

static void a_physical_function_has_no_vf_and_no_sf_index(void **state)
{
	struct fixture *fixture = *state;

	assert_has_none(doca_devinfo_rep_get_vf_index, fixture->reps[0]);
	assert_has_none(doca_devinfo_rep_get_sf_index, fixture->reps[0]);
}

static void no_represented_function_has_a_data_direct_one(void **state)
{
	struct fixture *fixture = *state;
	char addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE] = "untouched";

	assert_doca(doca_devinfo_rep_get_data_direct_pci_dev(fixture->reps[0], addr),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_devinfo_rep_get_data_direct_pci_dev(NULL, addr), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_rep_get_data_direct_pci_dev(fixture->reps[0], NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_string_equal(addr, "untouched");
}

/* NULL when a round went wrong. */
static void *open_and_close(void *arg)
{
	struct doca_devinfo_rep *info = arg;

	for (int i = 0; i < NUM_ROUNDS; i++) {
		struct doca_dev_rep *rep;

		if (doca_dev_rep_open(info, &rep) != DOCA_SUCCESS ||
		    doca_dev_rep_close(rep) != DOCA_SUCCESS)
			return NULL;
	}
	return info;
}

static void threads_open_and_close_one_representor_without_a_lost_count(void **state)
{
	struct fixture *fixture = *state;
	pthread_t threads[NUM_THREADS];
	void *result;

	for (size_t i = 0; i < NUM_THREADS; i++)
		assert_int_equal(
			pthread_create(&threads[i], NULL, open_and_close, fixture->reps[0]), 0);
	for (size_t i = 0; i < NUM_THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &result), 0);
		assert_ptr_equal(result, fixture->reps[0]);
	}
	assert_null(fixture->dpu->reps);
	assert_int_equal(fixture->dpu->num_users, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_list_gives_the_one_network_representor),
		cmocka_unit_test(create_list_finds_no_emulated_function),
		cmocka_unit_test(create_list_refuses_unknown_filter_bits),
		cmocka_unit_test(create_list_refuses_null),
		cmocka_unit_test(create_list_is_not_supported_on_the_host_function),
		cmocka_unit_test(create_list_without_memory_leaves_its_answers_alone),
		cmocka_unit_test(destroy_list_refuses_null),
		cmocka_unit_test(open_of_an_open_representor_gives_the_same_and_counts),
		cmocka_unit_test(open_refuses_null),
		cmocka_unit_test(open_without_memory_holds_nothing),
		cmocka_unit_test(close_refuses_null),
		cmocka_unit_test(an_open_representor_keeps_its_device_open),
		cmocka_unit_test(the_info_of_an_open_representor_outlives_its_list),
		cmocka_unit_test(the_info_of_no_representor_is_null),
		cmocka_unit_test(vuid_is_that_of_the_host_function),
		cmocka_unit_test(pf_vuid_is_the_vuid_of_the_physical_function),
		cmocka_unit_test(iface_name_is_that_of_the_representor_itself),
		cmocka_unit_test(pci_addr_is_that_of_the_host_function),
		cmocka_unit_test(is_equal_pci_addr_compares_with_the_host_function),
		cmocka_unit_test(is_equal_pci_addr_refuses_null_and_what_is_no_address),
		cmocka_unit_test(the_represented_function_is_a_physical_one),
		cmocka_unit_test(the_represented_function_was_not_plugged_in),
		cmocka_unit_test(vhca_id_is_what_the_host_function_says),
		cmocka_unit_test(ib_port_comes_after_that_of_the_uplink),
		cmocka_unit_test(numbers_say_where_the_function_is),
		cmocka_unit_test(a_physical_function_has_no_vf_and_no_sf_index),
		cmocka_unit_test(no_represented_function_has_a_data_direct_one),
		cmocka_unit_test(threads_open_and_close_one_representor_without_a_lost_count),
	};

	return cmocka_run_group_tests(tests, setup_reps, teardown_reps);
}
