/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex that clang's -Wthread-safety can follow; docs/locking.md gives each its level. */
#ifndef BASE_LOCK_H_
#define BASE_LOCK_H_

#include <pthread.h>
#include <stdbool.h>

#if defined(__clang__)
#define CAPABILITY(name) __attribute__((capability(name)))
#define ACQUIRE(...) __attribute__((acquire_capability(__VA_ARGS__)))
#define RELEASE(...) __attribute__((release_capability(__VA_ARGS__)))
#define TRY_ACQUIRE(...) __attribute__((try_acquire_capability(__VA_ARGS__)))
#define REQUIRES(...) __attribute__((requires_capability(__VA_ARGS__)))
#define NO_THREAD_SAFETY_ANALYSIS __attribute__((no_thread_safety_analysis))
#else
#define CAPABILITY(name)
#define ACQUIRE(...)
#define RELEASE(...)
#define TRY_ACQUIRE(...)
#define REQUIRES(...)
#define NO_THREAD_SAFETY_ANALYSIS
#endif
#define GUARDED_BY(lock) /* for the reader: clang 14 cannot check members of C structs */

struct CAPABILITY("mutex") lock {
	pthread_mutex_t mutex;
};

#define LOCK_INITIALIZER                                                                           \
	{                                                                                          \
		.mutex = PTHREAD_MUTEX_INITIALIZER                                                 \
	}

static inline void lock_init(struct lock *lock)
{
	pthread_mutex_init(&lock->mutex, NULL);
}

static inline void lock_fini(struct lock *lock)
{
	pthread_mutex_destroy(&lock->mutex);
}

static inline void lock_take(struct lock *lock) ACQUIRE(lock) NO_THREAD_SAFETY_ANALYSIS
{
	pthread_mutex_lock(&lock->mutex);
}

/* False: somebody has it. */
static inline bool lock_try(struct lock *lock) TRY_ACQUIRE(true, lock) NO_THREAD_SAFETY_ANALYSIS
{
	return pthread_mutex_trylock(&lock->mutex) == 0;
}

static inline void lock_drop(struct lock *lock) RELEASE(lock) NO_THREAD_SAFETY_ANALYSIS
{
	pthread_mutex_unlock(&lock->mutex);
}

#endif /* BASE_LOCK_H_ */
