/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the settings as options, and the environment that they make. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

#define HEAP "libsoftdoca_heap.so"
#define FIRST_SETTING 256 /* what getopt_long gives for rows[0] */

struct row {
	const char *name;
	const char *variable;
	const char *value; /* what it is called */
	const char *help;
};

/* What may be said of each is the library's to know. */
static const struct row rows[] = {
	{"role", "SOFTDOCA_ROLE", "host|dpu|both", "which side's functions it sees"},
	{"device", "SOFTDOCA_DEVICE", "MODEL|FILE", "the card, or a topology file"},
	{"errors", "SOFTDOCA_ERRORS", "documented|hardware", "how mistakes come back"},
	{"engine", "SOFTDOCA_ENGINE", "inline|workers:N", "who copies"},
	{"kernel", "SOFTDOCA_KERNEL", "NAME", "what moves the bytes: auto, ..."},
	{"reach", "SOFTDOCA_REACH", "auto|mapped|cma|nbd", "the way to others' memory"},
	{"max-buf-size", "SOFTDOCA_MAX_BUF_SIZE", "BYTES", "of one copy, at most"},
	{"max-buf-list-len", "SOFTDOCA_MAX_BUF_LIST_LEN", "N", "buffers in a list"},
	{"queue-depth", "SOFTDOCA_QUEUE_DEPTH", "N", "tasks in flight"},
	{"connect-timeout", "SOFTDOCA_CONNECT_TIMEOUT", "SECONDS", "for a comch client"},
	{"deadline", "SOFTDOCA_DEADLINE", "SECONDS", "for a task without progress"},
	{"runtime-dir", "SOFTDOCA_RUNTIME_DIR", "DIR", "of the sockets"},
	{"allow-uids", "SOFTDOCA_ALLOW_UIDS", "UID,...", "users that may connect"},
	{"config", "SOFTDOCA_CONFIG", "FILE", "settings in JSON"},
	{"log-level", "DOCA_LOG_LEVEL", "LEVEL", "the library's records on stderr"},
};

static const struct row flags[] = {
	{"auto", NULL, NULL, "NVIDIA's libraries where they see a card"},
	{"shared-heap", NULL, NULL, "other processes can map its large memory"},
	{"verbose", NULL, NULL, "with --auto: say which libraries, and why"},
	{"help", NULL, NULL, "this text (-h)"},
};

#define NUM_ROWS (sizeof(rows) / sizeof(rows[0]))
#define NUM_FLAGS (sizeof(flags) / sizeof(flags[0]))

static void print_row(const struct row *row)
{
	int width = printf("  --%s %s", row->name, row->value == NULL ? "" : row->value);

	printf("%*s%s", width < 32 ? 32 - width : 1, "", row->help);
	printf(row->variable == NULL ? "\n" : ": %s\n", row->variable);
}

void options_print(void)
{
	for (size_t i = 0; i < NUM_ROWS; i++)
		print_row(&rows[i]);
	for (size_t i = 0; i < NUM_FLAGS; i++)
		print_row(&flags[i]);
}

int setup_set(const struct command *self, struct setup *setup, const char *name, const char *value)
{
	size_t i = 0;

	if (setenv(name, value, 1) != 0) {
		say(self, "cannot set %s: %s", name, strerror(errno));
		return 1;
	}
	while (i < setup->num_changes && strcmp(setup->changes[i], name) != 0)
		i++;
	if (i == setup->num_changes && i < MAX_CHANGES)
		setup->changes[setup->num_changes++] = name;
	return 0;
}

/* Takes an entry out of a list with colons, and one colon with it: an empty entry has a meaning. */
static void remove_entry(char *list, const char *entry)
{
	size_t entry_len = strlen(entry);
	char *at = list;

	while (at != NULL) {
		size_t len = strcspn(at, ":");

		if (len != entry_len || memcmp(at, entry, len) != 0) {
			at = at[len] == ':' ? at + len + 1 : NULL;
		} else if (at[len] == ':') {
			memmove(at, at + len + 1, strlen(at + len));
		} else {
			at[at > list ? -1 : 0] = '\0';
			at = NULL;
		}
	}
}

int setup_prepend(const struct command *self, struct setup *setup, const char *name,
		  const char *entry)
{
	const char *old = getenv(name);
	size_t len = strlen(entry);
	char *list;
	int result;

	if (strpbrk(entry, ":;") != NULL ||
	    (strcmp(name, "LD_PRELOAD") == 0 && strchr(entry, ' '))) {
		say(self, "%s takes no path with a space or colon, as in %s", name, entry);
		return 1;
	}
	if (old != NULL && strncmp(old, entry, len) == 0 && (old[len] == ':' || old[len] == '\0'))
		return 0;
	if (asprintf(&list, "%s:%s", entry, old == NULL ? "" : old) < 0) {
		say(self, "cannot set %s: out of memory", name);
		return 1;
	}
	remove_entry(list + len + 1, entry);
	/* An empty entry is a directory, too: the present one, or for MANPATH the usual ones. */
	if (list[len + 1] == '\0' && strcmp(name, "MANPATH") != 0)
		list[len] = '\0';
	result = setup_set(self, setup, name, list);
	free(list);
	return result;
}

