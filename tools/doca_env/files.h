/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What files tell: of the installation that the tool lies in, and of this machine. is_whole becomes
 * false, and standard error has why the first time, where something is there and cannot be looked
 * at.
 */
#ifndef DOCA_ENV_FILES_H_
#define DOCA_ENV_FILES_H_

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define VERSION_SIZE 64

/* The prefix that the tool is installed below, without a slash at its end; "" unless that can be
 * told. */
void files_prefix(char prefix[PATH_MAX]);

/* The first NAME.pc of PKG_CONFIG_PATH, then of the installation, and the version in it; false, and
 * both "". */
bool files_find_module(const char *prefix, const char *name, char path[PATH_MAX],
		       char version[VERSION_SIZE], bool *is_whole);

/* The one line of applications/VERSION; false, and "". */
bool files_applications_version(const char *prefix, char version[VERSION_SIZE], bool *is_whole);

/* The samples of a library; false, and "". */
bool files_find_samples(const char *prefix, const char *library, char path[PATH_MAX]);

/* What doca_caps beside the tool says that it is; false, and "". */
bool files_ask_doca_caps(char version[VERSION_SIZE], bool *is_whole);

bool files_is_module_loaded(const char *name, bool *is_whole); /* of the kernel */
uint64_t files_free_hugepages(unsigned int size_kib, bool *is_whole);
bool files_hugepage_mount(char path[PATH_MAX], bool *is_whole); /* the first; false, and "" */

#endif /* DOCA_ENV_FILES_H_ */
