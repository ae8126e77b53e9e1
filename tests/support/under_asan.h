/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UNDER_ASAN is 1 under the address sanitizer, which fails by itself when a cancelled thread
 * unwinds.
 */
#ifndef TESTS_SUPPORT_UNDER_ASAN_H_
#define TESTS_SUPPORT_UNDER_ASAN_H_

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif

#ifndef UNDER_ASAN
#define UNDER_ASAN 0
#endif

#endif /* TESTS_SUPPORT_UNDER_ASAN_H_ */
