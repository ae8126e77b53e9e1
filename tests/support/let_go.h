/* SPDX-License-Identifier: Apache-2.0 */
/* What the owner of a waker does before the waker ends, as an engine that is destroyed. */
#ifndef TESTS_SUPPORT_LET_GO_H_
#define TESTS_SUPPORT_LET_GO_H_

#include <sched.h>

#include "base/waker.h"

static inline void wait_until_let_go(const struct waker *waker)
{
	while (waker_is_held(waker))
		sched_yield();
}

#endif /* TESTS_SUPPORT_LET_GO_H_ */
