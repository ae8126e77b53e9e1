/* SPDX-License-Identifier: Apache-2.0 */
/* A topology file: its cards, from objects to what stands. */
#include "device/topology.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "base/json_text.h"
#include "device/config.h"
#include "device/draft.h"

enum top_key {
	KEY_SCHEMA_VERSION,
	KEY_CARDS,
	KEY_SCHEMA, /* by which an editor finds the schema */
	NUM_TOP_KEYS,
};

static const struct key top_keys[] = {
	[KEY_SCHEMA_VERSION] = {.name = "schema_version",
				.read = key_number,
				.size = sizeof(uint32_t),
				.min = 1,
				.max = 1,
				.allowed = "1"},
	[KEY_CARDS] = KEY_NESTED("cards", key_array, 1, TOPOLOGY_MAX_CARDS,
				 "an array of 1 to 16 objects"),
	[KEY_SCHEMA] = KEY_NESTED("$schema", key_text, 0, 0, "a text"),
};

enum card_key {
	KEY_MODEL,
	KEY_FUNCTIONS,
	KEY_LIMITS,
	KEY_SETTINGS,
	NUM_CARD_KEYS,
};

static const struct key card_keys[] = {
	[KEY_MODEL] = {.name = "model",
		       .read = key_word,
		       .size = sizeof(enum settings_device),
		       .allowed = SETTINGS_MODELS},
	[KEY_FUNCTIONS] = KEY_NESTED("functions", key_array, 1, TOPOLOGY_MAX_FUNCTIONS,
				     "an array of 1 to 1024 objects"),
	[KEY_LIMITS] = KEY_NESTED("limits", key_object, 0, 0, "an object"),
	[KEY_SETTINGS] = KEY_NESTED("settings", key_object, 0, 0, "an object"),
};

#define NUM_REQUIRED_CARD_KEYS (KEY_FUNCTIONS + 1)

#define LIMIT(key, member, most, words)                                                            \
	{                                                                                          \
		.name = key, .read = key_count, .offset = offsetof(struct card_limits, member),    \
		.size = sizeof(((struct card_limits *)NULL)->member), .min = 1, .max = most,       \
		.allowed = words                                                                   \
	}

static const struct key limit_keys[] = {
	LIMIT("max_buf_size", max_buf_size_bytes, INT64_MAX,
	      "1 to 9223372036854775807 bytes, a number or a text with K, M, G"),
	LIMIT("max_buf_list_len", max_buf_list_len, UINT32_MAX,
	      "1 to 4294967295, a number or a text with K, M, G"),
	LIMIT("max_num_tasks", max_num_tasks, 1 << 20,
	      "1 to 1048576, a number or a text with K, M, G"),
};

#define NUM_LIMIT_KEYS (sizeof(limit_keys) / sizeof(limit_keys[0]))

/* Next object of an array; false: there is none, or, with an error, it is no object. */
static bool next_object(const struct file *file, const char *key, const struct spot *array,
			struct json_item *item, size_t index, struct spot *object,
			doca_error_t *result)
{
	if (*result != DOCA_SUCCESS || !json_next(item))
		return false;
	*object = (struct spot){
		.value = json_object_array_get_idx(array->value, index),
		.key = item->value,
		.at = item->value,
	};
	if (json_object_is_type(object->value, json_type_object))
		return true;
	*result = file_refuse_value(file, key, object, "is no element of it", "objects");
	return false;
}

/* Those of one side, behind those that there are; what is not of the side is read and left. */
static doca_error_t read_side(const struct spot *functions, uint32_t card,
			      enum settings_device model, enum card_side side,
			      struct drafts *drafts)
{
	const struct file *file = drafts->file;
	struct json_item item = json_items(file->text, file->len, functions->at);
	doca_error_t result = DOCA_SUCCESS;
	struct spot object;

	for (size_t i = 0; next_object(file, "functions", functions, &item, i, &object, &result);
	     i++) {
		struct draft *draft = &drafts->all[drafts->num];

		memset(draft, 0, sizeof(*draft));
		draft->card = card;
		draft->object = object;
		result = draft_read(file, model, draft);
		if (result != DOCA_SUCCESS || draft->function.side != side)
			continue;
		if (drafts->num == TOPOLOGY_MAX_FUNCTIONS)
			return file_refuse(file, object.at,
					   "key 'functions' has one too many; allowed: 1024 in all "
					   "cards");
		drafts->num++;
	}
	return result;
}

