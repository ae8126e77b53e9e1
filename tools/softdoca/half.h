/* SPDX-License-Identifier: Apache-2.0 */
/* One half of a pair: a program in a process group of its own, its input and outputs ours. */
#ifndef SOFTDOCA_HALF_H_
#define SOFTDOCA_HALF_H_

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "output.h"

struct half {
	const char *role;
	char **argv;  /* borrowed */
	pid_t pid;    /* of the program and its group; 0: not started */
	int input;    /* owned; what the program reads from; -1: none */
	bool is_over; /* the program has ended */
	bool is_gone; /* so has all that it left in its group */
	int status;   /* as waitid has it */
	int code;     /* CLD_EXITED and so on */
	struct output out;
	struct output err;
};

/* Returns 0 or an errno. The program gets mask as its blocked signals. With has_input what it reads
 * is for half_press_enter, else nothing. */
int half_start(struct half *half, const sigset_t *mask, bool has_input);

static inline bool half_runs(const struct half *half)
{
	return half->pid != 0 && !half->is_gone;
}

/* Learns what has ended. */
void half_reap(struct half *half);

/* To the whole group. */
void half_signal(const struct half *half, int signal);

/* A program that waits for Enter goes on; after it, its input is at its end. */
void half_press_enter(struct half *half);

#endif /* SOFTDOCA_HALF_H_ */
