/* SPDX-License-Identifier: Apache-2.0 */
/* Topology files: what comes to stand, and what is said of each that is wrong. */
#include "support/test.h"

#include <arpa/inet.h>
#include <unistd.h>

#include "support/fail_calloc.h"
#include "support/topology_text.h"

static void the_least_file_is_a_card_with_a_function_of_defaults(void **state)
{
	static const uint8_t mac[] = {0x02, 0x00, 0x5d, 0x0c, 0xa0, 0x01};
	const struct card_function *function;
	struct machine machine;
	uint8_t ipv6[16];

	topology_stands(BLUEFIELD3(DPU_PF), &machine);
	function = machine.functions;
	assert_int_equal(machine.num_cards, 1);
	assert_int_equal(machine.num_functions, 1);
	assert_ptr_equal(function->card, machine.cards);
	assert_ptr_equal(function->pf, function);
	assert_null(function->rep_on);
	assert_null(function->represents);
	assert_true(function->is_listed);
	assert_string_equal(function->ibdev_name, "mlx5_0");
	assert_string_equal(function->iface_name, "enp3s0f0");
	assert_string_equal(function->vuid, "MT0000SOFTDOCAS0D0F0");
	assert_string_equal(function->data_direct_pci_addr, "");
	assert_memory_equal(function->mac, mac, sizeof(mac));
	assert_int_equal(inet_pton(AF_INET6, "fe80::5dff:fe0c:a001", ipv6), 1);
	assert_memory_equal(function->ipv6, ipv6, sizeof(ipv6));
	assert_false(function->has_ipv4);
	assert_false(function->is_hotplug);
	assert_true(function->is_active);
	assert_int_equal(function->mtu_bytes, 1500);
	assert_int_equal(function->lid, 0);
	assert_int_equal(function->vhca_id, 0);
	assert_int_equal(function->uplink_ib_port, 1);
	assert_int_equal(function->iface_index, 2);
	assert_int_equal(function->active_rate_bps, UINT64_C(400000000000));
	assert_string_equal(machine.cards->model, "bluefield3");
	assert_int_equal(machine.cards->limits.max_buf_size_bytes, 2 << 20);
	assert_int_equal(machine.cards->limits.max_num_tasks, 65536);
	machine_release(&machine);
}

static void each_key_of_a_function_is_read(void **state)
{
	static const uint8_t mac[] = {0x02, 0xab, 0, 0, 0, 9};
	static const uint8_t ipv4[] = {198, 51, 100, 7};
	const struct card_function *function;
	struct machine machine;
	uint8_t ipv6[16];

	topology_stands(
		BLUEFIELD3(DPU_PF
			   ", {'side': 'host', 'type': 'pf', 'pci_addr': '0001:b1:1f.7',"
			   "'ibdev_name': 'ib', 'iface_name': 'if', 'iface_index': 2147483647,"
			   "'mac_addr': '02:ab:00:00:00:09', 'ipv4_addr': '198.51.100.7',"
			   "'ipv6_addr': '2001:db8::7', 'vhca_id': 65535, 'active_rate': 25,"
			   "'uplink_ib_port': 3, 'host_index': 4, 'pf_index': 5,"
			   "'total_vfs': 6, 'is_hotplug': true, 'vuid': 'V',"
			   "'data_direct_pci_addr': '0001:c1:00.0', 'mtu': 9000,"
			   "'state': 'down', 'representor': {'on': '0000:03:00.0',"
			   "'iface_name': 'rep', 'iface_index': 8, 'ib_port': 9}}"),
		&machine);
	function = &machine.functions[1];
	assert_int_equal(inet_pton(AF_INET6, "2001:db8::7", ipv6), 1);
	assert_string_equal(function->pci_addr, "0001:b1:1f.7");
	assert_string_equal(function->ibdev_name, "ib");
	assert_string_equal(function->iface_name, "if");
	assert_int_equal(function->iface_index, 2147483647);
	assert_memory_equal(function->mac, mac, sizeof(mac));
	assert_true(function->has_ipv4);
	assert_memory_equal(function->ipv4, ipv4, sizeof(ipv4));
	assert_memory_equal(function->ipv6, ipv6, sizeof(ipv6));
	assert_int_equal(function->vhca_id, 65535);
	assert_int_equal(function->active_rate_bps, 25);
	assert_int_equal(function->uplink_ib_port, 3);
	assert_int_equal(function->host_index, 4);
	assert_int_equal(function->pf_index, 5);
	assert_int_equal(function->total_vfs, 6);
	assert_true(function->is_hotplug);
	assert_string_equal(function->vuid, "V");
	assert_string_equal(function->data_direct_pci_addr, "0001:c1:00.0");
	assert_int_equal(function->mtu_bytes, 9000);
	assert_false(function->is_active);
	assert_ptr_equal(function->rep_on, machine.functions);
	assert_ptr_equal(machine.functions->represents, function);
	assert_string_equal(function->rep_iface_name, "rep");
	assert_int_equal(function->rep_iface_index, 8);
	assert_int_equal(function->rep_ib_port, 9);
	machine_release(&machine);
}

