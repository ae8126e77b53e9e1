/* SPDX-License-Identifier: Apache-2.0 */
/* A forked child becomes the same program anew, with other arguments. */
#ifndef TESTS_SUPPORT_RUN_AGAIN_H_
#define TESTS_SUPPORT_RUN_AGAIN_H_

#include <stdlib.h>
#include <unistd.h>

#define RUN_AGAIN_MAX_WORDS 12

/* Returns when it cannot. A program for another CPU needs what meson runs it with. */
static inline void run_again(const char *const *words)
{
	const char *wrapper = getenv("MESON_EXE_WRAPPER");
	const char *argv[RUN_AGAIN_MAX_WORDS + 2] = {wrapper};
	char program[4096] = ""; /* read: under valgrind the link itself leads to valgrind */
	unsigned num = wrapper != NULL;

	if (readlink("/proc/self/exe", program, sizeof(program) - 1) <= 0)
		return;
	argv[num++] = program;
	for (unsigned i = 0; i < RUN_AGAIN_MAX_WORDS && words[i] != NULL; i++)
		argv[num++] = words[i];
	execv(argv[0], (char *const *)argv);
}

#endif /* TESTS_SUPPORT_RUN_AGAIN_H_ */
