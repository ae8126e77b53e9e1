/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_buf_inventory.h
 * @brief Inventories: pools of buffer descriptors, over the memory of any number of maps.
 *
 * Threads: an inventory and the buffers that it gave belong to one thread at a time; every function
 * of this header says "one at a time" and means that. Inventories of different threads may share a
 * started map.
 */
#ifndef DOCA_BUF_INVENTORY_H_
#define DOCA_BUF_INVENTORY_H_

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

/** @brief A pool of buffer descriptors. */
struct doca_buf_inventory;

/**
 * @brief Create a pool of buffer descriptors, not started.
 *
 * @param [in] num_elements  Descriptors, from 1 to 4294967295; 64 bytes each.
 * @param [out] inventory    The new pool, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_SUCCESS              The pool exists.
 * @retval DOCA_ERROR_INVALID_VALUE  num_elements is out of bounds, or inventory is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: the upper bound is
 * not in the reference; its getters count in 32 bits.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_create(size_t num_elements, struct doca_buf_inventory **inventory);

/**
 * @brief Free a pool, started or not.
 *
 * @param [in] inventory  The pool; gone on success, whole and as it was on error.
 *
 * @retval DOCA_SUCCESS              The pool is gone.
 * @retval DOCA_ERROR_INVALID_VALUE  inventory is NULL.
 * @retval DOCA_ERROR_IN_USE         Buffers are out; release them with doca_buf_dec_refcount().
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: nothing
 * known.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory);

/**
 * @brief Start a pool: buffers can be taken. Starting it again changes nothing.
 *
 * @param [in] inventory  The pool.
 *
 * @retval DOCA_SUCCESS              The pool is started.
 * @retval DOCA_ERROR_INVALID_VALUE  inventory is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: the
 * sources do not state the code for a second start.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory);

/**
 * @brief Stop a pool: no buffer can be taken. Stopping it again changes nothing.
 *
 * Buffers that are out stay valid and are released as always.
 *
 * @param [in] inventory  The pool.
 *
 * @retval DOCA_SUCCESS              The pool is not started.
 * @retval DOCA_ERROR_INVALID_VALUE  inventory is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: the
 * sources do not state the code for a second stop.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory);

/**
 * @brief Take a buffer for a region of a map's memory, with a given window of valid data.
 *
 * The buffer has one reference, the caller's, and keeps the map busy until it is released. The
 * call takes no lock and allocates nothing, but for the first buffer that this pool takes from a
 * map since the map's start.
 *
 * @param [in] inventory  A started pool.
 * @param [in] mmap       A started map.
 * @param [in] addr       First byte of the region, in the map's range.
 * @param [in] len        Length of the region in bytes; may be 0.
 * @param [in] data       First valid byte, in the region or at its end.
 * @param [in] data_len   Valid bytes, inside the region.
 * @param [out] buf       The buffer; untouched on error.
 *
 * @retval DOCA_SUCCESS              The buffer is the caller's.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, the region does not lie in the map's range,
 *                                   or the valid data does not lie in the region.
 * @retval DOCA_ERROR_BAD_STATE      The pool or the map is not started.
 * @retval DOCA_ERROR_NO_MEMORY      The pool is empty, or the first use of the map could not be
 *                                   recorded.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: the
 * reference lists no BAD_STATE, and says nothing of an empty region or of a window outside the
 * region.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory,
						struct doca_mmap *mmap, void *addr, size_t len,
						void *data, size_t data_len, struct doca_buf **buf);

/**
 * @brief Take a buffer without valid data: a destination.
 *
 * doca_buf_inventory_buf_get_by_args() with data at addr and a data length of 0; see there.
 *
 * @param [in] inventory  A started pool.
 * @param [in] mmap       A started map.
 * @param [in] addr       First byte of the region.
 * @param [in] len        Length of the region in bytes.
 * @param [out] buf       The buffer; untouched on error.
 *
 * @retval DOCA_SUCCESS              The buffer is the caller's.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the region does not lie in the map's
 *                                   range.
 * @retval DOCA_ERROR_BAD_STATE      The pool or the map is not started.
 * @retval DOCA_ERROR_NO_MEMORY      The pool is empty, or the first use of the map could not be
 *                                   recorded.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: the
 * reference lists NO_MEMORY alone.
 */
