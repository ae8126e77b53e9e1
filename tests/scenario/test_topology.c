/* SPDX-License-Identifier: Apache-2.0 */
/* The functions and representors of a topology file, asked everything that the API asks. */
#include "support/test.h"

#include <stdio.h>

#include <doca_comch.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <softdoca.h>

#define NONE UINT32_MAX /* the getter has no answer */

/* What the file has, in the order of the list. */
static const struct wanted {
	const char *pci_addr;
	const char *ibdev_name;
	const char *iface_name;
	const char *side;
	enum doca_pci_func_type type;
	uint8_t last_of_ipv4; /* 0: it has none */
	uint32_t sf_index;
	uint32_t mtu;
	uint8_t is_active;
	uint32_t num_reps; /* NONE: it cannot have any */
} wanted[] = {
	{"0000:03:00.0", "mlx5_0", "p0", "dpu", DOCA_PCI_FUNC_TYPE_PF, 1, NONE, 1500, 1, 7},
	{"0000:03:00.2", "mlx5_4", "p0v0", "dpu", DOCA_PCI_FUNC_TYPE_VF, 0, NONE, 1500, 1, NONE},
	{"0000:03:00.0", "mlx5_5", "enp3s0f0s88", "dpu", DOCA_PCI_FUNC_TYPE_SF, 0, 88, 1500, 1,
	 NONE},
	{"0000:b1:00.0", "mlx5_2", "ens1f0np0", "host", DOCA_PCI_FUNC_TYPE_PF, 2, NONE, 1500, 1,
	 NONE},
	{"0000:b1:00.3", "mlx5_6", "ens1f0v0", "host", DOCA_PCI_FUNC_TYPE_VF, 3, NONE, 1500, 1,
	 NONE},
	{"0000:b1:00.4", "mlx5_7", "ens1f0v1", "host", DOCA_PCI_FUNC_TYPE_VF, 0, NONE, 1500, 0,
	 NONE},
	{"0000:b1:00.0", "mlx5_8", "ens1f0s4", "host", DOCA_PCI_FUNC_TYPE_SF, 0, 4, 9000, 1, NONE},
	{"0000:c1:00.0", "mlx5_9", "ens2f0np0", "host", DOCA_PCI_FUNC_TYPE_PF, 0, NONE, 1500, 1,
	 NONE},
};

#define NUM_FUNCTIONS (sizeof(wanted) / sizeof(wanted[0]))
#define NUM_REPS 7

static const struct wanted_rep {
	const char *iface_name;
	size_t function; /* in the table above */
	uint32_t host_index;
	uint32_t vf_index;
	uint32_t sf_index;
	uint32_t total_vfs;
} wanted_reps[NUM_REPS] = {
	{"dpf0vf0", 1, 0, 0, NONE, NONE},  {"en3f0pf0sf88", 2, 0, NONE, 88, NONE},
	{"pf0hpf", 3, 0, NONE, NONE, 16},  {"pf0vf0", 4, 0, 0, NONE, NONE},
	{"pf0vf1", 5, 0, 1, NONE, NONE},   {"pf0sf4", 6, 0, NONE, 4, NONE},
	{"c2pf0hpf", 7, 1, NONE, NONE, 0},
};

struct listed {
	struct doca_devinfo **devs;
	struct doca_dev *dpu;
	struct doca_devinfo_rep **reps;
};

static int setup(void **state)
{
	struct listed *listed = calloc(1, sizeof(*listed));
	uint32_t num_devs = 0;
	uint32_t num_reps = 0;

	if (listed == NULL)
		return -1;
	*state = listed;
	return doca_devinfo_create_list(&listed->devs, &num_devs) == DOCA_SUCCESS &&
			       num_devs == NUM_FUNCTIONS &&
			       doca_dev_open(listed->devs[0], &listed->dpu) == DOCA_SUCCESS &&
			       doca_devinfo_rep_create_list(
				       listed->dpu, DOCA_DEVINFO_REP_FILTER_ALL, &listed->reps,
				       &num_reps) == DOCA_SUCCESS &&
			       num_reps == NUM_REPS
		       ? 0
		       : -1;
}

