/* SPDX-License-Identifier: Apache-2.0 */
/* What a name on the command line or in the JSON file stands for. */
#include "argp/argp.h"

#include <string.h>

static bool is_named(const struct doca_argp_param *param, bool is_long, const char *name,
		     size_t len)
{
	const char *own = is_long ? param->long_name : param->short_name;

	return own != NULL && strncmp(own, name, len) == 0 && own[len] == '\0';
}

const struct doca_argp_param *param_find_own(const struct doca_argp_cmd *scope, bool is_long,
					     const char *name, size_t len)
{
	list_for_each (link, &scope->params) {
		const struct doca_argp_param *param =
			CONTAINER_OF(link, struct doca_argp_param, link);

		if (is_named(param, is_long, name, len))
			return param;
	}
	return NULL;
}

/* The nearest scope wins, and a built-in flag comes last. */
const struct doca_argp_param *param_find(const struct doca_argp_cmd *scope, bool is_long,
					 const char *name, size_t len)
{
	const struct doca_argp_param *param;

	for (const struct doca_argp_cmd *above = scope; above != NULL; above = above->parent) {
		param = param_find_own(above, is_long, name, len);
		if (param != NULL && (above == scope || param->is_inherited))
			return param;
	}
	for (size_t i = 0; (param = builtin_at(i)) != NULL; i++) {
		if (is_named(param, is_long, name, len))
			return param;
	}
	return NULL;
}

const struct doca_argp_cmd *cmd_find(const struct doca_argp_cmd *scope, const char *name)
{
	list_for_each (link, &scope->cmds) {
		const struct doca_argp_cmd *cmd = CONTAINER_OF(link, struct doca_argp_cmd, link);

		if (strcmp(cmd->name, name) == 0)
			return cmd;
	}
	return NULL;
}

const struct doca_argp_param *flag_find(const struct doca_argp_cmd *scope, const char *argument,
					const char **value)
{
	bool is_long = argument[0] == '-' && argument[1] == '-';
	const char *name = argument + (is_long ? 2 : 1);
	const struct doca_argp_param *param;
	const char *equals;

	*value = NULL;
	if (argument[0] != '-' || name[0] == '\0')
		return NULL;
	param = param_find(scope, is_long, name, strlen(name));
	if (param != NULL)
		return param;

	equals = strchr(name, '=');
	if (equals == NULL)
		return NULL;
	param = param_find(scope, is_long, name, (size_t)(equals - name));
	if (param != NULL)
		*value = equals + 1;
	return param;
}
