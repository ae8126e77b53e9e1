/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual card: its models, its functions, and how a process gets its one card. */
#include "support/test.h"

#include <pthread.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sink.h"
#include "device/card.h"

#define CHILD_DEADLINE_S 20

#define ALL_CAPABILITIES                                                                           \
	(CARD_DMA | CARD_EXPORT_PCI | CARD_IMPORT_PCI | CARD_REPRESENTORS | CARD_COMCH_SERVER |    \
	 CARD_COMCH_CLIENT | CARD_CACHE_INVALIDATE)

static void assert_is_dpu_function(const struct card_function *function)
{
	static const uint8_t mac[] = {0x02, 0x00, 0x5d, 0x0c, 0xa0, 0x01};
	static const uint8_t ipv4[] = {192, 0, 2, 1};
	static const uint8_t ipv6[16] = {0x20, 0x01, 0x0d, 0xb8, [15] = 1};

	assert_string_equal(function->pci_addr, "0000:03:00.0");
	assert_string_equal(function->ibdev_name, "mlx5_0");
	assert_string_equal(function->iface_name, "p0");
	assert_string_equal(function->vuid, "MT0000SOFTDOCAS0D0F0");
	assert_memory_equal(function->mac, mac, sizeof(mac));
	assert_memory_equal(function->ipv4, ipv4, sizeof(ipv4));
	assert_memory_equal(function->ipv6, ipv6, sizeof(ipv6));
	assert_int_equal(function->side, CARD_SIDE_DPU);
}

static void assert_is_host_function(const struct card_function *function)
{
	static const uint8_t mac[] = {0x02, 0x00, 0x5d, 0x0c, 0xa0, 0x02};
	static const uint8_t ipv4[] = {192, 0, 2, 2};
	static const uint8_t ipv6[16] = {0x20, 0x01, 0x0d, 0xb8, [15] = 2};

	assert_string_equal(function->pci_addr, "0000:b1:00.0");
	assert_string_equal(function->ibdev_name, "mlx5_2");
	assert_string_equal(function->iface_name, "ens1f0np0");
	assert_string_equal(function->vuid, "MT0000SOFTDOCAS1D0F0");
	assert_memory_equal(function->mac, mac, sizeof(mac));
	assert_memory_equal(function->ipv4, ipv4, sizeof(ipv4));
	assert_memory_equal(function->ipv6, ipv6, sizeof(ipv6));
	assert_int_equal(function->side, CARD_SIDE_HOST);
}

static void build(const struct settings *settings, struct machine *machine)
{
	assert_doca(machine_build(settings, machine), DOCA_SUCCESS);
}

static uint32_t num_listed(const struct machine *machine)
{
	uint32_t num = 0;

	for (uint32_t i = 0; i < machine->num_functions; i++)
		num += machine->functions[i].is_listed;
	return num;
}

static void the_default_card_is_a_bluefield3_seen_from_both_sides(void **state)
{
	const struct settings settings = {0};
	struct machine machine;

	build(&settings, &machine);
	assert_int_equal(num_listed(&machine), 2);
	assert_is_dpu_function(&machine.functions[0]);
	assert_is_host_function(&machine.functions[1]);
	assert_int_equal(machine.functions[0].active_rate_bps, UINT64_C(400000000000));
	assert_int_equal(machine.cards->limits.max_buf_size_bytes, 2097152);
	assert_int_equal(machine.cards->limits.max_buf_list_len, 64);
	assert_int_equal(machine.cards->limits.max_num_tasks, 65536);
	assert_int_equal(machine.cards->limits.queue_depth, 0);
	assert_int_equal(machine.cards->errors, SETTINGS_ERRORS_DOCUMENTED);
	assert_int_equal(machine.cards->num_workers, 0);
	machine_release(&machine);
}

static void the_dpu_function_can_everything_and_represents_the_host_function(void **state)
{
	const struct settings settings = {0};
	struct machine machine;

	build(&settings, &machine);
	assert_int_equal(machine.functions[0].capabilities, ALL_CAPABILITIES);
	assert_ptr_equal(machine.functions[0].represents, &machine.functions[1]);
	machine_release(&machine);
}

static void the_host_function_has_dma_export_and_a_comch_client(void **state)
{
	const struct settings settings = {0};
	struct machine machine;

	build(&settings, &machine);
	assert_int_equal(machine.functions[1].capabilities,
			 CARD_DMA | CARD_EXPORT_PCI | CARD_COMCH_CLIENT);
	assert_null(machine.functions[1].represents);
	machine_release(&machine);
}

