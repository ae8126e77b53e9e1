/* SPDX-License-Identifier: Apache-2.0 */
/* Servers and clients of other users, which takes a root to try. */
#include "support/comch_fixture.h"

#include "support/comch_child.h"

#define NOBODY 65534
#define NOBODY_TEXT "65534"

static void start_as_nobody(struct comch_child *child, const char *const *words)
{
	child_start_as(child, NOBODY, words);
}

static void another_users_client_is_refused_at_once_and_counted(void **state)
{
	struct comch_end server = {.server = NULL};
	struct comch_child child;

	comch_server_open(&server, "of root", NULL);
	comch_start(&server);
	start_as_nobody(&child, (const char *const[]){"client", "of root", "1", NULL});
	child_says(&child, "started");
	comch_until(&server, NULL, server.num_refused == 1);
	child_says(&child, "idle");
	child_finish(&child);
	assert_int_equal(server.num_connects, 0);
	comch_end_close(&server);
}

static void a_user_that_is_named_may_connect(void **state)
{
	struct comch_child server;
	struct comch_child client;

	setenv("SOFTDOCA_ALLOW_UIDS", NOBODY_TEXT, 1);
	child_start(&server, "server", "of root, open", "4", "0");
	unsetenv("SOFTDOCA_ALLOW_UIDS");
	child_says(&server, "running");
	start_as_nobody(&client, (const char *const[]){"client", "of root, open", "1", NULL});
	child_says(&client, "started");
	child_says(&client, "served");
	child_finish(&client);
	child_finish(&server);
}

static void a_client_refuses_another_users_server_unless_it_is_named(void **state)
{
	struct comch_child server;
	struct comch_child client;

	start_as_nobody(&server, (const char *const[]){"server", "of nobody", "4", "0", NULL});
	child_says(&server, "running");
	child_start(&client, "client", "of nobody", "1");
	child_says(&client, "started");
	child_says(&client, "idle");
	child_finish(&client);
	/* Root is admitted everywhere: it is the client that decides. */
	setenv("SOFTDOCA_ALLOW_UIDS", NOBODY_TEXT, 1);
	child_start(&client, "client", "of nobody", "1");
	unsetenv("SOFTDOCA_ALLOW_UIDS");
	child_says(&client, "started");
	child_says(&client, "served");
	child_finish(&client);
	child_finish(&server);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_users_client_is_refused_at_once_and_counted),
		cmocka_unit_test(a_user_that_is_named_may_connect),
		cmocka_unit_test(a_client_refuses_another_users_server_unless_it_is_named),
	};
	char name[120];
	int status;

	if (child_is_me(argc, argv, &status))
		return status;
	if (geteuid() != 0) {
		printf("1..0 # SKIP only root can start programs of other users\n");
		return 0;
	}
	comch_name("", name);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
