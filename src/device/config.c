/* SPDX-License-Identifier: Apache-2.0 */
/* An object of settings: their names without prefix, and texts or numbers. */
#include "device/config.h"

#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

/*
 * The value as an environment would have it: of a number what is written, as json-c makes another
 * of one that is too large. NULL: it is of no kind that a setting has.
 */
static const char *text_of(const struct file *file, const struct spot *spot, char number[32])
{
	if (!json_object_is_type(spot->value, json_type_int) &&
	    !json_object_is_type(spot->value, json_type_double))
		return file_text(spot->value);
	return file_show(file, spot->at, number, 32) < 32 ? number : NULL;
}

doca_error_t config_take(const struct file *file, const struct spot *object, bool of_card,
			 struct settings *settings)
{
	const char *names[SETTINGS_MAX_NAMES];
	size_t num_names = settings_names(names) - 1; /* CONFIG, the last: no file names another */
	struct spot spots[SETTINGS_MAX_NAMES];
	doca_error_t result = file_members(file, object, names, num_names, spots);

	for (size_t i = 0; i < num_names && result == DOCA_SUCCESS; i++) {
		struct settings_flaw flaw = {"is wrong", "a text or a number"};
		char number[32];
		const char *text;

		if (spots[i].at == 0)
			continue;
		text = text_of(file, &spots[i], number);
		if (text == NULL || !settings_take(settings, i, text, of_card, &flaw))
			result = file_refuse_value(file, names[i], &spots[i], flaw.why,
						   flaw.allowed);
	}
	return result;
}

doca_error_t config_read(const char *path, struct settings *settings,
			 char problem[SETTINGS_PROBLEM_SIZE])
{
	struct file file;
	struct spot root;
	doca_error_t result = file_read(path, problem, &file);

	if (result != DOCA_SUCCESS)
		return result;
	root = file_root(&file);
	result = config_take(&file, &root, false, settings);
	file_release(&file);
	return result;
}
