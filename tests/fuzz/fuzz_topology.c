/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A topology file, which is the input, and the same bytes as a file of settings. What is accepted
 * must hold together; what is refused must be said in one line.
 */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "device/config.h"
#include "device/topology.h"

static void must(bool is_right)
{
	if (!is_right)
		abort();
}

static void check_function(const struct machine *machine, const struct card_function *function)
{
	const struct card_function *functions = machine->functions;
	const struct card *card = function->card;

	must(card >= machine->cards && card < machine->cards + machine->num_cards);
	must(function >= card->functions && function < card->functions + card->num_functions);
	must(function->pf >= functions && function->pf <= function);
	must(function->pf->type == CARD_PF && function->pf->card == card);
	must((function->type == CARD_PF) == (function->pf == function));
	must(strlen(function->pci_addr) == CARD_PCI_ADDR_SIZE - 1);
	must(strlen(function->ibdev_name) > 0 && strlen(function->iface_name) > 0);
	must(strlen(function->vuid) > 0 && function->iface_index > 0);
	must(function->type == CARD_PF || function->uplink_ib_port == 1);
	if (function->rep_on == NULL)
		return;
	must(function->rep_on->card == card && function->rep_on->represents != NULL);
	must(card_can(function->rep_on, CARD_REPRESENTORS));
	must(strlen(function->rep_iface_name) > 0 && function->rep_iface_index > 0);
}

/* The file owns a copy with room for its NUL and no more. */
static bool parse(const uint8_t *data, size_t size, struct file *file)
{
	file->text = calloc(1, size + 1);
	file->len = size;
	if (file->text == NULL)
		return false;
	if (size > 0)
		memcpy(file->text, data, size);
	return file_parse(file) == DOCA_SUCCESS;
}

static void check_said(doca_error_t result, const char *problem)
{
	if (result == DOCA_ERROR_INVALID_VALUE)
		must(strncmp(problem, "fuzz.json:", 10) == 0 && strchr(problem, '\n') == NULL);
	else
		must(problem[0] == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char problem[SETTINGS_PROBLEM_SIZE] = "";
	struct file file = {.path = "fuzz.json", .problem = problem};
	struct settings settings = {.role = SETTINGS_ROLE_BOTH};
	struct machine machine;
	struct spot root;
	doca_error_t result;

	if (!parse(data, size, &file)) {
		check_said(DOCA_ERROR_INVALID_VALUE, problem);
		return 0;
	}
	root = file_root(&file);
	result = config_take(&file, &root, SETTINGS_OF_FILE, &settings);
	check_said(result, problem);

	problem[0] = '\0';
	settings = (struct settings){.role = SETTINGS_ROLE_BOTH};
	result = topology_build(&file, &settings, &machine);
	check_said(result, problem);
	file_release(&file);
	if (result == DOCA_SUCCESS) {
		for (uint32_t i = 0; i < machine.num_functions; i++)
			check_function(&machine, &machine.functions[i]);
		machine_release(&machine);
	}
	return 0;
}
