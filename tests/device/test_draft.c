/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of topology files: what is said of each that is wrong. */
#include "support/topology_text.h"

/* What a function of its own line, with those keys, is refused for; before it are two that are
 * right. */
static void assert_function_refused(const char *keys, const char *what)
{
	char text[2048];

	snprintf(text, sizeof(text), BLUEFIELD3(DPU_PF ",\n" HOST_PF ",\n{%s}"), keys);
	topology_refused(text, 4, what);
}

/* The same of a physical function of the host that has all it must have. */
static void assert_pf_refused(const char *keys, const char *what)
{
	char text[1024];

	snprintf(text, sizeof(text), "'side': 'host', 'type': 'pf', 'pci_addr': '0000:b1:00.1', %s",
		 keys);
	assert_function_refused(text, what);
}

static void a_function_has_what_it_must_have(void **state)
{
	assert_function_refused("", "key 'side' is missing; allowed: dpu, host");
	assert_function_refused("'side': 'host'", "key 'type' is missing; allowed: pf, vf, sf");
	assert_function_refused("'side': 'host', 'type': 'pf'", "key 'pci_addr' is missing");
	assert_function_refused("'side': 'host', 'type': 'vf', 'pci_addr': '0000:b1:00.1'",
				"key 'vf_index' is missing; allowed: whole numbers from 0");
	assert_function_refused("'side': 'host', 'type': 'sf', 'pci_addr': '0000:b1:00.0'",
				"key 'sf_index' is missing");
	assert_pf_refused("'representor': {}", "key 'on' is missing");
	assert_pf_refused("'side': 'host'", "key 'side' stands in this object a second time");
	assert_pf_refused("'pf_idx': 0", "\"pf_idx\" is no key here; the nearest of those allowed: "
					 "'pf_index'");
	assert_pf_refused("'': 0", "\"\" is no key here");
	assert_pf_refused("'\\u0076uid': 'x'", "\"\\u0076uid\" is no key here");
}

static void a_function_has_nothing_that_is_not_its_own(void **state)
{
	assert_pf_refused("'vf_index': 0", "'vf_index' has value 0, which this function cannot "
					   "have; allowed: on a vf");
	assert_pf_refused("'sf_index': 0", "allowed: on an sf");
	assert_pf_refused("'lid': 5, 'mac_addr': '02:00:00:00:00:01'", "allowed: lid or mac_addr");
	assert_function_refused("'side': 'host', 'type': 'vf', 'pci_addr': '0000:b1:00.1', "
				"'vf_index': 0, 'total_vfs': 4",
				"allowed: on a pf");
	assert_function_refused("'side': 'host', 'type': 'sf', 'pci_addr': '0000:b1:00.0', "
				"'sf_index': 0, 'uplink_ib_port': 1",
				"'uplink_ib_port' has value 1, which this function cannot have; "
				"allowed: on a pf");
	assert_function_refused("'side': 'dpu', 'type': 'pf', 'pci_addr': '0000:03:00.1', "
				"'host_index': 0",
				"allowed: on a function of a host");
	assert_function_refused("'side': 'dpu', 'type': 'pf', 'pci_addr': '0000:03:00.1', "
				"'representor': {'on': '0000:03:00.0'}",
				"on a function of a host, or on a vf or sf");
}

