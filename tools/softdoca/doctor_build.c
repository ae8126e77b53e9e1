/* SPDX-License-Identifier: Apache-2.0 */
/* Sections build, link and runtime: a small program becomes what a user's would. */
#include "doctor.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "probe.h"

#define MODULES "doca-common doca-dma"
#define CC "${CC:-cc}"

/* A script that begins in dir, if that is not NULL; the text is cut to its first line. */
static bool run_script(const struct doctor *doctor, const char *dir, const char *script,
		       struct child *child)
{
	const struct trial trial = {
		.doctor = doctor, .dir = dir, .argv = {"/bin/sh", "-c", script}};
	bool is_done = doctor_try(&trial, child);

	child->text[strcspn(child->text, "\n")] = '\0';
	return is_done;
}

static int remove_one(const char *path, const struct stat *stat, int kind, struct FTW *place)
{
	return remove(path);
}

/* Where programs may be run from. */
static bool is_for_programs(const char *dir)
{
	struct statvfs system;

	return statvfs(dir, &system) != 0 || (system.f_flag & ST_NOEXEC) == 0;
}

/* False: nowhere. */
static bool make_dir(char dir[PATH_MAX])
{
	const char *const places[] = {getenv("TMPDIR"), "/tmp", "/dev/shm"};
	char path[PATH_MAX + 8];
	FILE *file;

	dir[0] = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (places[i] == NULL || places[i][0] != '/' || !is_for_programs(places[i]))
			continue;
		snprintf(dir, PATH_MAX, "%s/softdoca-doctor-XXXXXX", places[i]);
		if (mkdtemp(dir) != NULL)
			break;
		dir[0] = '\0';
	}
	snprintf(path, sizeof(path), "%s/copy.c", dir);
	file = dir[0] == '\0' ? NULL : fopen(path, "we");
	if (file == NULL)
		return false;
	fputs(doctor_copy_text, file);
	return fclose(file) == 0;
}

/* Which softdoca, or none, pkg-config gives to the user. */
static void look_at_path(struct doctor *doctor)
{
	const struct trial trial = {
		.doctor = doctor,
		.is_as_user = true,
		.argv = {"/bin/sh", "-c", "exec pkg-config --variable=libdir doca-common"},
	};
	static const char remedy[] = "eval \"$(softdoca env)\" sets PKG_CONFIG_PATH";
	struct child child;
	bool is_found = doctor_try(&trial, &child);
	char dir[PATH_MAX];

	child.text[strcspn(child.text, "\n")] = '\0';
	if (is_found && realpath(child.text, dir) != NULL && strcmp(dir, doctor->library_dir) == 0)
		doctor_found(doctor, MARK_OK, NULL, "pkg-config finds softdoca");
	else if (is_found)
		doctor_found(doctor, MARK_WARN, remedy, "pkg-config finds the DOCA in %s",
			     child.text);
	else if (doctor_is_answered(doctor, "pkg-config", &child))
		doctor_found(doctor, MARK_WARN, remedy, "pkg-config does not find doca-common");
}

static bool look_at_compiler(struct doctor *doctor)
{
	struct child child;

	if (!run_script(doctor, NULL, "command -v pkg-config", &child)) {
		if (doctor_is_answered(doctor, "the search for pkg-config", &child))
			doctor_found(doctor, MARK_WARN,
				     "to build programs: apt-get install pkg-config",
				     "there is no pkg-config");
		return false;
	}
	look_at_path(doctor);
	if (!run_script(doctor, NULL, CC " --version", &child)) {
		if (doctor_is_answered(doctor, "the compiler", &child))
			doctor_found(doctor, MARK_WARN,
				     "to build programs: apt-get install gcc libc6-dev",
				     "there is no compiler cc");
		return false;
	}
	doctor_found(doctor, MARK_OK, NULL, "%s", child.text);
	if (doctor->pkgconfig_dir[0] == '\0') {
		doctor_found(doctor, MARK_WARN,
			     "to build programs, add the package libsoftdoca-dev",
			     "no .pc files of softdoca");
		return false;
	}
	return true;
}

/* They may be below a DESTDIR still. */
static bool are_paths_right(struct doctor *doctor)
{
	struct child child;

	if (run_script(doctor, NULL,
		       "d=$(pkg-config --variable=includedir doca-common) && ! test -d \"$d\" && "
		       "echo \"$d\"",
		       &child) &&
	    child.text[0] == '/')
		doctor_found(doctor, MARK_FAIL, "install into their prefix, or give another",
			     "the .pc files name %s, which is not there", child.text);
	return child.text[0] != '/';
}

