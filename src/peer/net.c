/* SPDX-License-Identifier: Apache-2.0 */
/* Opens libsoftdoca_net.so.2: from beside this library, or wherever the loader finds it. */
#include "peer/net.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NET_LIBRARY "libsoftdoca_net.so.2"

/* The path of the library beside the object that this function is in; false when there is none. */
static bool find_beside(char path[PATH_MAX])
{
	static const char inside; /* its address is in the same object */
	Dl_info object;
	const char *slash;
	int len;

	if (dladdr(&inside, &object) == 0 || object.dli_fname == NULL)
		return false;
	slash = strrchr(object.dli_fname, '/');
	if (slash == NULL)
		return false;
	len = snprintf(path, PATH_MAX, "%.*s/" NET_LIBRARY, (int)(slash - object.dli_fname),
		       object.dli_fname);
	return len > 0 && len < PATH_MAX && access(path, F_OK) == 0;
}

/* The last dlopen() failed: which Debian package would help. */
static const char *explain(void)
{
	const char *error = dlerror();

	if (error != NULL && strstr(error, "libnbd") != NULL)
		return "libnbd is not installed: add the package libnbd0";
	if (error != NULL && strstr(error, "libgnutls") != NULL)
		return "libgnutls is not installed: add the package libgnutls30";
	if (error != NULL && strstr(error, NET_LIBRARY ": cannot open") == NULL)
		return NET_LIBRARY " cannot be loaded";
	return NET_LIBRARY " is not installed: add the package libsoftdoca-net";
}

doca_error_t net_load(const struct net_way **way, const char **why)
{
	char path[PATH_MAX];
	void *library = dlopen(find_beside(path) ? path : NET_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	const struct net_way *found;
	net_way_fn ask;

	if (library == NULL) {
		*why = explain();
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	/* Never closed: what it gives stays until the process ends. */
	ask = (net_way_fn)dlsym(library, NET_SYMBOL);
	found = ask != NULL ? ask(NET_VERSION) : NULL;
	if (found == NULL || found->version != NET_VERSION) {
		*why = NET_LIBRARY " is of another version than libdoca_common";
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	*way = found;
	return DOCA_SUCCESS;
}
