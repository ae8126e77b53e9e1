/* SPDX-License-Identifier: Apache-2.0 */
/* softdoca doctor: what is here, whether it works, and what to do where it does not. */
#include "doctor.h"

#include <dlfcn.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_version.h>

#include "command.h"
#include "output.h"
#include "probe.h"

#define TRIAL_DEADLINE_S 60
#define OPEN_DEADLINE_S 20

static const char help[] =
	"Usage: softdoca doctor\n"
	"\n"
	"Reports, section by section, what is found and what to do: install, version, build, "
	"link,\n"
	"runtime, device, peer permission, limits. Programs are compiled and run in a directory of "
	"their\n"
	"own, which is removed; each has a deadline. Nothing else is changed.\n"
	"\n"
	"  -h, --help  this text\n"
	"\n"
	"The exit code is 0 when nothing failed, whatever it warns of; 1: something failed;\n"
	"2: wrong use.\n";

void doctor_found(struct doctor *doctor, enum mark mark, const char *todo, const char *format, ...)
{
	static const char *const marks[] = {"[ok]  ", "[warn]", "[fail]"};
	static const char *const colours[] = {"\033[32m", "\033[33m", "\033[31m"};
	va_list arguments;

	doctor->num[mark]++;
	if (doctor->is_coloured)
		printf("  %s%s\033[0m ", colours[mark], marks[mark]);
	else
		printf("  %s ", marks[mark]);
	va_start(arguments, format);
	vfprintf(stdout, format, arguments);
	va_end(arguments);
	putchar('\n');
	if (todo != NULL)
		printf("         %s\n", todo);
}

bool doctor_is_ending(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
	       sigismember(&pending, SIGHUP) || sigismember(&pending, SIGPIPE);
}

/* With the directory first; a list that is empty has no entry. */
static void put_first(const char *name, const char *dir)
{
	const char *old = getenv(name);
	char *list;

	if (dir[0] == '\0' ||
	    asprintf(&list, old == NULL || old[0] == '\0' ? "%s" : "%s:%s", dir, old) < 0)
		return;
	setenv(name, list, 1);
	free(list);
}

static void drop_settings(void)
{
	char **kept = environ;

	for (char **next = environ; next != NULL && *next != NULL; next++) {
		if (strncmp(*next, "SOFTDOCA_", 9) != 0 &&
		    strncmp(*next, "DOCA_LOG_LEVEL=", 15) != 0)
			*kept++ = *next;
	}
	if (kept != NULL)
		*kept = NULL;
}

static int become(int out, const void *arg)
{
	const struct trial *trial = arg;

	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	if (trial->dir != NULL && (chdir(trial->dir) != 0 || setenv("TMPDIR", trial->dir, 1) != 0))
		return 126;
	drop_settings();
	if (trial->reach != NULL)
		setenv("SOFTDOCA_REACH", trial->reach, 1);
	if (!trial->is_as_user) {
		put_first("LD_LIBRARY_PATH", trial->doctor->library_dir);
		put_first("PKG_CONFIG_PATH", trial->doctor->pkgconfig_dir);
	}
	execv(trial->argv[0], (char *const *)trial->argv);
	return 127;
}

bool doctor_try(const struct trial *trial, struct child *child)
{
	return child_run(child, become, trial, TRIAL_DEADLINE_S);
}

bool doctor_bench(const struct doctor *doctor, const char *reach, struct child *child)
{
	struct trial trial = {
		.doctor = doctor,
		.reach = reach,
		.argv = {NULL, "--run-limit-jobs", "1", "--rounds", "1", "--warm-up-jobs", "0",
			 "--uniform-job-size", "4K",
			 reach == NULL ? NULL : "--use-remote-input-buffers"},
	};
	char path[PATH_MAX];

	*child = (struct child){0};
	trial.argv[0] = path;
	return probe_from_here("doca_bench", path) && doctor_try(&trial, child);
}

const char *doctor_reason(struct child *child)
{
	char *line = strstr(child->text, "[ERR]");

	if (line == NULL)
		line = child->text;
	while (line > child->text && line[-1] != '\n')
		line--;
	line[strcspn(line, "\n")] = '\0';
	return probe_text(line);
}

/* Opens a library as a program does; says its version, or what is wrong. */
static int open_library(int out, const void *arg)
{
	void *handle = dlopen(arg, RTLD_NOW | RTLD_LOCAL);
	const char *(*version)(void);

	if (handle == NULL) {
		dprintf(out, "%s", dlerror());
		return 1;
	}
	version = (const char *(*)(void))dlsym(handle, "doca_version_runtime");
	if (version != NULL)
		dprintf(out, "%s", version());
	return 0;
}

