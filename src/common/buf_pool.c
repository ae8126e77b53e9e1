/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools of equal buffers. A descriptor's place among the pool's tells which element it describes,
 * so that no buffer remembers it and none can lose it.
 */
#include "common/buf_pool.h"

#include <stdlib.h>

#include "common/sdk_log.h"

#define LOG_REFUSAL(pool, format, ...)                                                             \
	LOG_ERROR("pool %p of %u elements of %zu bytes refuses " format, (const void *)(pool),     \
		  (pool)->home.num_elements, (pool)->element_bytes, ##__VA_ARGS__)

/* A map that stops lets go of the record, which stops the pool. */
static inline bool is_started(const struct doca_buf_pool *pool)
{
	return mmap_of(&pool->user) != NULL;
}

static uint32_t num_out(const struct doca_buf_pool *pool)
{
	return pool->home.num_elements - pool->home.num_free;
}

static doca_error_t refuse_create(size_t num_elements, size_t element_size)
{
	LOG_ERROR("pool create refused: %zu elements of %zu bytes; from 1 to %u of at least 1 byte "
		  "are wanted",
		  num_elements, element_size, UINT32_MAX);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size,
				  const struct doca_mmap *mmap, struct doca_buf_pool **buf_pool)
{
	struct doca_buf_pool *made;
	size_t range_bytes;
	void *range;

	if (mmap == NULL || buf_pool == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "buf_pool");
	if (num_elements == 0 || num_elements > UINT32_MAX || element_size == 0)
		return refuse_create(num_elements, element_size);
	if (doca_mmap_get_memrange(mmap, &range, &range_bytes) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	made = aligned_alloc(CACHE_LINE_BYTES,
			     sizeof(*made) + num_elements * sizeof(made->bufs[0]));
	if (made == NULL) {
		LOG_ERROR("pool create: out of memory for %zu elements of %zu bytes", num_elements,
			  sizeof(struct doca_buf));
		return DOCA_ERROR_NO_MEMORY;
	}
	*made = (struct doca_buf_pool){
		.element_bytes = element_size,
		.element_alignment = 1,
		/* What a buffer changes of its map, its count, is not what the caller holds const.
		 */
		.mmap = (struct doca_mmap *)mmap,
		.user.home = &made->home,
	};
	buf_home_add(&made->home, made->bufs, (uint32_t)num_elements);
	*buf_pool = made;
	return DOCA_SUCCESS;
}

static doca_error_t refuse_in_use(const struct doca_buf_pool *pool, const char *what)
{
	LOG_REFUSAL(pool, "%s: %u are out; release them with doca_buf_dec_refcount first", what,
		    num_out(pool));
	return DOCA_ERROR_IN_USE;
}

doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool)
{
	if (buf_pool == NULL)
		return REFUSE_NULL("buf_pool");
	if (num_out(buf_pool) > 0)
		return refuse_in_use(buf_pool, "destroy");
	if (is_started(buf_pool))
		mmap_remove_user(&buf_pool->user);
	free(buf_pool);
	return DOCA_SUCCESS;
}

/* Find the elements' places in the map's range; false when that is too short. */
static bool lay_out(struct doca_buf_pool *pool)
{
	const size_t mask = pool->element_alignment - 1;
	const size_t skipped = -(uintptr_t)pool->user.addr & mask;
	size_t stride;
	size_t end;

	if (__builtin_add_overflow(pool->element_bytes, mask, &stride))
		return false;
	stride &= ~mask;
	/* The last element needs no room behind it. */
	if (__builtin_mul_overflow(stride, (size_t)pool->home.num_elements - 1, &end) ||
	    __builtin_add_overflow(end, pool->element_bytes, &end) ||
	    __builtin_add_overflow(end, skipped, &end) || end > pool->user.len_bytes)
		return false;
	pool->first_element = pool->user.addr + skipped;
	pool->stride_bytes = stride;
	return true;
}

doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool)
{
	doca_error_t result;

	if (buf_pool == NULL)
		return REFUSE_NULL("buf_pool");
	if (is_started(buf_pool))
		return DOCA_SUCCESS;
	if (num_out(buf_pool) > 0) {
		LOG_REFUSAL(buf_pool,
			    "start: %u are out since before its mmap was stopped; release them "
			    "with doca_buf_dec_refcount first",
			    num_out(buf_pool));
		return DOCA_ERROR_BAD_STATE;
	}
	result = mmap_add_user(buf_pool->mmap, &buf_pool->user);
	if (result != DOCA_SUCCESS)
		return result;
	if (!lay_out(buf_pool)) {
		LOG_REFUSAL(buf_pool,
			    "start: aligned to %zu they do not fit into mmap %p [%p, +%zu); map "
			    "more memory, or create a smaller pool",
			    buf_pool->element_alignment, (const void *)buf_pool->mmap,
			    (const void *)buf_pool->user.addr, buf_pool->user.len_bytes);
		mmap_remove_user(&buf_pool->user);
		return DOCA_ERROR_INITIALIZATION;
	}
	LOG_TRACE("pool %p started", (const void *)buf_pool);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool)
{
	if (buf_pool == NULL)
		return REFUSE_NULL("buf_pool");
	if (num_out(buf_pool) > 0)
		return refuse_in_use(buf_pool, "stop");
	if (is_started(buf_pool))
		mmap_remove_user(&buf_pool->user);
	LOG_TRACE("pool %p stopped", (const void *)buf_pool);
	return DOCA_SUCCESS;
}