static void the_dpu_s_functions_come_before_the_hosts(void **state)
{
	struct machine machine;

	topology_stands(
		BLUEFIELD3(HOST_PF
			   ",{'side': 'dpu', 'type': 'pf', 'pci_addr': '0000:03:00.1'}," DPU_PF),
		&machine);
	assert_int_equal(machine.num_functions, 3);
	assert_string_equal(machine.functions[0].pci_addr, "0000:03:00.1");
	assert_string_equal(machine.functions[1].pci_addr, "0000:03:00.0");
	assert_string_equal(machine.functions[2].pci_addr, "0000:b1:00.0");
	machine_release(&machine);
}

static void virtual_and_sub_functions_belong_to_physical_ones(void **state)
{
	const struct card_function *functions;
	struct machine machine;

	topology_stands(BLUEFIELD3(DPU_PF
				   "," HOST_PF
				   ",{'side': 'host', 'type': 'pf', 'pci_addr': '0000:b1:00.1'},"
				   "{'side': 'host', 'type': 'vf', 'pci_addr': '0000:b1:00.2',"
				   " 'vf_index': 3, 'pf_index': 1},"
				   "{'side': 'host', 'type': 'sf', 'pci_addr': '0000:b1:00.1',"
				   " 'sf_index': 7, 'pf_index': 1, 'host_index': 0}"),
			&machine);
	functions = machine.functions;
	assert_int_equal(functions[2].pf_index, 1);
	assert_int_equal(functions[2].total_vfs, 4);
	assert_ptr_equal(functions[3].pf, &functions[2]);
	assert_int_equal(functions[3].vf_index, 3);
	assert_string_equal(functions[3].vuid, "MT0000SOFTDOCAS1D0F1VF3");
	assert_ptr_equal(functions[4].pf, &functions[2]);
	assert_int_equal(functions[4].sf_index, 7);
	assert_string_equal(functions[4].iface_name, "enp177s0f1s7");
	assert_string_equal(functions[3].name, "0000:b1:00.2");
	assert_string_equal(functions[4].name, "0000:b1:00.1.sf7");
	machine_release(&machine);
}

