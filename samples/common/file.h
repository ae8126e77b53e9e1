/* SPDX-License-Identifier: Apache-2.0 */
/* The two files of a copy: the source, and a destination that appears whole or not at all. */
#ifndef SAMPLES_COMMON_FILE_H_
#define SAMPLES_COMMON_FILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct source_file {
	const char *path; /* borrowed from the command line */
	struct stat info; /* when it was opened, as is len */
	uint64_t len;	  /* in bytes; reading goes on to the real end */
	int fd;
};

struct target_file {
	const char *path; /* borrowed from the command line */
	char *final_path; /* owned: what path names, links followed */
	char *temp_path;  /* owned: written first, beside final_path */
	int fd;		  /* of temp_path, for reading and writing */
};

/* Each function that fails has said why. */
bool source_open(struct source_file *source, const char *path);
bool source_read(struct source_file *source, void *bytes, size_t len, size_t *got);
bool source_rewind(struct source_file *source);
/* Still what it was when it was opened: else a proof would be of bytes that are gone. */
bool source_unchanged(const struct source_file *source);
void source_close(struct source_file *source);

/* A full buffer, or what is left before the end of the file: *got < len means the end.
 * A signal that waits is an error: all long work passes here. */
bool file_read(int fd, const char *path, void *bytes, size_t len, size_t *got);

/* Open a new file beside path; whatever path names stays as it is until the commit. It takes the
 * permissions of source, unless that is NULL: the bytes come from elsewhere. */
bool target_open(struct target_file *target, const char *path, const struct source_file *source);
bool target_write(struct target_file *target, const void *bytes, size_t len);

/* Bring the bytes to the disk and the file under its name; afterwards discard does nothing to it.
 */
bool target_commit(struct target_file *target);

/* Close, and remove what is not committed. */
void target_discard(struct target_file *target);

#endif /* SAMPLES_COMMON_FILE_H_ */