static bool compile(struct doctor *doctor, const char *dir)
{
	struct child child;
	bool is_done = run_script(doctor, dir,
				  "eval \"" CC " -DDOCA_ALLOW_EXPERIMENTAL_API -c copy.c "
				  "$(pkg-config --cflags " MODULES ")\"",
				  &child);

	if (is_done)
		doctor_found(doctor, MARK_OK, NULL,
			     "a program compiles with pkg-config --cflags " MODULES);
	else if (doctor_is_answered(doctor, "to compile", &child) && are_paths_right(doctor))
		doctor_found(doctor, MARK_FAIL, "are the headers whole, and is libc6-dev there?",
			     "a program does not compile: %s", child.text);
	return is_done;
}

/* As ldd does it: in the user's own environment. */
static void look_at_choice(struct doctor *doctor, const char *dir)
{
	const struct trial trial = {
		.doctor = doctor,
		.dir = dir,
		.is_as_user = true,
		.argv = {"/bin/sh", "-c", "LD_TRACE_LOADED_OBJECTS=1 exec ./copy"},
	};
	struct child child;
	char real[PATH_MAX] = "";
	char *path;

	if (!doctor_try(&trial, &child) && !doctor_is_answered(doctor, "ldd", &child))
		return;
	path = strstr(child.text, COMMON_LIBRARY " => ");
	if (path == NULL) {
		doctor_found(doctor, MARK_FAIL, "does pkg-config give the flags of softdoca?",
			     "it does not ask for " COMMON_LIBRARY);
		return;
	}
	path += sizeof(COMMON_LIBRARY " => ") - 1;
	path[strcspn(path, " \n")] = '\0';
	if (realpath(path, real) != NULL)
		*strrchr(real, '/') = '\0';
	if (strcmp(real, doctor->library_dir) == 0)
		doctor_found(doctor, MARK_OK, NULL, "it takes %s", path);
	else
		doctor_found(doctor, MARK_WARN,
			     "LD_LIBRARY_PATH decides; softdoca run puts softdoca's first",
			     "it takes %s, which is not softdoca's", path);
}

static bool link_program(struct doctor *doctor, const char *dir)
{
	struct child child;
	bool is_done = run_script(doctor, dir,
				  "eval \"" CC " -o copy copy.o $(pkg-config --libs " MODULES ")\"",
				  &child);

	puts("link");
	if (is_done) {
		doctor_found(doctor, MARK_OK, NULL, "it links with pkg-config --libs " MODULES);
		look_at_choice(doctor, dir);
	} else if (doctor_is_answered(doctor, "to link", &child)) {
		doctor_found(doctor, MARK_FAIL, "are the libraries of both modules there?",
			     "it does not link: %s", child.text);
	}
	return is_done;
}

static void run_program(struct doctor *doctor, const char *dir)
{
	struct child child;
	bool is_right = run_script(doctor, dir, "exec ./copy", &child);

	if (is_right && strcmp(child.text, "copied") == 0)
		doctor_found(doctor, MARK_OK, NULL, "it runs and copies");
	else if (doctor_is_answered(doctor, "it", &child))
		doctor_found(doctor, MARK_FAIL, "install all parts of softdoca from one version",
			     "it ended with exit code %d: %s", child.exit_code, child.text);
}

static void run_bench(struct doctor *doctor)
{
	struct child child;

	if (doctor_bench(doctor, NULL, &child))
		doctor_found(doctor, MARK_OK, NULL, "doca_bench copies, and every byte is right");
	else if (child.error != ENOENT && doctor_is_answered(doctor, "doca_bench", &child))
		doctor_found(doctor, MARK_FAIL, "the manual page doca_bench(1) has its exit codes",
			     "doca_bench ended with exit code %d: %s", child.exit_code,
			     doctor_reason(&child));
}

void doctor_build(struct doctor *doctor)
{
	char dir[PATH_MAX] = "";
	bool is_built = false;

	puts("build");
	if (look_at_compiler(doctor)) {
		if (make_dir(dir))
			is_built = !doctor_is_ending(doctor) && compile(doctor, dir) &&
				   !doctor_is_ending(doctor) && link_program(doctor, dir);
		else
			doctor_found(doctor, MARK_WARN,
				     "set TMPDIR to a directory of yours, not mounted noexec",
				     "no directory to build in: TMPDIR, /tmp, /dev/shm");
	}
	puts("runtime");
	for (char **next = environ; next != NULL && *next != NULL; next++)
		if (strncmp(*next, "SOFTDOCA_", 9) == 0) {
			doctor_found(doctor, MARK_OK,
				     "the section device looks at those that are set",
				     "here and in peer permission: softdoca's default settings");
			break;
		}
	if (is_built && !doctor_is_ending(doctor))
		run_program(doctor, dir);
	if (dir[0] != '\0')
		nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	if (!doctor_is_ending(doctor))
		run_bench(doctor);
}