static void look_at_net(struct doctor *doctor)
{
	char path[PATH_MAX + 32];
	struct child child;

	snprintf(path, sizeof(path), "%s/libsoftdoca_net.so.2", doctor->library_dir);
	if (access(path, F_OK) != 0)
		doctor_found(doctor, MARK_WARN,
			     "add the package libsoftdoca-net, or build with libnbd",
			     "libsoftdoca_net.so.2 is not there: no way to other users' memory");
	else if (child_run(&child, open_library, path, OPEN_DEADLINE_S))
		doctor_found(doctor, MARK_OK, NULL, "libsoftdoca_net.so.2 and what it needs");
	else
		doctor_found(doctor, MARK_WARN, "add the library that it misses: libnbd, GnuTLS",
			     "libsoftdoca_net.so.2 cannot be opened: %s", child.text);
}

/* Leaves the version of the first. */
static void look_at_libraries(struct doctor *doctor, char version[32])
{
	static const char *const names[] = {"common", "dma", "argp", "comch"};
	size_t num_right = 0;

	if (!probe_library_dir(doctor->library_dir)) {
		doctor_found(doctor, MARK_FAIL, "reinstall softdoca",
			     COMMON_LIBRARY " is not in " LIBRARIES_FROM_HERE " from this program");
		return;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[PATH_MAX + 32];
		struct child child;

		snprintf(path, sizeof(path), "%s/libdoca_%s.so.2", doctor->library_dir, names[i]);
		if (child_run(&child, open_library, path, OPEN_DEADLINE_S))
			num_right++;
		else
			doctor_found(doctor, MARK_FAIL, "reinstall softdoca",
				     "libdoca_%s.so.2 cannot be opened: %s", names[i], child.text);
		if (i == 0)
			snprintf(version, 32, "%.31s", child.exit_code == 0 ? child.text : "");
	}
	if (num_right == sizeof(names) / sizeof(names[0]))
		doctor_found(doctor, MARK_OK, NULL, "libraries in %s", doctor->library_dir);
	look_at_net(doctor);
}

static void look_at_tools(struct doctor *doctor)
{
	static const char *const tools[] = {"doca_bench", "doca_caps", "doca-env",
					    "doca-capability-snapshot"};
	char missing[128] = "";
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		size_t len = strlen(missing);

		if (!probe_from_here(tools[i], path))
			snprintf(missing + len, sizeof(missing) - len, " %s", tools[i]);
	}
	if (!probe_from_here(".", path))
		path[0] = '\0';
	if (missing[0] == '\0')
		doctor_found(doctor, MARK_OK, NULL, "tools in %s", path);
	else
		doctor_found(doctor, MARK_WARN, "add the package softdoca-tools",
			     "of the tools in %s there is no%s", path, missing);
}

/* The version that the headers tell; empty: there are none. */
static void look_at_headers(struct doctor *doctor, char version[32])
{
	char path[PATH_MAX];
	char line[256];
	FILE *file = NULL;

	if (probe_from_here(HEADERS_FROM_HERE "/doca_version.h", path))
		file = fopen(path, "re");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL &&
	       sscanf(line, "#define DOCA_VERSION_STRING \"%31[^\"]\"", version) != 1)
		;
	if (file != NULL)
		fclose(file);
	if (probe_from_here(LIBRARIES_FROM_HERE "/pkgconfig", doctor->pkgconfig_dir) &&
	    file != NULL)
		doctor_found(doctor, MARK_OK, NULL, "headers in %.*s, .pc files in %s",
			     (int)(strrchr(path, '/') - path), path, doctor->pkgconfig_dir);
	else
		doctor_found(doctor, MARK_WARN,
			     "to build programs, add the package libsoftdoca-dev",
			     "headers or .pc files are not there");
}

static void look_at_vendor(struct doctor *doctor)
{
	static const char *const todos[] = {
		[VENDOR_SEES] = "softdoca run --auto gives it to programs",
		[VENDOR_FAILED] = "softdoca run --auto takes softdoca; see to that installation",
	};
	struct vendor vendor;

	probe_vendor(&vendor);
	if (vendor.verdict == VENDOR_MISSING)
		doctor_found(doctor, MARK_OK, NULL, "no DOCA of NVIDIA's beside");
	else if (vendor.verdict == VENDOR_FAILED)
		doctor_found(doctor, MARK_WARN, todos[VENDOR_FAILED],
			     "DOCA %s of NVIDIA's in %s %s", vendor.version, vendor.dir,
			     vendor.why);
	else
		doctor_found(doctor, MARK_OK, vendor.num_devices > 0 ? todos[VENDOR_SEES] : NULL,
			     "DOCA %s of NVIDIA's in %s sees %u devices", vendor.version,
			     vendor.dir, vendor.num_devices);
}

