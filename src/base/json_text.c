/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON text is walked by its brackets, quotes and commas alone: json-c has said that it is one.
 */
#include "base/json_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Far above any configuration, far below what would hurt. */
#define MAX_FILE_BYTES ((size_t)4 << 20)

/* Read to the end, or until the buffer is full. Negative errno on error. */
static ssize_t read_all(int fd, char *bytes, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t got = read(fd, bytes + len, size - len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		len += (size_t)got;
	}
	return (ssize_t)len;
}

int json_text_load(int fd, char **text, size_t *len)
{
	char *bytes =
		calloc(1, MAX_FILE_BYTES + 2); /* one to see that there is more, and the NUL */
	ssize_t got = bytes == NULL ? -ENOMEM : read_all(fd, bytes, MAX_FILE_BYTES + 1);

	close(fd);
	if (got > (ssize_t)MAX_FILE_BYTES)
		got = -EFBIG;
	if (got < 0) {
		free(bytes);
		return (int)got;
	}
	*text = bytes;
	*len = (size_t)got;
	return 0;
}

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

/* The same of a text in double quotes that begins at *offset, which becomes where it ends. */
static const char *string_flaw(const char *text, size_t len, size_t *offset)
{
	size_t end = string_end(text, len, *offset);

	for (size_t i = *offset; i < end; i++) {
		if (text[i] == '\n' || text[i] == '\r')
			return "a text begins here and does not end in its line";
		if ((unsigned char)text[i] < ' ') {
			*offset = i;
			return text[i] == '\0' ? "a NUL" : "a control character in a text";
		}
	}
	if (end == len)
		return "a text begins here and does not end";
	*offset = end;
	return NULL;
}

const char *json_text_flaw(const char *text, size_t len, size_t *offset)
{
	size_t *at = offset;
	char before = '\0'; /* space aside */

	for (*at = 0; *at < len; ++*at) {
		const char c = text[*at];
		const char *flaw = NULL;

		if (c == '"')
			flaw = string_flaw(text, len, at);
		else if (c == '\'')
			flaw = "a single quote";
		else if (c == '/')
			flaw = "a comment";
		else if (c == '\0')
			flaw = "a NUL";
		else if (before == ',' && (c == ']' || c == '}'))
			flaw = c == ']' ? "a comma stands before this ]"
					: "a comma stands before this }";
		else if (*at == 0 && len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
			flaw = "it begins with a byte order mark; save it without";
		if (flaw != NULL)
			return flaw;
		if (strchr(" \t\r\n", c) == NULL)
			before = c;
	}
	return NULL;
}

/* The offset behind the value that begins here: a string, what is in brackets, or a word. */
static size_t skip_value(const char *text, size_t len, size_t offset)
{
	size_t depth = 0;

	do {
		const char c = (char)(offset < len ? text[offset] : '\0');

		if (c == '"' || c == '\'')
			offset = string_end(text, len, offset);
		else if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && depth > 0)
			depth--;
		else if (depth == 0 && offset < len)
			offset += strcspn(text + offset, ",:]}/ \t\r\n\v\f") - 1;
		offset++;
		if (depth > 0)
			offset = json_skip_space(text, len, offset);
	} while (depth > 0 && offset < len);
	return offset < len ? offset : len;
}

struct json_item json_items(const char *text, size_t len, size_t offset)
{
	return (struct json_item){.text = text, .len = len, .end = offset < len ? offset + 1 : len};
}

bool json_next(struct json_item *item)
{
	const char *text = item->text;
	size_t len = item->len;
	size_t offset = json_skip_space(text, len, item->end);
	size_t end;

	if (offset < len && text[offset] == ',')
		offset = json_skip_space(text, len, offset + 1);
	if (offset >= len || text[offset] == '}' || text[offset] == ']')
		return false;
	end = skip_value(text, len, offset);
	item->key = offset;
	item->key_len = 0;
	item->value = offset;
	offset = json_skip_space(text, len, end);
	if (offset < len && text[offset] == ':') {
		item->key++;
		item->key_len = end - item->key > 0 ? end - item->key - 1 : 0;
		item->value = json_skip_space(text, len, offset + 1);
		end = skip_value(text, len, item->value);
	}
	/* What is no JSON must not hold us up. */
	item->end = end > item->key ? end : len;
	return true;
}

bool json_key_is(const struct json_item *item, const char *key)
{
	return item->key_len == strlen(key) &&
	       memcmp(item->text + item->key, key, item->key_len) == 0;
}

struct json_place json_place_of_key(const char *text, size_t len, const char *section,
				    const char *key)
{
	struct json_item outer = json_items(text, len, json_skip_space(text, len, 0));
	size_t found = 0;

	/* Of two that are alike the last one counts, as for json-c. */
	while (json_next(&outer)) {
		struct json_item inner = json_items(text, len, outer.value);

		if (!json_key_is(&outer, section))
			continue;
		found = outer.key - 1;
		while (key != NULL && json_next(&inner)) {
			if (json_key_is(&inner, key))
				found = inner.key - 1;
		}
	}
	return json_place_of(text, found);
}
