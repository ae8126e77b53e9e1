/* SPDX-License-Identifier: Apache-2.0 */
/* JSON files of the user: from bytes to objects, and the one line on what is wrong. */
#include "device/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <json-c/json.h>

#include "base/json_text.h"
#include "base/nearest.h"
#include "device/settings.h"

#define SHOWN_VALUE 64
#define SHOWN_PATH 256
#define NUMBERS_SIZE 64
#define NAMES_SIZE 512

unsigned int file_line(const struct file *file, size_t offset)
{
	return json_place_of(file->text, offset).line;
}

doca_error_t file_refuse(const struct file *file, size_t offset, const char *format, ...)
{
	int len = snprintf(file->problem, SETTINGS_PROBLEM_SIZE, "%.*s:%u: ", SHOWN_PATH,
			   file->path, file_line(file, offset));
	va_list args;

	va_start(args, format);
	vsnprintf(file->problem + len, SETTINGS_PROBLEM_SIZE - (size_t)len, format, args);
	va_end(args);
	return DOCA_ERROR_INVALID_VALUE;
}

size_t file_show(const struct file *file, size_t offset, char *shown, size_t size)
{
	struct json_item item = {.text = file->text, .len = file->len, .end = offset};
	size_t len = 0;
	size_t i;

	if (json_next(&item))
		len = item.value != item.key ? item.key_len + 2 : item.end - offset;

	for (i = 0; i < len && i < size - 1; i++) {
		char c = file->text[offset + i];

		shown[i] = (char)(c >= ' ' && c <= '~' ? c : '?');
	}
	shown[i] = '\0';
	if (len >= size) /* with the quote or bracket that it ends with */
		snprintf(shown + size - 5, 5, "...%c", file->text[offset + len - 1]);
	return len;
}

doca_error_t file_refuse_value(const struct file *file, const char *key, const struct spot *spot,
			       const char *why, const char *allowed)
{
	char shown[SHOWN_VALUE];

	(void)file_show(file, spot->at, shown, sizeof(shown));
	return file_refuse(file, spot->at, "key '%s' has value %s, which %s; allowed: %s", key,
			   shown, why, allowed);
}

/* A problem of the file as a whole. */
static doca_error_t refuse_file(const struct file *file, int error)
{
	snprintf(file->problem, SETTINGS_PROBLEM_SIZE,
		 "%s: %.*s cannot be read: %s; allowed: a regular file of at most 4 MiB",
		 file->named_by, SHOWN_PATH, file->path,
		 error == EINVAL ? "it is no regular file" : strerrordesc_np(error));
	return error == ENOMEM ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_INVALID_VALUE;
}

/*
 * json-c does not survive an allocation that fails: what a text of that length needs must have been
 * there a moment ago. Another thread may take it meanwhile; that is not covered.
 */
static bool has_room(size_t len)
{
	void *room = calloc(len + 1024, 64);
	bool is_there = room != NULL;

	__asm__ volatile("" : : "r"(room)); /* or the compiler leaves both calls out */
	free(room);
	return is_there;
}

/* Sets file->root, which the caller puts. */
static doca_error_t parse(struct file *file)
{
	struct json_tokener *tokener = has_room(file->len) ? json_tokener_new() : NULL;
	enum json_tokener_error error;
	const char *flaw;
	size_t end;

	if (tokener == NULL)
		return refuse_file(file, ENOMEM);
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	/* With the NUL: the end of the text is the end of the file. */
	file->root = json_tokener_parse_ex(tokener, file->text, (int)file->len + 1);
	error = json_tokener_get_error(tokener);
	end = json_tokener_get_parse_end(tokener);
	json_tokener_free(tokener);

	if (error == json_tokener_error_depth)
		return file_refuse(file, end, "this is nested too deep; allowed: %d levels",
				   JSON_TOKENER_DEFAULT_DEPTH);
	flaw = error == json_tokener_success ? NULL : json_tokener_error_desc(error);
	flaw = json_text_flaw(file->text, file->len, &end) ?: flaw;
	if (flaw != NULL)
		return file_refuse(file, end < file->len ? end : file->len,
				   "this is no JSON: %s; allowed: JSON as RFC 8259 has it", flaw);
	if (file->root == NULL && file->text[file_root(file).at] != 'n')
		return refuse_file(file, ENOMEM);
	if (!json_object_is_type(file->root, json_type_object))
		return file_refuse(file, 0, "this is no JSON object; allowed: {...}, alone");
	return DOCA_SUCCESS;
}

doca_error_t file_parse(struct file *file)
{
	doca_error_t result = parse(file);

	if (result != DOCA_SUCCESS)
		file_release(file);
	return result;
}