static void look_at_versions(struct doctor *doctor, const char *library, const char *headers)
{
	const struct trial trial = {
		.doctor = doctor,
		.argv = {"/bin/sh", "-c", "exec pkg-config --modversion doca-common"},
	};
	struct child child = {0};
	bool is_told = doctor->pkgconfig_dir[0] != '\0' && doctor_try(&trial, &child);
	bool is_same = strcmp(library, DOCA_VERSION_STRING) == 0 &&
		       (headers[0] == '\0' || strcmp(headers, library) == 0);

	child.text[strcspn(child.text, "\n")] = '\0';
	is_same = is_same && (!is_told || strcmp(child.text, library) == 0);
	doctor_found(doctor, is_same ? MARK_OK : MARK_FAIL,
		     is_same ? NULL : "install all parts of softdoca from one version",
		     "library %s, tools %s, headers %s, pkg-config %s", library,
		     DOCA_VERSION_STRING, headers[0] == '\0' ? "none" : headers,
		     is_told ? child.text : "none");
}

static void look_at_devices(struct doctor *doctor)
{
	struct answer answer;
	char *rest = NULL;
	char *line;

	puts("device");
	if (!probe_settings(doctor->library_dir, &answer)) {
		doctor_found(doctor, MARK_FAIL, "softdoca(7) has the settings", "%s", answer.text);
		return;
	}
	if (answer.warning != NULL)
		doctor_found(doctor, MARK_WARN, "correct or unset it", "%s", answer.warning);
	strtok_r(answer.text, "\n", &rest); /* the version */
	line = strtok_r(NULL, "\n", &rest);
	if (line == NULL)
		doctor_found(doctor, MARK_WARN, "SOFTDOCA_DEVICE and SOFTDOCA_ROLE choose",
			     "no device");
	for (; line != NULL; line = strtok_r(NULL, "\n", &rest))
		doctor_found(doctor, MARK_OK, NULL, "%s", line);
}

static void report(struct doctor *doctor)
{
	char library[32] = "none";
	char headers[32] = "";

	puts("The card of this report is softdoca's, in software; no hardware is "
	     "driven.\n\ninstall");
	look_at_libraries(doctor, library);
	look_at_tools(doctor);
	look_at_headers(doctor, headers);
	puts("version");
	look_at_versions(doctor, library, headers);
	look_at_vendor(doctor);
	if (!doctor_is_ending())
		doctor_build(doctor);
	if (!doctor_is_ending() && doctor->library_dir[0] != '\0')
		look_at_devices(doctor);
	if (!doctor_is_ending())
		doctor_peer(doctor);
	if (!doctor_is_ending())
		doctor_limits(doctor);
	printf("\n%zu ok, %zu to look at, %zu failed\n", doctor->num[MARK_OK],
	       doctor->num[MARK_WARN], doctor->num[MARK_FAIL]);
}

static int run(const struct command *self, int argc, char **argv)
{
	static const struct option options[] = {{"help", no_argument, NULL, 'h'},
						{NULL, 0, NULL, 0}};
	struct doctor doctor = {.is_coloured = output_is_coloured(STDOUT_FILENO)};
	int found = getopt_long(argc, argv, "+:h", options, NULL);
	sigset_t ends;
	sigset_t before;
	int result;

	if (found == 'h')
		return print_help(self);
	if (found != -1)
		return refuse_option(self, found, argv);
	if (optind < argc)
		return refuse(self, "'%s' is not expected", argv[optind]);
	/* Each is looked at between two steps, so that what was made is removed. */
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigaddset(&ends, SIGPIPE);
	sigprocmask(SIG_BLOCK, &ends, &before);
	report(&doctor);
	sigprocmask(SIG_SETMASK, &before, NULL);
	result = finish_output(self);
	return result != 0 ? result : doctor.num[MARK_FAIL] > 0;
}

const struct command doctor_command = {
	.name = "doctor",
	.summary = "report what works here, and what to do where it does not",
	.help = help,
	.run = run,
};