/* The value of a row; a file's name becomes absolute, for the program may change its directory. */
static int set_row(const struct command *self, struct setup *setup, const struct row *row,
		   const char *value)
{
	size_t len = strlen(value);
	bool is_file =
		strchr(value, '/') != NULL || (len > 5 && strcmp(value + len - 5, ".json") == 0);
	char dir[PATH_MAX];
	char *path;
	int result;

	if (strcmp(row->name, "device") != 0)
		is_file = strcmp(row->name, "config") == 0 && len > 0;
	if (!is_file || value[0] == '/')
		return setup_set(self, setup, row->variable, value);
	if (getcwd(dir, sizeof(dir)) == NULL) {
		say(self, "cannot find %s: the present directory: %s", value, strerror(errno));
		return 1;
	}
	if (asprintf(&path, "%s/%s", dir, value) < 0) {
		say(self, "cannot set %s: out of memory", row->variable);
		return 1;
	}
	result = setup_set(self, setup, row->variable, path);
	free(path);
	return result;
}

int setup_parse(const struct command *self, int argc, char **argv, struct setup *setup)
{
	struct option options[NUM_ROWS + NUM_FLAGS + 1] = {{0}};
	int result = 0;
	int found;

	for (size_t i = 0; i < NUM_ROWS; i++)
		options[i] = (struct option){rows[i].name, required_argument, NULL,
					     FIRST_SETTING + (int)i};
	for (size_t i = 0; i < NUM_FLAGS; i++)
		options[NUM_ROWS + i] =
			(struct option){flags[i].name, no_argument, NULL, flags[i].name[0]};
	while (result == 0 && (found = getopt_long(argc, argv, "+:h", options, NULL)) != -1) {
		switch (found) {
		case 'a':
			setup->is_auto = true;
			break;
		case 'h':
			setup->is_helped = true;
			return print_help(self);
		case 's':
			setup->is_shared = true;
			break;
		case 'v':
			setup->is_verbose = true;
			break;
		case ':':
		case '?':
			return refuse_option(self, found, argv);
		default:
			result = set_row(self, setup, &rows[found - FIRST_SETTING], optarg);
		}
	}
	return result;
}

/* A wrong value is told before any program starts. */
static int check(const struct command *self, const struct setup *setup)
{
	struct answer answer;

	if (!probe_settings(setup->library_dir, &answer)) {
		if (answer.is_refusal)
			return refuse(self, "%s", answer.text);
		say(self, "%s", answer.text);
		return 1;
	}
	for (size_t i = 0; i < setup->num_changes && answer.warning != NULL; i++) {
		if (strcmp(setup->changes[i], "DOCA_LOG_LEVEL") == 0)
			return refuse(self, "%s", answer.warning);
	}
	return 0;
}

/* Whether the card is NVIDIA's; one that could not be asked is always told. */
static bool has_card(const struct command *self, const struct setup *setup, struct vendor *vendor)
{
	probe_vendor(vendor);
	if (vendor->verdict == VENDOR_FAILED)
		say(self, "%s%s" COMMON_LIBRARY " %s: softdoca instead", vendor->dir,
		    vendor->dir[0] == '\0' ? "" : "/", vendor->why);
	else if (setup->is_verbose && vendor->verdict == VENDOR_MISSING)
		say(self, "no DOCA of NVIDIA's: softdoca of %s", setup->library_dir);
	else if (setup->is_verbose)
		say(self, "%s/%s sees %u device%s: %s", vendor->dir, COMMON_LIBRARY,
		    vendor->num_devices, vendor->num_devices == 1 ? "" : "s",
		    vendor->num_devices > 0
			    ? "they stay in place, and no setting of softdoca counts"
			    : "softdoca instead");
	return vendor->verdict == VENDOR_SEES;
}

static int preload_heap(const struct command *self, struct setup *setup)
{
	char path[PATH_MAX];

	if (!probe_from_here(LIBRARIES_FROM_HERE "/" HEAP, path) && !probe_from_here(HEAP, path)) {
		say(self, "%s is neither in %s from this program nor beside it; reinstall softdoca",
		    HEAP, LIBRARIES_FROM_HERE);
		return 1;
	}
	return setup_prepend(self, setup, "LD_PRELOAD", path);
}

/* A program that is linked with softdoca's own directory looks into LD_LIBRARY_PATH before. */
static int set_libraries(const struct command *self, struct setup *setup)
{
	struct vendor vendor;
	char *others = getenv("LD_LIBRARY_PATH");

	setup->has_card = setup->is_auto && has_card(self, setup, &vendor);
	if (!setup->has_card)
		return setup_prepend(self, setup, "LD_LIBRARY_PATH", setup->library_dir);
	if (others != NULL && strstr(others, setup->library_dir) != NULL) {
		int result;

		remove_entry(others, setup->library_dir);
		result = setup_set(self, setup, "LD_LIBRARY_PATH", others); /* which notes it */
		if (result != 0)
			return result;
	}
	return setup_prepend(self, setup, "LD_LIBRARY_PATH", vendor.dir);
}

int setup_check(const struct command *self, struct setup *setup)
{
	if (!probe_library_dir(setup->library_dir)) {
		say(self,
		    "%s is neither in %s from this program nor where it is built; reinstall "
		    "softdoca",
		    COMMON_LIBRARY, LIBRARIES_FROM_HERE);
		return 1;
	}
	return check(self, setup);
}

int setup_apply(const struct command *self, struct setup *setup)
{
	int result = setup_check(self, setup);

	if (result == 0)
		result = set_libraries(self, setup);
	if (result == 0 && setup->is_shared && !setup->has_card)
		result = preload_heap(self, setup);
	return result;
}