static void role_dpu_lists_the_dpu_function_which_still_represents_the_host_one(void **state)
{
	const struct settings settings = {.role = SETTINGS_ROLE_DPU};
	struct machine machine;

	build(&settings, &machine);
	assert_int_equal(num_listed(&machine), 1);
	assert_is_dpu_function(&machine.functions[0]);
	assert_is_host_function(machine.functions[0].represents);
	machine_release(&machine);
}

static void role_host_lists_the_host_function(void **state)
{
	const struct settings settings = {.role = SETTINGS_ROLE_HOST};
	struct machine machine;

	build(&settings, &machine);
	assert_int_equal(num_listed(&machine), 1);
	assert_is_host_function(&machine.functions[1]);
	assert_null(machine.functions[1].represents);
	machine_release(&machine);
}

static void a_bluefield2_is_slower_and_else_the_same(void **state)
{
	const struct settings settings = {.device = SETTINGS_DEVICE_BLUEFIELD2};
	struct machine machine;

	build(&settings, &machine);
	assert_int_equal(num_listed(&machine), 2);
	assert_int_equal(machine.functions[1].active_rate_bps, UINT64_C(200000000000));
	assert_int_equal(machine.functions[0].capabilities, ALL_CAPABILITIES);
	assert_int_equal(machine.cards->limits.max_buf_size_bytes, 2097152);
	machine_release(&machine);
}

static void a_connectx7_has_both_addresses_and_no_capability(void **state)
{
	const struct settings settings = {.device = SETTINGS_DEVICE_CONNECTX7};
	struct machine machine;

	build(&settings, &machine);
	assert_int_equal(num_listed(&machine), 2);
	assert_is_dpu_function(&machine.functions[0]);
	assert_is_host_function(&machine.functions[1]);
	assert_int_equal(machine.functions[0].capabilities, 0);
	assert_int_equal(machine.functions[1].capabilities, 0);
	assert_null(machine.functions[0].represents);
	assert_int_equal(machine.functions[0].active_rate_bps, UINT64_C(400000000000));
	machine_release(&machine);
}

static void an_unlimited_card_copies_a_tebibyte_in_lists_of_1024(void **state)
{
	const struct settings settings = {.device = SETTINGS_DEVICE_UNLIMITED};
	struct machine machine;

	build(&settings, &machine);
	assert_int_equal(machine.functions[0].capabilities, ALL_CAPABILITIES);
	assert_int_equal(machine.cards->limits.max_buf_size_bytes, UINT64_C(1) << 40);
	assert_int_equal(machine.cards->limits.max_buf_list_len, 1024);
	machine_release(&machine);
}

static void no_card_has_no_function(void **state)
{
	const struct settings settings = {.device = SETTINGS_DEVICE_NONE};
	struct machine machine;

	build(&settings, &machine);
	assert_int_equal(num_listed(&machine), 0);
	machine_release(&machine);
}

static void settings_replace_the_limits_of_the_model(void **state)
{
	const struct settings settings = {
		.errors = SETTINGS_ERRORS_HARDWARE,
		.max_buf_size_bytes = 4096,
		.max_buf_list_len = 3,
		.queue_depth = 7,
		.num_workers = 12,
	};
	struct machine machine;

	build(&settings, &machine);
	assert_string_equal(machine.cards->engine_words, "workers:12");
	assert_int_equal(machine.cards->limits.max_buf_size_bytes, 4096);
	assert_int_equal(machine.cards->limits.max_buf_list_len, 3);
	assert_int_equal(machine.cards->limits.queue_depth, 7);
	assert_int_equal(machine.cards->errors, SETTINGS_ERRORS_HARDWARE);
	machine_release(&machine);
}

/*
 * A process has one card for its life, so that each of these runs in a child of its own. The child
 * says with its exit status whether all was as expected.
 */
static void assert_in_child(bool (*is_right)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(CHILD_DEADLINE_S);
		_exit(is_right() ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* Lines that name SOFTDOCA_ROLE; only children count, as a sink has nowhere else to keep it. */
static unsigned int num_role_lines;

static void count_role_lines(int level, const char *file, int line, const char *func,
			     const char *format, va_list args)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, args);
	if (level == SINK_ERROR && strstr(text, "SOFTDOCA_ROLE") != NULL &&
	    strstr(text, "'arm'") != NULL)
		num_role_lines++;
}

static bool card_follows_the_environment(void)
{
	const struct machine *machine;

	setenv("SOFTDOCA_ROLE", "host", 1);
	return machine_get(&machine) == DOCA_SUCCESS && num_listed(machine) == 1 &&
	       machine->functions[1].is_listed;
}

static void the_card_of_a_process_follows_its_environment(void **state)
{
	assert_in_child(card_follows_the_environment);
}