static void values_are_checked(void **state)
{
	static const struct {
		const char *keys;
		const char *what;
	} wrong[] = {
		{"'vhca_id': -1", "has value -1, which is wrong; allowed: whole numbers from 0 to"},
		{"'vhca_id': 65536", "whole numbers from 0 to 65535"},
		{"'vhca_id': 18446744073709551617", "has value 18446744073709551617"},
		{"'vhca_id': 1.5", "has value 1.5"},
		{"'vhca_id': 1e1", "has value 1e1"},
		{"'vhca_id': '1'", "has value \"1\""},
		{"'vhca_id': null", "has value null"},
		{"'vhca_id': [1]", "has value [1]"},
		{"'iface_index': 0", "whole numbers from 1 to 2147483647"},
		{"'active_rate': 0", "whole numbers from 1 to"},
		{"'lid': 0", "whole numbers from 1 to 49151"},
		{"'mtu': 67", "whole numbers from 68 to 65535"},
		{"'is_hotplug': 1", "allowed: true, false"},
		{"'state': 'up'", "allowed: down, active"},
		{"'state': 1", "allowed: down, active"},
		{"'ibdev_name': ''", "1 to 63 visible"},
		{"'ibdev_name': 'a b'", "1 to 63 visible"},
		{"'ibdev_name': 'a/b'", "1 to 63 visible"},
		{"'iface_name': 'a\\u0000b'", "1 to 255 visible"},
		{"'vuid': '\xc3\xa9'",
		 "has value \"??\", which is wrong; allowed: 1 to 127 visible"},
		{"'vuid': 7", "1 to 127 visible"},
		{"'ibdev_name': '1234567890123456789012345678901234567890123456789012345678901234'",
		 "1 to 63 visible"},
		{"'mac_addr': '02:00:00:00:00'", "lower-case hexadecimal"},
		{"'mac_addr': '02:00:00:00:00:0G'", "lower-case hexadecimal"},
		{"'mac_addr': '02:AB:00:00:00:00'", "lower-case hexadecimal"},
		{"'mac_addr': '03:00:00:00:00:00'", "of one station"},
		{"'mac_addr': '00:00:00:00:00:00'", "of one station"},
		{"'ipv4_addr': '192.0.2'", "an IPv4 address"},
		{"'ipv4_addr': '192.0.2.256'", "an IPv4 address"},
		{"'ipv6_addr': '192.0.2.1'", "an IPv6 address"},
		{"'ipv6_addr': '2001::db8::1'", "an IPv6 address"},
		{"'data_direct_pci_addr': '03:00.0'", "allowed: such as \"0000:03:00.0\", "},
		{"'representor': true", "allowed: an object"},
		{"'representor': {'on': '0000:03:00.8'}", "device 00 to 1f, function 0 to 7"},
		{"'representor': {'on': '0000:03:00.0', 'ib_port': 0}", "from 1 to 65535"},
		{"'representor': {'on': '0000:03:00.0', 'port': 0}", "\"port\" is no key here"},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_pf_refused(wrong[i].keys, wrong[i].what);
	assert_function_refused("'side': 'arm'",
				"has value \"arm\", which is wrong; allowed: dpu,");
	assert_function_refused("'side': 'host', 'type': 'PF'", "allowed: pf, vf, sf");
	assert_function_refused("'side': 'host', 'type': 'pf', 'pci_addr': '0000:B1:00.1'",
				"lower-case hexadecimal digits");
	assert_function_refused("'side': 'host', 'type': 'pf', 'pci_addr': '0000:b1:20.1'",
				"device 00 to 1f, function 0 to 7");
}

static void a_function_belongs_to_one_before_it(void **state)
{
	assert_function_refused("'side': 'host', 'type': 'vf', 'pci_addr': '0000:b1:00.1', "
				"'vf_index': 0, 'pf_index': 1",
				"no pf of host_index 0 with pf_index 1 stands before this vf in "
				"its card; allowed: the numbers of its pf");
	assert_function_refused("'side': 'host', 'type': 'vf', 'pci_addr': '0000:b1:00.1', "
				"'vf_index': 0, 'host_index': 7",
				"no pf of host_index 7 with pf_index 0 stands before");
	assert_function_refused("'side': 'dpu', 'type': 'vf', 'pci_addr': '0000:03:00.1', "
				"'vf_index': 0, 'pf_index': 2",
				"no pf of the DPU with pf_index 2 stands before");
	assert_function_refused("'side': 'host', 'type': 'sf', 'pci_addr': '0000:03:00.0', "
				"'sf_index': 0",
				"which no pf of the same side has before it in this card");
	assert_function_refused("'side': 'host', 'type': 'sf', 'pci_addr': '0000:b1:00.0', "
				"'sf_index': 0, 'pf_index': 1",
				"is not that of the pf at its pci_addr");
	assert_function_refused("'side': 'host', 'type': 'sf', 'pci_addr': '0000:b1:00.0', "
				"'sf_index': 0, 'host_index': 1",
				"is not that of the pf at its pci_addr");
	topology_refused(BLUEFIELD3("{'side': 'host', 'type': 'sf', 'pci_addr': '0000:b1:00.0', "
				    "'sf_index': 0},\n" HOST_PF),
			 2, "which no pf of the same side has before it");
	topology_refused(BLUEFIELD3("{'side': 'host', 'type': 'pf', 'pci_addr': '0000:b1:00.0', "
				    "'total_vfs': 1},\n{'side': 'host', 'type': 'vf', 'pci_addr': "
				    "'0000:b1:00.1', 'vf_index': 1}"),
			 3, "numbers below the total_vfs of the pf");
}

static void a_representor_is_on_a_dpu_s_physical_function_of_its_card(void **state)
{
	static const char what[] = "which is no place for a representor";

	assert_pf_refused("'representor': {'on': '0000:b1:00.0'}", what);
	assert_pf_refused("'representor': {'on': '0000:03:00.1'}", what);
	topology_refused(ONE_CARD("connectx7",
				  DPU_PF ",\n{'side': 'host', 'type': 'pf', 'pci_addr': "
					 "'0000:b1:00.0', 'representor': {'on': "
					 "'0000:03:00.0'}}"),
			 3, what);
	topology_refused(
		CARDS(CARD(
			"bluefield3", "",
			"0000:03:00.0") ",\n{'model': 'bluefield3', "
					"'functions': [{'side': 'host', 'type': 'pf', 'pci_addr': "
					"'0000:b1:00.0', 'representor': {'on': '0000:03:00.0'}}]}"),
		3, what);
}

static void what_only_one_may_have_is_not_given_twice(void **state)
{
	static const char *const keys[] = {
		"'ibdev_name': 'same'",
		"'iface_name': 'same'",
		"'iface_index': 9",
		"'mac_addr': '02:00:00:00:00:01'",
		"'lid': 9",
		"'ipv4_addr': '192.0.2.1'",
		"'ipv6_addr': '2001:db8::1'",
		"'vhca_id': 9",
		"'pf_index': 9",
		"'vuid': 'same'",
		"'representor': {'on': '0000:03:00.0', 'iface_name': 'same'}",
		"'representor': {'on': '0000:03:00.0', 'iface_index': 9}",
		"'representor': {'on': '0000:03:00.0', 'ib_port': 9}",
	};
	char text[1024];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		snprintf(text, sizeof(text),
			 BLUEFIELD3(DPU_PF ",\n{'side': 'host', 'type': 'pf', 'pci_addr': "
					   "'0000:b1:00.0', %s},\n{'side': 'host', 'type': 'pf', "
					   "'pci_addr': '0000:b1:00.1', %s}"),
			 keys[i], keys[i]);
		topology_refused(text, 4, "which the function of line 3 has, too; allowed: one of");
	}
	topology_refused(BLUEFIELD3(DPU_PF ",\n" DPU_PF), 3,
			 "key 'pci_addr' has value \"0000:03:00.0\", which the function of line 2");
}

