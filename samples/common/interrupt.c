/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C without a half-done file: signals wait while there is something to clean up. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static sigset_t held_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	return set;
}

void interrupt_hold(void)
{
	sigset_t held = held_signals();

	signal(SIGXFSZ, SIG_IGN); /* write() says EFBIG instead */
	sigprocmask(SIG_BLOCK, &held, NULL);
}

bool interrupt_waits(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
	       sigismember(&pending, SIGHUP) == 1;
}

void interrupt_release(void)
{
	sigset_t held = held_signals();

	sigprocmask(SIG_UNBLOCK, &held, NULL);
}
