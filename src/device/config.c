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
static const char *text_of(const struct file *file, const struct spot *spot, char number[64])
{
	if (!json_object_is_type(spot->value, json_type_int) &&
	    !json_object_is_type(spot->value, json_type_double))
		return file_text(spot->value);
	return file_show(file, spot->at, number, 64) < 64 ? number : NULL;
}

/* A topology file is named by this file, and found beside it. */
static doca_error_t place_topology(const struct file *file, const char *key,
				   const struct spot *spot, struct settings *settings)
{
	const char *slash = strrchr(file->path, '/');
	size_t dir_len = slash == NULL ? 0 : (size_t)(slash + 1 - file->path);
	size_t len = strlen(settings->topology);

	if (settings->topology[0] == '\0')
		return DOCA_SUCCESS;
	if (settings->topology[0] == '/')
		dir_len = 0;
	if (dir_len + len >= sizeof(settings->topology))
		return file_refuse_value(file, key, spot,
					 "is too long a path from the file's folder",
					 "at most 511 characters with that");
	memmove(settings->topology + dir_len, settings->topology, len + 1);
	memcpy(settings->topology, file->path, dir_len);
	snprintf(settings->topology_by, sizeof(settings->topology_by), "%.256s:%u: key '%s'",
		 file->path, file_line(file, spot->at), key);
	return DOCA_SUCCESS;
}

doca_error_t config_take(const struct file *file, const struct spot *object,
			 enum settings_giver giver, struct settings *settings)
{
	const char *names[SETTINGS_MAX_NAMES] = {NULL};
	size_t num_told = settings_names(names, giver);
	size_t num_names = settings_names(names, SETTINGS_OF_ENVIRONMENT);
	struct spot spots[SETTINGS_MAX_NAMES];
	doca_error_t result;

	/* By this an editor finds the schema. */
	if (giver == SETTINGS_OF_FILE)
		names[num_names] = "$schema";
	result = file_members(file, object, names, num_names + (giver == SETTINGS_OF_FILE),
			      num_told, spots);
	for (size_t i = 0; i < num_names && result == DOCA_SUCCESS; i++) {
		struct settings_flaw flaw;
		char number[64];

		if (spots[i].at == 0)
			continue;
		if (!settings_take(settings, i, text_of(file, &spots[i], number), giver, &flaw))
			result = file_refuse_value(file, names[i], &spots[i], flaw.why,
						   flaw.allowed);
		else if (strcmp(names[i], "DEVICE") == 0)
			result = place_topology(file, names[i], &spots[i], settings);
	}
	if (result == DOCA_SUCCESS && giver == SETTINGS_OF_FILE && spots[num_names].at != 0 &&
	    file_text(spots[num_names].value) == NULL)
		result =
			file_refuse_value(file, "$schema", &spots[num_names], "is wrong", "a text");
	return result;
}

doca_error_t config_read(const char *path, struct settings *settings,
			 char problem[SETTINGS_PROBLEM_SIZE])
{
	struct file file;
	struct spot root;
	doca_error_t result = file_read(path, "variable SOFTDOCA_CONFIG", problem, &file);

	if (result != DOCA_SUCCESS)
		return result;
	root = file_root(&file);
	result = config_take(&file, &root, SETTINGS_OF_FILE, settings);
	file_release(&file);
	return result;
}
