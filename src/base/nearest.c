/* SPDX-License-Identifier: Apache-2.0 */
/* How far two names are apart, whatever the case of their letters. */
#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool differ(char a, char b)
{
	return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/* Row i % 3 holds the distances from the first i letters of a. */
size_t edit_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t rows[3][NEAREST_MAX_NAME + 1];

	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		const size_t *before = rows[(i - 1) % 3];
		size_t *row = rows[i % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			row[j] = before[j - 1] + differ(a[i - 1], b[j - 1]);
			row[j] = least(row[j], least(before[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) &&
			    !differ(a[i - 2], b[j - 1]))
				row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
		}
	}
	return rows[a_len % 3][b_len];
}

const char *nearest_name(const char *written, size_t len, const char *const *names,
			 size_t num_names)
{
	const char *nearest = NULL;
	size_t shortest = len / 2 + 1;

	if (len > NEAREST_MAX_NAME)
		return NULL;
	for (size_t i = 0; i < num_names; i++) {
		size_t distance = edit_distance(written, len, names[i], strlen(names[i]));

		if (distance < shortest) {
			shortest = distance;
			nearest = names[i];
		}
	}
	return nearest;
}