static inline doca_error_t doca_buf_inventory_buf_get_by_addr(struct doca_buf_inventory *inventory,
							      struct doca_mmap *mmap, void *addr,
							      size_t len, struct doca_buf **buf)
{
	return doca_buf_inventory_buf_get_by_args(inventory, mmap, addr, len, addr, 0, buf);
}

/**
 * @brief Take a buffer whose whole region is valid data: a source.
 *
 * doca_buf_inventory_buf_get_by_args() with region and window the same; see there.
 *
 * @param [in] inventory  A started pool.
 * @param [in] mmap       A started map.
 * @param [in] data       First byte of the region.
 * @param [in] data_len   Length of the region in bytes.
 * @param [out] buf       The buffer; untouched on error.
 *
 * @retval DOCA_SUCCESS              The buffer is the caller's.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the region does not lie in the map's
 *                                   range.
 * @retval DOCA_ERROR_BAD_STATE      The pool or the map is not started.
 * @retval DOCA_ERROR_NO_MEMORY      The pool is empty, or the first use of the map could not be
 *                                   recorded.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: the
 * reference lists NO_MEMORY alone.
 */
static inline doca_error_t doca_buf_inventory_buf_get_by_data(struct doca_buf_inventory *inventory,
							      struct doca_mmap *mmap, void *data,
							      size_t data_len,
							      struct doca_buf **buf)
{
	return doca_buf_inventory_buf_get_by_args(inventory, mmap, data, data_len, data, data_len,
						  buf);
}

