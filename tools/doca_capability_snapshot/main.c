/* SPDX-License-Identifier: Apache-2.0 */
/* doca-capability-snapshot: which capabilities each device has, at one time. */
#include <time.h>

#include <doca_version.h>

#include "caps_common/card.h"

static const char help[] =
	"Usage: doca-capability-snapshot [--json]\n\n"
	"Tell which capabilities each device of this process has, by library, as JSON:\n"
	"doca-capability-snapshot.schema.json describes it.\n\n"
	"  --json         without the line that says whose the devices are\n"
	"  -h, --help     this text\n"
	"  -V, --version  the version\n\n"
	"Exit code: 0 done, 1 the devices could not be read, 2 wrong use.\n"
	"The devices are softdoca's, in software; softdoca(7) has how they are chosen.\n";

/* Those that it has; how much of them doca_caps tells. */
static struct json_object *names_of(struct json_object *capabilities)
{
	struct json_object *names = new_array();

	json_object_object_foreach(capabilities, name,
				   value) if (json_object_is_type(value, json_type_boolean) &&
					      json_object_get_boolean(value))
		append(names, json_object_new_string(name));
	return names;
}

static struct json_object *entry_of(struct json_object *device)
{
	struct json_object *entry = new_object();
	struct json_object *by_library = new_object();

	put_text(entry, "pcie_address", text_of(device, "pci_addr"));
	put(entry, "library_capabilities", by_library);
	json_object_object_foreach(json_object_object_get(device, "capabilities"), library,
				   capabilities) put(by_library, library, names_of(capabilities));
	return entry;
}

static bool make(struct json_object **document)
{
	struct json_object *snapshot = new_object();
	struct json_object *entries = new_array();
	struct json_object *devices;
	const time_t now = time(NULL);
	char at[sizeof("2000-01-01T00:00:00Z")] = "";
	const bool is_read = card_read(&devices);
	struct tm utc;

	if (gmtime_r(&now, &utc) != NULL)
		(void)strftime(at, sizeof(at), "%Y-%m-%dT%H:%M:%SZ", &utc);
	put_text(snapshot, "snapshot_at", at);
	put_text(snapshot, "doca_version", doca_version_runtime());
	put_text(snapshot, "host_kind", card_host_kind(devices));
	put(snapshot, "devices", entries);
	for (size_t i = 0; i < json_object_array_length(devices); i++)
		append(entries, entry_of(json_object_array_get_idx(devices, i)));
	json_object_put(devices);
	*document = snapshot;
	return is_read;
}

int main(int argc, char **argv)
{
	return report_main(argc, argv, &(struct report){.help = help, .make = make});
}
