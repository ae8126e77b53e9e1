/* SPDX-License-Identifier: Apache-2.0 */
/* What runs a program many times slower: sanitizers that look at each access, and valgrind. */
#ifndef TESTS_SUPPORT_SLOW_TOOL_H_
#define TESTS_SUPPORT_SLOW_TOOL_H_

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/under_tsan.h"

/* It brings itself into what it runs. */
static inline bool under_valgrind(void)
{
	const char *preloaded = getenv("LD_PRELOAD");

	return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

#define VALGRIND_DOES_NOT_GO_ON "valgrind does not go on with a copy where it faulted"

/* Its name, or NULL. */
static inline const char *slow_tool(void)
{
	if (UNDER_TSAN)
		return "the thread sanitizer";
#if defined(__SANITIZE_ADDRESS__)
	return "the address sanitizer";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
	return "the address sanitizer";
#endif
#endif
	return under_valgrind() ? "valgrind" : NULL;
}

#endif /* TESTS_SUPPORT_SLOW_TOOL_H_ */
