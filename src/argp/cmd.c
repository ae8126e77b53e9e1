/* SPDX-License-Identifier: Apache-2.0 */
/* A sub-command: made, described, registered below the program or another sub-command. */
#include "argp/argp.h"

#include <stdlib.h>
#include <string.h>

#include "common/sdk_log.h"

static struct doca_argp_cmd *cmd_of(struct list *link)
{
	return CONTAINER_OF(link, struct doca_argp_cmd, link);
}

void cmd_init(struct doca_argp_cmd *cmd)
{
	list_init(&cmd->link);
	list_init(&cmd->params);
	list_init(&cmd->cmds);
}

doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd)
{
	struct doca_argp_cmd *created;

	if (parser_open(__func__) == NULL)
		return DOCA_ERROR_BAD_STATE;
	if (cmd == NULL)
		return REFUSE_NULL("cmd");
	created = calloc(1, sizeof(*created));
	if (created == NULL) {
		LOG_ERROR("no memory for a sub-command");
		return DOCA_ERROR_NO_MEMORY;
	}
	cmd_init(created);
	*cmd = created;
	return DOCA_SUCCESS;
}

/* All that it holds but the sub-commands below it. */
static void free_one(struct doca_argp_cmd *cmd)
{
	params_free(&cmd->params);
	free((void *)cmd->name);
	free((void *)cmd->description);
	free(cmd);
}

/* Those below go to the end of the list: any depth without recursion. */
void cmds_free(struct list *cmds)
{
	struct list *next;

	for (struct list *link = cmds->next; link != cmds; link = next) {
		struct doca_argp_cmd *cmd = cmd_of(link);

		while (!list_is_empty(&cmd->cmds)) {
			struct list *below = cmd->cmds.next;

			list_remove(below);
			list_add_tail(cmds, below);
		}
		next = link->next;
		free_one(cmd);
	}
	list_init(cmds);
}

static void cmd_free(struct doca_argp_cmd *cmd)
{
	cmds_free(&cmd->cmds);
	free_one(cmd);
}

doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd)
{
	if (cmd == NULL)
		return REFUSE_NULL("cmd");
	if (cmd->is_registered) {
		LOG_ERROR("sub-command %p refuses destroy: the parser owns it since its "
			  "registration; doca_argp_destroy frees it",
			  (void *)cmd);
		return DOCA_ERROR_BAD_STATE;
	}
	cmd_free(cmd);
	return DOCA_SUCCESS;
}

static bool can_be_set(const char *call, const struct doca_argp_cmd *cmd)
{
	if (cmd == NULL) {
		LOG_ERROR("%s does nothing: cmd must not be NULL", call);
		return false;
	}
	if (cmd->is_registered) {
		LOG_ERROR("%s does nothing: sub-command %p is registered; call it before", call,
			  (const void *)cmd);
		return false;
	}
	return true;
}

static void set_text(const char *call, struct doca_argp_cmd *cmd, const char **field,
		     const char *text)
{
	if (text == NULL) {
		LOG_ERROR("%s does nothing: the text for sub-command %p must not be NULL", call,
			  (void *)cmd);
		return;
	}
	free((void *)*field);
	*field = text_copy(text);
	if (*field != NULL)
		return;
	LOG_ERROR("%s: no memory for a text of sub-command %p; its registration will be refused",
		  call, (void *)cmd);
	cmd->is_incomplete = true;
}

void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name)
{
	if (can_be_set(__func__, cmd))
		set_text(__func__, cmd, &cmd->name, name);
}

void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd, const char *description)
{
	if (can_be_set(__func__, cmd))
		set_text(__func__, cmd, &cmd->description, description);
}

void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd, doca_argp_cmd_cb_t callback)
{
	if (!can_be_set(__func__, cmd))
		return;
	if (callback == NULL)
		REFUSE_NULL("callback");
	else
		cmd->callback = callback;
}

void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd)
{
	if (can_be_set(__func__, cmd))
		cmd->is_hidden = true;
}

static doca_error_t check_fields(const char *call, const struct doca_argp_cmd *cmd)
{
	const char *missing = NULL;

	if (cmd->is_incomplete)
		missing = "a text that there was no memory for";
	else if (cmd->name == NULL)
		missing = "a name";
	else if (cmd->description == NULL)
		missing = "a description";
	else if (cmd->callback == NULL)
		missing = "a callback";
	if (missing != NULL) {
		LOG_ERROR("%s refuses sub-command %p '%s': it lacks %s; set it first", call,
			  (const void *)cmd, cmd->name == NULL ? "" : cmd->name, missing);
		return DOCA_ERROR_INITIALIZATION;
	}
	return name_is_valid(call, cmd->name) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t check_new(const char *call, const struct doca_argp_cmd *parent,
			      const struct doca_argp_cmd *cmd)
{
	doca_error_t result;

	if (parser_setup(call) == NULL)
		return DOCA_ERROR_BAD_STATE;
	if (parent == NULL) {
		LOG_ERROR("%s refuses: cmd must not be NULL", call);
		return DOCA_ERROR_INVALID_VALUE;
	}
	for (const struct doca_argp_cmd *above = parent; above != NULL; above = above->parent) {
		if (above != cmd)
			continue;
		LOG_ERROR("%s refuses sub-command %p: it would be below itself", call,
			  (const void *)cmd);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = check_fields(call, cmd);
	if (result != DOCA_SUCCESS)
		return result;
	if (cmd_find(parent, cmd->name) != NULL) {
		LOG_ERROR("%s refuses sub-command %p: another one beside it is named '%s'; give "
			  "another name",
			  call, (const void *)cmd, cmd->name);
		return DOCA_ERROR_BAD_STATE;
	}
	return DOCA_SUCCESS;
}

/* Register below a parent, or refuse; owned by the parser either way. */
static doca_error_t cmd_register(const char *call, struct doca_argp_cmd *parent,
				 struct doca_argp_cmd *cmd)
{
	struct parser *parser = parser_get();
	doca_error_t result;

	if (cmd == NULL) {
		LOG_ERROR("%s refuses: input_cmd must not be NULL", call);
		return parser->phase == PARSER_SETUP ? DOCA_ERROR_INVALID_VALUE
						     : DOCA_ERROR_BAD_STATE;
	}
	if (cmd->is_registered) {
		LOG_ERROR("%s refuses sub-command %p: it is registered already", call, (void *)cmd);
		return DOCA_ERROR_BAD_STATE;
	}

	result = check_new(call, parent, cmd);
	if (result == DOCA_SUCCESS) {
		cmd->parent = parent;
		list_add_tail(&parent->cmds, &cmd->link);
	} else if (parser->phase == PARSER_OFF) {
		cmd_free(cmd);
		return result;
	} else {
		list_add_tail(&parser->refused_cmds, &cmd->link);
	}
	cmd->is_registered = true;
	return result;
}

doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *input_cmd)
{
	return cmd_register(__func__, &parser_get()->root, input_cmd);
}

doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd,
					  struct doca_argp_param *input_param)
{
	return param_register(__func__, cmd, input_param);
}

doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd, struct doca_argp_cmd *input_cmd)
{
	return cmd_register(__func__, cmd, input_cmd);
}
