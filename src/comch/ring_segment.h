/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies in the segment that the two halves of a ring share: a head, the words by which they
 * meet, a slot a message, the capacities of the posted receives, and memory for what does not fit
 * into a slot. Who writes a word is said here; the other side only reads it, but for the two flags
 * of who waits, which are taken back by whoever rings.
 */
#ifndef COMCH_RING_SEGMENT_H_
#define COMCH_RING_SEGMENT_H_

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

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

/*
 * A slot's mark says how many messages have been in it, modulo 2^16: the producers count it up when
 * they publish. The consumer that closes puts RING_MARK_CLOSED into the slot that would be next.
 */
#define RING_MARK_MASK 0xffffu
#define RING_MARK_CLOSED 0x10000u

struct ring_slot {
	_Atomic uint32_t mark; /* published with a compare-exchange */
	_Atomic uint32_t len_bytes;
	_Atomic uint32_t imm_bytes;
	_Atomic uint32_t producer_id;
	_Atomic uint32_t place; /* in the memory for data, when it is not behind imm in bytes */
	uint8_t bytes[RING_INLINE_BYTES];
};

struct ring_head {
	/* Constant once the segment is passed on. */
	uint64_t magic;
	struct ring_conf conf;

	/* The consumer's: receives ever posted (upper half) and messages ever taken. */
	_Alignas(RING_LINE_BYTES) _Atomic uint64_t progress;
	_Atomic uint32_t is_closed;

	_Alignas(RING_LINE_BYTES) _Atomic uint32_t is_armed;   /* the consumer waits */
	_Alignas(RING_LINE_BYTES) _Atomic uint32_t wants_room; /* a producer waits */
};

static_assert(sizeof(struct ring_slot) == RING_LINE_BYTES, "slots do not share lines");
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
	/* One more than the slots: what is lost where a ring wraps is less than a message. */
	uint64_t all = (uint64_t)(map->slot_mask + 2) *
		       ((map->conf.max_msg_bytes + 4095u) & ~UINT32_C(4095));

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

#endif /* COMCH_RING_SEGMENT_H_ */