static void host_and_dpu_may_have_names_in_common(void **state)
{
	struct machine machine;

	topology_stands(BLUEFIELD3("{'side': 'dpu', 'type': 'pf', 'pci_addr': '0000:03:00.0', "
				   "'ibdev_name': 'mlx5_0', 'iface_name': 'x', 'iface_index': 2},"
				   "{'side': 'host', 'type': 'pf', 'pci_addr': '0000:03:00.0', "
				   "'ibdev_name': 'mlx5_0', 'iface_name': 'x', 'iface_index': 2, "
				   "'representor': {'on': '0000:03:00.0'}}"),
			&machine);
	machine_release(&machine);
}

#define HOST_CARD(address, index)                                                                  \
	"{'model': 'connectx7', 'functions': [{'side': 'host', 'type': 'pf', 'pci_addr': "         \
	"'" address "', 'iface_index': " index "}]}"

static void a_host_has_its_names_once_whatever_the_card(void **state)
{
	topology_refused(CARDS(HOST_CARD("0000:03:00.0", "2") ",\n" HOST_CARD("0000:04:00.0", "2")),
			 3, "key 'iface_index' has value 2, which the function of line 2 has, too");
	topology_refused(CARDS(HOST_CARD("0000:03:00.0", "2") ",\n" HOST_CARD("0000:03:00.0", "3")),
			 3, "key 'pci_addr' has value \"0000:03:00.0\", which the function of");
}