static void capabilities_follow_model_side_and_type(void **state)
{
	static const uint32_t local = CARD_DMA | CARD_EXPORT_PCI | CARD_COMCH_CLIENT;
	static const uint32_t dpu = local | CARD_IMPORT_PCI | CARD_CACHE_INVALIDATE;
	static const char functions[] = DPU_PF
		",{'side': 'dpu', 'type': 'sf', 'pci_addr': '0000:03:00.0', 'sf_index': 1},"
		"{'side': 'dpu', 'type': 'vf', 'pci_addr': '0000:03:00.2', 'vf_index': 0}," HOST_PF
		",{'side': 'host', 'type': 'vf', 'pci_addr': '0000:b1:00.1', 'vf_index': 0}";
	char text[1024];
	struct machine machine;

	snprintf(text, sizeof(text), ONE_CARD("bluefield2", "%s"), functions);
	topology_stands(text, &machine);
	assert_int_equal(machine.functions[0].capabilities,
			 dpu | CARD_REPRESENTORS | CARD_COMCH_SERVER);
	assert_int_equal(machine.functions[1].capabilities, dpu);
	assert_int_equal(machine.functions[2].capabilities, dpu);
	assert_int_equal(machine.functions[3].capabilities, local);
	assert_int_equal(machine.functions[4].capabilities, local);
	assert_int_equal(machine.functions[4].active_rate_bps, UINT64_C(200000000000));
	machine_release(&machine);
	snprintf(text, sizeof(text), ONE_CARD("connectx7", "%s"), functions);
	topology_stands(text, &machine);
	for (uint32_t i = 0; i < machine.num_functions; i++)
		assert_int_equal(machine.functions[i].capabilities, 0);
	machine_release(&machine);
}

static void a_role_lists_its_side_and_keeps_the_other_behind_it(void **state)
{
	const struct settings dpu = {.role = SETTINGS_ROLE_DPU};
	char problem[SETTINGS_PROBLEM_SIZE];
	struct machine machine;

	assert_doca(topology_make(BLUEFIELD3(DPU_PF ",{'side': 'host', 'type': 'pf', 'pci_addr': "
						    "'0000:b1:00.0', 'representor': {'on': "
						    "'0000:03:00.0'}}"),
				  &dpu, &machine, problem),
		    DOCA_SUCCESS);
	assert_true(machine.functions[0].is_listed);
	assert_false(machine.functions[1].is_listed);
	assert_ptr_equal(machine.functions[1].rep_on, machine.functions);
	assert_string_equal(machine.functions[1].rep_iface_name, "pf0hpf");
	assert_int_equal(machine.functions[1].rep_ib_port, 2);
	assert_int_equal(machine.functions[1].rep_iface_index, 4);
	machine_release(&machine);
}

static void names_of_representors_say_whose_they_are(void **state)
{
	const struct card_function *functions;
	struct machine machine;

	topology_stands(
		BLUEFIELD3(
			DPU_PF
			",{'side': 'dpu', 'type': 'sf', 'pci_addr': '0000:03:00.0', 'sf_index': 1,"
			"  'representor': {'on': '0000:03:00.0'}}," HOST_PF
			",{'side': 'host', 'type': 'vf', 'pci_addr': '0000:b1:00.1', 'vf_index': 1,"
			"  'representor': {'on': '0000:03:00.0', 'ib_port': 3}},"
			"{'side': 'host', 'type': 'pf', 'pci_addr': '0000:c1:00.0', 'host_index': "
			"2,"
			"  'representor': {'on': '0000:03:00.0'}}"),
		&machine);
	functions = machine.functions;
	assert_string_equal(functions[1].rep_iface_name, "dpf0sf1");
	assert_int_equal(functions[1].rep_ib_port, 2);
	assert_string_equal(functions[3].rep_iface_name, "pf0vf1");
	assert_int_equal(functions[3].rep_ib_port, 3);
	assert_string_equal(functions[4].rep_iface_name, "h2pf0hpf");
	assert_int_equal(functions[4].rep_ib_port, 4);
	assert_string_equal(functions[4].vuid, "MT0000SOFTDOCAS3D0F0");
	assert_ptr_equal(functions[0].represents, &functions[1]);
	machine_release(&machine);
}

static void defaults_step_over_what_the_file_gives(void **state)
{
	const struct card_function *functions;
	struct machine machine;

	topology_stands(BLUEFIELD3("{'side': 'dpu', 'type': 'pf', 'pci_addr': '0000:03:00.1',"
				   " 'ibdev_name': 'mlx5_0', 'iface_index': 2, 'vhca_id': 0,"
				   " 'mac_addr': '02:00:5d:0c:a0:01'}," DPU_PF),
			&machine);
	functions = machine.functions;
	assert_string_equal(functions[1].ibdev_name, "mlx5_1");
	assert_int_equal(functions[1].iface_index, 3);
	assert_int_equal(functions[1].vhca_id, 1);
	assert_int_equal(functions[1].mac[5], 2);
	machine_release(&machine);
}

