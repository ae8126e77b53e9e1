/* SPDX-License-Identifier: Apache-2.0 */
/* A memory map: one range of memory, its rights, the devices that may reach it. */
#ifndef COMMON_MMAP_H_
#define COMMON_MMAP_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_mmap.h>

#include "base/list.h"
#include "base/lock.h"
#include "common/sdk_log.h"
#include "copy/piece.h"

struct buf_home;

/* What a copy of this process may do to a map's memory. */
enum mmap_right {
	MMAP_READ = 1 << 0,
	MMAP_WRITE = 1 << 1,
};

/*
 * What one home of buffers has out of one map. Only the home's thread writes num_bufs, so that
 * taking and releasing a buffer needs no atomic read-modify-write and no line shared between
 * threads; the map sums over its users when asked. It belongs to the home. A map that stops or dies
 * lets go of its users: their map becomes NULL and they never match again, until the home, once no
 * buffer is out, registers the record anew.
 */
struct mmap_user {
	struct doca_mmap *_Atomic mmap; /* NULL once the map let go */
	_Atomic uint32_t num_bufs;
	struct copy_space space; /* what the map's memory is to a copy, fixed since its start */
	uint32_t access;	 /* the map's permissions, fixed since its start */
	uint8_t rights;		 /* what follows from them; mask of enum mmap_right */
	_Atomic uint8_t plain_rights; /* the same of this process's memory; 0 once let go */
	uint8_t *addr;		      /* the map's range, fixed since its start */
	size_t len_bytes;
	struct buf_home *home;	/* whose it is; its buffers go back there */
	struct mmap_user *next; /* the home's chain */
	struct list link;	/* in the map's users, guarded by the users lock */
};

/* The map of a user, NULL once it was let go. */
static inline struct doca_mmap *mmap_of(const struct mmap_user *user)
{
	return atomic_load_explicit(&user->mmap, memory_order_relaxed);
}

/* The rights to memory of this process in a map that is alive; else none. */
static inline uint8_t mmap_user_plain_rights(const struct mmap_user *user)
{
	return atomic_load_explicit(&user->plain_rights, memory_order_relaxed);
}

static inline uint32_t mmap_user_num_bufs(const struct mmap_user *user)
{
	return atomic_load_explicit(&user->num_bufs, memory_order_relaxed);
}

/* The home's thread alone; relaxed, for who reads it orders nothing by it. */
static inline void mmap_user_set_num_bufs(struct mmap_user *user, uint32_t num_bufs)
{
	atomic_store_explicit(&user->num_bufs, num_bufs, memory_order_relaxed);
}

enum mmap_export_kind {
	MMAP_EXPORT_PCI,
	MMAP_EXPORT_RDMA,
	MMAP_NUM_EXPORTS,
};

struct mmap_export; /* in mmap_export.c */

struct doca_mmap {
	struct lock lock; /* guards what follows against concurrent calls */
	uint8_t *addr;
	size_t len_bytes; /* 0: no range yet */
	uint32_t access;  /* mask of enum doca_access_flag */
	uint8_t rights;	  /* mask of enum mmap_right, since start */
	bool is_imported; /* from another process; constant */
	bool started;
	bool was_started;	/* once at least */
	bool thread_safe;	/* buffers out do not matter */
	bool free_cb_due;	/* a start came after free_cb was set */
	uint32_t num_consumers; /* of comch, which receive into it and may not lose it */
	uint32_t first_mkey;	/* of devs[0], the others' follow; drawn by each start */
	struct doca_dev **devs; /* owned array of num_devs; each is held */
	uint32_t num_devs;
	uint32_t max_devs;
	doca_mmap_memrange_free_cb_t *free_cb;
	void *free_cb_opaque;
	union doca_data user_data;
	struct mmap_export *exports[MMAP_NUM_EXPORTS]; /* owned; NULL: not exported so */
	struct peer_region *region; /* owned by an import: another process's memory; else NULL */
	struct list users;	    /* of struct mmap_user, guarded by the users lock in mmap.c */
};

/* Its lock, also of a map that the caller may not change. */
static inline struct lock *mmap_lock(const struct doca_mmap *mmap)
{
	return (struct lock *)&mmap->lock;
}

/* Where a device stands in devs, num_devs when it was not added. Under the map's lock. */
uint32_t mmap_dev_index_locked(const struct doca_mmap *mmap, const struct doca_dev *dev);

/*
 * Register a home's record with a started map; BAD_STATE when the map is not started. Takes the
 * map's lock and the users lock.
 */
doca_error_t mmap_add_user(struct doca_mmap *mmap, struct mmap_user *user);

/* The home goes away; harmless when the map let go before. Takes the users lock. */
void mmap_remove_user(struct mmap_user *user);

/* Keys for that many devices that no other map has. Takes the users lock. */
uint32_t mmap_draw_mkeys(uint32_t num_devs);

/* What an import that failed is told as: a card's driver has one word for most. */
doca_error_t import_error(const struct doca_dev *dev, doca_error_t result);

/* The end of a map that nothing refers to. */
void mmap_free(struct doca_mmap *mmap);

struct mmap_range {
	void *addr;
	size_t len_bytes;
};

/* Takes the map's lock: not from under it. */
struct mmap_range mmap_range_of(const struct doca_mmap *mmap);

/* A line about a map, which names its range. */
#define LOG_MMAP(level, mmap, format, ...)                                                         \
	do {                                                                                       \
		if (doca_unlikely(doca__log_wants(level))) {                                       \
			struct mmap_range range_of_map = mmap_range_of(mmap);                      \
                                                                                                   \
			LOG_AT(level, "mmap %p [%p, +%zu) " format, (const void *)(mmap),          \
			       range_of_map.addr, range_of_map.len_bytes, ##__VA_ARGS__);          \
		}                                                                                  \
	} while (0)

#define LOG_MMAP_REFUSAL(mmap, format, ...)                                                        \
	LOG_MMAP(DOCA_LOG_LEVEL_ERROR, mmap, "refuses " format, ##__VA_ARGS__)

#endif /* COMMON_MMAP_H_ */
