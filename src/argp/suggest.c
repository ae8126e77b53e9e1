/* SPDX-License-Identifier: Apache-2.0 */
/* The known name that is nearest to an unknown one, by edit distance. */
#include "argp/argp.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

struct suggestion {
	const char *typed;
	size_t len;
	size_t distance; /* of the best so far; one above the limit while there is none */
	const char *dashes;
	const char *name; /* NULL: none yet */
};

/* One letter in three may differ, so that a name of two letters is found by its dashes alone. */
static struct suggestion suggest_begin(const char *typed)
{
	struct suggestion best = {.typed = typed};

	best.len = strcspn(typed, "=");
	best.distance = best.len / 3 + 1;
	return best;
}

static void suggest_consider(struct suggestion *best, const char *dashes, const char *name)
{
	size_t len = name == NULL ? 0 : strlen(name);
	size_t distance;

	if (len == 0 || len > NEAREST_MAX_NAME || best->len == 0 || best->len > NEAREST_MAX_NAME)
		return;
	if (best->len >= 3 && len > best->len && strncmp(best->typed, name, best->len) == 0)
		distance = 1; /* its beginning */
	else
		distance = edit_distance(best->typed, best->len, name, len);
	if (distance >= best->distance)
		return;
	best->distance = distance;
	best->dashes = dashes;
	best->name = name;
}

static void suggest_end(const struct suggestion *best, char text[SUGGESTION_SIZE])
{
	text[0] = '\0';
	if (best->name != NULL)
		snprintf(text, SUGGESTION_SIZE, "; did you mean %s%s?", best->dashes, best->name);
}

/* A name counts only where it means this parameter: another one may stand before it. */
static void consider_param(struct suggestion *best, const struct doca_argp_cmd *scope,
			   const struct doca_argp_param *param)
{
	const char *name = param->short_name;

	if (param->is_hidden)
		return;
	if (name != NULL && param_find(scope, false, name, strlen(name)) == param)
		suggest_consider(best, "-", name);
	name = param->long_name;
	if (name != NULL && param_find(scope, true, name, strlen(name)) == param)
		suggest_consider(best, "--", name);
}

void suggest_flag(const struct doca_argp_cmd *scope, const char *typed, char text[SUGGESTION_SIZE])
{
	struct suggestion best = suggest_begin(typed + strspn(typed, "-"));
	const struct doca_argp_param *param;

	for (const struct doca_argp_cmd *above = scope; above != NULL; above = above->parent) {
		list_for_each (link, &above->params)
			consider_param(&best, scope,
				       CONTAINER_OF(link, struct doca_argp_param, link));
	}
	for (size_t i = 0; (param = builtin_at(i)) != NULL; i++)
		consider_param(&best, scope, param);
	suggest_end(&best, text);
}

void suggest_cmd(const struct doca_argp_cmd *scope, const char *typed, char text[SUGGESTION_SIZE])
{
	struct suggestion best = suggest_begin(typed);

	list_for_each (link, &scope->cmds) {
		const struct doca_argp_cmd *cmd = CONTAINER_OF(link, struct doca_argp_cmd, link);

		if (!cmd->is_hidden)
			suggest_consider(&best, "", cmd->name);
	}
	suggest_end(&best, text);
}

void suggest_key(const char *typed, const char *const *keys, size_t num_keys,
		 char text[SUGGESTION_SIZE])
{
	struct suggestion best = suggest_begin(typed);

	for (size_t i = 0; i < num_keys; i++)
		suggest_consider(&best, "", keys[i]);
	suggest_end(&best, text);
}

void suggest_param_key(const struct doca_argp_cmd *scope, const char *typed,
		       char text[SUGGESTION_SIZE])
{
	struct suggestion best = suggest_begin(typed);

	list_for_each (link, &scope->params) {
		const struct doca_argp_param *param =
			CONTAINER_OF(link, struct doca_argp_param, link);

		if (!param->is_hidden && !param->is_cli_only)
			suggest_consider(&best, "", param->long_name);
	}
	suggest_end(&best, text);
}
