/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_buf_pool.h
 * @brief Pools of equal buffers: a map's memory, cut into elements of one size.
 *
 * A pool is created over one map, started, used, stopped and destroyed. A buffer of it is taken
 * with doca_buf_pool_buf_alloc(), given back with doca_buf_dec_refcount(), and in between is like
 * any other (doca_buf.h): also in one list with buffers of other pools and of inventories.
 *
 * The map is the caller's and has to be there whenever the pool is started. A map that is stopped
 * or destroyed stops its pools.
 *
 * Threads: a pool and its buffers belong to one thread at a time; whoever hands them to another
 * thread orders the two. Pools of several threads may share a started map.
 */
#ifndef DOCA_BUF_POOL_H_
#define DOCA_BUF_POOL_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_mmap;

/** @brief A pool of equal buffers. */
struct doca_buf_pool;

/**
 * @brief Create a pool over a map, not started, its elements aligned to 1 byte.
 *
 * @param [in] num_elements  Buffers, from 1 to 4294967295; 64 bytes each beside their memory.
 * @param [in] element_size  Length of each buffer in bytes, above 0.
 * @param [in] mmap          A map with a memory range, started or not; stays the caller's.
 * @param [out] buf_pool     The new pool, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_SUCCESS              The pool exists.
 * @retval DOCA_ERROR_INVALID_VALUE  num_elements or element_size is out of bounds, a pointer is
 *                                   NULL, or the map has no memory range.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_buf_pool.h. Differs: the upper bound is not in
 * the reference; its getters count in 32 bits.
 */
DOCA_STABLE
doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size,
				  const struct doca_mmap *mmap, struct doca_buf_pool **buf_pool);

/**
 * @brief Free a pool, started or not; its map may be gone.
 *
 * @param [in] buf_pool  The pool; gone on success, whole and as it was on error.
 *
 * @retval DOCA_SUCCESS              The pool is gone.
 * @retval DOCA_ERROR_INVALID_VALUE  buf_pool is NULL.
 * @retval DOCA_ERROR_IN_USE         Buffers are out; release them with doca_buf_dec_refcount().
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_pool.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool);

/**
 * @brief Start a pool: its elements get their places, and buffers can be taken.
 *
 * The first element lies at the first aligned byte of the map's range, each next one at the first
 * aligned byte behind the one before. Starting a started pool changes nothing.
 *
 * @param [in] buf_pool  The pool; its map is started.
 *
 * @retval DOCA_SUCCESS               The pool is started.
 * @retval DOCA_ERROR_INVALID_VALUE   buf_pool is NULL.
 * @retval DOCA_ERROR_INITIALIZATION  The elements do not fit into the map's range.
 * @retval DOCA_ERROR_BAD_STATE       The map is not started, or it was stopped, without counting
 *                                    its buffers, while some of this pool were out and still are.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_pool.h. Differs: the sources do
 * not state the code for a second start.
 */
DOCA_STABLE
doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool);

/**
 * @brief Stop a pool: no buffer can be taken, and it can be configured. Stopping it again changes
 * nothing.
 *
 * @param [in] buf_pool  The pool.
 *
 * @retval DOCA_SUCCESS              The pool is not started.
 * @retval DOCA_ERROR_INVALID_VALUE  buf_pool is NULL.
 * @retval DOCA_ERROR_IN_USE         Buffers are out; release them with doca_buf_dec_refcount().
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_pool.h. Differs: the sources do
 * not state the code for a second stop.
 */
DOCA_STABLE
doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool);

/**
 * @brief Take a buffer: a whole element without valid data, data at its first byte.
 *
 * The buffer has one reference, the caller's, and keeps pool and map busy until it is released. The
 * first buffers taken are the first in memory; later, the one released last comes first. The call
 * takes no lock and allocates nothing.
 *
 * @param [in] buf_pool  A started pool.
 * @param [out] buf      The buffer; untouched on error.
 *
 * @retval DOCA_SUCCESS              The buffer is the caller's.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The pool is not started, or its map was stopped since.
 * @retval DOCA_ERROR_EMPTY          All buffers are out.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_pool.h. Differs: the order of
 * buffers is our choice.
 */
DOCA_STABLE
doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool, struct doca_buf **buf);

/**
 * @brief Attach the caller's data to a pool that is not started.
 *
 * @param [in] buf_pool   The pool.
 * @param [in] user_data  Anything.
 *
 * @retval DOCA_SUCCESS              The data is attached.
 * @retval DOCA_ERROR_INVALID_VALUE  buf_pool is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The pool is started.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_pool.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool, union doca_data user_data);

/**
 * @brief Choose where elements may begin; counts from the next start on.
 *
 * @param [in] buf_pool           A pool that is not started.
 * @param [in] element_alignment  A power of two, in bytes; 1 at first.
 *
 * @retval DOCA_SUCCESS              The alignment is set.
 * @retval DOCA_ERROR_INVALID_VALUE  buf_pool is NULL, or element_alignment is no power of two.
 * @retval DOCA_ERROR_BAD_STATE      The pool is started.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_pool.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool,
						 size_t element_alignment);

/**
 * @brief How many buffers a pool has, those that are out included.
 *
 * @param [in] buf_pool          The pool, started or not.
 * @param [out] num_of_elements  Buffers.
 *
 * @retval DOCA_SUCCESS              num_of_elements is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_pool.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool,
					    uint32_t *num_of_elements);

/**
 * @brief How many buffers a pool has left.
 *
 * @param [in] buf_pool               The pool, started or not.
 * @param [out] num_of_free_elements  Buffers.
 *
 * @retval DOCA_SUCCESS              num_of_free_elements is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_pool.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_buf_pool_get_num_free_elements(const struct doca_buf_pool *buf_pool,
						 uint32_t *num_of_free_elements);

/**
 * @brief The user data of a pool.
 *
 * @param [in] buf_pool    The pool.
 * @param [out] user_data  As set; 0 when never set.
 *
 * @retval DOCA_SUCCESS              user_data is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_pool.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool,
					 union doca_data *user_data);

/**
 * @brief Where a pool's elements may begin.
 *
 * @param [in] buf_pool            The pool.
 * @param [out] element_alignment  As set, in bytes; 1 when never set.
 *
 * @retval DOCA_SUCCESS              element_alignment is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_pool.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_buf_pool_get_element_alignment(const struct doca_buf_pool *buf_pool,
						 size_t *element_alignment);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_BUF_POOL_H_ */