/* A card of a DPU's function and a host's, with more keys of those and of the representor. */
#define PAIR(dpu, host, dpu_more, host_more, rep_more)                                             \
	"{'model': 'bluefield3', 'functions': [{'side': 'dpu', 'type': 'pf', 'pci_addr': '" dpu    \
	"'" dpu_more "}, {'side': 'host', 'type': 'pf', 'pci_addr': '" host "'" host_more          \
	", 'representor': {'on': '" dpu "'" rep_more "}}]}"
#define FIRST_PAIR PAIR("0000:03:00.0", "0000:b1:00.0", "", "", "")

static void two_cards_of_defaults_stand_beside_each_other(void **state)
{
	const struct card_function *functions;
	struct machine machine;

	topology_stands(CARDS(FIRST_PAIR "," PAIR("0000:04:00.0", "0000:b2:00.0", "", "", "")),
			&machine);
	functions = machine.functions;
	assert_int_equal(machine.num_functions, 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(functions[i].vhca_id, i % 2);
		assert_int_equal(functions[i].mac[5], i + 1);
	}
	assert_string_equal(functions[1].rep_iface_name, "pf0hpf");
	assert_string_equal(functions[3].rep_iface_name, "pf0hpf");
	assert_int_equal(functions[1].rep_ib_port, 2);
	assert_int_equal(functions[3].rep_ib_port, 2);
	machine_release(&machine);
}

static void a_card_s_defaults_do_not_hang_on_another_card(void **state)
{
	const struct card_function *functions;
	struct machine machine;

	topology_stands(
		CARDS(FIRST_PAIR "," PAIR("0000:04:00.0", "0000:b2:00.0", ", 'vhca_id': 1",
					  ", 'vhca_id': 0", ", 'ib_port': 2, 'iface_index': 6")),
		&machine);
	functions = machine.functions;
	assert_int_equal(functions[0].vhca_id, 0);
	assert_int_equal(functions[1].vhca_id, 1);
	assert_int_equal(functions[1].rep_ib_port, 2);
	/* 2 to 5 are the functions' own, 6 is given. */
	assert_int_equal(functions[3].iface_index, 5);
	assert_int_equal(functions[1].rep_iface_index, 7);
	machine_release(&machine);
}

static void each_card_has_its_limits_and_settings(void **state)
{
	struct machine machine;

	topology_stands(
		CARDS(CARD("bluefield3",
			   "'settings': {'ERRORS': 'hardware', 'QUEUE_DEPTH': 32, 'REACH': 'cma',"
			   " 'DEADLINE': 0.5, 'CONNECT_TIMEOUT': '2', 'MAX_BUF_SIZE': '4M'},"
			   "'limits': {'max_buf_size': '8M', 'max_buf_list_len': 9},",
			   "0000:01:00.0") ",\n" CARD("bluefield2",
						      "'limits': {'max_buf_size': 4096, "
						      "'max_num_tasks': '1K'},",
						      "0000:02:00.0")),
		&machine);
	assert_int_equal(machine.num_cards, 2);
	assert_int_equal(machine.cards[0].errors, SETTINGS_ERRORS_HARDWARE);
	assert_int_equal(machine.cards[0].limits.queue_depth, 32);
	assert_int_equal(machine.cards[0].limits.max_buf_size_bytes, 4 << 20);
	assert_int_equal(machine.cards[0].limits.max_buf_list_len, 9);
	assert_int_equal(machine.cards[0].policy.reach, PEER_REACH_CMA);
	assert_int_equal(machine.cards[0].policy.deadline_ns, 500000000);
	assert_int_equal(machine.cards[0].policy.connect_timeout_ns, 2000000000);
	assert_int_equal(machine.cards[1].errors, SETTINGS_ERRORS_DOCUMENTED);
	assert_int_equal(machine.cards[1].limits.max_buf_size_bytes, 4096);
	assert_int_equal(machine.cards[1].limits.max_buf_list_len, 64);
	assert_int_equal(machine.cards[1].limits.max_num_tasks, 1024);
	assert_int_equal(machine.cards[1].limits.queue_depth, 0);
	assert_ptr_equal(machine.functions[1].card, &machine.cards[1]);
	assert_ptr_equal(machine.cards[1].functions, &machine.functions[1]);
	machine_release(&machine);
}

