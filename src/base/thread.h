/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the libraries' own. */
#ifndef BASE_THREAD_H_
#define BASE_THREAD_H_

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#define THREAD_STACK_BYTES ((size_t)256 << 10)

/*
 * Start a thread with signals blocked: they are for the program's own. But for those that a thread
 * raises itself, by what it touches: a blocked one would end a process whose handler repairs the
 * page, and copies touch the program's memory. Negative errno.
 */
static inline int thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
	pthread_attr_t attr;
	static const int raised[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
	sigset_t blocked;
	sigset_t before;
	int error = pthread_attr_init(&attr);

	if (error != 0)
		return -error;
	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(raised) / sizeof(raised[0]); i++)
		sigdelset(&blocked, raised[i]);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	error = pthread_attr_setstacksize(&attr, THREAD_STACK_BYTES);
	if (error == 0)
		error = pthread_create(thread, &attr, run, argument);
	/* A program with much thread-local data leaves no room in so small a stack. */
	if (error == EINVAL)
		error = pthread_create(thread, NULL, run, argument);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return -error;
}

#endif /* BASE_THREAD_H_ */
