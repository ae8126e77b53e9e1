/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A started map and a started inventory, and an aligned_alloc() of the library that fails. The test
 * program is linked with --wrap=aligned_alloc.
 */
#ifndef TESTS_SUPPORT_POOL_FIXTURE_H_
#define TESTS_SUPPORT_POOL_FIXTURE_H_

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>

#include "common/buf.h"
#include "support/test.h"

#define NUM_BUFS 4
#define RANGE_BYTES 4096

/* The linker sends the library's calls of aligned_alloc() to the first. */
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);

static int allocs_before_failure = -1; /* negative: none fails; the wrapper cannot learn it else */

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	if (allocs_before_failure < 0)
		return __real_aligned_alloc(alignment, size);
	return allocs_before_failure-- == 0 ? NULL : __real_aligned_alloc(alignment, size);
}

static _Alignas(128) uint8_t memory[RANGE_BYTES];

struct pool_fixture {
	struct doca_mmap *mmap;		      /* started */
	struct doca_buf_inventory *inventory; /* of NUM_BUFS, started */
};

static inline struct doca_mmap *started_mmap(void *addr, size_t len)
{
	struct doca_mmap *mmap = NULL;

	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, addr, len), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	return mmap;
}

static inline struct doca_buf_inventory *started_inventory(size_t num_elements)
{
	struct doca_buf_inventory *inventory = NULL;

	assert_doca(doca_buf_inventory_create(num_elements, &inventory), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_start(inventory), DOCA_SUCCESS);
	return inventory;
}

static inline int setup_pool(void **state)
{
	struct pool_fixture *fixture = calloc(1, sizeof(*fixture));

	if (fixture == NULL)
		return -1;
	fixture->mmap = started_mmap(memory, RANGE_BYTES);
	fixture->inventory = started_inventory(NUM_BUFS);
	*state = fixture;
	return 0;
}

static inline int teardown_pool(void **state)
{
	struct pool_fixture *fixture = *state;

	if (fixture->inventory != NULL &&
	    doca_buf_inventory_destroy(fixture->inventory) != DOCA_SUCCESS)
		return -1;
	if (fixture->mmap != NULL && doca_mmap_destroy(fixture->mmap) != DOCA_SUCCESS)
		return -1;
	free(fixture);
	return 0;
}

static inline struct doca_buf *take(struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
				    void *addr, size_t len)
{
	struct doca_buf *buf = NULL;

	assert_doca(doca_buf_inventory_buf_get_by_addr(inventory, mmap, addr, len, &buf),
		    DOCA_SUCCESS);
	return buf;
}

static inline void release(struct doca_buf *buf)
{
	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
}

static inline void assert_buf(const struct doca_buf *buf, const void *head, size_t len,
			      const void *data, size_t data_len)
{
	assert_ptr_equal(buf->piece.head, head);
	assert_int_equal(buf->piece.len_bytes, len);
	assert_ptr_equal(buf->piece.data, data);
	assert_int_equal(buf->piece.data_len_bytes, data_len);
}

static inline void assert_num_free(const struct doca_buf_inventory *inventory, uint32_t expected)
{
	uint32_t num_free = expected + 1;

	assert_doca(doca_buf_inventory_get_num_free_elements(inventory, &num_free), DOCA_SUCCESS);
	assert_int_equal(num_free, expected);
}

static inline void assert_num_bufs(const struct doca_mmap *mmap, uint32_t expected)
{
	uint32_t num_bufs = expected + 1;

	assert_doca(doca_mmap_get_num_bufs(mmap, &num_bufs), DOCA_SUCCESS);
	assert_int_equal(num_bufs, expected);
}

#endif /* TESTS_SUPPORT_POOL_FIXTURE_H_ */