static doca_error_t read_card(const struct settings *settings, const struct spot *object,
			      struct card *card, uint32_t number, struct drafts *drafts)
{
	const struct file *file = drafts->file;
	struct settings own = *settings; /* the card's */
	enum settings_device model = SETTINGS_DEVICE_NONE;
	struct spot limit_spots[NUM_LIMIT_KEYS];
	struct spot spots[NUM_CARD_KEYS];
	struct card_limits limits;
	doca_error_t result = file_read_object(file, object, card_keys, NUM_CARD_KEYS,
					       NUM_REQUIRED_CARD_KEYS, &model, spots);

	if (result != DOCA_SUCCESS)
		return result;
	limits = card_model_limits(model);
	if (spots[KEY_LIMITS].at != 0)
		result = file_read_object(file, &spots[KEY_LIMITS], limit_keys, NUM_LIMIT_KEYS, 0,
					  &limits, limit_spots);
	if (result == DOCA_SUCCESS && spots[KEY_SETTINGS].at != 0)
		result = config_take(file, &spots[KEY_SETTINGS], SETTINGS_OF_CARD, &own);
	if (result == DOCA_SUCCESS)
		result = read_side(&spots[KEY_FUNCTIONS], number, model, CARD_SIDE_DPU, drafts);
	if (result == DOCA_SUCCESS)
		result = read_side(&spots[KEY_FUNCTIONS], number, model, CARD_SIDE_HOST, drafts);
	own.device = model;
	card_init(&own, &limits, card);
	return result;
}

static doca_error_t read_cards(const struct settings *settings, struct machine *machine,
			       struct drafts *drafts)
{
	const struct file *file = drafts->file;
	struct spot root = file_root(file);
	struct spot spots[NUM_TOP_KEYS];
	uint32_t version;
	doca_error_t result =
		file_read_object(file, &root, top_keys, NUM_TOP_KEYS, KEY_SCHEMA, &version, spots);
	struct json_item item;
	struct spot object;

	if (result != DOCA_SUCCESS)
		return result;
	item = json_items(file->text, file->len, spots[KEY_CARDS].at);
	for (uint32_t i = 0;
	     next_object(file, "cards", &spots[KEY_CARDS], &item, i, &object, &result); i++) {
		result = read_card(settings, &object, &machine->cards[i], i, drafts);
		machine->num_cards = i + 1;
	}
	return result;
}

/* The functions have their place and know each other. */
static void stand(const struct settings *settings, const struct drafts *drafts,
		  struct machine *machine)
{
	struct card_function *functions = machine->functions;

	machine->num_functions = drafts->num;
	for (uint32_t i = 0; i < drafts->num; i++) {
		const struct draft *draft = &drafts->all[i];
		struct card *card = &machine->cards[draft->card];
		struct card_function *function = &functions[i];

		*function = draft->function;
		if (card->num_functions++ == 0)
			card->functions = function;
		function->card = card;
		function->pf = &functions[draft->pf - drafts->all];
		function->is_listed = card_side_is_listed(settings->role, function->side);
		card_function_set_name(function);
	}
	for (uint32_t i = 0; i < drafts->num; i++) {
		struct card_function *rep_on;

		if (drafts->all[i].rep_on == NULL)
			continue;
		rep_on = &functions[drafts->all[i].rep_on - drafts->all];
		functions[i].rep_on = rep_on;
		if (rep_on->represents == NULL)
			rep_on->represents = &functions[i];
	}
}

doca_error_t topology_build(const struct file *file, const struct settings *settings,
			    struct machine *machine)
{
	/* One more: what is read and left has room, too. */
	struct drafts drafts = {
		.file = file,
		.all = calloc(TOPOLOGY_MAX_FUNCTIONS + 1, sizeof(*drafts.all)),
	};
	struct machine made = {.cards = calloc(TOPOLOGY_MAX_CARDS, sizeof(*made.cards))};
	doca_error_t result = DOCA_ERROR_NO_MEMORY;

	if (drafts.all != NULL && made.cards != NULL)
		result = read_cards(settings, &made, &drafts);
	if (result == DOCA_SUCCESS)
		result = drafts_check(&drafts);
	if (result == DOCA_SUCCESS) {
		made.functions = calloc(drafts.num, sizeof(*made.functions));
		if (made.functions == NULL)
			result = DOCA_ERROR_NO_MEMORY;
	}
	if (result == DOCA_SUCCESS) {
		stand(settings, &drafts, &made);
		*machine = made;
	} else {
		machine_release(&made);
	}
	free(drafts.all);
	return result;
}

doca_error_t topology_read(const struct settings *settings, struct machine *machine,
			   char problem[SETTINGS_PROBLEM_SIZE])
{
	struct file file;
	doca_error_t result = file_read(settings->topology, settings->topology_by, problem, &file);

	if (result != DOCA_SUCCESS)
		return result;
	result = topology_build(&file, settings, machine);
	file_release(&file);
	return result;
}
