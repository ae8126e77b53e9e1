/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON file of a DPDK program: the input is the file. */
#include "fuzz/fuzz.h"

#include "fuzz/fuzz_argp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[] = {(char *)"fuzz", NULL};
	struct parser *parser = parser_get();
	char *text = calloc(1, size + 1);

	if (text == NULL)
		return 0;
	if (size > 0)
		memcpy(text, data, size);
	fuzz_open(true);
	fuzz_must(command_line_read(parser, 1, argv));
	if (json_read_text(parser, "fuzz.json", text, size) == DOCA_SUCCESS &&
	    values_check(parser) == DOCA_SUCCESS) {
		free(text); /* values do not point into it */
		text = NULL;
		(void)values_run(parser);
	}
	free(text);
	fuzz_must(doca_argp_destroy());
	return 0;
}
