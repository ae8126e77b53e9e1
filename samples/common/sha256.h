/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 by GnuTLS: started, fed piece by piece, ended. */
#ifndef SAMPLES_COMMON_SHA256_H_
#define SAMPLES_COMMON_SHA256_H_

#include <stdbool.h>
#include <stddef.h>

#include <gnutls/crypto.h>

#include "progress_bar.h"

struct sha256 {
	gnutls_hash_hd_t handle; /* NULL once it has ended */
};

/* A digest as 64 hexadecimal digits. */
struct sha256_text {
	char chars[65];
};

/* Each start is followed by one end, with or without success in between. */
bool sha256_start(struct sha256 *sha256);
bool sha256_add(struct sha256 *sha256, const void *bytes, size_t len);
struct sha256_text sha256_end(struct sha256 *sha256);

/* The digest of all of these bytes. */
bool sha256_of(const void *bytes, size_t len, struct sha256_text *digest);

/* The digest of a whole open file, read through bytes, len at a time, under a progress bar. */
bool sha256_of_file(int fd, const char *path, void *bytes, size_t len, struct progress_bar *bar,
		    struct sha256_text *digest);

#endif /* SAMPLES_COMMON_SHA256_H_ */
