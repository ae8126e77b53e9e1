/* SPDX-License-Identifier: Apache-2.0 */
/* The choice among the ways: their order, what forces one, and what the report says. */
#include "contract/peer_suite.h"

#include <errno.h>
#include <pthread.h>
#include <sys/uio.h>

#include "peer/net.h"

/* The linker sends the calls to the first, and knows the real one as the second. */
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *local, unsigned long num_local,
				const struct iovec *remote, unsigned long num_remote,
				unsigned long flags);
ssize_t __real_process_vm_readv(pid_t pid, const struct iovec *local, unsigned long num_local,
				const struct iovec *remote, unsigned long num_remote,
				unsigned long flags);
doca_error_t __wrap_net_load(const struct net_way **way, const char **why);
int __wrap_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
int __real_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* What the wrappers do and saw; the linker's wrappers have no other way to learn and tell it. */
static struct {
	int cma_error; /* of every call, 0 for none */
	bool has_net;
	doca_error_t net_result;
	unsigned int num_net_opens;
	int num_closes;
	unsigned int num_atforks_left; /* before one fails; 0: none fails */
} world;

ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *local, unsigned long num_local,
				const struct iovec *remote, unsigned long num_remote,
				unsigned long flags)
{
	if (world.cma_error == 0)
		return __real_process_vm_readv(pid, local, num_local, remote, num_remote, flags);
	errno = world.cma_error;
	return -1;
}

int __wrap_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
	if (world.num_atforks_left > 0 && --world.num_atforks_left == 0)
		return ENOMEM;
	return __real_pthread_atfork(prepare, parent, child);
}

static void net_submit(struct peer_region *region, struct peer_io *io)
{
	peer_io_finish(io, DOCA_SUCCESS);
}

static void net_orphan(struct peer_region *region)
{
}

static void net_close(struct peer_region *region)
{
	world.num_closes++;
	free(region);
}

static const struct peer_ops net_ops = {
	.name = "nbd",
	.submit = net_submit,
	.orphan = net_orphan,
	.close = net_close,
};

static doca_error_t net_open(const struct peer_policy *policy,
			     const struct export_descriptor *descriptor,
			     struct peer_region **region, const char **why)
{
	struct peer_region *opened;

	world.num_net_opens++;
	*why = "it would not";
	if (world.net_result != DOCA_SUCCESS)
		return world.net_result;
	opened = calloc(1, sizeof(*opened));
	assert_non_null(opened);
	peer_region_init(opened, &net_ops, descriptor);
	*region = opened;
	return DOCA_SUCCESS;
}