/**
 * @brief Take descriptors that describe the same memory as a buffer or as a whole list.
 *
 * Regions and windows are copied, the memory is shared. Each new element has one reference.
 *
 * @param [in] inventory  A started pool, where the new elements come from.
 * @param [in] src_buf    A buffer alone or the head of a list, of this pool or of another.
 * @param [out] dst_buf   The new buffer or list; untouched on error.
 *
 * @retval DOCA_SUCCESS              The duplicate is the caller's.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The pool or a map of the source is not started, or src_buf was
 *                                   released before.
 * @retval DOCA_ERROR_NOT_PERMITTED  src_buf is an inner element of a list.
 * @retval DOCA_ERROR_NO_MEMORY      The pool has not enough elements, or the first use of a map
 *                                   could not be recorded.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: the
 * reference says nothing of a source that was released.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
					const struct doca_buf *src_buf, struct doca_buf **dst_buf);

/**
 * @brief Attach the caller's data to a started pool.
 *
 * @param [in] inventory  The pool.
 * @param [in] user_data  Anything.
 *
 * @retval DOCA_SUCCESS              The data is attached.
 * @retval DOCA_ERROR_INVALID_VALUE  inventory is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The pool is not started.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: nothing
 * known.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory,
					      union doca_data user_data);

/**
 * @brief How many descriptors a pool has, those that are out included.
 *
 * @param [in] inventory         The pool.
 * @param [out] num_of_elements  Descriptors.
 *
 * @retval DOCA_SUCCESS              num_of_elements is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: nothing
 * known.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_get_num_elements(const struct doca_buf_inventory *inventory,
						 uint32_t *num_of_elements);

/**
 * @brief How many descriptors a pool has left.
 *
 * @param [in] inventory              The pool.
 * @param [out] num_of_free_elements  Descriptors.
 *
 * @retval DOCA_SUCCESS              num_of_free_elements is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: nothing
 * known.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_get_num_free_elements(const struct doca_buf_inventory *inventory,
						      uint32_t *num_of_free_elements);

/**
 * @brief The user data of a pool.
 *
 * @param [in] inventory   The pool.
 * @param [out] user_data  As set; 0 when never set.
 *
 * @retval DOCA_SUCCESS              user_data is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: nothing
 * known.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_get_user_data(const struct doca_buf_inventory *inventory,
					      union doca_data *user_data);

/**
 * @brief Add descriptors to a started pool; buffers that are out stay where they are.
 *
 * @param [in] inventory     The pool.
 * @param [in] num_elements  Descriptors more, above 0; at most 4294967295 together.
 *
 * @retval DOCA_SUCCESS              The pool has grown.
 * @retval DOCA_ERROR_INVALID_VALUE  inventory is NULL, or num_elements is out of bounds.
 * @retval DOCA_ERROR_BAD_STATE      The pool is not started.
 * @retval DOCA_ERROR_NO_MEMORY      They could not be allocated; the pool is as before.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf_inventory.h. Differs: NO_MEMORY
 * is not in the reference.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory, uint32_t num_elements);

/**
 * @brief Aim a buffer at another region of the same map.
 *
 * References and list stay as they are; of a list, this element alone is changed. A buffer of a
 * pool (doca_buf_pool.h) describes its own element again when it is taken the next time.
 *
 * @param [in] buf       The buffer.
 * @param [in] addr      First byte of the new region, in the range of the buffer's map.
 * @param [in] len       Length of the region in bytes; may be 0.
 * @param [in] data      First valid byte, in the region or at its end.
 * @param [in] data_len  Valid bytes, inside the region.
 *
 * @retval DOCA_SUCCESS              The buffer describes the new region.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, the region does not lie in the map's range,
 *                                   or the valid data does not lie in the region; the buffer is as
 *                                   before.
 * @retval DOCA_ERROR_BAD_STATE      The buffer was released before, or its map is stopped or gone.
 *
 * Threads: one at a time. Source: public programs that call it; no public text of its contract was
 * found. Differs: the codes are our choice.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_inventory_buf_reuse_by_args(struct doca_buf *buf, void *addr, size_t len,
						  void *data, size_t data_len);

/* The two below call what is marked experimental, which must not warn in this header itself. */
#ifdef DOCA_ALLOW_EXPERIMENTAL_API
/** @brief Marks an inline function as experimental, as DOCA_EXPERIMENTAL marks an exported one. */
#define DOCA_BUF_INVENTORY_EXPERIMENTAL_INLINE static inline
#else
#define DOCA_BUF_INVENTORY_EXPERIMENTAL_INLINE                                                     \
	__attribute__((deprecated(                                                                 \
		"experimental: define DOCA_ALLOW_EXPERIMENTAL_API to use it"))) static inline
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/**
 * @brief Aim a buffer at another region of the same map, without valid data.
 *
 * doca_buf_inventory_buf_reuse_by_args() with data at addr and a data length of 0; see there.
 *
 * @param [in] buf   The buffer.
 * @param [in] addr  First byte of the new region.
 * @param [in] len   Length of the region in bytes.
 *
 * @retval DOCA_SUCCESS              The buffer describes the new region.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the region does not lie in the map's
 *                                   range; the buffer is as before.
 * @retval DOCA_ERROR_BAD_STATE      The buffer was released before, or its map is stopped or gone.
 *
 * Threads: one at a time. Source: public programs that call it; no public text of its contract was
 * found. Differs: the codes are our choice.
 */
DOCA_BUF_INVENTORY_EXPERIMENTAL_INLINE doca_error_t
doca_buf_inventory_buf_reuse_by_addr(struct doca_buf *buf, void *addr, size_t len)
{
	return doca_buf_inventory_buf_reuse_by_args(buf, addr, len, addr, 0);
}

/**
 * @brief Aim a buffer at another region of the same map, all of it valid data.
 *
 * doca_buf_inventory_buf_reuse_by_args() with region and window the same; see there.
 *
 * @param [in] buf       The buffer.
 * @param [in] data      First byte of the new region.
 * @param [in] data_len  Length of the region in bytes.
 *
 * @retval DOCA_SUCCESS              The buffer describes the new region.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the region does not lie in the map's
 *                                   range; the buffer is as before.
 * @retval DOCA_ERROR_BAD_STATE      The buffer was released before, or its map is stopped or gone.
 *
 * Threads: one at a time. Source: public programs that call it; no public text of its contract was
 * found. Differs: the codes are our choice.
 */
DOCA_BUF_INVENTORY_EXPERIMENTAL_INLINE doca_error_t
doca_buf_inventory_buf_reuse_by_data(struct doca_buf *buf, void *data, size_t data_len)
{
	return doca_buf_inventory_buf_reuse_by_args(buf, data, data_len, data, data_len);
}

#pragma GCC diagnostic pop
#undef DOCA_BUF_INVENTORY_EXPERIMENTAL_INLINE

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_BUF_INVENTORY_H_ */