static void numbers_of_one_physical_function_are_not_given_twice(void **state)
{
	topology_refused(BLUEFIELD3(HOST_PF
				    ",\n{'side': 'host', 'type': 'vf', 'pci_addr': "
				    "'0000:b1:00.1', 'vf_index': 2},\n{'side': 'host', 'type': "
				    "'vf', 'pci_addr': '0000:b1:00.2', 'vf_index': 2}"),
			 4, "key 'vf_index' has value 2, which the function of line 3 has, too");
	topology_refused(BLUEFIELD3(HOST_PF
				    ",\n{'side': 'host', 'type': 'sf', 'pci_addr': "
				    "'0000:b1:00.0', 'sf_index': 2},\n{'side': 'host', 'type': "
				    "'sf', 'pci_addr': '0000:b1:00.0', 'sf_index': 2}"),
			 4, "key 'sf_index' has value 2, which the function of line 3 has, too");
}

static void an_interface_and_a_representor_have_no_name_in_common(void **state)
{
	topology_refused(BLUEFIELD3(DPU_PF ",\n{'side': 'host', 'type': 'pf', 'pci_addr': "
					   "'0000:b1:00.0', 'representor': {'on': '0000:03:00.0', "
					   "'iface_name': 'enp3s0f0'}}"),
			 3, "'iface_name' has value \"enp3s0f0\", which the function of line 2");
	topology_refused(BLUEFIELD3(DPU_PF
				    ",\n{'side': 'dpu', 'type': 'vf', 'pci_addr': "
				    "'0000:03:00.2', 'vf_index': 0, 'iface_name': 'x', "
				    "'representor': {'on': '0000:03:00.0', 'iface_name': 'x'}}"),
			 3, "'iface_name' has value \"x\", which the function of line 3 has, too");
}

static void a_default_that_is_taken_is_said(void **state)
{
	topology_refused(BLUEFIELD3("{'side': 'dpu', 'type': 'pf', 'pci_addr': '0000:03:00.1', "
				    "'iface_name': 'enp3s0f0'},\n" DPU_PF),
			 3,
			 "key 'iface_name' is missing, and its default is one that the function of "
			 "line 2 has");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_has_what_it_must_have),
		cmocka_unit_test(a_function_has_nothing_that_is_not_its_own),
		cmocka_unit_test(values_are_checked),
		cmocka_unit_test(a_function_belongs_to_one_before_it),
		cmocka_unit_test(a_representor_is_on_a_dpu_s_physical_function_of_its_card),
		cmocka_unit_test(what_only_one_may_have_is_not_given_twice),
		cmocka_unit_test(host_and_dpu_may_have_names_in_common),
		cmocka_unit_test(a_host_has_its_names_once_whatever_the_card),
		cmocka_unit_test(numbers_of_one_physical_function_are_not_given_twice),
		cmocka_unit_test(an_interface_and_a_representor_have_no_name_in_common),
		cmocka_unit_test(a_default_that_is_taken_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
