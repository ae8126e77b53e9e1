/* SPDX-License-Identifier: Apache-2.0 */
/* The version of the library that is loaded. */
#include <doca_version.h>

const char *doca_version_runtime(void)
{
	return DOCA_VERSION_STRING;
}
