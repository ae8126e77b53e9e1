/* SPDX-License-Identifier: Apache-2.0 */
/* softdoca doctor: what is here, whether it works, and what to do where it does not. */
#include "doctor.h"

#include <dlfcn.h>
#include <errno.h>
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
#define UNKNOWN "unknown" /* a version */

static const char help[] =
	"Usage: softdoca doctor\n"
	"\n"
	"Reports, section by section, what is found and what to do: install, version,\n"
	"build, link, runtime, device, peer permission, limits. Programs are compiled\n"
	"and run in a directory of their own, which is removed; each has a deadline.\n"
	"Nothing else is changed.\n"
	"\n"
	"  -h, --help  this text\n"
	"\n"
	"The exit code is 0 when nothing failed, whatever it warns of; 1: something\n"
	"failed; 2: wrong use.\n";

void doctor_found(struct doctor *doctor, enum mark mark, const char *remedy, const char *format,
		  ...)
{
	static const char *const marks[] = {"[ok]  ", "[warn]", "[fail]"};
	static const char *const colours[] = {"\033[32m", "\033[33m", "\033[31m"};
	va_list arguments;

	if (doctor_is_ending(doctor))
		return;
	doctor->num[mark]++;
	if (doctor->is_coloured)
		printf("  %s%s\033[0m ", colours[mark], marks[mark]);
	else
		printf("  %s ", marks[mark]);
	va_start(arguments, format);
	vfprintf(stdout, format, arguments);
	va_end(arguments);
	putchar('\n');
	if (remedy != NULL)
		printf("         %s\n", remedy);
}

void doctor_untried(struct doctor *doctor, const char *what, int error)
{
	doctor_found(doctor, MARK_FAIL, "what runs out? see ulimit -u, -n and -v, and memory",
		     "%s could not be tried: %s", what, strerror(error));
}

bool doctor_is_answered(struct doctor *doctor, const char *what, const struct child *child)
{
	char why[256];

	if (child->error != 0) {
		doctor_untried(doctor, what, child->error);
		return false;
	}
	if (child->is_over && child->signal == 0)
		return true;
	child_describe(child, why, sizeof(why));
	doctor_found(doctor, MARK_FAIL, NULL, "%s %s%s%s", what, why,
		     child->text[0] == '\0' ? "" : ": ", child->text);
	return false;
}

bool doctor_is_ending(const struct doctor *doctor)
{
	sigset_t pending;

	sigpending(&pending);
	sigandset(&pending, &pending, &doctor->ends);
	return !sigisemptyset(&pending);
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
		return -errno;
	drop_settings();
	if (trial->reach != NULL)
		setenv("SOFTDOCA_REACH", trial->reach, 1);
	if (!trial->is_as_user) {
		put_first("LD_LIBRARY_PATH", trial->doctor->library_dir);
		put_first("PKG_CONFIG_PATH", trial->doctor->pkgconfig_dir);
	}
	execv(trial->argv[0], (char *const *)trial->argv);
	return -errno;
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

	*child = (struct child){.error = ENOENT};
	trial.argv[0] = path;
	return probe_from_here("doca_bench", path) && doctor_try(&trial, child);
}

