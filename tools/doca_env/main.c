/* SPDX-License-Identifier: Apache-2.0 */
/* doca-env: versions, devices, libraries, samples, drivers and huge pages, in one document. */
#include <string.h>
#include <sys/utsname.h>

#include "caps_common/card.h"
#include "caps_common/table.h"
#include "files.h"

static const char help[] =
	"Usage: doca-env [--json]\n\n"
	"Tell what a DOCA program meets in this installation and machine, as JSON:\n"
	"doca-env.schema.json describes it.\n\n"
	"  --json         without the line that says whose the devices are\n"
	"  -h, --help     this text\n"
	"  -V, --version  the version\n\n"
	"Exit code: 0 done, 1 something could not be looked at (the rest is told),\n"
	"2 wrong use.\n"
	"The devices are softdoca's, in software; softdoca(7) has how they are chosen.\n";

static struct json_object *version_of(const char *prefix, bool *is_whole)
{
	struct json_object *version = new_object();
	char path[PATH_MAX];
	char words[3][VERSION_SIZE];
	const bool are_told[3] = {
		files_find_module(prefix, MODULE_PREFIX "common", path, words[0], is_whole),
		files_applications_version(prefix, words[1], is_whole),
		files_ask_doca_caps(words[2], is_whole),
	};
	bool is_consistent = true;
	bool is_compared = false;

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < i; j++)
			if (are_told[i] && are_told[j]) {
				is_compared = true;
				is_consistent &= strcmp(words[i], words[j]) == 0;
			}
	put_text(version, "pkg_config", are_told[0] ? words[0] : NULL);
	put_text(version, "applications_version", are_told[1] ? words[1] : NULL);
	put_text(version, "doca_caps", are_told[2] ? words[2] : NULL);
	put_text(version, "bfb", NULL); /* no card, no image of one */
	if (is_compared)
		put_bool(version, "consistent", is_consistent);
	else
		put(version, "consistent", NULL);
	return version;
}

/* A function, or what stands for one; its network interface names it, or its IB device where it has
 * none. */
static struct json_object *entry_of(struct json_object *function, const char *pci_addr,
				    const char *representor_of)
{
	struct json_object *entry = new_object();
	struct json_object *attributes = json_object_object_get(function, "attributes");
	struct json_object *name = json_object_object_get(attributes, "iface_name");

	if (name == NULL)
		name = json_object_object_get(attributes, "ibdev_name");
	put_text(entry, "pcie_address", pci_addr);
	put_text(entry, "kind", text_of(attributes, "pci_func_type"));
	put(entry, "name", json_object_get(name));
	put_text(entry, "representor_of", representor_of);
	put_text(entry, "state", text_of(function, "state"));
	put(entry, "mtu", json_object_get(json_object_object_get(function, "mtu")));
	return entry;
}

static struct json_object *entries_of(struct json_object *devices)
{
	struct json_object *entries = new_array();

	for (size_t i = 0; i < json_object_array_length(devices); i++) {
		struct json_object *device = json_object_array_get_idx(devices, i);
		struct json_object *representors = json_object_object_get(device, "representors");
		const char *pci_addr = text_of(device, "pci_addr");

		append(entries, entry_of(device, pci_addr, NULL));
		for (size_t j = 0; j < json_object_array_length(representors); j++) {
			struct json_object *representor =
				json_object_array_get_idx(representors, j);

			append(entries,
			       entry_of(representor, pci_addr, text_of(representor, "pci_addr")));
		}
	}
	return entries;
}

static void put_libraries(struct json_object *env, const char *prefix, bool *is_whole)
{
	struct json_object *modules = new_array();
	struct json_object *samples = new_array();

	put(env, "libraries", modules);
	put(env, "sample_paths", samples);
	for (size_t i = 0; i < num_libraries; i++) {
		struct json_object *module = new_object();
		char version[VERSION_SIZE];
		char path[PATH_MAX];
		const bool is_there =
			files_find_module(prefix, libraries[i].module, path, version, is_whole);

		append(modules, module);
		put_text(module, "pkg_config_name", libraries[i].module);
		put_bool(module, "installed", is_there);
		put_text(module, "pc_path", is_there ? path : NULL);
		if (files_find_samples(prefix, library_name(&libraries[i]), path)) {
			struct json_object *sample = new_object();

			append(samples, sample);
			put_text(sample, "library", libraries[i].module);
			put_text(sample, "path", path);
		}
	}
}

static void put_machine(struct json_object *env, bool *is_whole)
{
	struct json_object *drivers = new_object();
	struct json_object *hugepages = new_object();
	struct utsname system;
	char path[PATH_MAX];

	put_bool(drivers, "mlx5_core_loaded", files_is_module_loaded("mlx5_core", is_whole));
	put_bool(drivers, "mlx5_ib_loaded", files_is_module_loaded("mlx5_ib", is_whole));
	put_text(drivers, "kernel_version", uname(&system) == 0 ? system.release : NULL);
	put_number(hugepages, "available_2m", files_free_hugepages(2048, is_whole));
	put_number(hugepages, "available_1g", files_free_hugepages(1048576, is_whole));
	put_text(hugepages, "mount_point", files_hugepage_mount(path, is_whole) ? path : NULL);
	put(env, "drivers", drivers);
	put(env, "hugepages", hugepages);
}

static bool make(struct json_object **document)
{
	struct json_object *env = new_object();
	struct json_object *devices;
	char prefix[PATH_MAX];
	bool is_whole = true;
	const bool is_read = card_read(&devices);
	const char *host_kind = card_host_kind(devices);

	files_prefix(prefix);
	put(env, "version", version_of(prefix, &is_whole));
	put(env, "devices", entries_of(devices));
	put_libraries(env, prefix, &is_whole);
	put_machine(env, &is_whole);
	put_text(env, "host_kind", host_kind);
	put_text(env, "bf_mode", strcmp(host_kind, "bluefield") == 0 ? "dpu" : NULL);
	json_object_put(devices);
	*document = env;
	return is_read && is_whole;
}

int main(int argc, char **argv)
{
	return report_main(argc, argv, &(struct report){.help = help, .make = make});
}
