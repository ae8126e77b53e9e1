/* SPDX-License-Identifier: Apache-2.0 */
/* Device parameters: their text, what they open and who closes it. */
#include "argp/argp.h"

#include "support/test.h"

#include "support/argp_fixture.h"

static void a_device_text_is_checked(void **state)
{
	static const char *const good[] = {"pci/0000:03:00.0", "pci/03:00.0", "pci/0000:b1:1f.7",
					   "pci/03:00.0,", "pci/03:00.0,x=1,y=2"};
	static const char *const bad[] = {"",
					  "pci",
					  "pci/",
					  "0000:03:00.0",
					  "pci/0000:03:00",
					  "pci/0000:03:00.8",
					  "pci/0000:B1:00.0",
					  "pci/0000:03:20.0",
					  "pci/0000-03:00.0",
					  "pci/00000:03:00.0",
					  "PCI/03:00.0",
					  "pci/ 3:00.0"};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_null(device_text_check(good[i], false));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_non_null(device_text_check(bad[i], false));
	assert_null(device_text_check("pci/03:00.0,pf0vf0", true));
	assert_null(device_text_check("pci/03:00.0,pf0vf0,x=1", true));
	assert_non_null(device_text_check("pci/03:00.0", true));
	assert_non_null(device_text_check("pci/03:00.0,", true));
	assert_non_null(device_text_check("pci/03:00.0,,x", true));
}

static void a_device_is_opened_for_its_callback(void **state)
{
	struct argp_fixture *fixture = *state;

	argp_add("d", "device", DOCA_ARGP_TYPE_DEVICE);
	assert_doca(START("-d", "pci/0000:b1:00.0"), DOCA_SUCCESS);
	assert_calls(state, "device 0000:b1:00.0 -;");
	assert_doca(doca_dev_close(fixture->dev), DOCA_SUCCESS);
}

static void device_arguments_are_kept_until_destroy(void **state)
{
	struct argp_fixture *fixture = *state;

	argp_add("d", "device", DOCA_ARGP_TYPE_DEVICE);
	assert_doca(START("-d", "pci/03:00.0,dv_flow_en=2,x=1"), DOCA_SUCCESS);
	assert_calls(state, "device 0000:03:00.0 dv_flow_en=2,x=1;");
	assert_string_equal(fixture->devargs, "dv_flow_en=2,x=1");
	assert_doca(doca_dev_close(fixture->dev), DOCA_SUCCESS);
}

static void a_bad_device_text_is_refused(void **state)
{
	argp_add("d", "device", DOCA_ARGP_TYPE_DEVICE);
	assert_doca(START("-d", "03:00.0"), DOCA_ERROR_INVALID_VALUE);
	assert_message("flag --device: '03:00.0' is no device: it begins with pci/");
}

static void a_device_that_does_not_exist_is_refused_with_those_that_do(void **state)
{
	argp_add("d", "device", DOCA_ARGP_TYPE_DEVICE);
	assert_doca(START("-d", "pci/0000:08:00.0"), DOCA_ERROR_INVALID_VALUE);
	assert_message("device 0000:08:00.0 does not exist; there are: 0000:03:00.0, 0000:b1:00.0");
	assert_calls(state, "");
}

/* How often the device is open: closed that often, the next open is the first one. */
static unsigned int count_opens(const char *addr)
{
	struct doca_dev *parent = NULL;
	struct doca_dev_rep *rep = NULL;
	struct doca_devinfo_rep **reps;
	struct doca_devinfo **list;
	unsigned int num_opens = 0;
	uint32_t num;

	/* A representor holds its parent: the last close of the parent is refused. */
	assert_doca(doca_devinfo_create_list(&list, &num), DOCA_SUCCESS);
	for (uint32_t i = 0; i < num; i++) {
		uint8_t is_equal;

		assert_doca(doca_devinfo_is_equal_pci_addr(list[i], addr, &is_equal), DOCA_SUCCESS);
		if (is_equal)
			assert_doca(doca_dev_open(list[i], &parent), DOCA_SUCCESS);
	}
	assert_doca(doca_devinfo_rep_create_list(parent, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num),
		    DOCA_SUCCESS);
	assert_doca(doca_dev_rep_open(reps[0], &rep), DOCA_SUCCESS);
	assert_doca(doca_devinfo_rep_destroy_list(reps), DOCA_SUCCESS);
	while (doca_dev_close(parent) == DOCA_SUCCESS)
		num_opens++;
	for (unsigned int i = 0; i < num_opens; i++)
		assert_doca(doca_dev_open(doca_dev_as_devinfo(parent), &parent), DOCA_SUCCESS);
	assert_doca(doca_dev_rep_close(rep), DOCA_SUCCESS);
	assert_doca(doca_dev_close(parent), DOCA_SUCCESS);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	return num_opens;
}

