/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UNDER_TSAN is 1 under the thread sanitizer, which cannot follow what starts threads in the forked
 * child of a process that has some.
 */
#ifndef TESTS_SUPPORT_UNDER_TSAN_H_
#define TESTS_SUPPORT_UNDER_TSAN_H_

#if defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN 1
#endif
#endif

#ifndef UNDER_TSAN
#define UNDER_TSAN 0
#endif

#endif /* TESTS_SUPPORT_UNDER_TSAN_H_ */
