/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_buf.h
 * @brief Buffers: descriptors of a region of mapped memory and of the valid data inside it.
 *
 * A buffer comes from an inventory (doca_buf_inventory.h) or from a pool (doca_buf_pool.h) with one
 * reference, and goes back there when its last reference is dropped. Buffers can be chained to a
 * list, which is then named by its head; the other elements of a list are called inner.
 *
 * Threads: a buffer, its list, and where it came from belong to one thread at a time; every
 * function of this header says "one at a time" and means that.
 *
 * Where the reference leaves a NULL argument undefined, these functions refuse it with
 * DOCA_ERROR_INVALID_VALUE and a line in the SDK log.
 */
#ifndef DOCA_BUF_H_
#define DOCA_BUF_H_

#include <stdint.h>
#include <stddef.h>

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief A buffer. */
struct doca_buf;

/**
 * @brief Add a reference to a buffer that is alone or the head of a list.
 *
 * @param [in] buf        The buffer.
 * @param [out] refcount  References before the call; may be NULL.
 *
 * @retval DOCA_SUCCESS              There is one reference more.
 * @retval DOCA_ERROR_INVALID_VALUE  buf is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The buffer is an inner element, or was released before.
 * @retval DOCA_ERROR_TOO_BIG        There are 65535 references already.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined; it says nothing of a buffer that was released.
 */
DOCA_STABLE
doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount);

/**
 * @brief Drop a reference of a buffer that is alone or the head of a list.
 *
 * With the last one the buffer returns to its inventory or pool; of a list, every element does,
 * each to where it came from. Pointers to them are then dead.
 *
 * @param [in] buf        The buffer.
 * @param [out] refcount  References before the call, so that 1 tells that it was released; may be
 *                        NULL.
 *
 * @retval DOCA_SUCCESS              The reference is dropped.
 * @retval DOCA_ERROR_INVALID_VALUE  buf is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The buffer is an inner element: drop its head, or cut it off
 *                                   with doca_buf_unchain_list() first.
 * @retval DOCA_ERROR_BAD_STATE      There are no references: it was released before.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount);

/**
 * @brief The references of a buffer.
 *
 * @param [in] buf        The buffer.
 * @param [out] refcount  At least 1 until it is released.
 *
 * @retval DOCA_SUCCESS              refcount is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount);

/**
 * @brief The length of a buffer's region.
 *
 * @param [in] buf   The buffer; of a list, this element alone.
 * @param [out] len  In bytes.
 *
 * @retval DOCA_SUCCESS              len is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len);

/**
 * @brief The first byte of a buffer's region.
 *
 * @param [in] buf    The buffer; of a list, this element alone.
 * @param [out] head  The address.
 *
 * @retval DOCA_SUCCESS              head is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head);

/**
 * @brief How many bytes of a buffer are valid.
 *
 * @param [in] buf        The buffer; of a list, this element alone.
 * @param [out] data_len  In bytes.
 *
 * @retval DOCA_SUCCESS              data_len is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len);

/**
 * @brief The first valid byte of a buffer.
 *
 * @param [in] buf    The buffer; of a list, this element alone.
 * @param [out] data  The address.
 *
 * @retval DOCA_SUCCESS              data is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data);

/**
 * @brief Say which bytes of a buffer are valid.
 *
 * Source buffers are read from there; a destination is appended to at data + data_len. The values
 * are taken as they come: a copy whose window does not lie inside its buffer's region fails, like
 * an access that a card's memory protection refuses.
 *
 * @param [in] buf       The buffer; of a list, this element alone.
 * @param [in] data      First valid byte, in the region.
 * @param [in] data_len  Valid bytes; data + data_len does not pass the region's end.
 *
 * @retval DOCA_SUCCESS              The window is set.
 * @retval DOCA_ERROR_INVALID_VALUE  buf is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: a window outside
 * the region is undefined in the reference; INVALID_VALUE where it leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len);

/**
 * @brief Change how many bytes are valid, from the same first byte on.
 *
 * As with doca_buf_set_data() the value is taken as it comes, and a copy refuses a window that
 * passes the region's end.
 *
 * @param [in] buf       The buffer; of a list, this element alone.
 * @param [in] data_len  Valid bytes; data + data_len does not pass the region's end.
 *
 * @retval DOCA_SUCCESS              The length is set.
 * @retval DOCA_ERROR_INVALID_VALUE  buf is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: a window outside
 * the region is undefined in the reference; INVALID_VALUE where it leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len);

/**
 * @brief Say that no byte is valid; the first valid byte stays where it is.
 *
 * A destination must be rewound like this before it takes the next copy from its start.
 *
 * @param [in] buf  The buffer; of a list, this element alone.
 *
 * @retval DOCA_SUCCESS              The data length is 0.
 * @retval DOCA_ERROR_INVALID_VALUE  buf is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_reset_data_len(struct doca_buf *buf);

/**
 * @brief The element that follows in the list.
 *
 * @param [in] buf        A buffer.
 * @param [out] next_buf  The following element, NULL after the last; the list keeps it.
 *
 * @retval DOCA_SUCCESS              next_buf is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf, struct doca_buf **next_buf);

/**
 * @brief The last element of the list.
 *
 * @param [in] buf        A buffer; alone, it is its own last.
 * @param [out] last_buf  The last element; the list keeps it.
 *
 * @retval DOCA_SUCCESS              last_buf is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf, struct doca_buf **last_buf);

/**
 * @brief Whether nothing follows a buffer.
 *
 * @param [in] buf       A buffer.
 * @param [out] is_last  1 for the last element and for a buffer alone, 0 else.
 *
 * @retval DOCA_SUCCESS              is_last is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last);

/**
 * @brief Whether nothing precedes a buffer.
 *
 * @param [in] buf        A buffer.
 * @param [out] is_first  1 for the head of a list and for a buffer alone, 0 else.
 *
 * @retval DOCA_SUCCESS              is_first is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf, uint8_t *is_first);

/**
 * @brief Whether a buffer is part of a list of two or more.
 *
 * @param [in] buf          A buffer.
 * @param [out] is_in_list  1 for head and inner elements, 0 for a buffer alone.
 *
 * @retval DOCA_SUCCESS              is_in_list is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined.
 */