static void what_the_process_was_given_counts_more(void **state)
{
	char *environment[] = {(char *)"SOFTDOCA_QUEUE_DEPTH=7", (char *)"SOFTDOCA_MAX_BUF_SIZE=1K",
			       NULL};
	char problem[SETTINGS_PROBLEM_SIZE];
	struct settings settings;
	struct machine machine;

	assert_doca(settings_read(environment, &settings, problem), DOCA_SUCCESS);
	assert_doca(
		topology_make(CARDS(CARD("bluefield3",
					 "'settings': {'QUEUE_DEPTH': 32, 'ERRORS': 'hardware'},"
					 "'limits': {'max_buf_size': '8M'},",
					 "0000:01:00.0")),
			      &settings, &machine, problem),
		DOCA_SUCCESS);
	assert_int_equal(machine.cards->limits.queue_depth, 7);
	assert_int_equal(machine.cards->limits.max_buf_size_bytes, 1024);
	assert_int_equal(machine.cards->errors, SETTINGS_ERRORS_HARDWARE);
	assert_int_equal(machine.cards->policy.deadline_ns, 1000000000);
	machine_release(&machine);
}

static void cards_of_a_file_are_checked(void **state)
{
	char many[2048] = "{'schema_version': 1, 'cards': [\n";

	topology_refused("{}", 1, "key 'schema_version' is missing; allowed: 1");
	topology_refused("{'schema_version': 2}", 1,
			 "'schema_version' has value 2, which is wrong");
	topology_refused("{'schema_version': 1}", 1, "key 'cards' is missing");
	topology_refused("{'schema_version': 1,\n'cards': {}}", 2,
			 "'cards' has value {}, which is wrong; allowed: an array of 1 to 16");
	topology_refused("{'schema_version': 1,\n'cards': [{}], '$schema': 1}", 2,
			 "'$schema' has value 1, which is wrong; allowed: a text");
	topology_refused("{'schema_version': 1, 'cards': []}", 1,
			 "key 'cards' has 0 entries; allowed: 1 to 16");
	topology_refused(CARDS("7"), 2, "key 'cards' has value 7, which is no element of it");
	topology_refused(CARDS("{}"), 2, "key 'model' is missing; allowed: bluefield3, bluefield2");
	topology_refused(CARDS("{'model': 'none',\n'functions': []}"), 2, "has value \"none\"");
	topology_refused(CARDS("{'model': 'bluefield3'}"), 2, "key 'functions' is missing");
	topology_refused(CARDS("{'model': 'bluefield3',\n'functions': []}"), 3,
			 "key 'functions' has 0 entries; allowed: 1 to 1024");
	topology_refused(CARDS("{'model': 'bluefield3', 'functions': [null]}"), 2, "value null");
	topology_refused(CARDS("{'model': 'bluefield3', 'functions': [{}], 'limits': 1}"), 2,
			 "key 'limits' has value 1, which is wrong; allowed: an object");
	topology_refused("{'schema_version': 1, 'cards': [], 'crads': 1}", 1,
			 "\"crads\" is no key here; the nearest of those allowed: 'cards'");
	for (int i = 0; i < 17; i++)
		strcat(many, i == 0 ? "{}" : ",{}");
	strcat(many, "]}");
	topology_refused(many, 1, "'cards' has 17 entries; allowed: 1 to 16");
}

