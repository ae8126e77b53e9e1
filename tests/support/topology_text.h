/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies as texts in tests: with ' in place of ", and built without a file. */
#ifndef TESTS_SUPPORT_TOPOLOGY_TEXT_H_
#define TESTS_SUPPORT_TOPOLOGY_TEXT_H_

#include <stdlib.h>
#include <string.h>

#include "device/topology.h"
#include "support/test.h"

/* One card of a model, its functions from line 2 on. */
#define ONE_CARD(model, functions)                                                                 \
	"{'schema_version': 1, 'cards': [{'model': '" model "', 'functions': [\n" functions "\n]}" \
	"]}"

#define BLUEFIELD3(functions) ONE_CARD("bluefield3", functions)

/* Cards from line 2 on, each of one function. */
#define CARDS(cards) "{'schema_version': 1, 'cards': [\n" cards "]}"
#define CARD(model, more, address)                                                                 \
	"{'model': '" model "', " more                                                             \
	"'functions': [{'side': 'dpu', 'type': 'pf', 'pci_addr': '" address "'}]}"

#define DPU_PF "{'side': 'dpu', 'type': 'pf', 'pci_addr': '0000:03:00.0'}"
#define HOST_PF "{'side': 'host', 'type': 'pf', 'pci_addr': '0000:b1:00.0'}"

/* A copy in JSON's own quotes, the caller's to free. */
static inline char *topology_quote(const char *text)
{
	char *copy = strdup(text);

	for (char *c = copy; c != NULL && *c != '\0'; c++)
		*c = *c == '\'' ? '"' : *c;
	return copy;
}

static inline doca_error_t topology_make(const char *text, const struct settings *settings,
					 struct machine *machine,
					 char problem[SETTINGS_PROBLEM_SIZE])
{
	struct file file = {.path = "t.json", .problem = problem, .text = topology_quote(text)};
	doca_error_t result;

	problem[0] = '\0';
	if (file.text == NULL)
		return DOCA_ERROR_NO_MEMORY;
	file.len = strlen(text);
	result = file_parse(&file);
	if (result != DOCA_SUCCESS)
		return result;
	result = topology_build(&file, settings, machine);
	file_release(&file);
	return result;
}

static const struct settings no_settings = {.device = SETTINGS_DEVICE_BLUEFIELD3};

static inline void topology_stands(const char *text, struct machine *machine)
{
	char problem[SETTINGS_PROBLEM_SIZE];

	assert_doca(topology_make(text, &no_settings, machine, problem), DOCA_SUCCESS);
	assert_string_equal(problem, "");
}

/* One line that begins with file and line, and says what is wrong. */
static inline void topology_refused(const char *text, unsigned int line, const char *what)
{
	const struct machine untouched = {.num_cards = 77};
	struct machine machine = untouched;
	char problem[SETTINGS_PROBLEM_SIZE];
	char place[32];

	snprintf(place, sizeof(place), "t.json:%u: ", line);
	assert_doca(topology_make(text, &no_settings, &machine, problem), DOCA_ERROR_INVALID_VALUE);
	assert_memory_equal(&machine, &untouched, sizeof(machine));
	if (strncmp(problem, place, strlen(place)) != 0 || strstr(problem, what) == NULL ||
	    strstr(problem, "allowed") == NULL || strchr(problem, '\n') != NULL)
		fail_msg("of %s is said: %s", text, problem);
}

#endif /* TESTS_SUPPORT_TOPOLOGY_TEXT_H_ */