doca_error_t file_read(const char *path, const char *named_by, char *problem, struct file *file)
{
	/* A FIFO must not hold us up. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	int error;

	*file = (struct file){.path = path, .named_by = named_by, .problem = problem};
	if (fd < 0)
		return refuse_file(file, errno);
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
		close(fd);
		return refuse_file(file, EINVAL);
	}
	error = json_text_load(fd, &file->text, &file->len);
	return error == 0 ? file_parse(file) : refuse_file(file, -error);
}

void file_release(struct file *file)
{
	json_object_put(file->root);
	free(file->text);
}

struct spot file_root(const struct file *file)
{
	return (struct spot){.value = file->root, .at = json_skip_space(file->text, file->len, 0)};
}

static doca_error_t refuse_key(const struct file *file, const struct json_item *item,
			       const char *const *names, size_t num_names)
{
	const char *nearest = nearest_name(file->text + item->key, item->key_len, names, num_names);
	char shown[SHOWN_VALUE];
	char all[NAMES_SIZE] = "";
	size_t len = 0;

	(void)file_show(file, item->key - 1, shown, sizeof(shown));
	if (nearest != NULL)
		return file_refuse(file, item->key,
				   "%s is no key here; the nearest of those allowed: '%s'", shown,
				   nearest);
	for (size_t i = 0; i < num_names && len < sizeof(all); i++)
		len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s", i == 0 ? "" : ", ",
					names[i]);
	return file_refuse(file, item->key, "%s is no key here; allowed: %s", shown, all);
}

doca_error_t file_members(const struct file *file, const struct spot *object,
			  const char *const *names, size_t num_names, size_t num_told,
			  struct spot *spots)
{
	struct json_item item = json_items(file->text, file->len, object->at);

	memset(spots, 0, num_names * sizeof(*spots));
	while (json_next(&item)) {
		size_t i = 0;

		while (i < num_names && !json_key_is(&item, names[i]))
			i++;
		if (i == num_names)
			return refuse_key(file, &item, names, num_told);
		if (spots[i].at != 0)
			return file_refuse(file, item.key,
					   "key '%s' stands in this object a second time; "
					   "allowed: once",
					   names[i]);
		json_object_object_get_ex(object->value, names[i], &spots[i].value);
		spots[i].key = item.key;
		spots[i].at = item.value;
		if (spots[i].value == NULL && file->text[item.value] != 'n')
			return refuse_file(file, ENOMEM);
	}
	return DOCA_SUCCESS;
}

/* What a key may have; of numbers, written to a place of NUMBERS_SIZE bytes. */
static const char *allowed_of(const struct key *key, char numbers[NUMBERS_SIZE])
{
	if (key->allowed != NULL)
		return key->allowed;
	snprintf(numbers, NUMBERS_SIZE, "whole numbers from %llu to %llu",
		 (unsigned long long)key->min, (unsigned long long)key->max);
	return numbers;
}

/* A value that its reader does not take. */
static doca_error_t refuse_wrong(const struct file *file, const struct key *key,
				 const struct spot *spot)
{
	char numbers[NUMBERS_SIZE];

	if (key->read == key_array && json_object_is_type(spot->value, json_type_array))
		return file_refuse(file, spot->at,
				   "key '%s' has %zu entries; allowed: %llu to %llu", key->name,
				   json_object_array_length(spot->value),
				   (unsigned long long)key->min, (unsigned long long)key->max);
	return file_refuse_value(file, key->name, spot, "is wrong", allowed_of(key, numbers));
}

doca_error_t file_refuse_missing(const struct file *file, const struct spot *object,
				 const struct key *key)
{
	char numbers[NUMBERS_SIZE];

	return file_refuse(file, object->at, "key '%s' is missing; allowed: %s", key->name,
			   allowed_of(key, numbers));
}

doca_error_t file_read_object(const struct file *file, const struct spot *object,
			      const struct key *keys, size_t num_keys, size_t num_required,
			      void *out, struct spot *spots)
{
	const char *names[FILE_MAX_KEYS] = {NULL};
	doca_error_t result;

	for (size_t i = 0; i < num_keys; i++)
		names[i] = keys[i].name;
	result = file_members(file, object, names, num_keys, num_keys, spots);
	for (size_t i = 0; i < num_keys && result == DOCA_SUCCESS; i++) {
		if (spots[i].at == 0 && i < num_required)
			result = file_refuse_missing(file, object, &keys[i]);
		else if (spots[i].at != 0 &&
			 !keys[i].read(&keys[i], spots[i].value, (char *)out + keys[i].offset))
			result = refuse_wrong(file, &keys[i], &spots[i]);
	}
	return result;
}
