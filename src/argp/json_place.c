/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and columns of the JSON file: json-c does not keep where a key came from. */
#include "argp/argp.h"

#include <string.h>

struct json_place json_place_of(const char *text, size_t offset)
{
	struct json_place place = {.line = 1, .column = 1};

	for (size_t i = 0; i < offset; i++) {
		place.column++;
		if (text[i] == '\n') {
			place.line++;
			place.column = 1;
		}
	}
	return place;
}

/* The offset behind a comment that begins here; the same offset where none does. */
static size_t skip_comment(const char *text, size_t len, size_t offset)
{
	const char *end;

	if (offset + 1 >= len || text[offset] != '/')
		return offset;
	if (text[offset + 1] == '/') {
		end = memchr(text + offset, '\n', len - offset);
		return end == NULL ? len : (size_t)(end - text) + 1;
	}
	if (text[offset + 1] == '*') {
		end = memmem(text + offset + 2, len - offset - 2, "*/", 2);
		return end == NULL ? len : (size_t)(end - text) + 2;
	}
	return offset;
}

size_t json_skip_space(const char *text, size_t len, size_t offset)
{
	size_t before;

	do {
		before = offset;
		while (offset < len && text[offset] != '\0' &&
		       strchr(" \t\r\n\v\f", text[offset]) != NULL)
			offset++;
		offset = skip_comment(text, len, offset);
	} while (offset != before);
	return offset;
}

/* The offset of the quote that ends the string which begins here, or the end of the text. */
static size_t string_end(const char *text, size_t len, size_t begin)
{
	size_t offset = begin + 1;

	while (offset < len && text[offset] != text[begin])
		offset += text[offset] == '\\' ? 2 : 1;
	return offset < len ? offset : len;
}

static bool string_is(const char *text, size_t begin, size_t end, const char *name)
{
	size_t len = strlen(name);

	return end - begin - 1 == len && memcmp(text + begin + 1, name, len) == 0;
}

struct json_place json_place_of_key(const char *text, size_t len, const char *section,
				    const char *key)
{
	bool is_inside = false;
	size_t offset = 0;
	size_t depth = 0;
	size_t found = 0;

	while ((offset = json_skip_space(text, len, offset)) < len) {
		char c = text[offset];
		size_t begin = offset;
		size_t next;

		offset++;
		if (c == '{' || c == '[')
			depth++;
		if ((c == '}' || c == ']') && depth > 0)
			depth--;
		if (c != '"' && c != '\'')
			continue;

		offset = string_end(text, len, begin);
		next = offset < len ? json_skip_space(text, len, offset + 1) : len;
		if (next < len && text[next] == ':' && depth == 1) {
			is_inside = string_is(text, begin, offset, section);
			if (is_inside)
				found = begin;
		} else if (next < len && text[next] == ':' && depth == 2 && is_inside &&
			   key != NULL && string_is(text, begin, offset, key)) {
			found = begin;
		}
		offset++;
	}
	return json_place_of(text, found);
}
