/* SPDX-License-Identifier: Apache-2.0 */
/* The report of softdoca doctor, and its sections. */
#ifndef SOFTDOCA_DOCTOR_H_
#define SOFTDOCA_DOCTOR_H_

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "child.h"

enum mark { MARK_OK, MARK_WARN, MARK_FAIL, NUM_MARKS };

struct doctor {
	bool is_coloured;
	sigset_t ends; /* held until what was made is removed */
	size_t num[NUM_MARKS];
	char library_dir[PATH_MAX];   /* empty: not found */
	char pkgconfig_dir[PATH_MAX]; /* empty: not found */
};

/* doctor_copy.c, made into text by the build. */
extern const char doctor_copy_text[];

/* A line of the report; remedy, or NULL, is what the reader can do about it. None where a signal
 * asks for the end: what is then found may not be so. */
__attribute__((format(printf, 4, 5))) void doctor_found(struct doctor *doctor, enum mark mark,
							const char *remedy, const char *format,
							...);

/* A failure: an errno kept doctor from what it was about. */
void doctor_untried(struct doctor *doctor, const char *what, int error);

/* Whether the child came to an exit of its own; else a failure: nothing was found out. */
bool doctor_is_answered(struct doctor *doctor, const char *what, const struct child *child);

/* A program and what it is started with. */
struct trial {
	const struct doctor *doctor;
	const char *dir;   /* where it starts, also its TMPDIR; NULL: here */
	const char *reach; /* SOFTDOCA_REACH, or NULL; no other setting is left to it */
	bool is_as_user;   /* its paths are the user's; else softdoca's are first */
	const char *argv[16];
};

/* Whether it did what it is for, in time. */
bool doctor_try(const struct trial *trial, struct child *child);

/* doca_bench copies and looks at every byte: of this process, or by a way of another. child->text
 * is what it said; false with child->error ENOENT when it is not there. */
bool doctor_bench(const struct doctor *doctor, const char *reach, struct child *child);

/* The line in which the library or doca_bench said why, or the first. */
const char *doctor_reason(struct child *child);

/* Whether a signal asks for the end. */
bool doctor_is_ending(const struct doctor *doctor);

void doctor_build(struct doctor *doctor);
void doctor_peer(struct doctor *doctor);
void doctor_limits(struct doctor *doctor);

#endif /* SOFTDOCA_DOCTOR_H_ */
