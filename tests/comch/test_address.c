/* SPDX-License-Identifier: Apache-2.0 */
/* Where servers are found: abstract names, and files in a runtime directory. */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "comch/address.h"
#include "device/card.h"

static const char addr[] = "0000:b1:00.0";

/* A directory of its own; the state is its policy. */
static int setup_directory(void **state)
{
	struct peer_policy *policy = calloc(1, sizeof(*policy));

	if (policy == NULL)
		return -1;
	snprintf(policy->runtime_dir, sizeof(policy->runtime_dir), "/tmp/softdoca-address.XXXXXX");
	*state = policy;
	return mkdtemp(policy->runtime_dir) == NULL ? -1 : 0;
}

/* Nothing may be left in it. */
static int teardown_directory(void **state)
{
	int result = rmdir(((struct peer_policy *)*state)->runtime_dir);

	free(*state);
	return result;
}

static struct address address_named(const struct peer_policy *policy, const char *name)
{
	struct address address;

	address_of(policy, addr, name, &address);
	return address;
}

static bool are_equal(const struct address *first, const struct address *second)
{
	return first->len_bytes == second->len_bytes &&
	       memcmp(&first->name, &second->name, first->len_bytes) == 0;
}

static void an_abstract_name_has_function_hash_and_the_name_as_it_fits(void **state)
{
	const struct peer_policy policy = {.num_uids = 0};
	struct address first = address_named(&policy, "a name");
	struct address second = address_named(&policy, "a name");
	struct address other;
	char longest[120];

	assert_false(first.is_path);
	assert_true(are_equal(&first, &second));
	assert_int_equal(first.name.sun_path[0], '\0');
	assert_non_null(strstr(first.name.sun_path + 1, "softdoca-comch/0000:b1:00.0/"));
	assert_non_null(strstr(first.name.sun_path + 1, "/a name"));
	other = address_named(&policy, "a name ");
	assert_false(are_equal(&first, &other));
	address_of(&policy, "0000:03:00.0", "a name", &other);
	assert_false(are_equal(&first, &other));

	memset(longest, 'n', sizeof(longest));
	longest[119] = '\0';
	first = address_named(&policy, longest);
	longest[118] = 'm';
	second = address_named(&policy, longest);
	assert_true(first.len_bytes <= sizeof(first.name));
	assert_false(are_equal(&first, &second));
}

static void a_sub_function_is_apart_from_its_physical_one(void **state)
{
	const struct peer_policy policy = {.num_uids = 0};
	struct card_function pf = {
		.type = CARD_PF, .side = CARD_SIDE_HOST, .pci_addr = "0000:b1:00.0"};
	struct card_function sf = {
		.type = CARD_SF, .side = CARD_SIDE_HOST, .pci_addr = "0000:b1:00.0", .sf_index = 4};
	char name[CARD_FUNCTION_KEY_SIZE];
	struct address first;
	struct address second;

	card_function_set_name(&pf);
	card_function_key(&pf, name);
	assert_string_equal(name, "0000:b1:00.0");
	address_of(&policy, name, "sf4/x", &first);
	card_function_set_name(&sf);
	card_function_key(&sf, name);
	assert_string_equal(name, "0000:b1:00.0.sf4");
	address_of(&policy, name, "x", &second);
	assert_false(are_equal(&first, &second));
}

static void a_function_of_the_dpu_is_apart_from_one_of_the_host(void **state)
{
	struct card_function sf = {.type = CARD_SF,
				   .side = CARD_SIDE_DPU,
				   .pci_addr = "0000:b1:00.0",
				   .sf_index = UINT32_MAX};
	char name[CARD_FUNCTION_KEY_SIZE];

	card_function_set_name(&sf);
	card_function_key(&sf, name);
	assert_string_equal(name, "0000:b1:00.0.sf4294967295@dpu");
}

static void a_path_fits_behind_the_longest_directory(void **state)
{
	struct peer_policy policy = {.num_uids = 0};
	struct address address;

	memset(policy.runtime_dir, 'd', sizeof(policy.runtime_dir) - 1);
	policy.runtime_dir[0] = '/';
	address = address_named(&policy, "name");
	assert_true(address.is_path);
	assert_int_equal(strlen(address.name.sun_path), sizeof(address.name.sun_path) - 1);
	assert_string_equal(strrchr(address.name.sun_path, '.'), ".sock");
}

static void one_listens_and_others_connect_or_find_it_taken(void **state)
{
	const struct address address = address_named(*state, "taken");
	struct ucred peer = {.pid = 0};
	struct stat status;
	int listen_fd;
	int fd;

	assert_int_equal(address_connect(&address), -ENOENT);
	listen_fd = address_listen(&address);
	assert_true(listen_fd >= 0);
	assert_int_equal(stat(address.name.sun_path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0666);
	assert_int_equal(address_listen(&address), -EADDRINUSE);
	fd = address_connect(&address);
	assert_true(fd >= 0);
	assert_int_equal(socket_get_peer(fd, &peer), 0);
	assert_int_equal(peer.pid, getpid());
	assert_int_equal(peer.uid, geteuid());
	assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	assert_int_equal(fcntl(listen_fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	close(fd);
	address_forget(&address);
	close(listen_fd);
	assert_int_equal(address_connect(&address), -ENOENT);
}

static void what_a_dead_server_left_is_removed(void **state)
{
	const struct address address = address_named(*state, "dead");
	int fd = address_listen(&address);

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(address_connect(&address), -ECONNREFUSED);
	fd = address_listen(&address);
	assert_true(fd >= 0);
	address_forget(&address);
	close(fd);
}

static void a_file_that_is_no_socket_is_left_alone(void **state)
{
	const struct address address = address_named(*state, "file");
	int fd = open(address.name.sun_path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(address_listen(&address), -EADDRINUSE);
	assert_int_equal(unlink(address.name.sun_path), 0);
}

static void a_directory_that_is_not_there_is_an_error(void **state)
{
	const struct peer_policy policy = {.runtime_dir = "/nonexistent/softdoca"};
	const struct address address = address_named(&policy, "nowhere");

	assert_int_equal(address_listen(&address), -ENOENT);
	assert_int_equal(address_connect(&address), -ENOENT);
}

static void a_directory_that_somebody_locks_is_waited_for_a_second(void **state)
{
	const struct peer_policy *policy = *state;
	const struct address address = address_named(policy, "locked");
	int lock_fd = open(policy->runtime_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_int_equal(flock(lock_fd, LOCK_EX), 0);
	assert_int_equal(address_listen(&address), -EBUSY);
	close(lock_fd);
}

#define directory_test(function)                                                                   \
	cmocka_unit_test_setup_teardown(function, setup_directory, teardown_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_abstract_name_has_function_hash_and_the_name_as_it_fits),
		cmocka_unit_test(a_sub_function_is_apart_from_its_physical_one),
		cmocka_unit_test(a_function_of_the_dpu_is_apart_from_one_of_the_host),
		cmocka_unit_test(a_path_fits_behind_the_longest_directory),
		directory_test(one_listens_and_others_connect_or_find_it_taken),
		directory_test(what_a_dead_server_left_is_removed),
		directory_test(a_file_that_is_no_socket_is_left_alone),
		cmocka_unit_test(a_directory_that_is_not_there_is_an_error),
		directory_test(a_directory_that_somebody_locks_is_waited_for_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
