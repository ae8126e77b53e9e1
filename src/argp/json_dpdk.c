/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the JSON file for DPDK into arguments of its command line. */
#include "argp/argp.h"

#include <inttypes.h>
#include <string.h>

#include <json-c/json.h>

/* In bytes: far above every address. */
#define MAX_DEVICE_ID 128

/* The text of an item, or NULL where it is none. */
static const char *text_of(struct json_object *item)
{
	return json_object_is_type(item, json_type_string) ? json_object_get_string(item) : NULL;
}

static doca_error_t add_pair(struct parser *parser, const char *flag, const char *text)
{
	doca_error_t result = dpdk_add_copy(parser, flag, strlen(flag));

	return result != DOCA_SUCCESS ? result : dpdk_add_copy(parser, text, strlen(text));
}

struct device {
	const char *kind;
	const char *id;
	bool has_hws; /* hardware steering */
};

/* False where an item of the object is not what it should be. */
static bool read_device(struct json_object *object, struct device *device)
{
	json_object_object_foreach(object, key, item)
	{
		if (strcmp(key, "device") == 0)
			device->kind = text_of(item);
		else if (strcmp(key, "id") == 0)
			device->id = text_of(item);
		else if (strcmp(key, "hws") == 0 && json_object_is_type(item, json_type_boolean))
			device->has_hws = json_object_get_boolean(item);
		else
			return false;
	}
	return device->kind != NULL && device->id != NULL && strlen(device->id) <= MAX_DEVICE_ID;
}

static doca_error_t add_device(const struct json_section *section, struct json_object *object)
{
	static const char *const kinds[] = {"pf", "vf", "gpu", "sf"};
	struct device device = {0};
	size_t kind = 0;
	doca_error_t result;

	if (!json_object_is_type(object, json_type_object) || !read_device(object, &device))
		return json_refuse(section, "devices", DOCA_ERROR_INVALID_VALUE,
				   "objects of \"device\" and \"id\", both texts, and perhaps "
				   "\"hws\", true or false, are wanted");
	while (kind < sizeof(kinds) / sizeof(kinds[0]) && strcmp(device.kind, kinds[kind]) != 0)
		kind++;
	if (kind == sizeof(kinds) / sizeof(kinds[0]))
		return json_refuse(section, "devices", DOCA_ERROR_INVALID_VALUE,
				   "pf, vf, sf or gpu is wanted, not '%.32s'", device.kind);

	result = dpdk_add_copy(section->parser, "-a", 2);
	if (result != DOCA_SUCCESS)
		return result;
	return dpdk_add_format(section->parser, "%s%s%s",
			       strcmp(device.kind, "sf") == 0 ? "auxiliary:mlx5_core.sf." : "",
			       device.id, device.has_hws ? ",dv_flow_en=2" : "");
}

static doca_error_t add_devices(const struct json_section *section, struct json_object *devices)
{
	doca_error_t result = DOCA_SUCCESS;

	if (!json_object_is_type(devices, json_type_array))
		return json_refuse(section, "devices", DOCA_ERROR_INVALID_VALUE,
				   "an array is wanted");
	for (size_t i = 0; i < json_object_array_length(devices) && result == DOCA_SUCCESS; i++)
		result = add_device(section, json_object_array_get_idx(devices, i));
	return result;
}

static doca_error_t add_core_mask(const struct json_section *section, struct json_object *mask)
{
	uint64_t number = json_object_get_uint64(mask);
	doca_error_t result;

	if (text_of(mask) != NULL)
		return add_pair(section->parser, "-c", text_of(mask));
	/* json-c makes UINT64_MAX of what is too large, and 0 of what is negative. */
	if (!json_object_is_type(mask, json_type_int) || number == 0 || number == UINT64_MAX)
		return json_refuse(section, "core-mask", DOCA_ERROR_INVALID_VALUE,
				   "a number above 0, or a text such as \"0xff\", is wanted");
	result = dpdk_add_copy(section->parser, "-c", 2);
	if (result != DOCA_SUCCESS)
		return result;
	return dpdk_add_format(section->parser, "0x%" PRIx64, number);
}

/* The words of a text, as a shell without quotes would split it. */
static doca_error_t add_flags(const struct json_section *section, struct json_object *flags)
{
	const char *text = text_of(flags);
	doca_error_t result = DOCA_SUCCESS;

	if (text == NULL)
		return json_refuse(section, "flags", DOCA_ERROR_INVALID_VALUE,
				   "a text in quotes is wanted");
	text += strspn(text, " \t\n");
	while (*text != '\0' && result == DOCA_SUCCESS) {
		size_t len = strcspn(text, " \t\n");

		result = dpdk_add_copy(section->parser, text, len);
		text += len;
		text += strspn(text, " \t\n");
	}
	return result;
}

static doca_error_t add_core_list(const struct json_section *section, struct json_object *list)
{
	if (text_of(list) == NULL)
		return json_refuse(section, "core-list", DOCA_ERROR_INVALID_VALUE,
				   "a text such as \"0-3\" is wanted");
	return add_pair(section->parser, "-l", text_of(list));
}

static doca_error_t read_key(const struct json_section *section, const char *key,
			     struct json_object *item)
{
	static const char *const keys[] = {"devices", "core-mask", "core-list", "flags"};
	static doca_error_t (*const adders[])(const struct json_section *, struct json_object *) = {
		add_devices, add_core_mask, add_core_list, add_flags};
	char suggestion[SUGGESTION_SIZE];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(key, keys[i]) == 0)
			return adders[i](section, item);
	}
	if (section->parser->ignores_unknown_keys)
		return DOCA_SUCCESS;
	suggest_key(key, keys, sizeof(keys) / sizeof(keys[0]), suggestion);
	return json_refuse(section, key, DOCA_ERROR_NOT_SUPPORTED, "unknown key%s", suggestion);
}

doca_error_t json_dpdk_read(const struct json_section *section)
{
	doca_error_t result = DOCA_SUCCESS;

	if (section->parser->dpdk_cb == NULL) {
		if (section->parser->ignores_unknown_keys)
			return DOCA_SUCCESS;
		return json_refuse(section, NULL, DOCA_ERROR_NOT_SUPPORTED,
				   "the program does not use DPDK");
	}
	json_object_object_foreach(section->object, key, item)
	{
		result = read_key(section, key, item);
		if (result != DOCA_SUCCESS)
			break;
	}
	return result;
}
