/* SPDX-License-Identifier: Apache-2.0 */
/* Where a backend's lines go: a stream, a descriptor, the system's log, a buffer with a handler. */
#ifndef COMMON_LOG_OUTPUT_H_
#define COMMON_LOG_OUTPUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <doca_log.h>

#include "base/lock.h"
#include "common/log_backend.h"

struct log_output {
	bool (*write)(struct log_output *output, const struct log_record *record,
		      const struct log_line *line);
	struct lock lock; /* one line at a time */
	union {
		FILE *file;	   /* borrowed */
		int fd;		   /* borrowed */
		char *syslog_name; /* owned */
		struct {
			char *bytes GUARDED_BY(lock); /* borrowed */
			size_t capacity;
			log_flush_callback handler;
		} buf;
	};
};

void log_output_init_file(struct log_output *output, FILE *file);
void log_output_init_fd(struct log_output *output, int fd);
void log_output_init_buf(struct log_output *output, char *bytes, size_t capacity,
			 log_flush_callback handler);

/* The name becomes the output's own. */
void log_output_init_syslog(struct log_output *output, char *name);

/* False when the line could not be written whole. May change errno. */
bool log_output_write(struct log_output *output, const struct log_record *record,
		      const struct log_line *line);

/* All of the line, through interruptions and short writes; false when that is impossible. */
bool log_fd_write(int fd, const struct log_line *line);

#endif /* COMMON_LOG_OUTPUT_H_ */