const char *doctor_reason(struct child *child)
{
	char *line = strstr(child->text, "[ERR]");

	if (line == NULL)
		line = strstr(child->text, "doca_bench: ");
	if (line == NULL)
		line = child->text;
	while (line > child->text && line[-1] != '\n')
		line--;
	line[strcspn(line, "\n")] = '\0';
	if (line[0] == '\0') { /* it said nothing */
		line = child->text;
		child_describe(child, line, sizeof(child->text));
	}
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
	else if (doctor_is_answered(doctor, "libsoftdoca_net.so.2", &child))
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
		else if (doctor_is_answered(doctor, strrchr(path, '/') + 1, &child))
			doctor_found(doctor, MARK_FAIL, "reinstall softdoca",
				     "libdoca_%s.so.2 cannot be opened: %s", names[i], child.text);
		if (i == 0)
			snprintf(version, 32, "%.31s", num_right == 1 ? child.text : UNKNOWN);
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

/* The version that the headers tell, or "none". */
static void look_at_headers(struct doctor *doctor, char version[32])
{
	char path[PATH_MAX];
	char line[256];
	FILE *file = NULL;

	bool is_there = probe_from_here(HEADERS_FROM_HERE "/doca_version.h", path);

	if (is_there)
		file = fopen(path, "re");
	if (is_there && file == NULL) {
		doctor_untried(doctor, path, errno);
		snprintf(version, 32, "%s", UNKNOWN);
	}
	while (file != NULL && fgets(line, sizeof(line), file) != NULL &&
	       sscanf(line, "#define DOCA_VERSION_STRING \"%31[^\"]\"", version) != 1)
		;
	if (file != NULL)
		fclose(file);
	if (probe_from_here(LIBRARIES_FROM_HERE "/pkgconfig", doctor->pkgconfig_dir) && is_there)
		doctor_found(doctor, MARK_OK, NULL, "headers in %.*s, .pc files in %s",
			     (int)(strrchr(path, '/') - path), path, doctor->pkgconfig_dir);
	else
		doctor_found(doctor, MARK_WARN,
			     "to build programs, add the package libsoftdoca-dev",
			     "headers or .pc files are not there");
}

static void look_at_vendor(struct doctor *doctor)
{
	static const char *const remedies[] = {
		[VENDOR_SEES] = "softdoca run --auto gives it to programs",
		[VENDOR_FAILED] = "softdoca run --auto takes softdoca; see to that installation",
	};
	struct vendor vendor;

	probe_vendor(&vendor);
	if (vendor.verdict == VENDOR_MISSING)
		doctor_found(doctor, MARK_OK, NULL, "no DOCA of NVIDIA's beside");
	else if (vendor.child_error != 0)
		doctor_untried(doctor, "a DOCA of NVIDIA's beside", vendor.child_error);
	else if (vendor.verdict == VENDOR_FAILED && vendor.dir[0] == '\0')
		doctor_found(doctor, MARK_WARN, remedies[VENDOR_FAILED],
			     "a DOCA of NVIDIA's beside %s", vendor.why);
	else if (vendor.verdict == VENDOR_FAILED)
		doctor_found(doctor, MARK_WARN, remedies[VENDOR_FAILED],
			     "DOCA %s of NVIDIA's in %s %s", vendor.version, vendor.dir,
			     vendor.why);
	else
		doctor_found(doctor, MARK_OK, vendor.num_devices > 0 ? remedies[VENDOR_SEES] : NULL,
			     "DOCA %s of NVIDIA's in %s sees %u devices", vendor.version,
			     vendor.dir, vendor.num_devices);
}

static void look_at_versions(struct doctor *doctor, const char *library, const char *headers)
{
	static const char *const remedies[] = {
		[MARK_WARN] = "what is unknown could not be looked at",
		[MARK_FAIL] = "install all parts of softdoca from one version",
	};
	const struct trial trial = {
		.doctor = doctor,
		.argv = {"/bin/sh", "-c", "exec pkg-config --modversion doca-common"},
	};
	struct child child = {0};
	const char *told[] = {library, headers, "none"};
	enum mark mark = strcmp(library, "none") == 0 ? MARK_FAIL : MARK_OK;

	if (doctor->pkgconfig_dir[0] != '\0' && doctor_try(&trial, &child)) {
		child.text[strcspn(child.text, "\n")] = '\0';
		told[2] = child.text;
	} else if (child.error != 0) {
		told[2] = UNKNOWN;
	}
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		if (strcmp(told[i], UNKNOWN) == 0)
			mark = mark == MARK_OK ? MARK_WARN : mark;
		else if (strcmp(told[i], DOCA_VERSION_STRING) != 0 && strcmp(told[i], "none") != 0)
			mark = MARK_FAIL;
	}
	doctor_found(doctor, mark, remedies[mark],
		     "library %s, tools %s, headers %s, pkg-config %s", library,
		     DOCA_VERSION_STRING, headers, told[2]);
}

