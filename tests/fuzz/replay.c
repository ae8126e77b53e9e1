/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target over files, each a test: `target_seeds FILE...`. No fuzzer is needed. */
#include "fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SEED_BYTES ((size_t)1 << 20)

/* False where the file cannot be read. */
static int replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *read = NULL;
	uint8_t *exact = NULL; /* with no room behind it, so that a sanitizer sees what reads on */
	size_t size = 0;
	int is_read = 0;

	if (file == NULL)
		return 0;
	read = malloc(MAX_SEED_BYTES);
	if (read == NULL)
		goto close_file;
	size = fread(read, 1, MAX_SEED_BYTES, file);
	exact = malloc(size == 0 ? 1 : size);
	if (exact == NULL || ferror(file))
		goto free_bytes;
	memcpy(exact, read, size);
	LLVMFuzzerTestOneInput(exact, size);
	is_read = 1;
free_bytes:
	free(exact);
	free(read);
close_file:
	fclose(file);
	return is_read;
}

int main(int argc, char **argv)
{
	int tap = dup(STDOUT_FILENO);
	int null = open("/dev/null", O_WRONLY);
	int num_failed = 0;

	/* What a target prints must not be taken for a result. */
	if (tap < 0 || null < 0 || dup2(null, STDOUT_FILENO) < 0)
		return EXIT_FAILURE;
	close(null);
	dprintf(tap, "1..%d\n", argc - 1);
	for (int i = 1; i < argc; i++) {
		int is_read = replay(argv[i]);

		num_failed += !is_read;
		dprintf(tap, "%s %d - %s is survived\n", is_read ? "ok" : "not ok", i, argv[i]);
	}
	close(tap);
	return num_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
