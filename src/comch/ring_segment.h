/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies in the segment that the two halves of a ring share: a head, the words by which they
 * meet, a slot a message, the capacities of the posted receives, and memory for what does not fit
 * into a slot. Who writes a word is said here; the other side only reads it, but for the flags of
 * who waits, which are taken back by whoever rings.
 *
 * Each side stores what is new (a message, progress), then looks at what the other wants; the other
 * says what it wants, then looks for what is new: one of them sees the other's store. The barrier
 * is on the side that wants, which is rare (base/barrier.h), so that a message costs plain stores:
 * a fence would wait for each line to come over from the other CPU.
 */
#ifndef COMCH_RING_SEGMENT_H_
#define COMCH_RING_SEGMENT_H_

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/lock.h"
#include "comch/ring.h"

#define RING_MAGIC UINT64_C(0x31676e6972666473)
#define RING_LINE_BYTES 128 /* two lines of the cache: they are fetched in pairs */
#define RING_INLINE_BYTES 108

/*
 * Memory for data is three rings, of which the first with room is taken: what is in use stays small
 * and cached while the consumer keeps up. The last has room for all receives at once, up to a cap.
 */
#define RING_NUM_ARENAS 3
#define RING_SMALL_BYTES (256u << 10)
#define RING_MIDDLE_BYTES (4u << 20)
#define RING_LARGE_BYTES (64u << 20)

/* A slot's mark says how many messages have been in it, modulo 2^16. */
#define RING_MARK_MASK 0xffffu

struct ring_slot {
	_Atomic uint32_t mark; /* counted up when a message is published */
	_Atomic uint32_t len_bytes;
	_Atomic uint32_t imm_bytes;
	_Atomic uint32_t producer_id;
	_Atomic uint32_t place; /* in the memory for data, when it is not behind imm in bytes */
	uint8_t bytes[RING_INLINE_BYTES];
};

/* What the consumer wants of whoever publishes. */
#define RING_BELL 1u
#define RING_CLOSE 2u

/* What producers want of a consumer that makes progress. */
#define RING_ROOM 1u

#define RING_END_OPEN 0u

/* Each group of words has a line of its own. */
struct ring_head {
	/* Constant once the segment is passed on. */
	uint64_t magic;
	struct ring_conf conf;
	uint8_t rest[RING_LINE_BYTES - sizeof(uint64_t) - sizeof(struct ring_conf)];

	/* The consumer's: receives ever posted (upper half) and messages ever taken. */
	_Atomic uint64_t progress;
	uint8_t rest_of_progress[RING_LINE_BYTES - sizeof(uint64_t)];

	/*
	 * How many messages there ever are, above ring_end(0); RING_END_OPEN before. A consumer
	 * that closes sets it to what it sees; a producer that sees a close, and does not know
	 * whether its message was seen, to what it has sent. The first is right.
	 */
	_Atomic uint64_t end;
	_Atomic uint32_t of_producers;
	uint8_t rest_of_producers[RING_LINE_BYTES - sizeof(uint64_t) - sizeof(uint32_t)];

	_Atomic uint32_t of_consumer;
	uint8_t rest_of_consumer[RING_LINE_BYTES - sizeof(uint32_t)];
};

static inline uint64_t ring_end(uint32_t num_msgs)
{
	return UINT64_C(1) << 32 | num_msgs;
}

static_assert(sizeof(struct ring_slot) == RING_LINE_BYTES, "slots do not share lines");
static_assert(sizeof(struct ring_head) == 4 * RING_LINE_BYTES, "nor do words");
static_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2, "words of two processes");

/* Where things lie, as follows from a conf that was checked; one side's own. */
struct ring_map {
	struct ring_head *head; /* the mapping */
	struct ring_slot *slots;
	_Atomic uint32_t *capacities;
	uint8_t *data;
	size_t len_bytes; /* of the mapping */
	uint32_t data_bytes;
	uint32_t slot_mask;
	unsigned slot_shift;
	struct ring_conf conf;
};

/* Whether each value is in its range. */
static inline bool ring_conf_is_sound(const struct ring_conf *conf)
{
	return conf->num_recvs >= 1 && conf->num_recvs <= RING_MAX_RECVS &&
	       conf->max_msg_bytes >= 1 && conf->max_msg_bytes <= RING_MAX_MSG_BYTES &&
	       conf->max_imm_bytes <= RING_MAX_IMM_BYTES;
}

