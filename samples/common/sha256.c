/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 by GnuTLS: started, fed piece by piece, ended. */
#include "sha256.h"

#include <stdio.h>
#include <unistd.h>

#include <gnutls/gnutls.h>

#include "file.h"
#include "report.h"

#define DIGEST_LEN 32

static bool gnutls_ok(int result, const char *doing)
{
	if (result < 0)
		complain("cannot %s: %s", doing, gnutls_strerror(result));
	return result >= 0;
}

bool sha256_start(struct sha256 *sha256)
{
	return gnutls_ok(gnutls_hash_init(&sha256->handle, GNUTLS_DIG_SHA256),
			 "start a SHA-256 digest");
}

bool sha256_add(struct sha256 *sha256, const void *bytes, size_t len)
{
	return gnutls_ok(gnutls_hash(sha256->handle, bytes, len), "compute a SHA-256 digest");
}

struct sha256_text sha256_end(struct sha256 *sha256)
{
	unsigned char digest[DIGEST_LEN];
	struct sha256_text text;

	gnutls_hash_deinit(sha256->handle, digest);
	sha256->handle = NULL;
	for (int i = 0; i < DIGEST_LEN; i++)
		snprintf(&text.chars[2 * i], 3, "%02x", digest[i]);
	return text;
}

bool sha256_of(const void *bytes, size_t len, struct sha256_text *digest)
{
	struct sha256 sha256;
	bool success;

	if (!sha256_start(&sha256))
		return false;
	success = sha256_add(&sha256, bytes, len);
	*digest = sha256_end(&sha256);
	return success;
}

bool sha256_of_file(int fd, const char *path, void *bytes, size_t len, struct progress_bar *bar,
		    struct sha256_text *digest)
{
	struct sha256 sha256;
	uint64_t done = 0;
	bool success;
	size_t got = 0;

	if (lseek(fd, 0, SEEK_SET) != 0) {
		complain("cannot go back to the start of %s: %m", path);
		return false;
	}
	if (!sha256_start(&sha256))
		return false;
	do {
		success = file_read(fd, path, bytes, len, &got) && sha256_add(&sha256, bytes, got);
		done += got;
		progress_bar_update(bar, done);
	} while (success && got == len);
	*digest = sha256_end(&sha256);
	if (success)
		progress_bar_end(bar, done);
	return success;
}
