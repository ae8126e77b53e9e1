/* SPDX-License-Identifier: Apache-2.0 */
/* The readers of single values in JSON files. */
#include "device/file.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "base/shape.h"
#include "device/settings.h"

const char *file_text(struct json_object *value)
{
	const char *text;

	if (!json_object_is_type(value, json_type_string))
		return NULL;
	text = json_object_get_string(value);
	return strlen(text) == (size_t)json_object_get_string_len(value) ? text : NULL;
}

static void put_number(void *out, size_t size, uint64_t number)
{
	const uint8_t byte = (uint8_t)number;
	const uint16_t half = (uint16_t)number;
	const uint32_t word = (uint32_t)number;

	memcpy(out,
	       size == sizeof(byte)   ? (const void *)&byte
	       : size == sizeof(half) ? (const void *)&half
	       : size == sizeof(word) ? (const void *)&word
				      : (const void *)&number,
	       size);
}

bool key_number(const struct key *key, struct json_object *value, void *out)
{
	uint64_t number = json_object_get_uint64(value); /* of a negative one 0 */

	if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0 ||
	    number < key->min || number > key->max)
		return false;
	put_number(out, key->size, number);
	return true;
}

bool key_count(const struct key *key, struct json_object *value, void *out)
{
	const char *text = file_text(value);
	uint64_t count;

	if (text == NULL)
		return key_number(key, value, out);
	if (!settings_count(text, key->max, &count))
		return false;
	put_number(out, key->size, count);
	return true;
}

bool key_flag(const struct key *key, struct json_object *value, void *out)
{
	*(bool *)out = json_object_get_boolean(value);
	return json_object_is_type(value, json_type_boolean);
}

bool key_word(const struct key *key, struct json_object *value, void *out)
{
	const char *text = file_text(value);
	int index = text == NULL ? -1 : settings_word(key->allowed, text);

	if (index >= 0)
		put_number(out, key->size, (uint64_t)index);
	return index >= 0;
}

bool key_name(const struct key *key, struct json_object *value, void *out)
{
	const char *text = file_text(value);
	size_t len = text == NULL ? 0 : strlen(text);

	if (len == 0 || len >= key->size)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (text[i] <= ' ' || text[i] > '~' || strchr("\"\\/", text[i]) != NULL)
			return false;
	}
	memcpy(out, text, len + 1);
	return true;
}

bool key_text(const struct key *key, struct json_object *value, void *out)
{
	return json_object_is_type(value, json_type_string);
}

bool key_pci_addr(const struct key *key, struct json_object *value, void *out)
{
	const char *text = file_text(value);

	if (text == NULL || !text_has_shape(text, strlen(text), SHAPE_PCI_ADDR))
		return false;
	memcpy(out, text, sizeof(SHAPE_PCI_ADDR));
	return true;
}

bool key_mac_addr(const struct key *key, struct json_object *value, void *out)
{
	const char *text = file_text(value);
	uint8_t *bytes = out;

	if (text == NULL || !text_has_shape(text, strlen(text), "ff:ff:ff:ff:ff:ff"))
		return false;
	for (size_t i = 0; i < key->size; i++)
		bytes[i] = (uint8_t)strtoul(text + 3 * i, NULL, 16);
	/* That of a group, or of nobody, is no port's. */
	return (bytes[0] & 1) == 0 && memcmp(bytes, (uint8_t[6]){0}, key->size) != 0;
}

static bool read_ip(int family, struct json_object *value, void *out)
{
	const char *text = file_text(value);

	return text != NULL && inet_pton(family, text, out) == 1;
}

bool key_ipv4_addr(const struct key *key, struct json_object *value, void *out)
{
	return read_ip(AF_INET, value, out);
}

bool key_ipv6_addr(const struct key *key, struct json_object *value, void *out)
{
	return read_ip(AF_INET6, value, out);
}

bool key_object(const struct key *key, struct json_object *value, void *out)
{
	return json_object_is_type(value, json_type_object);
}

bool key_array(const struct key *key, struct json_object *value, void *out)
{
	size_t len =
		json_object_is_type(value, json_type_array) ? json_object_array_length(value) : 0;

	return len >= key->min && len <= key->max;
}