/* The sizes of the rings for data. */
static inline uint32_t ring_arena_bytes(const struct ring_map *map, unsigned arena)
{
	/*
	 * One more than the slots: what is lost where a ring wraps is less than a message. Whole
	 * pages, and what the producers add to a message.
	 */
	uint64_t all = (uint64_t)(map->slot_mask + 2) *
		       ((map->conf.max_msg_bytes + 2 * RING_LINE_BYTES + 4095u) & ~UINT32_C(4095));

	if (arena < RING_NUM_ARENAS - 1)
		return arena == 0 ? RING_SMALL_BYTES : RING_MIDDLE_BYTES;
	return all < RING_LARGE_BYTES ? (uint32_t)all : RING_LARGE_BYTES;
}

/* Everything but the places, which follow from the mapping. */
static inline void ring_map_measure(struct ring_map *map, const struct ring_conf *conf)
{
	map->conf = *conf;
	map->slot_shift = 0;
	while ((1u << map->slot_shift) < conf->num_recvs)
		map->slot_shift++;
	map->slot_mask = (1u << map->slot_shift) - 1;
	map->data_bytes = 0;
	for (unsigned i = 0; i < RING_NUM_ARENAS; i++)
		map->data_bytes += ring_arena_bytes(map, i);
	map->len_bytes =
		sizeof(struct ring_head) +
		(size_t)(map->slot_mask + 1) * (sizeof(struct ring_slot) + sizeof(uint32_t));
	/* The memory for data begins with a page. */
	map->len_bytes = ((map->len_bytes + 4095) & ~(size_t)4095) + map->data_bytes;
}

static inline void ring_map_place(struct ring_map *map, void *memory)
{
	map->head = memory;
	map->slots = (struct ring_slot *)(map->head + 1);
	map->capacities = (_Atomic uint32_t *)(map->slots + map->slot_mask + 1);
	map->data = (uint8_t *)memory + map->len_bytes - map->data_bytes;
}

/* The mark of message n's slot before it is published, and after. */
static inline uint32_t ring_mark_before(const struct ring_map *map, uint32_t n)
{
	return (n >> map->slot_shift) & RING_MARK_MASK;
}

static inline uint32_t ring_mark_after(const struct ring_map *map, uint32_t n)
{
	return ((n >> map->slot_shift) + 1) & RING_MARK_MASK;
}

struct ring_reader {
	struct ring_map map; /* owned */
	uint32_t posted;     /* what progress says, known here */
	uint32_t taken;
	uint32_t limit; /* no message is beyond: posted, or where it was closed */
	bool is_closed;
	bool is_broken;
	bool must_fence;       /* the process could not register for barriers */
	bool is_armed;	       /* the bell may have rung since it was last read */
	int bell_fd;	       /* owned */
	int fds[RING_NUM_FDS]; /* owned; -1 once sent, but for what is rung for room */
	uint32_t capacities[]; /* of the posted receives, by slot: those of the segment can be
				  changed */
};

/* A ring of data memory, in bytes from its begin; empty when num_used is 0. */
struct ring_arena {
	uint32_t begin; /* in the memory for data */
	uint32_t len_bytes;
	uint32_t head; /* where the next message may go */
	uint32_t tail; /* where the oldest lies */
	uint32_t num_used;
};

/* Data memory that a message holds until it is taken. */
struct ring_held {
	uint32_t n; /* the message */
	uint32_t arena;
	uint32_t end; /* of its bytes in the arena */
};

struct ring_writer {
	/*
	 * Held by whoever sends; but as long as it is one thread only, that marks itself as busy
	 * instead, which waits for no line of the other CPU. The second thread ends this for good.
	 */
	struct lock lock;
	_Atomic(pthread_t) owner; /* the one thread; 0 before the first */
	_Atomic bool is_busy;
	_Atomic bool is_shared;

	bool must_fence;     /* the process could not register for barriers */
	struct ring_map map; /* owned */
	int bell_fd;	     /* owned: our end */
	int room_fd;	     /* owned */

	/* GUARDED_BY(lock) */
	enum ring_verdict over; /* RING_CLOSED or RING_BROKEN, and stays so; RING_OK before */
	uint32_t sent;
	uint32_t posted; /* as last seen */
	uint32_t taken;	 /* as last seen */
	/* The progress that was too little for a sender, the last one; read without the lock. */
	_Atomic uint64_t refused;
	struct ring_arena arenas[RING_NUM_ARENAS];
	uint32_t num_held; /* ever */
	uint32_t num_freed;
	struct ring_held held[]; /* by num_held modulo the slots: a message holds one at most */
};

#endif /* COMCH_RING_SEGMENT_H_ */
