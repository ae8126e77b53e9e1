/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a JSON file: its bytes, its lines, and where its keys and values stand, which json-c
 * does not keep. Any text is survived; of a text that is no JSON the answers mean nothing.
 */
#ifndef BASE_JSON_TEXT_H_
#define BASE_JSON_TEXT_H_

#include <stdbool.h>
#include <stddef.h>

struct json_place {
	unsigned int line;   /* from 1 */
	unsigned int column; /* in bytes, from 1 */
};

/*
 * The bytes of an open file and a NUL, the caller's to free; fd is closed. Negative errno; -EFBIG:
 * more than any configuration has.
 */
int json_text_load(int fd, char **text, size_t *len);

struct json_place json_place_of(const char *text, size_t offset);

/* Where a key of a section stands; key NULL: the section itself. The start where it is not found.
 */
struct json_place json_place_of_key(const char *text, size_t len, const char *section,
				    const char *key);

/*
 * What a text has that RFC 8259 does not, and json-c takes or tells in the wrong place, and where;
 * NULL: nothing of that kind.
 */
const char *json_text_flaw(const char *text, size_t len, size_t *offset);

/* The offset of the first byte at or after the given one that is no space and no comment. */
size_t json_skip_space(const char *text, size_t len, size_t offset);

/* A member of an object, or an element of an array. */
struct json_item {
	const char *text;
	size_t len;
	size_t key;	/* the offset of what is between its quotes; of an element, of the value */
	size_t key_len; /* 0: an element */
	size_t value;	/* offset */
	size_t end;	/* behind the value */
};

/* Before the first item of the object or array at an offset. */
struct json_item json_items(const char *text, size_t len, size_t offset);

/* Go to the next one; false: there is none. */
bool json_next(struct json_item *item);

bool json_key_is(const struct json_item *item, const char *key);

#endif /* BASE_JSON_TEXT_H_ */
