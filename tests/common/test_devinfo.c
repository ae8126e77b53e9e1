/* SPDX-License-Identifier: Apache-2.0 */
/* The list of devices, and each question that a device answers. */
#include "support/test.h"

#include <sys/wait.h>
#include <unistd.h>

#include "common/dev.h"
#include "support/fail_calloc.h"
#include "support/run_again.h"

#define CHILD_DEADLINE_S 20
#define DPU 0
#define HOST 1

static int setup_list(void **state)
{
	struct doca_devinfo **list;
	uint32_t num_devs;

	if (doca_devinfo_create_list(&list, &num_devs) != DOCA_SUCCESS || num_devs != 2)
		return -1;
	*state = list;
	return 0;
}

static int teardown_list(void **state)
{
	return doca_devinfo_destroy_list(*state) == DOCA_SUCCESS ? 0 : -1;
}

static void create_list_gives_the_dpu_function_then_the_host_function(void **state)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 0;
	uint8_t is_equal = 0;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	assert_int_equal(num_devs, 2);
	assert_doca(doca_devinfo_is_equal_pci_addr(list[0], "0000:03:00.0", &is_equal),
		    DOCA_SUCCESS);
	assert_int_equal(is_equal, 1);
	assert_doca(doca_devinfo_is_equal_pci_addr(list[1], "0000:b1:00.0", &is_equal),
		    DOCA_SUCCESS);
	assert_int_equal(is_equal, 1);
	assert_null(list[2]);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
}

static void create_list_refuses_null(void **state)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 77;

	assert_doca(doca_devinfo_create_list(NULL, &num_devs), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(num_devs, 77);
	assert_doca(doca_devinfo_create_list(&list, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_null(list);
}

static void create_list_without_memory_leaves_its_answers_alone(void **state)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 77;

	next_calloc_fails = true;
	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_ERROR_NO_MEMORY);
	assert_null(list);
	assert_int_equal(num_devs, 77);
}

static void destroy_list_refuses_null(void **state)
{
	assert_doca(doca_devinfo_destroy_list(NULL), DOCA_ERROR_INVALID_VALUE);
}

/*
 * A process reads its settings once, and this one has: what depends on them runs in a new image of
 * this program, whose exit status says whether all was as expected.
 */
static void assert_in_child(const char *name, const char *value, const char *expected)
{
	int status;
	pid_t pid;

	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		setenv(name, value, 1);
		alarm(CHILD_DEADLINE_S);
		run_again((const char *const[]){expected, NULL});
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static bool list_is_empty_and_can_be_destroyed(void)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 77;

	return doca_devinfo_create_list(&list, &num_devs) == DOCA_SUCCESS && num_devs == 0 &&
	       list != NULL && list[0] == NULL && doca_devinfo_destroy_list(list) == DOCA_SUCCESS;
}

static bool list_has_the_host_function_alone(void)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 77;
	uint8_t is_host = 0;

	return doca_devinfo_create_list(&list, &num_devs) == DOCA_SUCCESS && num_devs == 1 &&
	       doca_devinfo_is_equal_pci_addr(list[0], "b1:00.0", &is_host) == DOCA_SUCCESS &&
	       is_host == 1 && list[1] == NULL && doca_devinfo_destroy_list(list) == DOCA_SUCCESS;
}

static bool list_is_refused_each_time(void)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 77;

	for (int i = 0; i < 2; i++) {
		if (doca_devinfo_create_list(&list, &num_devs) != DOCA_ERROR_INVALID_VALUE ||
		    list != NULL || num_devs != 77)
			return false;
	}
	return true;
}

static int child_main(const char *expected)
{
	bool is_right = false;

	if (strcmp(expected, "empty") == 0)
		is_right = list_is_empty_and_can_be_destroyed();
	else if (strcmp(expected, "host") == 0)
		is_right = list_has_the_host_function_alone();
	else if (strcmp(expected, "refused") == 0)
		is_right = list_is_refused_each_time();
	return is_right ? 0 : 1;
}

