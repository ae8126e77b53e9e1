/* SPDX-License-Identifier: Apache-2.0 */
/* What may hang, crash or print is tried in a child that has a deadline. */
#ifndef SOFTDOCA_CHILD_H_
#define SOFTDOCA_CHILD_H_

#include <stdbool.h>
#include <stddef.h>

#define CHILD_TEXT_BYTES 16384

struct child {
	int error;		     /* errno: it could not be started; or 0 */
	bool is_over;		     /* it ended by itself; else at its deadline */
	int signal;		     /* that ended it, or 0 */
	int exit_code;		     /* otherwise */
	char text[CHILD_TEXT_BYTES]; /* what it wrote to out, cut */
};

/* Runs in the child, with /dev/null for standard streams; returns its exit code. */
typedef int (*child_body)(int out, const void *arg);

/*
 * Whether it did what it is for: ended, in time, with exit code 0. The child and what it leaves
 * in its group are gone afterwards. SIGINT, SIGTERM and SIGHUP end it and are then the caller's.
 */
bool child_run(struct child *child, child_body body, const void *arg, int deadline_s);

/* A body: arg is what sh runs; what it prints goes to out. */
int child_shell(int out, const void *arg);

/* How it ended, for a sentence that the child begins: "was ended by ..." */
void child_describe(const struct child *child, char *text, size_t size);

#endif /* SOFTDOCA_CHILD_H_ */
