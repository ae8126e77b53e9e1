/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control page: the agent's memory that every importer of this machine maps, read-only. It
 * says, by loads alone, whether the exporter lives (a robust lock, which the kernel marks when the
 * thread that holds it ends, whether by exit, kill or exec) and whether a region may still be used
 * (its generation, which destroy bumps).
 */
#ifndef PEER_CONTROL_H_
#define PEER_CONTROL_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTROL_BYTES ((size_t)1 << 20) /* sparse: pages that hold no region cost nothing */
#define CONTROL_HEAD_BYTES 64
#define CONTROL_SLOTS ((CONTROL_BYTES - CONTROL_HEAD_BYTES) / sizeof(uint64_t))

struct control {
	union {
		pthread_mutex_t owner; /* robust, process-shared, held by the agent's thread */
		_Atomic uint32_t owner_word; /* its futex: glibc keeps it first */
		uint8_t head[CONTROL_HEAD_BYTES];
	};
	_Atomic uint64_t generation[CONTROL_SLOTS];
};

/* Why a region may not be used, if it may not. */
enum control_verdict {
	CONTROL_ALIVE,
	CONTROL_DEAD,	 /* the exporter is gone */
	CONTROL_REVOKED, /* the region is */
};

/*
 * The exporter: a sealed memory file, mapped; by the thread that is to hold the lock, which it does
 * when this returns. *fd is the caller's to close. Negative errno.
 */
int control_create(struct control **control, int *fd);

/* Unmap only: the lock stays with the thread, whose end marks it. */
void control_unmap(const struct control *control);

/* The importer: map a descriptor that somebody sent. -EPROTO when it is not such a page. */
int control_map(int fd, const struct control **control);

static inline enum control_verdict control_check(const struct control *control, uint32_t slot,
						 uint64_t generation)
{
	/* Acquire, so that no access to the region's memory is done before. */
	uint32_t word = atomic_load_explicit(&control->owner_word, memory_order_acquire);

	if (atomic_load_explicit(&control->generation[slot], memory_order_acquire) != generation)
		return CONTROL_REVOKED;
	/* The kernel clears the owner's thread id as it marks the word. */
	return (word & 0x3fffffffu) != 0 && (word & 0x40000000u) == 0 ? CONTROL_ALIVE
								      : CONTROL_DEAD;
}

#endif /* PEER_CONTROL_H_ */