DOCA_STABLE
doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list);

/**
 * @brief How many elements a list has.
 *
 * @param [in] buf            The head, or a buffer alone.
 * @param [out] num_elements  Elements from the head on, at least 1.
 *
 * @retval DOCA_SUCCESS              num_elements is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The buffer is an inner element.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_buf_get_list_len(const struct doca_buf *buf, uint32_t *num_elements);

/**
 * @brief Append one list to another.
 *
 * Afterwards list2 is an inner element: it lives and dies with list1. The cost does not depend on
 * the lengths.
 *
 * @param [in] list1  Head of a list, or a buffer alone.
 * @param [in] list2  Head of another list, or a buffer alone, with exactly one reference; the list
 *                    owns it on success.
 *
 * @retval DOCA_SUCCESS              list2 follows the last element of list1.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  One of them is an inner element, both are the same, list1 was
 *                                   released before, or list2 has not exactly one reference.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined; it says nothing of a list that is to follow itself or was
 * released.
 */
DOCA_STABLE
doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2);

/**
 * @brief doca_buf_chain_list() for a caller who knows the last element.
 *
 * @param [in] list1_head  As list1 of doca_buf_chain_list().
 * @param [in] list1_tail  The last element of that list; list1_head itself for a buffer alone.
 * @param [in] list2       As for doca_buf_chain_list().
 *
 * @retval DOCA_SUCCESS              list2 follows list1_tail.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  As for doca_buf_chain_list(), or list1_tail is not the last
 *                                   element of that list.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: INVALID_VALUE where
 * the reference leaves NULL undefined; it says nothing of a list that is to follow itself or was
 * released.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1_head, struct doca_buf *list1_tail,
				      struct doca_buf *list2);

/**
 * @brief Cut a list in two.
 *
 * Afterwards list2 is the head of a list of its own, with one reference, and what followed it
 * still does; list1 ends with the element before.
 *
 * @param [in] list1  Head of a list.
 * @param [in] list2  An inner element of that list; the caller's on success.
 *
 * @retval DOCA_SUCCESS              There are two lists.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, list1 is an inner element, or list2 is
 *                                   not an inner element of list1.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_buf.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_BUF_H_ */
