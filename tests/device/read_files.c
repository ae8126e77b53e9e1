/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells of JSON texts, each a line of the input behind "topology " or "config ", whether the reader
 * takes them as such files: a line for each, "accepted" or what is wrong. For test_schemas.py.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/config.h"
#include "device/topology.h"

#define SEPARATOR " "

static doca_error_t read_as(const char *kind, const struct file *file)
{
	struct settings settings = {.role = SETTINGS_ROLE_BOTH};
	struct spot root = file_root(file);
	struct machine machine;
	doca_error_t result;

	if (strcmp(kind, "config") == 0)
		return config_take(file, &root, SETTINGS_OF_FILE, &settings);
	result = topology_build(file, &settings, &machine);
	if (result == DOCA_SUCCESS)
		machine_release(&machine);
	return result;
}

int main(void)
{
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0) {
		char problem[SETTINGS_PROBLEM_SIZE] = "accepted";
		struct file file = {.path = "file", .problem = problem};
		char *rest = line;
		const char *kind = strsep(&rest, SEPARATOR);

		file.text = strdup(rest == NULL ? "" : rest);
		if (file.text == NULL)
			return EXIT_FAILURE;
		file.len = strlen(file.text);
		if (file_parse(&file) == DOCA_SUCCESS) {
			(void)read_as(kind, &file);
			file_release(&file);
		}
		puts(problem);
	}
	free(line);
	return EXIT_SUCCESS;
}