static void device_none_gives_an_empty_list_with_success(void **state)
{
	assert_in_child("SOFTDOCA_DEVICE", "none", "empty");
}

static void role_host_gives_the_host_function_alone(void **state)
{
	assert_in_child("SOFTDOCA_ROLE", "host", "host");
}

static void a_wrong_setting_fails_each_enumeration(void **state)
{
	assert_in_child("SOFTDOCA_ROLE", "arm", "refused");
	assert_in_child("SOFTDOCA_ROEL", "host", "refused");
	assert_in_child("SOFTDOCA_ENGINE", "workers:0", "refused");
}

static void pci_addr_is_that_of_the_function(void **state)
{
	struct doca_devinfo **list = *state;
	char addr[DOCA_DEVINFO_PCI_ADDR_SIZE];

	assert_doca(doca_devinfo_get_pci_addr_str(list[DPU], addr), DOCA_SUCCESS);
	assert_string_equal(addr, "0000:03:00.0");
	assert_doca(doca_devinfo_get_pci_addr_str(list[HOST], addr), DOCA_SUCCESS);
	assert_string_equal(addr, "0000:b1:00.0");
	assert_doca(doca_devinfo_get_pci_addr_str(NULL, addr), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_pci_addr_str(list[DPU], NULL), DOCA_ERROR_INVALID_VALUE);
}

static uint8_t is_equal_to(const struct doca_devinfo *info, const char *addr)
{
	uint8_t is_equal = 77;

	assert_doca(doca_devinfo_is_equal_pci_addr(info, addr, &is_equal), DOCA_SUCCESS);
	return is_equal;
}

static void is_equal_pci_addr_compares_with_or_without_the_domain(void **state)
{
	struct doca_devinfo **list = *state;

	assert_int_equal(is_equal_to(list[HOST], "0000:b1:00.0"), 1);
	assert_int_equal(is_equal_to(list[HOST], "b1:00.0"), 1);
	assert_int_equal(is_equal_to(list[HOST], "0001:b1:00.0"), 0);
	assert_int_equal(is_equal_to(list[HOST], "b1:00.1"), 0);
	assert_int_equal(is_equal_to(list[HOST], "b1:1f.0"), 0);
	assert_int_equal(is_equal_to(list[HOST], "0000:03:00.0"), 0);
	assert_int_equal(is_equal_to(list[DPU], "03:00.0"), 1);
}

static void is_equal_pci_addr_refuses_what_is_no_address(void **state)
{
	static const char *const malformed[] = {
		"",
		"b1",
		"b1:00",
		"b1:00.",
		"b1:00.00",
		"b1:00.8",
		"b1:20.0",
		"b1.00.0",
		"b1:00:0",
		"0000:B1:00.0",
		"B1:00.0",
		"g1:00.0",
		"000:b1:00.0",
		"00000:b1:00.0",
		"0000:b1:00.0 ",
		" 000:b1:00.0",
		"0000-b1:00.0",
		"0000:b1:00.0x",
		"mlx5_0",
	};
	struct doca_devinfo **list = *state;
	uint8_t is_equal = 77;

	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++)
		assert_doca(doca_devinfo_is_equal_pci_addr(list[HOST], malformed[i], &is_equal),
			    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(is_equal, 77);
}