static int teardown(void **state)
{
	struct listed *listed = *state;
	bool is_gone = doca_devinfo_rep_destroy_list(listed->reps) == DOCA_SUCCESS &&
		       doca_devinfo_destroy_list(listed->devs) == DOCA_SUCCESS &&
		       doca_dev_close(listed->dpu) == DOCA_SUCCESS;

	free(listed);
	return is_gone ? 0 : -1;
}

static void each_function_tells_its_names(void **state)
{
	struct listed *listed = *state;
	char text[DOCA_DEVINFO_IFACE_NAME_SIZE];
	const char *word;

	for (size_t i = 0; i < NUM_FUNCTIONS; i++) {
		const struct doca_devinfo *info = listed->devs[i];

		assert_doca(doca_devinfo_get_pci_addr_str(info, text), DOCA_SUCCESS);
		assert_string_equal(text, wanted[i].pci_addr);
		assert_doca(doca_devinfo_get_ibdev_name(info, text, sizeof(text)), DOCA_SUCCESS);
		assert_string_equal(text, wanted[i].ibdev_name);
		assert_doca(doca_devinfo_get_iface_name(info, text, sizeof(text)), DOCA_SUCCESS);
		assert_string_equal(text, wanted[i].iface_name);
		assert_doca(softdoca_devinfo_get_side(info, &word), DOCA_SUCCESS);
		assert_string_equal(word, wanted[i].side);
		assert_doca(softdoca_devinfo_get_model(info, &word), DOCA_SUCCESS);
		assert_string_equal(word, "bluefield3");
	}
	assert_null(listed->devs[NUM_FUNCTIONS]);
}

