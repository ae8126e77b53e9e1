/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The activity page: the importer's memory that each exporter it attaches to maps, read-only. A
 * word a queue holds the tag of the region that the queue copies from or to right now, so that an
 * exporter that has revoked a region can wait until nobody touches it.
 *
 * The importer writes the word, then looks at the region's generation; the exporter bumps the
 * generation, then looks at the words: one of them sees the other's store. The barrier between
 * store and load is on the exporter's side (membarrier, to which the importer registers), so that a
 * copy pays two plain stores; where the kernel has none, the importer fences.
 */
#ifndef PEER_ACTIVITY_H_
#define PEER_ACTIVITY_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACTIVITY_SLOTS 4096
#define ACTIVITY_STRIDE 8 /* words from one slot to the next: a cache line each */
#define ACTIVITY_BYTES (ACTIVITY_SLOTS * ACTIVITY_STRIDE * sizeof(uint64_t))

/* A queue's own slot. */
struct activity {
	_Atomic uint64_t *word;
	bool must_fence;
};

/*
 * A slot of this process's page, which the first makes and the last unmakes. -ENOMEM: none left, or
 * no memory; others negative errno. In a forked child the slots it inherits are of a page of its
 * own. Any thread.
 */
int activity_take(struct activity *activity);
void activity_drop(struct activity *activity);

/*
 * The descriptor to send to an exporter, the page's, borrowed until it is put: as long as the
 * exporter may be copied from or to. Negative errno. Any thread.
 */
int activity_hold(void);
void activity_put(void);

static inline void activity_begin(const struct activity *activity, uint64_t tag)
{
	atomic_store_explicit(activity->word, tag, memory_order_relaxed);
	/* The exporter's membarrier makes it a full fence when it matters. */
	if (activity->must_fence)
		atomic_thread_fence(memory_order_seq_cst);
	else
		atomic_signal_fence(memory_order_seq_cst);
}

/* Release: what was copied is there for whoever sees the word clear. */
static inline void activity_end(const struct activity *activity)
{
	atomic_store_explicit(activity->word, 0, memory_order_release);
}

/* The exporter: map what an importer sent; -EPROTO when it is not such a page. */
int activity_map(int fd, const _Atomic uint64_t **words);
void activity_unmap(const _Atomic uint64_t *words);

/* True when a word of the page holds the tag; after a generation was bumped, and a barrier. */
bool activity_holds(const _Atomic uint64_t *words, uint64_t tag);

#endif /* PEER_ACTIVITY_H_ */
