/* SPDX-License-Identifier: Apache-2.0 */
/* What may hang, crash or print is tried in a child that has a deadline. */
#ifndef SOFTDOCA_CHILD_H_
#define SOFTDOCA_CHILD_H_

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define CHILD_TEXT_BYTES 16384

struct child {
	int error;		     /* errno: it, or what it starts, could not be tried; or 0 */
	bool is_over;		     /* it ended by itself; else at its deadline */
	int signal;		     /* that ended it, or 0 */
	int exit_code;		     /* otherwise */
	char text[CHILD_TEXT_BYTES]; /* what it wrote to out, cut */
};

/* Runs in the child, with /dev/null for standard streams; returns its exit code, or -errno where
 * it could not try. */
typedef int (*child_body)(int out, const void *arg);

/*
 * Whether it did what it is for: ended, in time, with exit code 0. The child and all that it
 * started are gone afterwards, and when this process ends, whatever ends it. What child_ends() has
 * ends the child and is then the caller's.
 */
bool child_run(struct child *child, child_body body, const void *arg, int deadline_s);

/* The signals that end a process and can be held; not those that our caller ignores, as nohup
 * does. */
void child_ends(sigset_t *set);

/* The errno, or 0, as a program says it that gets no process, descriptor or memory. */
int child_shortage(const char *text);

/* How it ended, for a sentence that the child begins: "was ended by ..." */
void child_describe(const struct child *child, char *text, size_t size);

#endif /* SOFTDOCA_CHILD_H_ */
