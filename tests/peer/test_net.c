/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the library of the nbd way, and what is said when it is not there. */
#include "support/test.h"

#include <dlfcn.h>
#include <unistd.h>

#include "peer/net.h"

/* The linker sends the calls here; the real ones are not called. */
void *__wrap_dlopen(const char *name, int flags);
void *__wrap_dlsym(void *library, const char *name);
char *__wrap_dlerror(void);
int __wrap_access(const char *path, int mode);

/* What the loader has; the linker's wrappers have no other way to learn it. */
static struct {
	bool is_beside;
	bool is_there;
	bool has_symbol;
	const char *error;
	const struct net_way *way;
	uint32_t asked; /* for that version */
	char opened[4096];
	int flags;
} loader;

int __wrap_access(const char *path, int mode)
{
	return loader.is_beside ? 0 : -1;
}

void *__wrap_dlopen(const char *name, int flags)
{
	snprintf(loader.opened, sizeof(loader.opened), "%s", name);
	loader.flags = flags;
	return loader.is_there ? &loader : NULL;
}

static const struct net_way *give_way(uint32_t version)
{
	loader.asked = version;
	return loader.way;
}

void *__wrap_dlsym(void *library, const char *name)
{
	assert_ptr_equal(library, &loader);
	assert_string_equal(name, "softdoca_net_way");
	return loader.has_symbol ? (void *)give_way : NULL;
}

char *__wrap_dlerror(void)
{
	return (char *)loader.error;
}

static const struct net_way right = {.version = NET_VERSION};

static int all_is_there(void **state)
{
	memset(&loader, 0, sizeof(loader));
	loader.is_there = loader.has_symbol = true;
	loader.way = &right;
	return 0;
}

static void assert_missing(const char *reason)
{
	const struct net_way *way = NULL;
	const char *why = NULL;

	assert_doca(net_load(&way, &why), DOCA_ERROR_NOT_SUPPORTED);
	assert_null(way);
	assert_non_null(why);
	if (strstr(why, reason) == NULL)
		fail_msg("'%s' does not say '%s'", why, reason);
}

static void assert_fails_with(const char *error, const char *reason)
{
	loader.is_there = false;
	loader.error = error;
	assert_missing(reason);
}

static void the_one_beside_this_library_comes_first(void **state)
{
	const struct net_way *way = NULL;
	const char *why = NULL;
	char beside[4096] = "";

	assert_true(readlink("/proc/self/exe", beside, sizeof(beside) - 1) > 0);
	strcpy(strrchr(beside, '/'), "/libsoftdoca_net.so.2");
	loader.is_beside = true;
	assert_doca(net_load(&way, &why), DOCA_SUCCESS);
	assert_ptr_equal(way, &right);
	assert_int_equal(loader.asked, NET_VERSION);
	/* Under a checker the program may be another file than the one that is linked. */
	assert_string_equal(strrchr(loader.opened, '/'), strrchr(beside, '/'));
	assert_int_equal(loader.flags, RTLD_NOW | RTLD_LOCAL);
}

static void then_the_one_that_the_loader_knows(void **state)
{
	const struct net_way *way = NULL;
	const char *why = NULL;

	assert_doca(net_load(&way, &why), DOCA_SUCCESS);
	assert_ptr_equal(way, &right);
	assert_string_equal(loader.opened, "libsoftdoca_net.so.2");
}

static void a_missing_library_names_its_package(void **state)
{
	assert_fails_with("libsoftdoca_net.so.2: cannot open shared object file: No such file or "
			  "directory",
			  "package libsoftdoca-net");
}

static void a_missing_library_of_the_librarys_names_that_package(void **state)
{
	assert_fails_with("libnbd.so.0: cannot open shared object file: No such file or directory",
			  "package libnbd0");
	assert_fails_with("libgnutls.so.30: cannot open shared object file: No such file",
			  "package libgnutls30");
}

static void a_broken_library_is_told_apart(void **state)
{
	assert_fails_with("/usr/lib/softdoca/libsoftdoca_net.so.2: file too short", "be loaded");
	assert_fails_with(NULL, "libsoftdoca-net");
}

static void another_version_is_told_apart(void **state)
{
	static const struct net_way other = {.version = NET_VERSION + 1};

	loader.has_symbol = false;
	assert_missing("another version");
	loader.has_symbol = true;
	loader.way = NULL;
	assert_missing("another version");
	loader.way = &other;
	assert_missing("another version");
}

#define NET_TEST(test) cmocka_unit_test_setup(test, all_is_there)

int main(void)
{
	const struct CMUnitTest tests[] = {
		NET_TEST(the_one_beside_this_library_comes_first),
		NET_TEST(then_the_one_that_the_loader_knows),
		NET_TEST(a_missing_library_names_its_package),
		NET_TEST(a_missing_library_of_the_librarys_names_that_package),
		NET_TEST(a_broken_library_is_told_apart),
		NET_TEST(another_version_is_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