static void limits_and_settings_of_a_card_are_checked(void **state)
{
	static const struct {
		const char *more;
		const char *what;
	} wrong[] = {
		{"'limits': {'max_buf_size': 0},", "'max_buf_size' has value 0, which is wrong"},
		{"'limits': {'max_buf_size': 18446744073709551616},", "has value 184467440737095"},
		{"'limits': {'max_buf_size': 1.5},", "has value 1.5, which is wrong"},
		{"'limits': {'max_buf_list_len': '4G'},", "allowed: 1 to 4294967295"},
		{"'limits': {'max_num_tasks': 1048577},", "allowed: 1 to 1048576"},
		{"'limits': {'max_bufs': 1},",
		 "\"max_bufs\" is no key here; the nearest of those allowed: 'max_buf_size'"},
		{"'limits': {'size': 1},", "\"size\" is no key here; allowed: max_buf_size, "
					   "max_buf_list_len, max_num_tasks"},
		{"'settings': {'ENGIN': 'inline'},",
		 "\"ENGIN\" is no key here; allowed: ERRORS, MAX_BUF_SIZE, MAX_BUF_LIST_LEN, "
		 "QUEUE_DEPTH, REACH, CONNECT_TIMEOUT, DEADLINE"},
		{"'settings': {'$schema': 'x'},", "\"$schema\" is no key here"},
		{"'settings': {'ERRORS': 'none'},", "allowed: documented, hardware"},
		{"'settings': {'ERORS': 'none'},", "the nearest of those allowed: 'ERRORS'"},
		{"'settings': {'QUEUE_DEPTH': true},",
		 "has value true, which is wrong; allowed: 1 to 4294967295, plain or with K, M, G"},
		{"'settings': {'QUEUE_DEPTH': 4294967296},",
		 "has value 4294967296, which is wrong"},
		{"'settings': {'ENGINE': 'inline'},",
		 "which is not a card's to have; allowed: SOFTDOCA_ENGINE or the file of"},
		{"'settings': {'DEVICE': 'none'},", "not a card's to have"},
		{"'settings': {'CONFIG': 'c.json'},",
		 "which is the environment's alone; allowed: SOFTDOCA_CONFIG"},
	};
	char text[1024];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(text, sizeof(text), CARDS(CARD("bluefield3", "%s", "0000:01:00.0")),
			 wrong[i].more);
		topology_refused(text, 2, wrong[i].what);
	}
}

/* 16 physical functions of 15 virtual ones each on a host, and a DPU's that represents all. */
static char *large_topology(unsigned int num_pfs, unsigned int num_vfs)
{
	size_t size = 256 * (num_pfs * (num_vfs + 1) + 2);
	char *text = calloc(1, size);
	size_t len;

	assert_non_null(text);
	len = (size_t)snprintf(text, size,
			       "{'schema_version': 1, 'cards': [{'model': 'bluefield3', "
			       "'functions': [" DPU_PF);
	for (unsigned int i = 0; i < num_pfs; i++) {
		len += (size_t)snprintf(
			text + len, size - len,
			",{'side': 'host', 'type': 'pf', 'pci_addr': '%04x:00:00.0', "
			"'representor': {'on': '0000:03:00.0'}}",
			i + 1);
		for (unsigned int j = 1; j <= num_vfs; j++)
			len += (size_t)snprintf(
				text + len, size - len,
				",{'side': 'host', 'type': 'vf', 'pci_addr': '%04x:%02x:00.0', "
				"'pf_index': %u, 'vf_index': %u, 'representor': {'on': "
				"'0000:03:00.0'}}",
				i + 1, j, i, j - 1);
	}
	snprintf(text + len, size - len, "]}]}");
	return text;
}

