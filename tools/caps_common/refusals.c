/* SPDX-License-Identifier: Apache-2.0 */
/* The library's refusals on standard error, where DOCA_LOG_LEVEL does not put them there. */
#include "refusals.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include <doca_log.h>

/* As the library reads it: softdoca(7). */
static bool is_said_by_library(const char *level)
{
	static const char *const levels[] = {"error", "30",    "warning", "warn",  "40", "info",
					     "50",    "debug", "60",	  "trace", "70"};

	for (size_t i = 0; level != NULL && i < sizeof(levels) / sizeof(levels[0]); i++)
		if (strcasecmp(level, levels[i]) == 0)
			return true;
	return false;
}

void refusals_show(void)
{
	struct doca_log_backend *backend = NULL;

	if (!is_said_by_library(getenv("DOCA_LOG_LEVEL")) &&
	    doca_log_backend_create_with_file_sdk(stderr, &backend) == DOCA_SUCCESS)
		(void)doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_ERROR);
}
