/* SPDX-License-Identifier: Apache-2.0 */
/* Files that somebody is about to write: which of them have been, since they were looked for. */
#ifndef SOFTDOCA_WAIT_FILES_H_
#define SOFTDOCA_WAIT_FILES_H_

#include <stdbool.h>
#include <stddef.h>

#define MAX_WAIT_FILES 16

struct wait_file {
	const char *path; /* borrowed */
	const char *name; /* in its directory: the end of path */
	int watch;
	bool is_there;
};

struct wait_files {
	int fd; /* owned; -1: none */
	size_t num_files;
	struct wait_file files[MAX_WAIT_FILES];
};

/* 0, or an errno: what is wrong with the file's directory. A path that names no file is EISDIR. */
int wait_files_add(struct wait_files *files, const char *path);

/* Learns what was written. 0, or an errno. */
int wait_files_read(struct wait_files *files);

/* The first that has not been written; NULL: all have. */
const char *wait_files_missing(const struct wait_files *files);

#endif /* SOFTDOCA_WAIT_FILES_H_ */
