/* SPDX-License-Identifier: Apache-2.0 */
/* What runs a program many times slower: sanitizers that look at each access, and valgrind. */
#ifndef TESTS_SUPPORT_SLOW_TOOL_H_
#define TESTS_SUPPORT_SLOW_TOOL_H_

#include <stdlib.h>
#include <string.h>

#include "support/under_tsan.h"

/* Its name, or NULL. */
static inline const char *slow_tool(void)
{
	const char *preloaded = getenv("LD_PRELOAD");

	if (UNDER_TSAN)
		return "the thread sanitizer";
#if defined(__SANITIZE_ADDRESS__)
	return "the address sanitizer";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
	return "the address sanitizer";
#endif
#endif
	/* As valgrind brings itself into what it runs. */
	return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL ? "valgrind" : NULL;
}

#endif /* TESTS_SUPPORT_SLOW_TOOL_H_ */