doca_error_t __wrap_net_load(const struct net_way **way, const char **why)
{
	static const struct net_way net = {.version = NET_VERSION, .open = net_open};

	if (!world.has_net) {
		*why = "it is not installed";
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	*way = &net;
	return DOCA_SUCCESS;
}

static const struct peer_suite in_file = {
	.way = "mapped",
	.exporter = &agent_exporter,
	.is_in_file = true,
};

static const struct peer_suite in_private_memory = {
	.way = "cma",
	.exporter = &agent_exporter,
};

static struct peer_case *export(const struct peer_suite *suite, enum peer_reach reach)
{
	void *state = (void *)suite;
	struct peer_case *exported;

	memset(&world, 0, sizeof(world));
	exported = peer_case_export(&state, EXPORT_MAY_READ | EXPORT_MAY_WRITE);
	exported->policy.reach = reach;
	return exported;
}

/* The way that is taken, and the whole of the report. */
static void assert_reached(struct peer_case *exported, const char *way, const char *report)
{
	if (peer_case_import(exported) != DOCA_SUCCESS)
		fail_msg("%s", exported->report);
	assert_string_equal(exported->region->ops->name, way);
	assert_string_equal(exported->report, report);
	peer_case_close(exported);
}

static void assert_not_reached(struct peer_case *exported, doca_error_t result, const char *report)
{
	assert_doca(peer_case_import(exported), result);
	assert_null(exported->region);
	assert_string_equal(exported->report, report);
	peer_case_close(exported);
}

#define NOT_IN_FILE "; not mapped: the range is not in a memory file sealed against shrinking"
#define NOT_CMA_EPERM "; not cma: the kernel does not permit it: ptrace would be refused, too"

static void a_sealed_file_is_mapped(void **state)
{
	assert_reached(export(&in_file, PEER_REACH_AUTO), "mapped", "mapped");
}

static void private_memory_is_reached_by_the_kernel(void **state)
{
	assert_reached(export(&in_private_memory, PEER_REACH_AUTO), "cma", "cma" NOT_IN_FILE);
}

static void what_the_kernel_refuses_goes_through_messages(void **state)
{
	struct peer_case *exported = export(&in_private_memory, PEER_REACH_AUTO);

	world.cma_error = EPERM;
	world.has_net = true;
	assert_reached(exported, "nbd", "nbd" NOT_IN_FILE NOT_CMA_EPERM);
	assert_int_equal(world.num_net_opens, 1);
	assert_int_equal(world.num_closes, 1);
}

static void a_forced_way_is_taken_before_a_better_one(void **state)
{
	struct peer_case *exported = export(&in_file, PEER_REACH_CMA);

	assert_reached(exported, "cma", "cma; not mapped: SOFTDOCA_REACH is cma");
	exported = export(&in_file, PEER_REACH_NBD);
	world.has_net = true;
	assert_reached(exported, "nbd", "nbd; not mapped, not cma: SOFTDOCA_REACH is nbd");
	assert_reached(export(&in_file, PEER_REACH_MAPPED), "mapped", "mapped");
}

static void a_forced_way_that_cannot_is_replaced_by_none(void **state)
{
	struct peer_case *exported = export(&in_private_memory, PEER_REACH_MAPPED);

	world.has_net = true;
	assert_not_reached(exported, DOCA_ERROR_NOT_SUPPORTED,
			   "no way works" NOT_IN_FILE "; not nbd: SOFTDOCA_REACH does not let it");
	exported = export(&in_private_memory, PEER_REACH_CMA);
	world.has_net = true;
	world.cma_error = EPERM;
	assert_not_reached(exported, DOCA_ERROR_NOT_PERMITTED,
			   "no way works; not mapped: SOFTDOCA_REACH is cma" NOT_CMA_EPERM
			   "; not nbd: SOFTDOCA_REACH does not let it");
	assert_int_equal(world.num_net_opens, 0);
	assert_not_reached(export(&in_file, PEER_REACH_NBD), DOCA_ERROR_NOT_SUPPORTED,
			   "no way works; not mapped, not cma: SOFTDOCA_REACH is nbd"
			   "; not nbd: it is not installed");
}

static void what_the_kernel_refuses_is_not_permitted_without_messages(void **state)
{
	struct peer_case *exported = export(&in_private_memory, PEER_REACH_AUTO);

	world.cma_error = EPERM;
	assert_not_reached(exported, DOCA_ERROR_NOT_PERMITTED,
			   "no way works" NOT_IN_FILE NOT_CMA_EPERM
			   "; not nbd: it is not installed");
}

static void an_error_of_the_last_way_is_the_result(void **state)
{
	struct peer_case *exported = export(&in_private_memory, PEER_REACH_AUTO);

	world.cma_error = ESRCH;
	world.has_net = true;
	world.net_result = DOCA_ERROR_TIME_OUT;
	assert_not_reached(exported, DOCA_ERROR_TIME_OUT,
			   "no way works" NOT_IN_FILE
			   "; not cma: the exporter is in another process namespace"
			   "; not nbd: it would not");
}

static void what_the_exporter_has_decided_is_not_asked_again(void **state)
{
	struct peer_case *exported = export(&in_private_memory, PEER_REACH_AUTO);

	world.has_net = true;
	exported->descriptor.secret[0] ^= 1;
	assert_not_reached(exported, DOCA_ERROR_AUTHENTICATION,
			   "no way works; not mapped, not cma: the exporter refuses the secret");
	exported = export(&in_private_memory, PEER_REACH_AUTO);
	world.has_net = true;
	exported->descriptor.id[0] ^= 1;
	assert_doca(peer_case_import(exported), DOCA_ERROR_NOT_FOUND);
	peer_case_close(exported);
	assert_int_equal(world.num_net_opens, 0);
}

static void add_endpoint(struct peer_case *exported, uint8_t type)
{
	exported->descriptor.endpoints[exported->descriptor.num_endpoints++] =
		(struct export_endpoint){.type = type, .len_bytes = 6};
}

static void a_dead_exporter_is_asked_for_on_the_network_alone(void **state)
{
	struct peer_case *exported = export(&in_private_memory, PEER_REACH_AUTO);

	peer_case_kill(exported);
	world.has_net = true;
	assert_doca(peer_case_import(exported), DOCA_ERROR_NOT_CONNECTED);
	assert_int_equal(world.num_net_opens, 0);
	add_endpoint(exported, EXPORT_IPV4);
	assert_doca(peer_case_import(exported), DOCA_SUCCESS);
	assert_string_equal(exported->region->ops->name, "nbd");
	assert_int_equal(world.num_net_opens, 1);
	peer_case_close(exported);
}

static void an_endpoint_that_nothing_here_can_use_is_not_supported(void **state)
{
	struct peer_case *exported = export(&in_private_memory, PEER_REACH_AUTO);

	exported->descriptor.num_endpoints = 0;
	add_endpoint(exported, EXPORT_IPV6);
	assert_not_reached(exported, DOCA_ERROR_NOT_SUPPORTED,
			   "no way works"
			   "; not mapped, not cma: its descriptor names no socket on this machine"
			   "; not nbd: it is not installed");
	exported = export(&in_private_memory, PEER_REACH_AUTO);
	exported->descriptor.num_endpoints = 0;
	add_endpoint(exported, EXPORT_VSOCK);
	assert_doca(peer_case_import(exported), DOCA_ERROR_NOT_SUPPORTED);
	peer_case_close(exported);
}

static void *import_cancelled(void *argument)
{
	struct peer_case *exported = argument;

	pthread_cancel(pthread_self());
	(void)peer_case_import(exported);
	pthread_testcancel();
	return NULL;
}

static void a_cancelled_thread_imports_whole(void **state)
{
	struct peer_case *exported = export(&in_private_memory, PEER_REACH_AUTO);
	pthread_t thread;
	void *end;

	assert_int_equal(pthread_create(&thread, NULL, import_cancelled, exported), 0);
	assert_int_equal(pthread_join(thread, &end), 0);
	assert_ptr_equal(end, PTHREAD_CANCELED);
	assert_non_null(exported->region);
	peer_case_close(exported);
}

/* Before any other region of this process: the first tells the system of it. */
static void a_region_that_a_fork_could_not_be_told_of_is_no_memory(void **state)
{
	struct peer_case *exported = export(&in_file, PEER_REACH_NBD);

	world.has_net = true;
	world.num_atforks_left = 1;
	assert_not_reached(exported, DOCA_ERROR_NO_MEMORY,
			   "no memory to watch for forks"
			   "; not mapped, not cma: SOFTDOCA_REACH is nbd");
	assert_int_equal(world.num_closes, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_region_that_a_fork_could_not_be_told_of_is_no_memory),
		cmocka_unit_test(a_sealed_file_is_mapped),
		cmocka_unit_test(private_memory_is_reached_by_the_kernel),
		cmocka_unit_test(what_the_kernel_refuses_goes_through_messages),
		cmocka_unit_test(a_forced_way_is_taken_before_a_better_one),
		cmocka_unit_test(a_forced_way_that_cannot_is_replaced_by_none),
		cmocka_unit_test(what_the_kernel_refuses_is_not_permitted_without_messages),
		cmocka_unit_test(an_error_of_the_last_way_is_the_result),
		cmocka_unit_test(what_the_exporter_has_decided_is_not_asked_again),
		cmocka_unit_test(a_dead_exporter_is_asked_for_on_the_network_alone),
		cmocka_unit_test(a_cancelled_thread_imports_whole),
		cmocka_unit_test(an_endpoint_that_nothing_here_can_use_is_not_supported),
	};

	if (!peer_suite_kernel_copies())
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