static void a_representor_is_opened_and_its_parent_closed_by_destroy(void **state)
{
	struct argp_fixture *fixture = *state;

	argp_add("r", "rep", DOCA_ARGP_TYPE_DEVICE_REP);
	assert_doca(START("-r", "pci/0000:03:00.0,pf0,x=1"), DOCA_SUCCESS);
	assert_calls(state, "rep 0000:03:00.0 0000:b1:00.0 x=1;");
	assert_doca(doca_dev_rep_close(fixture->rep), DOCA_SUCCESS);
	assert_int_equal(count_opens("0000:03:00.0"), 1);
	assert_doca(doca_argp_destroy(), DOCA_SUCCESS);
	assert_int_equal(count_opens("0000:03:00.0"), 0);
}

static void a_representor_is_also_found_by_its_interface(void **state)
{
	struct argp_fixture *fixture = *state;

	argp_add("r", "rep", DOCA_ARGP_TYPE_DEVICE_REP);
	assert_doca(START("-r", "pci/0000:03:00.0,pf0hpf"), DOCA_SUCCESS);
	assert_calls(state, "rep 0000:03:00.0 0000:b1:00.0 -;");
	assert_doca(doca_dev_rep_close(fixture->rep), DOCA_SUCCESS);
}

static void a_representor_that_does_not_exist_is_refused_with_those_that_do(void **state)
{
	argp_add("r", "rep", DOCA_ARGP_TYPE_DEVICE_REP);
	assert_doca(START("-r", "pci/0000:03:00.0,pf0vf0"), DOCA_ERROR_INVALID_VALUE);
	assert_message("device 0000:03:00.0 has no representor pf0vf0; there are: pf0");
	assert_calls(state, "");
	assert_doca(doca_argp_destroy(), DOCA_SUCCESS);
	assert_int_equal(count_opens("0000:03:00.0"), 0);
}

static void a_device_without_representors_is_refused(void **state)
{
	argp_add("r", "rep", DOCA_ARGP_TYPE_DEVICE_REP);
	assert_doca(START("-r", "pci/0000:b1:00.0,pf0"), DOCA_ERROR_NOT_SUPPORTED);
	assert_message("device 0000:b1:00.0: its representors cannot be listed");
}

static void a_repeated_device_is_opened_for_each_value(void **state)
{
	struct doca_argp_param *param = argp_param("d", "device", DOCA_ARGP_TYPE_DEVICE);
	struct argp_fixture *fixture = *state;

	doca_argp_param_set_multiplicity(param);
	assert_doca(doca_argp_register_param(param), DOCA_SUCCESS);
	assert_doca(START("-d", "pci/03:00.0", "-d", "pci/03:00.0"), DOCA_SUCCESS);
	assert_int_equal(count_opens("0000:03:00.0"), 2);
	assert_doca(doca_dev_close(fixture->dev), DOCA_SUCCESS);
	assert_doca(doca_dev_close(fixture->dev), DOCA_SUCCESS);
}

static doca_error_t open_mine(struct doca_devinfo *devinfo, void *usr_ctx, struct doca_dev **dev)
{
	argp_record(usr_ctx, "open;");
	return doca_dev_open(devinfo, dev);
}

static doca_error_t open_refused(struct doca_devinfo *devinfo, void *usr_ctx, struct doca_dev **dev)
{
	return *(const doca_error_t *)usr_ctx;
}

