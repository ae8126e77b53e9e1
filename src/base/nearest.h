/* SPDX-License-Identifier: Apache-2.0 */
/* How far two names are apart: what was meant by one that nobody knows. */
#ifndef BASE_NEAREST_H_
#define BASE_NEAREST_H_

#include <stddef.h>

/* Longer names are not compared. */
#define NEAREST_MAX_NAME 64

/*
 * How many letters must be changed, left out, added or swapped with the next; both texts have
 * NEAREST_MAX_NAME letters at most.
 */
size_t edit_distance(const char *a, size_t a_len, const char *b, size_t b_len);

/*
 * Of some names the one that is nearest to what somebody wrote; NULL: none shares even half of its
 * letters.
 */
const char *nearest_name(const char *written, size_t len, const char *const *names,
			 size_t num_names);

#endif /* BASE_NEAREST_H_ */