static void a_machine_of_16_pfs_and_240_vfs_fits(void **state)
{
	char *text = large_topology(16, 15);
	struct machine machine;

	topology_stands(text, &machine);
	free(text);
	assert_int_equal(machine.num_functions, 257);
	assert_ptr_equal(machine.functions[256].pf, &machine.functions[241]);
	assert_int_equal(machine.functions[256].rep_ib_port, 257);
	machine_release(&machine);
}

static void there_are_1024_functions_and_no_more(void **state)
{
	char *text = large_topology(33, 30);
	struct machine machine;

	topology_stands(text, &machine);
	assert_int_equal(machine.num_functions, 1024);
	machine_release(&machine);
	strcpy(text + strlen(text) - 2, "," CARD("connectx7", "", "0000:01:00.0") "]}");
	topology_refused(text, 1, "key 'functions' has one too many; allowed: 1024 in all cards");
	free(text);
	text = large_topology(32, 31);
	topology_refused(text, 1, "key 'functions' has 1025 entries; allowed: 1 to 1024");
	free(text);
}

static void without_memory_nothing_is_left(void **state)
{
	char problem[SETTINGS_PROBLEM_SIZE];
	struct file file = {.path = "t.json",
			    .named_by = "a test",
			    .problem = problem,
			    .text = topology_quote(BLUEFIELD3(DPU_PF))};
	struct machine machine;

	next_calloc_fails = true;
	assert_doca(topology_make(BLUEFIELD3(DPU_PF), &no_settings, &machine, problem),
		    DOCA_ERROR_NO_MEMORY);
	file.len = strlen(file.text);
	assert_doca(file_parse(&file), DOCA_SUCCESS);
	next_calloc_fails = true;
	assert_doca(topology_build(&file, &no_settings, &machine), DOCA_ERROR_NO_MEMORY);
	file_release(&file);
}

static void a_file_is_read_by_its_path(void **state)
{
	char path[] = "/tmp/softdoca-topology.XXXXXX";
	struct settings settings = no_settings;
	char *text = topology_quote(BLUEFIELD3(DPU_PF));
	char problem[SETTINGS_PROBLEM_SIZE];
	struct machine machine;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	snprintf(settings.topology, sizeof(settings.topology), "%s", path);
	assert_doca(topology_read(&settings, &machine, problem), DOCA_SUCCESS);
	assert_int_equal(machine.num_functions, 1);
	machine_release(&machine);
	unlink(path);
	strcpy(settings.topology_by, "variable X");
	assert_doca(topology_read(&settings, &machine, problem), DOCA_ERROR_INVALID_VALUE);
	assert_ptr_equal(strstr(problem, "variable X: /tmp/softdoca-topology."), problem);
	assert_non_null(strstr(problem, "No such file"));
	close(fd);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_file_is_a_card_with_a_function_of_defaults),
		cmocka_unit_test(each_key_of_a_function_is_read),
		cmocka_unit_test(the_dpu_s_functions_come_before_the_hosts),
		cmocka_unit_test(virtual_and_sub_functions_belong_to_physical_ones),
		cmocka_unit_test(capabilities_follow_model_side_and_type),
		cmocka_unit_test(a_role_lists_its_side_and_keeps_the_other_behind_it),
		cmocka_unit_test(names_of_representors_say_whose_they_are),
		cmocka_unit_test(defaults_step_over_what_the_file_gives),
		cmocka_unit_test(two_cards_of_defaults_stand_beside_each_other),
		cmocka_unit_test(a_card_s_defaults_do_not_hang_on_another_card),
		cmocka_unit_test(each_card_has_its_limits_and_settings),
		cmocka_unit_test(what_the_process_was_given_counts_more),
		cmocka_unit_test(cards_of_a_file_are_checked),
		cmocka_unit_test(limits_and_settings_of_a_card_are_checked),
		cmocka_unit_test(a_machine_of_16_pfs_and_240_vfs_fits),
		cmocka_unit_test(there_are_1024_functions_and_no_more),
		cmocka_unit_test(without_memory_nothing_is_left),
		cmocka_unit_test(a_file_is_read_by_its_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
