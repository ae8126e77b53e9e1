/* SPDX-License-Identifier: Apache-2.0 */
/* doca_caps: the devices, their representors and what they can, in the layout of DOCA's tool. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <doca_version.h>

#include "caps_common/card.h"
#include "caps_common/table.h"

#define KEY_COLUMNS 46 /* of a row, behind its indentation */

static const char help[] =
	"Usage: doca_caps [--list-devs] [--list-rep-devs] [--list-libs] [--list-loggers]\n"
	"                 [--pci-addr ADDRESS] [--lib NAME] [--json]\n\n"
	"Print what DOCA sees; with no --list-... option the capabilities of each device.\n\n"
	"  --list-devs               the devices and their attributes\n"
	"  --list-rep-devs           the representors of each device and their attributes\n"
	"  --list-libs               the libraries\n"
	"  --list-loggers            the sources of log records\n"
	"  -p, --pci-addr ADDRESS    only this device, 0000:03:00.0 or 03:00.0\n"
	"  --lib NAME                only this library, such as dma\n"
	"  --json                    all of the devices as JSON, softdoca's own: see\n"
	"                            doca-caps.schema.json\n"
	"  -h, --help                this text\n"
	"  -V, --version             the version\n\n"
	"Exit code: 0 done, 1 the devices could not be read or none has the address,\n"
	"2 wrong use.\n"
	"The devices are softdoca's, in software; softdoca(7) has how they are chosen.\n";

enum list { LIST_DEVS, LIST_REP_DEVS, LIST_LIBS, LIST_LOGGERS, NUM_LISTS };

struct options {
	bool lists[NUM_LISTS];
	bool has_list;
	bool is_json;
	const char *pci_addr;	       /* NULL: all */
	const struct library *library; /* NULL: all */
};

static void print_key(int indent, const char *key)
{
	printf("%*s%-*s", indent, "", KEY_COLUMNS, key);
}

static void print_rows(int indent, struct json_object *rows)
{
	json_object_object_foreach(rows, key, value)
	{
		print_key(indent, key);
		if (json_object_is_type(value, json_type_boolean))
			fputs(json_object_get_boolean(value) ? "supported" : "unsupported", stdout);
		else
			print_scalar(value);
		putchar('\n');
	}
}

static void print_attributes(struct json_object *device)
{
	print_rows(8, json_object_object_get(device, "attributes"));
}

static void print_representors(struct json_object *device)
{
	struct json_object *representors = json_object_object_get(device, "representors");

	for (size_t i = 0; i < json_object_array_length(representors); i++) {
		struct json_object *representor = json_object_array_get_idx(representors, i);

		printf("%8srepresentor-PCI: %s\n", "", text_of(representor, "pci_addr"));
		print_rows(12, json_object_object_get(representor, "attributes"));
	}
}

static void print_capabilities(struct json_object *device)
{
	json_object_object_foreach(json_object_object_get(device, "capabilities"), module,
				   capabilities)
	{
		printf("%4s%s\n", "", module + strlen(MODULE_PREFIX));
		print_rows(8, capabilities);
	}
}

static void print_devices(struct json_object *devices, void (*print)(struct json_object *device))
{
	for (size_t i = 0; i < json_object_array_length(devices); i++) {
		struct json_object *device = json_object_array_get_idx(devices, i);

		printf("PCI: %s\n", text_of(device, "pci_addr"));
		print(device);
	}
}

static bool is_chosen(struct json_object *device, const struct options *options)
{
	const char *address = text_of(device, "pci_addr");
	const char *wanted = options->pci_addr;

	return wanted == NULL || strcasecmp(wanted, address) == 0 ||
	       (strncmp(address, "0000:", strlen("0000:")) == 0 &&
		strcasecmp(wanted, address + strlen("0000:")) == 0);
}

static void leave_libraries(struct json_object *device, const struct library *library)
{
	struct json_object *capabilities = json_object_object_get(device, "capabilities");

	for (size_t i = 0; library != NULL && i < num_libraries; i++)
		if (&libraries[i] != library)
			json_object_object_del(capabilities, libraries[i].module);
}

/* The devices that are asked for, the caller's; empty where there are none. */
static struct json_object *choose(struct json_object *devices, const struct options *options)
{
	struct json_object *chosen = new_array();

	for (size_t i = 0; i < json_object_array_length(devices); i++) {
		struct json_object *device = json_object_array_get_idx(devices, i);

		if (!is_chosen(device, options))
			continue;
		leave_libraries(device, options->library);
		append(chosen, json_object_get(device));
	}
	return chosen;
}

/* With those there are, in one line. */
static int refuse_name(const char *kind, const char *wanted, struct json_object *names, int code)
{
	const size_t num = json_object_array_length(names);

	fprintf(stderr, "doca_caps: no %s %s; there %s", kind, wanted,
		num == 0 ? "is none" : "are");
	for (size_t i = 0; i < num; i++)
		fprintf(stderr, "%s%s", i == 0 ? " " : ", ",
			json_object_get_string(json_object_array_get_idx(names, i)));
	fputs("; see --help\n", stderr);
	json_object_put(names);
	return code;
}

