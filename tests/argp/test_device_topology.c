/* SPDX-License-Identifier: Apache-2.0 */
/* Device parameters where there are several representors, and functions at one address. */
#include "argp/argp.h"

#include "support/test.h"

#include "support/argp_fixture.h"

/* The DPU's own virtual function is pf0vf0 by number, a host's by the name of its interface. */
static const char topology[] =
	"{\"schema_version\": 1, \"cards\": [{\"model\": \"bluefield3\", \"functions\": ["
	"{\"side\": \"dpu\", \"type\": \"pf\", \"pci_addr\": \"0000:03:00.0\"},"
	"{\"side\": \"dpu\", \"type\": \"vf\", \"pci_addr\": \"0000:03:00.1\", \"vf_index\": 0,"
	" \"representor\": {\"on\": \"0000:03:00.0\"}},"
	"{\"side\": \"dpu\", \"type\": \"sf\", \"pci_addr\": \"0000:03:00.0\", \"sf_index\": 5,"
	" \"representor\": {\"on\": \"0000:03:00.0\"}},"
	"{\"side\": \"host\", \"type\": \"pf\", \"pci_addr\": \"0000:b1:00.0\"},"
	"{\"side\": \"host\", \"type\": \"vf\", \"pci_addr\": \"0000:b1:00.1\", \"vf_index\": 0,"
	" \"representor\": {\"on\": \"0000:03:00.0\"}}]}]}";

static void assert_opens(void **state, const char *text, const char *call)
{
	struct argp_fixture *fixture = *state;

	argp_add("r", "rep", DOCA_ARGP_TYPE_DEVICE_REP);
	assert_doca(START("-r", text), DOCA_SUCCESS);
	assert_calls(state, call);
	assert_doca(doca_dev_rep_close(fixture->rep), DOCA_SUCCESS);
}

static void the_name_of_an_interface_counts_more_than_a_number(void **state)
{
	assert_opens(state, "pci/03:00.0,pf0vf0", "rep 0000:03:00.0 0000:b1:00.1 -;");
}

static void a_representor_is_found_by_number_among_several(void **state)
{
	assert_opens(state, "pci/03:00.0,pf0sf5", "rep 0000:03:00.0 0000:03:00.0 -;");
}

static void those_that_exist_are_all_named(void **state)
{
	argp_add("r", "rep", DOCA_ARGP_TYPE_DEVICE_REP);
	assert_doca(START("-r", "pci/03:00.0,pf0"), DOCA_ERROR_INVALID_VALUE);
	assert_message("has no representor pf0; there are: pf0vf0, pf0sf5, pf0vf0");
}

static void an_address_means_its_physical_function(void **state)
{
	struct argp_fixture *fixture = *state;
	enum doca_pci_func_type type = DOCA_PCI_FUNC_TYPE_SF;

	argp_add("d", "device", DOCA_ARGP_TYPE_DEVICE);
	assert_doca(START("-d", "pci/03:00.0"), DOCA_SUCCESS);
	assert_doca(doca_devinfo_get_pci_func_type(doca_dev_as_devinfo(fixture->dev), &type),
		    DOCA_SUCCESS);
	assert_int_equal(type, DOCA_PCI_FUNC_TYPE_PF);
	assert_doca(doca_dev_close(fixture->dev), DOCA_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		argp_test(the_name_of_an_interface_counts_more_than_a_number),
		argp_test(a_representor_is_found_by_number_among_several),
		argp_test(those_that_exist_are_all_named),
		argp_test(an_address_means_its_physical_function),
	};
	struct argp_file file = argp_write_file(topology, strlen(topology));
	int result;

	setenv("SOFTDOCA_DEVICE", file.path, 1);
	result = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(file.path);
	return result;
}