static void look_at_devices(struct doctor *doctor)
{
	const char *dir = getenv("SOFTDOCA_RUNTIME_DIR");
	struct answer answer;
	char *rest = NULL;
	char *line;

	puts("device");
	if (!probe_settings(doctor->library_dir, &answer)) {
		if (doctor_is_answered(doctor, "softdoca's devices", &answer.child))
			doctor_found(doctor, MARK_FAIL, "softdoca(7) has the settings", "%s",
				     answer.text);
		return;
	}
	if (answer.warning != NULL)
		doctor_found(doctor, MARK_WARN, "correct or unset it", "%s", answer.warning);
	strtok_r(answer.text, "\n", &rest); /* the version */
	line = strtok_r(NULL, "\n", &rest);
	if (line == NULL)
		doctor_found(doctor, MARK_WARN, "SOFTDOCA_DEVICE and SOFTDOCA_ROLE choose",
			     "no device");
	for (; line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		bool has_none = strstr(line, NO_DMA) != NULL;

		doctor_found(doctor, has_none ? MARK_WARN : MARK_OK,
			     has_none ? "SOFTDOCA_DEVICE chooses one that copies" : NULL, "%s",
			     line);
	}
	if (dir != NULL && dir[0] != '\0' && access(dir, W_OK | X_OK) != 0)
		doctor_found(doctor, MARK_FAIL, "create it, or unset it",
			     "no socket can be opened in SOFTDOCA_RUNTIME_DIR '%s': %s", dir,
			     strerror(errno));
}

static void report(struct doctor *doctor)
{
	char library[32] = "none";
	char headers[32] = "none";

	puts("The card of this report is softdoca's, in software; no hardware is "
	     "driven.\n\ninstall");
	look_at_libraries(doctor, library);
	look_at_tools(doctor);
	look_at_headers(doctor, headers);
	puts("version");
	look_at_versions(doctor, library, headers);
	look_at_vendor(doctor);
	if (!doctor_is_ending(doctor))
		doctor_build(doctor);
	if (!doctor_is_ending(doctor) && doctor->library_dir[0] != '\0')
		look_at_devices(doctor);
	if (!doctor_is_ending(doctor))
		doctor_peer(doctor);
	if (!doctor_is_ending(doctor))
		doctor_limits(doctor);
	if (doctor_is_ending(doctor))
		return;
	printf("\n%zu ok, %zu to look at, %zu failed\n", doctor->num[MARK_OK],
	       doctor->num[MARK_WARN], doctor->num[MARK_FAIL]);
}

static int run(const struct command *self, int argc, char **argv)
{
	static const struct option options[] = {{"help", no_argument, NULL, 'h'},
						{NULL, 0, NULL, 0}};
	struct doctor doctor = {.is_coloured = output_is_coloured(STDOUT_FILENO)};
	bool is_cut;
	int found = getopt_long(argc, argv, "+:h", options, NULL);
	sigset_t before;
	int result;

	if (found == 'h')
		return print_help(self);
	if (found != -1)
		return refuse_option(self, found, argv);
	if (optind < argc)
		return refuse(self, "'%s' is not expected", argv[optind]);
	/* Each is looked at between two steps, so that what was made is removed. */
	child_ends(&doctor.ends);
	sigprocmask(SIG_BLOCK, &doctor.ends, &before);
	report(&doctor);
	is_cut = doctor_is_ending(&doctor); /* and goes on where its caller holds that signal */
	sigprocmask(SIG_SETMASK, &before, NULL);
	result = finish_output(self);
	return result != 0 ? result : is_cut || doctor.num[MARK_FAIL] > 0;
}

const struct command doctor_command = {
	.name = "doctor",
	.summary = "report what works here, and what to do where it does not",
	.help = help,
	.run = run,
};
