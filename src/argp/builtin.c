/* SPDX-License-Identifier: Apache-2.0 */
/* The flags that every program has. */
#include "argp/argp.h"

static const struct doca_argp_param builtins[] = {
	{
		.short_name = "h",
		.long_name = "help",
		.description = "Print this text and end",
		.type = DOCA_ARGP_TYPE_BOOLEAN,
		.builtin = BUILTIN_HELP,
	},
	{
		.short_name = "v",
		.long_name = "version",
		.description = "Print the versions and end",
		.type = DOCA_ARGP_TYPE_BOOLEAN,
		.builtin = BUILTIN_VERSION,
	},
	{
		.short_name = "l",
		.long_name = "log-level",
		.arguments = "<level>",
		.description =
			"Show the program's log down to this level: 10 nothing, 20 critical, "
			"30 errors, 40 warnings, 50 information, 60 debugging, 70 traces",
		.type = DOCA_ARGP_TYPE_INT,
		.builtin = BUILTIN_LOG_LEVEL,
	},
	{
		.long_name = "sdk-log-level",
		.arguments = "<level>",
		.description = "Show the libraries' log down to this level, 10 to 70 as above",
		.type = DOCA_ARGP_TYPE_INT,
		.builtin = BUILTIN_SDK_LOG_LEVEL,
	},
	{
		.short_name = "j",
		.long_name = "json",
		.arguments = "<path>",
		.description = "Read flags from this JSON file too",
		.type = DOCA_ARGP_TYPE_STRING,
		.builtin = BUILTIN_JSON,
	},
};

const struct doca_argp_param *builtin_at(size_t n)
{
	return n < sizeof(builtins) / sizeof(builtins[0]) ? &builtins[n] : NULL;
}

bool level_is_valid(int level)
{
	return level >= DOCA_LOG_LEVEL_DISABLE && level <= DOCA_LOG_LEVEL_TRACE && level % 10 == 0;
}
