/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments for DPDK: those of the command line, then those of the JSON file. */
#include "argp/argp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dpdk_copy {
	struct list link;
	char text[];
};

doca_error_t dpdk_add(struct parser *parser, char *argument)
{
	if (parser->num_dpdk_args == parser->max_dpdk_args) {
		size_t max_args = parser->max_dpdk_args * 2 + 8;
		char **argv = calloc(max_args + 1, sizeof(*argv));

		if (argv == NULL) {
			input_error(parser, "out of memory");
			return DOCA_ERROR_NO_MEMORY;
		}
		if (parser->dpdk_argv != NULL)
			memcpy(argv, parser->dpdk_argv, parser->num_dpdk_args * sizeof(*argv));
		free(parser->dpdk_argv);
		parser->dpdk_argv = argv;
		parser->max_dpdk_args = max_args;
	}
	parser->dpdk_argv[parser->num_dpdk_args++] = argument;
	return DOCA_SUCCESS;
}

doca_error_t dpdk_add_copy(struct parser *parser, const char *text, size_t len)
{
	struct dpdk_copy *copy = calloc(1, sizeof(*copy) + len + 1);

	if (copy == NULL) {
		input_error(parser, "out of memory");
		return DOCA_ERROR_NO_MEMORY;
	}
	memcpy(copy->text, text, len);
	list_add_tail(&parser->dpdk_copies, &copy->link);
	return dpdk_add(parser, copy->text);
}

doca_error_t dpdk_add_format(struct parser *parser, const char *format, ...)
{
	char text[256]; /* callers give less */
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return dpdk_add_copy(parser, text, strlen(text));
}

void dpdk_free(struct parser *parser)
{
	struct list *next;

	for (struct list *link = parser->dpdk_copies.next; link != &parser->dpdk_copies;
	     link = next) {
		next = link->next;
		free(CONTAINER_OF(link, struct dpdk_copy, link));
	}
	free(parser->dpdk_argv);
}
