/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line: each line of the input is an argument, and the path of a JSON file is its
 * text. An odd first byte makes a DPDK program of it. Linked with --wrap=exit and
 * --wrap=json_file_load: what would end the program ends the input, and no file is opened.
 */
#include "fuzz/fuzz.h"

#include <setjmp.h>

#include "fuzz/fuzz_argp.h"

#define MAX_ARGS 64

/* The linker sends the calls to the first, and knows the real one as the second. */
void __wrap_exit(int status) __attribute__((noreturn));
void __real_exit(int status) __attribute__((noreturn));
doca_error_t __wrap_json_file_load(const struct parser *parser, const char *path, char **text,
				   size_t *len);

static jmp_buf after_start;
static bool is_started; /* an exit() belongs to the input; the linker's wrapper must know */

void __wrap_exit(int status)
{
	if (!is_started)
		__real_exit(status);
	if (status != EXIT_SUCCESS)
		abort();
	longjmp(after_start, 1);
}

doca_error_t __wrap_json_file_load(const struct parser *parser, const char *path, char **text,
				   size_t *len)
{
	*text = text_copy(path);
	*len = strlen(path);
	return *text == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

/* Apart from what makes the arguments: nothing of its own changes after the setjmp. */
__attribute__((noinline)) static void start(int argc, char **argv)
{
	is_started = true;
	if (setjmp(after_start) == 0) {
		(void)doca_argp_start(argc, argv);
		fuzz_must(doca_argp_destroy());
	}
	is_started = false;
}

static void run(char *text, char *end, bool has_dpdk)
{
	char *argv[MAX_ARGS + 1] = {(char *)"fuzz"};
	int argc = 1;

	while (text < end && argc < MAX_ARGS) {
		argv[argc++] = text;
		text += strcspn(text, "\n");
		*text++ = '\0';
	}
	fuzz_open(has_dpdk);
	start(argc, argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (size == 0)
		return 0;
	text = calloc(1, size);
	if (text == NULL)
		return 0;
	memcpy(text, data + 1, size - 1);
	run(text, text + size - 1, data[0] % 2 != 0);
	free(text);
	return 0;
}