static bool card_is_the_same_ever_after(void)
{
	const struct machine *first;
	const struct machine *second;

	if (machine_get(&first) != DOCA_SUCCESS)
		return false;
	setenv("SOFTDOCA_ROLE", "arm", 1);
	return machine_get(&second) == DOCA_SUCCESS && first == second && num_listed(second) == 2;
}

static void the_environment_is_read_once(void **state)
{
	assert_in_child(card_is_the_same_ever_after);
}

static bool wrong_setting_is_said_each_time(void)
{
	const struct machine *machine = NULL;

	sink_set(count_role_lines);
	setenv("SOFTDOCA_ROLE", "arm", 1);
	if (machine_get(&machine) != DOCA_ERROR_INVALID_VALUE || num_role_lines != 1)
		return false;
	setenv("SOFTDOCA_ROLE", "dpu", 1);
	return machine_get(&machine) == DOCA_ERROR_INVALID_VALUE && num_role_lines == 2 &&
	       machine == NULL;
}

static void a_wrong_setting_is_an_error_with_its_line_at_each_call(void **state)
{
	assert_in_child(wrong_setting_is_said_each_time);
}

static bool unknown_name_is_refused(void)
{
	const struct machine *machine;

	setenv("SOFTDOCA_DEVCE", "none", 1);
	return machine_get(&machine) == DOCA_ERROR_INVALID_VALUE;
}

static void an_unknown_name_in_the_environment_is_an_error(void **state)
{
	assert_in_child(unknown_name_is_refused);
}

unsigned long __real_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type);

unsigned long __wrap_getauxval(unsigned long type)
{
	return type == AT_SECURE && getenv("RIGHTS_ARE_NOT_THE_CALLER_S") != NULL
		       ? 1
		       : __real_getauxval(type);
}

static bool environment_is_not_read(void)
{
	const struct machine *machine;

	setenv("RIGHTS_ARE_NOT_THE_CALLER_S", "1", 1);
	setenv("SOFTDOCA_ROLE", "host", 1);
	return machine_get(&machine) == DOCA_SUCCESS && num_listed(machine) == 2;
}

static void who_runs_with_other_rights_does_not_listen_to_the_environment(void **state)
{
	assert_in_child(environment_is_not_read);
}

static bool cleared_environment_is_the_default(void)
{
	const struct machine *machine;

	clearenv();
	return machine_get(&machine) == DOCA_SUCCESS && num_listed(machine) == 2;
}

static void a_cleared_environment_gives_the_default_card(void **state)
{
	assert_in_child(cleared_environment_is_the_default);
}

static void *get_card(void *arg)
{
	const struct machine *machine = NULL;

	return machine_get(&machine) == DOCA_SUCCESS ? (void *)machine : NULL;
}

static bool threads_get_one_card(void)
{
	pthread_t threads[8];
	void *cards[8];

	for (size_t i = 0; i < 8; i++) {
		if (pthread_create(&threads[i], NULL, get_card, NULL) != 0)
			return false;
	}
	for (size_t i = 0; i < 8; i++)
		pthread_join(threads[i], &cards[i]);
	for (size_t i = 0; i < 8; i++) {
		if (cards[i] == NULL || cards[i] != cards[0])
			return false;
	}
	return true;
}

static void threads_that_ask_first_together_get_one_card(void **state)
{
	assert_in_child(threads_get_one_card);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default_card_is_a_bluefield3_seen_from_both_sides),
		cmocka_unit_test(the_dpu_function_can_everything_and_represents_the_host_function),
		cmocka_unit_test(the_host_function_has_dma_export_and_a_comch_client),
		cmocka_unit_test(
			role_dpu_lists_the_dpu_function_which_still_represents_the_host_one),
		cmocka_unit_test(role_host_lists_the_host_function),
		cmocka_unit_test(a_bluefield2_is_slower_and_else_the_same),
		cmocka_unit_test(a_connectx7_has_both_addresses_and_no_capability),
		cmocka_unit_test(an_unlimited_card_copies_a_tebibyte_in_lists_of_1024),
		cmocka_unit_test(no_card_has_no_function),
		cmocka_unit_test(settings_replace_the_limits_of_the_model),
		cmocka_unit_test(the_card_of_a_process_follows_its_environment),
		cmocka_unit_test(the_environment_is_read_once),
		cmocka_unit_test(a_wrong_setting_is_an_error_with_its_line_at_each_call),
		cmocka_unit_test(an_unknown_name_in_the_environment_is_an_error),
		cmocka_unit_test(who_runs_with_other_rights_does_not_listen_to_the_environment),
		cmocka_unit_test(a_cleared_environment_gives_the_default_card),
		cmocka_unit_test(threads_that_ask_first_together_get_one_card),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