static int refuse_address(struct json_object *devices, const char *wanted)
{
	struct json_object *names = new_array();

	for (size_t i = 0; i < json_object_array_length(devices); i++)
		append(names, json_object_get(json_object_object_get(
				      json_object_array_get_idx(devices, i), "pci_addr")));
	return refuse_name("device", wanted, names, EXIT_FAILURE);
}

static int refuse_library(const char *wanted)
{
	struct json_object *names = new_array();

	for (size_t i = 0; i < num_libraries; i++)
		append(names, json_object_new_string(library_name(&libraries[i])));
	return refuse_name("library", wanted, names, EXIT_USAGE);
}

static void print_document(struct json_object *devices)
{
	struct json_object *document = new_object();

	put_text(document, "implementation", "softdoca");
	put_text(document, "doca_version", doca_version_runtime());
	put(document, "devices", json_object_get(devices));
	print_json(document);
	json_object_put(document);
}

static void print_libraries(const struct library *only)
{
	for (size_t i = 0; i < num_libraries; i++)
		if (only == NULL || only == &libraries[i]) {
			print_key(0, library_name(&libraries[i]));
			puts("installed");
		}
}

static void print_chosen(struct json_object *chosen, const struct options *options)
{
	if (options->is_json) {
		print_document(chosen);
		return;
	}
	say_whose(chosen);
	if (!options->has_list)
		print_devices(chosen, print_capabilities);
	if (options->lists[LIST_DEVS])
		print_devices(chosen, print_attributes);
	if (options->lists[LIST_REP_DEVS])
		print_devices(chosen, print_representors);
}

static int print_card(const struct options *options)
{
	struct json_object *devices;
	struct json_object *chosen;
	int code = card_read(&devices) ? EXIT_SUCCESS : EXIT_FAILURE;

	chosen = choose(devices, options);
	if (code == EXIT_SUCCESS && options->pci_addr != NULL &&
	    json_object_array_length(chosen) == 0)
		code = refuse_address(devices, options->pci_addr);
	else if (code == EXIT_SUCCESS)
		print_chosen(chosen, options);
	json_object_put(chosen);
	json_object_put(devices);
	return code;
}

static int print_all(const struct options *options)
{
	int code = EXIT_SUCCESS;

	if (!options->has_list || options->lists[LIST_DEVS] || options->lists[LIST_REP_DEVS])
		code = print_card(options);
	if (options->lists[LIST_LIBS])
		print_libraries(options->library);
	if (options->lists[LIST_LOGGERS])
		puts("DOCA"); /* the one source of the libraries' records */
	return code;
}

/* EXIT_SUCCESS, or the code of what has been refused; *is_over where help or version was all. */
static int parse(int argc, char **argv, struct options *options, bool *is_over)
{
	static const struct option longs[] = {{"list-devs", no_argument, NULL, LIST_DEVS},
					      {"list-rep-devs", no_argument, NULL, LIST_REP_DEVS},
					      {"list-libs", no_argument, NULL, LIST_LIBS},
					      {"list-loggers", no_argument, NULL, LIST_LOGGERS},
					      {"pci-addr", required_argument, NULL, 'p'},
					      {"lib", required_argument, NULL, 'l'},
					      {"json", no_argument, NULL, 'j'},
					      {"help", no_argument, NULL, 'h'},
					      {"version", no_argument, NULL, 'v'},
					      {NULL, 0, NULL, 0}};
	int found;

	opterr = 0;
	while ((found = getopt_long(argc, argv, ":p:hvV", longs, NULL)) != -1) {
		if (found >= 0 && found < NUM_LISTS) {
			options->lists[found] = true;
			options->has_list = true;
		} else if (found == 'p') {
			options->pci_addr = optarg;
		} else if (found == 'l') {
			options->library = library_find(optarg);
			if (options->library == NULL)
				return refuse_library(optarg);
		} else if (found == 'j') {
			options->is_json = true;
		} else if (found == 'h' || found == 'v' || found == 'V') {
			fputs(found == 'h' ? help
					   : "doca_caps " DOCA_VERSION_STRING " of softdoca\n",
			      stdout);
			*is_over = true;
			return EXIT_SUCCESS;
		} else {
			return refuse_option(
				found, argv,
				"--list-devs, --list-rep-devs, --list-libs, --list-loggers, "
				"--pci-addr, --lib, --json, --help, --version");
		}
	}
	if (optind < argc)
		return refuse("'%s' is no option", argv[optind]);
	if (options->is_json && options->has_list)
		return refuse(
			"--json tells all of the devices; leave it or the --list-... option out");
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct options options = {.pci_addr = NULL};
	bool is_over = false;
	int code = parse(argc, argv, &options, &is_over);

	if (code == EXIT_SUCCESS && !is_over)
		code = print_all(&options);
	return finish(code);
}