static doca_error_t refuse_not_started(const struct doca_buf_pool *pool)
{
	LOG_REFUSAL(pool, "a buffer: it is not started, or its mmap was stopped; call "
			  "doca_buf_pool_start first");
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool, struct doca_buf **buf)
{
	struct doca_buf *taken;
	uint8_t *element;

	if (doca_unlikely(buf_pool == NULL || buf == NULL))
		return REFUSE_NULL(buf_pool == NULL ? "buf_pool" : "buf");
	if (doca_unlikely(!is_started(buf_pool)))
		return refuse_not_started(buf_pool);
	taken = buf_home_take(&buf_pool->home, &buf_pool->user);
	if (doca_unlikely(taken == NULL)) {
		LOG_DEBUG("pool %p is empty: all %u elements are out", (const void *)buf_pool,
			  buf_pool->home.num_elements);
		return DOCA_ERROR_EMPTY;
	}
	element =
		buf_pool->first_element + (size_t)(taken - buf_pool->bufs) * buf_pool->stride_bytes;
	/* Word by word: a struct copy might go through the stack, and wait for its stores. */
	taken->piece.next = NULL;
	taken->piece.head = element;
	taken->piece.len_bytes = buf_pool->element_bytes;
	taken->piece.data = element;
	taken->piece.data_len_bytes = 0;
	*buf = taken;
	return DOCA_SUCCESS;
}

static doca_error_t refuse_started(const struct doca_buf_pool *pool, const char *what)
{
	LOG_REFUSAL(pool, "%s: it is started; call doca_buf_pool_stop first", what);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool, union doca_data user_data)
{
	if (buf_pool == NULL)
		return REFUSE_NULL("buf_pool");
	if (is_started(buf_pool))
		return refuse_started(buf_pool, "user data");
	buf_pool->user_data = user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool,
						 size_t element_alignment)
{
	if (buf_pool == NULL)
		return REFUSE_NULL("buf_pool");
	if (element_alignment == 0 || (element_alignment & (element_alignment - 1)) != 0) {
		LOG_REFUSAL(buf_pool, "an alignment of %zu bytes; a power of two is wanted",
			    element_alignment);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (is_started(buf_pool))
		return refuse_started(buf_pool, "an alignment");
	buf_pool->element_alignment = element_alignment;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool,
					    uint32_t *num_of_elements)
{
	if (buf_pool == NULL || num_of_elements == NULL)
		return REFUSE_NULL(buf_pool == NULL ? "buf_pool" : "num_of_elements");
	*num_of_elements = buf_pool->home.num_elements;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_get_num_free_elements(const struct doca_buf_pool *buf_pool,
						 uint32_t *num_of_free_elements)
{
	if (buf_pool == NULL || num_of_free_elements == NULL)
		return REFUSE_NULL(buf_pool == NULL ? "buf_pool" : "num_of_free_elements");
	*num_of_free_elements = buf_pool->home.num_free;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool,
					 union doca_data *user_data)
{
	if (buf_pool == NULL || user_data == NULL)
		return REFUSE_NULL(buf_pool == NULL ? "buf_pool" : "user_data");
	*user_data = buf_pool->user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_get_element_alignment(const struct doca_buf_pool *buf_pool,
						 size_t *element_alignment)
{
	if (buf_pool == NULL || element_alignment == NULL)
		return REFUSE_NULL(buf_pool == NULL ? "buf_pool" : "element_alignment");
	*element_alignment = buf_pool->element_alignment;
	return DOCA_SUCCESS;
}
