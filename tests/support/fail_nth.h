/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call of the libraries that fails once, with EMFILE: the fails_in-th from now, 0: none. The test
 * program is linked with --wrap of its name.
 */
#ifndef TESTS_SUPPORT_FAIL_NTH_H_
#define TESTS_SUPPORT_FAIL_NTH_H_

#include <errno.h>

#define WRAPPED(type, name, params, args, fails_in, failure)                                       \
	type __wrap_##name params;                                                                 \
	type __real_##name params;                                                                 \
	type __wrap_##name params                                                                  \
	{                                                                                          \
		if ((fails_in) == 0 || --(fails_in) != 0)                                          \
			return __real_##name args;                                                 \
		errno = EMFILE;                                                                    \
		return failure;                                                                    \
	}

#endif /* TESTS_SUPPORT_FAIL_NTH_H_ */
