/* SPDX-License-Identifier: Apache-2.0 */
/* What every test program includes: cmocka, and assertions that speak DOCA. */
#ifndef TESTS_SUPPORT_TEST_H_
#define TESTS_SUPPORT_TEST_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* It leaves that to whoever includes it. */
#ifdef __cplusplus
extern "C" {
#endif
#include <cmocka.h>
#ifdef __cplusplus
} /* extern "C" */
#endif

#include <doca_error.h>

/* The call gives that result; both names are printed when it does not. */
#define assert_doca(call, expected) check_doca((call), (expected), #call, __FILE__, __LINE__)

static inline void check_doca(doca_error_t got, doca_error_t wanted, const char *call,
			      const char *file, int line)
{
	if (got == wanted)
		return;
	print_error("%s\n  gave %s\n  not  %s\n", call, doca_error_get_name(got),
		    doca_error_get_name(wanted));
	_fail(file, line);
}

#endif /* TESTS_SUPPORT_TEST_H_ */