static void is_equal_pci_addr_refuses_null(void **state)
{
	struct doca_devinfo **list = *state;
	uint8_t is_equal = 77;

	assert_doca(doca_devinfo_is_equal_pci_addr(NULL, "b1:00.0", &is_equal),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_is_equal_pci_addr(list[HOST], NULL, &is_equal),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_is_equal_pci_addr(list[HOST], "b1:00.0", NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(is_equal, 77);
}

typedef doca_error_t (*bytes_getter)(const struct doca_devinfo *info, uint8_t *bytes,
				     uint32_t size);

/* The getter writes exactly so many bytes, wants room for them, and two pointers. */
static void assert_gives_bytes(bytes_getter getter, const struct doca_devinfo *info,
			       const uint8_t *expected, uint32_t size)
{
	uint8_t bytes[DOCA_DEVINFO_IPV6_ADDR_SIZE + 1];

	memset(bytes, 0xee, sizeof(bytes));
	assert_doca(getter(info, bytes, size - 1), DOCA_ERROR_INVALID_VALUE);
	assert_doca(getter(info, bytes, 0), DOCA_ERROR_INVALID_VALUE);
	assert_doca(getter(NULL, bytes, size), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(bytes[0], 0xee);
	assert_doca(getter(info, NULL, size), DOCA_ERROR_INVALID_VALUE);
	assert_doca(getter(info, bytes, size), DOCA_SUCCESS);
	assert_memory_equal(bytes, expected, size);
	assert_int_equal(bytes[size], 0xee);
	assert_doca(getter(info, bytes, size + 1), DOCA_SUCCESS);
	assert_int_equal(bytes[size], 0xee);
}

static void ipv4_addr_is_that_of_the_function(void **state)
{
	static const uint8_t dpu[] = {192, 0, 2, 1};
	static const uint8_t host[] = {192, 0, 2, 2};
	struct doca_devinfo **list = *state;

	assert_gives_bytes(doca_devinfo_get_ipv4_addr, list[DPU], dpu, sizeof(dpu));
	assert_gives_bytes(doca_devinfo_get_ipv4_addr, list[HOST], host, sizeof(host));
}

static void ipv6_addr_is_that_of_the_function(void **state)
{
	static const uint8_t dpu[16] = {0x20, 0x01, 0x0d, 0xb8, [15] = 1};
	static const uint8_t host[16] = {0x20, 0x01, 0x0d, 0xb8, [15] = 2};
	struct doca_devinfo **list = *state;

	assert_gives_bytes(doca_devinfo_get_ipv6_addr, list[DPU], dpu, sizeof(dpu));
	assert_gives_bytes(doca_devinfo_get_ipv6_addr, list[HOST], host, sizeof(host));
}

static void mac_addr_is_that_of_the_function(void **state)
{
	static const uint8_t dpu[] = {0x02, 0x00, 0x5d, 0x0c, 0xa0, 0x01};
	static const uint8_t host[] = {0x02, 0x00, 0x5d, 0x0c, 0xa0, 0x02};
	struct doca_devinfo **list = *state;

	assert_gives_bytes(doca_devinfo_get_mac_addr, list[DPU], dpu, sizeof(dpu));
	assert_gives_bytes(doca_devinfo_get_mac_addr, list[HOST], host, sizeof(host));
}

static void iface_name_is_that_of_the_function(void **state)
{
	struct doca_devinfo **list = *state;
	char name[DOCA_DEVINFO_IFACE_NAME_SIZE] = "untouched";

	assert_doca(doca_devinfo_get_iface_name(list[DPU], name, sizeof(name) - 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_iface_name(NULL, name, sizeof(name)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_iface_name(list[DPU], NULL, sizeof(name)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_string_equal(name, "untouched");
	assert_doca(doca_devinfo_get_iface_name(list[DPU], name, sizeof(name)), DOCA_SUCCESS);
	assert_string_equal(name, "p0");
	assert_doca(doca_devinfo_get_iface_name(list[HOST], name, sizeof(name)), DOCA_SUCCESS);
	assert_string_equal(name, "ens1f0np0");
}

static void ibdev_name_is_that_of_the_function(void **state)
{
	struct doca_devinfo **list = *state;
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "untouched";

	assert_doca(doca_devinfo_get_ibdev_name(list[DPU], name, sizeof(name) - 1),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_ibdev_name(NULL, name, sizeof(name)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_ibdev_name(list[DPU], NULL, sizeof(name)),
		    DOCA_ERROR_INVALID_VALUE);
	assert_string_equal(name, "untouched");
	assert_doca(doca_devinfo_get_ibdev_name(list[DPU], name, sizeof(name)), DOCA_SUCCESS);
	assert_string_equal(name, "mlx5_0");
	assert_doca(doca_devinfo_get_ibdev_name(list[HOST], name, sizeof(name)), DOCA_SUCCESS);
	assert_string_equal(name, "mlx5_2");
}

static void an_ethernet_device_has_no_lid(void **state)
{
	struct doca_devinfo **list = *state;
	uint16_t lid = 77;

	assert_doca(doca_devinfo_get_lid(list[DPU], &lid), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_devinfo_get_lid(NULL, &lid), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_lid(list[DPU], NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(lid, 77);
}

static void active_rate_is_in_bits_a_second(void **state)
{
	struct doca_devinfo **list = *state;
	uint64_t rate = 77;

	assert_doca(doca_devinfo_get_active_rate(NULL, &rate), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_active_rate(list[DPU], NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(rate, 77);
	assert_doca(doca_devinfo_get_active_rate(list[DPU], &rate), DOCA_SUCCESS);
	assert_int_equal(rate, UINT64_C(400000000000));
}

static void vhca_ids_of_the_functions_differ(void **state)
{
	struct doca_devinfo **list = *state;
	uint16_t dpu = 77;
	uint16_t host = 77;

	assert_doca(doca_devinfo_get_vhca_id(NULL, &dpu), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_vhca_id(list[DPU], NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(dpu, 77);
	assert_doca(doca_devinfo_get_vhca_id(list[DPU], &dpu), DOCA_SUCCESS);
	assert_doca(doca_devinfo_get_vhca_id(list[HOST], &host), DOCA_SUCCESS);
	assert_int_equal(dpu, 0);
	assert_int_equal(host, 1);
}

static void each_function_is_a_physical_one(void **state)
{
	struct doca_devinfo **list = *state;
	enum doca_pci_func_type type = DOCA_PCI_FUNC_TYPE_SF;

	assert_doca(doca_devinfo_get_pci_func_type(NULL, &type), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_pci_func_type(list[HOST], NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(type, DOCA_PCI_FUNC_TYPE_SF);
	assert_doca(doca_devinfo_get_pci_func_type(list[HOST], &type), DOCA_SUCCESS);
	assert_int_equal(type, DOCA_PCI_FUNC_TYPE_PF);
}

static void a_physical_function_has_no_sf_index(void **state)
{
	struct doca_devinfo **list = *state;
	uint32_t index = 77;

	assert_doca(doca_devinfo_get_sf_index(list[DPU], &index), DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_devinfo_get_sf_index(NULL, &index), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_sf_index(list[DPU], NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(index, 77);
}

static void the_uplink_is_ib_port_one(void **state)
{
	struct doca_devinfo **list = *state;
	uint16_t port = 77;

	assert_doca(doca_devinfo_get_uplink_ib_port(NULL, &port), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_uplink_ib_port(list[DPU], NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(port, 77);
	assert_doca(doca_devinfo_get_uplink_ib_port(list[DPU], &port), DOCA_SUCCESS);
	assert_int_equal(port, 1);
}

static void iface_indexes_of_the_functions_differ(void **state)
{
	struct doca_devinfo **list = *state;
	uint32_t dpu = 77;
	uint32_t host = 77;

	assert_doca(doca_devinfo_get_iface_index(NULL, &dpu), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_iface_index(list[DPU], NULL), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(dpu, 77);
	assert_doca(doca_devinfo_get_iface_index(list[DPU], &dpu), DOCA_SUCCESS);
	assert_doca(doca_devinfo_get_iface_index(list[HOST], &host), DOCA_SUCCESS);
	assert_int_equal(dpu, 2);
	assert_int_equal(host, 3);
}

static void no_function_has_a_data_direct_one(void **state)
{
	struct doca_devinfo **list = *state;
	char addr[DOCA_DEVINFO_PCI_ADDR_SIZE] = "untouched";

	assert_doca(doca_devinfo_get_data_direct_pci_dev(list[DPU], addr),
		    DOCA_ERROR_NOT_SUPPORTED);
	assert_doca(doca_devinfo_get_data_direct_pci_dev(NULL, addr), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_devinfo_get_data_direct_pci_dev(list[DPU], NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_string_equal(addr, "untouched");
}

typedef doca_error_t (*capability)(const struct doca_devinfo *info, uint8_t *is_supported);

static void assert_capability(capability ask, const struct doca_devinfo *info, uint8_t expected)
{
	uint8_t is_supported = 77;

	assert_doca(ask(NULL, &is_supported), DOCA_ERROR_INVALID_VALUE);
	assert_int_equal(is_supported, 77);
	assert_doca(ask(info, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(ask(info, &is_supported), DOCA_SUCCESS);
	assert_int_equal(is_supported, expected);
}

static void what_a_virtual_device_lacks_is_answered_with_0(void **state)
{
	struct doca_devinfo **list = *state;

	for (int i = DPU; i <= HOST; i++) {
		assert_capability(doca_devinfo_cap_is_hotplug_manager_supported, list[i], 0);
		assert_capability(doca_devinfo_cap_is_notification_moderation_supported, list[i],
				  0);
		assert_capability(doca_devinfo_cap_is_accelerate_resource_reclaim_supported,
				  list[i], 0);
	}
}

static void the_filters_are_supported_where_there_are_representors(void **state)
{
	struct doca_devinfo **list = *state;

	assert_capability(doca_devinfo_rep_cap_is_filter_all_supported, list[DPU], 1);
	assert_capability(doca_devinfo_rep_cap_is_filter_net_supported, list[DPU], 1);
	assert_capability(doca_devinfo_rep_cap_is_filter_emulated_supported, list[DPU], 1);
	assert_capability(doca_devinfo_rep_cap_is_filter_all_supported, list[HOST], 0);
	assert_capability(doca_devinfo_rep_cap_is_filter_net_supported, list[HOST], 0);
	assert_capability(doca_devinfo_rep_cap_is_filter_emulated_supported, list[HOST], 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_list_gives_the_dpu_function_then_the_host_function),
		cmocka_unit_test(create_list_refuses_null),
		cmocka_unit_test(create_list_without_memory_leaves_its_answers_alone),
		cmocka_unit_test(destroy_list_refuses_null),
		cmocka_unit_test(device_none_gives_an_empty_list_with_success),
		cmocka_unit_test(role_host_gives_the_host_function_alone),
		cmocka_unit_test(a_wrong_setting_fails_each_enumeration),
		cmocka_unit_test(pci_addr_is_that_of_the_function),
		cmocka_unit_test(is_equal_pci_addr_compares_with_or_without_the_domain),
		cmocka_unit_test(is_equal_pci_addr_refuses_what_is_no_address),
		cmocka_unit_test(is_equal_pci_addr_refuses_null),
		cmocka_unit_test(ipv4_addr_is_that_of_the_function),
		cmocka_unit_test(ipv6_addr_is_that_of_the_function),
		cmocka_unit_test(mac_addr_is_that_of_the_function),
		cmocka_unit_test(iface_name_is_that_of_the_function),
		cmocka_unit_test(ibdev_name_is_that_of_the_function),
		cmocka_unit_test(an_ethernet_device_has_no_lid),
		cmocka_unit_test(active_rate_is_in_bits_a_second),
		cmocka_unit_test(vhca_ids_of_the_functions_differ),
		cmocka_unit_test(each_function_is_a_physical_one),
		cmocka_unit_test(a_physical_function_has_no_sf_index),
		cmocka_unit_test(the_uplink_is_ib_port_one),
		cmocka_unit_test(iface_indexes_of_the_functions_differ),
		cmocka_unit_test(no_function_has_a_data_direct_one),
		cmocka_unit_test(what_a_virtual_device_lacks_is_answered_with_0),
		cmocka_unit_test(the_filters_are_supported_where_there_are_representors),
	};

	if (argc == 2)
		return child_main(argv[1]);
	return cmocka_run_group_tests(tests, setup_list, teardown_list);
}