static void each_function_tells_its_numbers(void **state)
{
	struct listed *listed = *state;
	enum doca_pci_func_type type;
	uint32_t number = 77;
	uint16_t short_number = 77;
	uint8_t is_active = 77;

	for (size_t i = 0; i < NUM_FUNCTIONS; i++) {
		const struct doca_devinfo *info = listed->devs[i];
		bool is_sf = wanted[i].sf_index != NONE;

		assert_doca(doca_devinfo_get_pci_func_type(info, &type), DOCA_SUCCESS);
		assert_int_equal(type, wanted[i].type);
		assert_doca(doca_devinfo_get_vhca_id(info, &short_number), DOCA_SUCCESS);
		assert_int_equal(short_number, i);
		assert_doca(doca_devinfo_get_iface_index(info, &number), DOCA_SUCCESS);
		assert_int_equal(number, 2 + i);
		assert_doca(doca_devinfo_get_uplink_ib_port(info, &short_number), DOCA_SUCCESS);
		assert_int_equal(short_number, 1);
		assert_doca(doca_devinfo_get_lid(info, &short_number), DOCA_ERROR_NOT_SUPPORTED);
		assert_doca(doca_devinfo_get_sf_index(info, &number),
			    is_sf ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
		if (is_sf)
			assert_int_equal(number, wanted[i].sf_index);
		assert_doca(softdoca_devinfo_get_port(info, &is_active, &number), DOCA_SUCCESS);
		assert_int_equal(is_active, wanted[i].is_active);
		assert_int_equal(number, wanted[i].mtu);
	}
}

static void each_function_tells_its_addresses_or_that_it_has_none(void **state)
{
	struct listed *listed = *state;
	char text[DOCA_DEVINFO_PCI_ADDR_SIZE] = "";
	uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE];
	uint8_t ipv6[DOCA_DEVINFO_IPV6_ADDR_SIZE];

	for (size_t i = 0; i < NUM_FUNCTIONS; i++) {
		struct doca_devinfo *info = listed->devs[i];
		uint8_t ipv4[DOCA_DEVINFO_IPV4_ADDR_SIZE] = {0};

		assert_doca(doca_devinfo_get_ipv4_addr(info, ipv4, sizeof(ipv4)),
			    wanted[i].last_of_ipv4 != 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND);
		assert_int_equal(ipv4[3], wanted[i].last_of_ipv4);
		assert_doca(doca_devinfo_get_mac_addr(info, mac, sizeof(mac)), DOCA_SUCCESS);
		assert_int_equal(mac[5], 1 + i);
		assert_doca(doca_devinfo_get_ipv6_addr(info, ipv6, sizeof(ipv6)), DOCA_SUCCESS);
		assert_int_equal(ipv6[0], 0xfe);
		assert_int_equal(ipv6[15], 1 + i);
		assert_doca(doca_devinfo_get_data_direct_pci_dev(info, text),
			    i == 7 ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
	}
	assert_string_equal(text, "0000:c2:00.0");
}

static void capabilities_are_those_of_side_and_type(void **state)
{
	struct listed *listed = *state;
	uint8_t can;

	for (size_t i = 0; i < NUM_FUNCTIONS; i++) {
		const struct doca_devinfo *info = listed->devs[i];
		bool is_dpu = strcmp(wanted[i].side, "dpu") == 0;

		assert_doca(doca_dma_cap_task_memcpy_is_supported(info), DOCA_SUCCESS);
		assert_doca(doca_mmap_cap_is_export_pci_supported(info, &can), DOCA_SUCCESS);
		assert_int_equal(can, 1);
		assert_doca(doca_mmap_cap_is_create_from_export_pci_supported(info, &can),
			    DOCA_SUCCESS);
		assert_int_equal(can, is_dpu);
		assert_doca(doca_devinfo_rep_cap_is_filter_all_supported(info, &can), DOCA_SUCCESS);
		assert_int_equal(can, wanted[i].num_reps != NONE);
		assert_doca(doca_comch_cap_server_is_supported(info),
			    wanted[i].num_reps != NONE ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
		assert_doca(doca_comch_cap_client_is_supported(info), DOCA_SUCCESS);
	}
}

/* A number that only some have: its error where they have not, its value where they have. */
static void assert_number(doca_error_t result, doca_error_t refusal, const uint32_t *number,
			  uint32_t expected)
{
	assert_doca(result, expected == NONE ? refusal : DOCA_SUCCESS);
	if (expected != NONE)
		assert_int_equal(*number, expected);
}

static void each_representor_tells_whose_it_is(void **state)
{
	struct listed *listed = *state;
	char text[DOCA_DEVINFO_IFACE_NAME_SIZE];
	char vuid[DOCA_DEVINFO_REP_VUID_SIZE];
	enum doca_pci_func_type type;
	uint16_t vhca_id = 77;
	uint32_t number = 77;
	uint8_t flag = 77;

	for (size_t i = 0; i < NUM_REPS; i++) {
		const struct wanted *function = &wanted[wanted_reps[i].function];
		struct doca_devinfo_rep *info = listed->reps[i];

		assert_doca(doca_devinfo_rep_get_iface_name(info, text, sizeof(text)),
			    DOCA_SUCCESS);
		assert_string_equal(text, wanted_reps[i].iface_name);
		assert_doca(doca_devinfo_rep_get_pci_addr_str(info, text), DOCA_SUCCESS);
		assert_string_equal(text, function->pci_addr);
		assert_doca(doca_devinfo_rep_get_pci_func_type(info, &type), DOCA_SUCCESS);
		assert_int_equal(type, function->type);
		assert_doca(doca_devinfo_rep_get_vhca_id(info, &vhca_id), DOCA_SUCCESS);
		assert_int_equal(vhca_id, wanted_reps[i].function);
		assert_doca(doca_devinfo_rep_get_host_index(info, &number), DOCA_SUCCESS);
		assert_int_equal(number, wanted_reps[i].host_index);
		assert_doca(doca_devinfo_rep_get_pf_index(info, &number), DOCA_SUCCESS);
		assert_int_equal(number, 0);
		assert_number(doca_devinfo_rep_get_vf_index(info, &number),
			      DOCA_ERROR_INVALID_VALUE, &number, wanted_reps[i].vf_index);
		assert_number(doca_devinfo_rep_get_sf_index(info, &number),
			      DOCA_ERROR_INVALID_VALUE, &number, wanted_reps[i].sf_index);
		assert_number(doca_devinfo_rep_get_total_vfs(info, &number),
			      DOCA_ERROR_NOT_PERMITTED, &number, wanted_reps[i].total_vfs);
		assert_doca(doca_devinfo_rep_get_is_hotplug(info, &flag), DOCA_SUCCESS);
		assert_int_equal(flag, i == 6);
		assert_doca(softdoca_devinfo_rep_get_port(info, &flag, &number), DOCA_SUCCESS);
		assert_int_equal(flag, function->is_active);
		assert_int_equal(number, function->mtu);
		assert_doca(doca_devinfo_rep_get_data_direct_pci_dev(info, text),
			    i == 6 ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
	}
	assert_doca(doca_devinfo_rep_get_vuid(listed->reps[3], vuid, sizeof(vuid)), DOCA_SUCCESS);
	assert_string_equal(vuid, "MT0000SOFTDOCAS1D0F0VF0");
	assert_doca(doca_devinfo_rep_get_pf_vuid(listed->reps[3], vuid, sizeof(vuid)),
		    DOCA_SUCCESS);
	assert_string_equal(vuid, "MT0000SOFTDOCAS1D0F0");
}

static void each_representor_has_a_port_and_an_interface_of_its_own(void **state)
{
	struct listed *listed = *state;
	uint32_t index = 77;
	uint16_t port = 77;

	for (size_t i = 0; i < NUM_REPS; i++) {
		assert_doca(doca_devinfo_rep_get_ib_port(listed->reps[i], &port), DOCA_SUCCESS);
		assert_int_equal(port, 2 + i);
		assert_doca(doca_devinfo_rep_get_iface_index(listed->reps[i], &index),
			    DOCA_SUCCESS);
		assert_int_equal(index, 2 + NUM_FUNCTIONS + i);
	}
	assert_null(listed->reps[NUM_REPS]);
}

static void several_representors_are_open_each_for_itself(void **state)
{
	struct listed *listed = *state;
	struct doca_dev_rep *first = NULL;
	struct doca_dev_rep *second = NULL;
	struct doca_dev_rep *again = NULL;
	char text[DOCA_DEVINFO_IFACE_NAME_SIZE];

	assert_doca(doca_dev_rep_open(listed->reps[2], &first), DOCA_SUCCESS);
	assert_doca(doca_dev_rep_open(listed->reps[3], &second), DOCA_SUCCESS);
	assert_ptr_not_equal(first, second);
	assert_doca(doca_dev_rep_open(listed->reps[2], &again), DOCA_SUCCESS);
	assert_ptr_equal(again, first);
	assert_doca(doca_dev_close(listed->dpu), DOCA_ERROR_IN_USE);
	assert_doca(doca_dev_rep_close(again), DOCA_SUCCESS);
	assert_doca(doca_dev_rep_close(first), DOCA_SUCCESS);
	assert_doca(doca_devinfo_rep_get_iface_name(doca_dev_rep_as_devinfo(second), text,
						    sizeof(text)),
		    DOCA_SUCCESS);
	assert_string_equal(text, "pf0vf0");
	assert_doca(doca_dev_close(listed->dpu), DOCA_ERROR_IN_USE);
	assert_doca(doca_dev_rep_close(second), DOCA_SUCCESS);
}

static void every_function_opens_as_one_object(void **state)
{
	struct listed *listed = *state;
	struct doca_dev *devs[NUM_FUNCTIONS];
	struct doca_dev *again;

	for (size_t i = 0; i < NUM_FUNCTIONS; i++)
		assert_doca(doca_dev_open(listed->devs[i], &devs[i]), DOCA_SUCCESS);
	for (size_t i = 0; i < NUM_FUNCTIONS; i++) {
		assert_doca(doca_dev_open(listed->devs[i], &again), DOCA_SUCCESS);
		assert_ptr_equal(again, devs[i]);
		assert_doca(doca_dev_close(again), DOCA_SUCCESS);
		for (size_t j = 0; j < i; j++)
			assert_ptr_not_equal(devs[i], devs[j]);
	}
	for (size_t i = 0; i < NUM_FUNCTIONS; i++)
		assert_doca(doca_dev_close(devs[i]), DOCA_SUCCESS);
}

#define TOPOLOGY_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TOPOLOGY_TEST(each_function_tells_its_names),
		TOPOLOGY_TEST(each_function_tells_its_numbers),
		TOPOLOGY_TEST(each_function_tells_its_addresses_or_that_it_has_none),
		TOPOLOGY_TEST(capabilities_are_those_of_side_and_type),
		TOPOLOGY_TEST(each_representor_tells_whose_it_is),
		TOPOLOGY_TEST(each_representor_has_a_port_and_an_interface_of_its_own),
		TOPOLOGY_TEST(several_representors_are_open_each_for_itself),
		TOPOLOGY_TEST(every_function_opens_as_one_object),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
