/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rare side of two that each store, then look at what the other stored: its barrier is one for
 * both, so that the frequent side gets by with plain stores. The frequent side's process registers;
 * if it cannot, it fences itself.
 */
#ifndef BASE_BARRIER_H_
#define BASE_BARRIER_H_

#include <linux/membarrier.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* As often as one likes. False: the frequent side has to fence. */
static inline bool barrier_register(void)
{
	return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
}

/* The stores of registered processes are seen from here on, and they see those from before. */
static inline void barrier_everywhere(void)
{
	const struct timespec drained = {.tv_nsec = 1000000};

	atomic_thread_fence(memory_order_seq_cst);
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) == 0 ||
	    syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0)
		return;
	/*
	 * A sandbox of ours that the other side does not share forbids both. No store stays unseen
	 * for that long.
	 */
	nanosleep(&drained, NULL);
	atomic_thread_fence(memory_order_seq_cst);
}

#endif /* BASE_BARRIER_H_ */