static void an_open_callback_replaces_the_open(void **state)
{
	struct argp_fixture *fixture = *state;

	argp_add("d", "device", DOCA_ARGP_TYPE_DEVICE);
	argp_add("r", "rep", DOCA_ARGP_TYPE_DEVICE_REP);
	assert_doca(doca_argp_register_dev_open_callback(open_mine, fixture), DOCA_SUCCESS);
	assert_doca(START("-d", "pci/03:00.0", "-r", "pci/03:00.0,pf0"), DOCA_SUCCESS);
	assert_calls(state, "open;device 0000:03:00.0 -;open;rep 0000:03:00.0 0000:b1:00.0 -;");
	assert_doca(doca_dev_close(fixture->dev), DOCA_SUCCESS);
	assert_doca(doca_dev_rep_close(fixture->rep), DOCA_SUCCESS);
}

static void start_returns_what_an_open_callback_refuses(void **state)
{
	doca_error_t answer = DOCA_ERROR_NOT_CONNECTED;

	argp_add("d", "device", DOCA_ARGP_TYPE_DEVICE);
	assert_doca(doca_argp_register_dev_open_callback(open_refused, &answer), DOCA_SUCCESS);
	assert_doca(START("-d", "pci/03:00.0"), DOCA_ERROR_NOT_CONNECTED);
	assert_message("device 03:00.0 cannot be opened");
	assert_calls(state, "");
}

static void an_open_callback_is_refused_after_start(void **state)
{
	assert_doca(START_NONE(), DOCA_SUCCESS);
	assert_doca(doca_argp_register_dev_open_callback(open_mine, NULL), DOCA_ERROR_BAD_STATE);
}

static int start_with_bad_settings(void)
{
	setenv("SOFTDOCA_DEVICE", "no-such-model", 1);
	argp_add("d", "device", DOCA_ARGP_TYPE_DEVICE);
	if (START("-d", "pci/03:00.0") != DOCA_ERROR_INVALID_VALUE)
		return 1;
	return strstr(last_message, "device 03:00.0: the devices cannot be listed") != NULL ? 0 : 2;
}

static void devices_that_cannot_be_listed_are_refused(void **state)
{
	struct argp_child child;

	argp_run_child(&child, start_with_bad_settings);
	assert_int_equal(child.status, 100);
}

static int start_without_devices(void)
{
	setenv("SOFTDOCA_DEVICE", "none", 1);
	argp_add("d", "device", DOCA_ARGP_TYPE_DEVICE);
	if (START("-d", "pci/03:00.0") != DOCA_ERROR_INVALID_VALUE)
		return 1;
	return strstr(last_message, "does not exist; there are: none") != NULL ? 0 : 2;
}

static void a_machine_without_devices_says_so(void **state)
{
	struct argp_child child;

	argp_run_child(&child, start_without_devices);
	assert_int_equal(child.status, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* Settings are read once in a process: these fork before a device is listed. */
		argp_test(devices_that_cannot_be_listed_are_refused),
		argp_test(a_machine_without_devices_says_so),
		cmocka_unit_test(a_device_text_is_checked),
		argp_test(a_device_is_opened_for_its_callback),
		argp_test(device_arguments_are_kept_until_destroy),
		argp_test(a_bad_device_text_is_refused),
		argp_test(a_device_that_does_not_exist_is_refused_with_those_that_do),
		cmocka_unit_test_setup_teardown(
			a_representor_is_opened_and_its_parent_closed_by_destroy, argp_setup,
			argp_teardown_closed),
		argp_test(a_representor_is_also_found_by_its_interface),
		cmocka_unit_test_setup_teardown(
			a_representor_that_does_not_exist_is_refused_with_those_that_do, argp_setup,
			argp_teardown_closed),
		argp_test(a_device_without_representors_is_refused),
		argp_test(a_repeated_device_is_opened_for_each_value),
		argp_test(an_open_callback_replaces_the_open),
		argp_test(start_returns_what_an_open_callback_refuses),
		argp_test(an_open_callback_is_refused_after_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
