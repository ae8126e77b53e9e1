/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools of buffer descriptors. Taking and releasing a buffer is a pop and a push on a free list and
 * a count in a record of the pool's own: no lock, no allocation, no line shared between threads.
 */
#include "common/buf_inventory.h"

#include <stdlib.h>
#include <string.h>

#include "base/placement.h"
#include "common/sdk_log.h"

/* Zeroed whole cache lines; NULL when out of memory. */
static void *alloc_lines(size_t num_bytes)
{
	size_t num_lines = (num_bytes + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES;
	void *lines = aligned_alloc(CACHE_LINE_BYTES, num_lines * CACHE_LINE_BYTES);

	return lines == NULL ? NULL : memset(lines, 0, num_bytes);
}

/* False when out of memory; the pool is then as before. */
static bool add_chunk(struct doca_buf_inventory *inventory, uint32_t num_elements)
{
	struct buf_chunk *chunk;

	chunk = aligned_alloc(CACHE_LINE_BYTES,
			      sizeof(*chunk) + (size_t)num_elements * sizeof(chunk->bufs[0]));
	if (chunk == NULL)
		return false;
	buf_home_add(&inventory->home, chunk->bufs, num_elements);
	chunk->next = inventory->chunks;
	inventory->chunks = chunk;
	return true;
}

/* No map has this record: it is the one used last before there is one, and is never written. */
static const struct mmap_user nobody;

doca_error_t doca_buf_inventory_create(size_t num_elements, struct doca_buf_inventory **inventory)
{
	struct doca_buf_inventory *made;

	if (inventory == NULL)
		return REFUSE_NULL("inventory");
	if (num_elements == 0 || num_elements > UINT32_MAX) {
		LOG_ERROR("inventory create refused: %zu elements; from 1 to %u are wanted",
			  num_elements, UINT32_MAX);
		return DOCA_ERROR_INVALID_VALUE;
	}
	made = alloc_lines(sizeof(*made));
	if (made == NULL)
		goto out_of_memory;
	if (!add_chunk(made, (uint32_t)num_elements))
		goto free_inventory;
	made->recent[0] = (struct mmap_user *)&nobody;
	made->recent[1] = (struct mmap_user *)&nobody;
	*inventory = made;
	return DOCA_SUCCESS;

free_inventory:
	free(made);
out_of_memory:
	LOG_ERROR("inventory create: out of memory for %zu elements of %zu bytes", num_elements,
		  sizeof(struct doca_buf));
	return DOCA_ERROR_NO_MEMORY;
}

static void free_users(struct doca_buf_inventory *inventory)
{
	struct mmap_user *next;

	for (struct mmap_user *user = inventory->users; user != NULL; user = next) {
		next = user->next;
		mmap_remove_user(user);
		free(user);
	}
}

static void free_chunks(struct doca_buf_inventory *inventory)
{
	struct buf_chunk *next;

	for (struct buf_chunk *chunk = inventory->chunks; chunk != NULL; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
}

doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory)
{
	if (inventory == NULL)
		return REFUSE_NULL("inventory");
	if (inventory->home.num_free != inventory->home.num_elements) {
		LOG_ERROR("inventory %p refuses destroy: %u of %u elements are out; release them "
			  "with doca_buf_dec_refcount first",
			  (const void *)inventory,
			  inventory->home.num_elements - inventory->home.num_free,
			  inventory->home.num_elements);
		return DOCA_ERROR_IN_USE;
	}
	free_users(inventory);
	free_chunks(inventory);
	free(inventory);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory)
{
	if (inventory == NULL)
		return REFUSE_NULL("inventory");
	inventory->is_started = true;
	LOG_TRACE("inventory %p started", (const void *)inventory);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory)
{
	if (inventory == NULL)
		return REFUSE_NULL("inventory");
	inventory->is_started = false;
	LOG_TRACE("inventory %p stopped", (const void *)inventory);
	return DOCA_SUCCESS;
}

static doca_error_t refuse_not_started(const struct doca_buf_inventory *inventory, const char *what)
{
	LOG_ERROR("inventory %p refuses %s: it is not started; call doca_buf_inventory_start first",
		  (const void *)inventory, what);
	return DOCA_ERROR_BAD_STATE;
}

static void remember(struct doca_buf_inventory *inventory, struct mmap_user *user)
{
	inventory->recent[1] = inventory->recent[0];
	inventory->recent[0] = user;
}

/* Record the first use of a map since its start, in a record that is free or in a new one. */
static doca_error_t add_user(struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
			     struct mmap_user *spare, struct mmap_user **added)
{
	struct mmap_user *user = spare != NULL ? spare : alloc_lines(sizeof(*user));
	doca_error_t result;

	if (user == NULL) {
		LOG_ERROR("inventory %p: out of memory for its first use of mmap %p",
			  (const void *)inventory, (const void *)mmap);
		return DOCA_ERROR_NO_MEMORY;
	}
	result = mmap_add_user(mmap, user);
	if (result != DOCA_SUCCESS)
		goto free_user;
	if (user != spare) {
		user->home = &inventory->home;
		user->next = inventory->users;
		inventory->users = user;
	}
	remember(inventory, user);
	*added = user;
	return DOCA_SUCCESS;

free_user:
	if (user != spare)
		free(user);
	return result;
}

static OUT_OF_LINE doca_error_t find_user(struct doca_buf_inventory *inventory,
					  struct doca_mmap *mmap, struct mmap_user **found)
{
	struct mmap_user *spare = NULL;

	for (struct mmap_user *user = inventory->users; user != NULL; user = user->next) {
		if (mmap_of(user) == mmap) {
			remember(inventory, user);
			*found = user;
			return DOCA_SUCCESS;
		}
		if (mmap_of(user) == NULL && mmap_user_num_bufs(user) == 0)
			spare = user;
	}
	return add_user(inventory, mmap, spare, found);
}

/* The record of a map that was used lately, or NULL. */
static inline struct mmap_user *recent_user(const struct doca_buf_inventory *inventory,
					    const struct doca_mmap *mmap)
{
	struct mmap_user *user = inventory->recent[0];

	if (mmap_of(user) == mmap)
		return user;
	user = inventory->recent[1];
	return doca_likely(mmap_of(user) == mmap) ? user : NULL;
}

static inline doca_error_t user_of_map(struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
				       struct mmap_user **user)
{
	*user = recent_user(inventory, mmap);
	return *user != NULL ? DOCA_SUCCESS : find_user(inventory, mmap, user);
}

/* A range lies in another. */
static inline bool lies_in(const uint8_t *inner, size_t inner_bytes, const uint8_t *outer,
			   size_t outer_bytes)
{
	size_t left;

	if (doca_unlikely(__builtin_sub_overflow(outer_bytes, (uintptr_t)inner - (uintptr_t)outer,
						 &left)))
		return false;
	return doca_likely(inner_bytes <= left);
}

/* The region lies in the map, and the window in the region. */
static inline bool is_in_map(const struct mmap_user *user, const struct copy_piece *piece)
{
	if (doca_unlikely(!lies_in(piece->head, piece->len_bytes, user->addr, user->len_bytes)))
		return false;
	return lies_in(piece->data, piece->data_len_bytes, piece->head, piece->len_bytes);
}

/* By value: a piece whose address left its function would be kept, and re-read, in memory. */
static doca_error_t refuse_region(const struct mmap_user *user, struct copy_piece piece)
{
	if (piece_is_sound(&piece))
		LOG_ERROR("mmap %p [%p, +%zu) refuses buffer [%p, +%zu): it does not lie inside; "
			  "ask for a region of the map",
			  (const void *)mmap_of(user), (const void *)user->addr, user->len_bytes,
			  (const void *)piece.head, piece.len_bytes);
	else
		LOG_ERROR("mmap %p [%p, +%zu) refuses buffer [%p, +%zu): its data [%p, +%zu) does "
			  "not lie inside; pass a window of the region",
			  (const void *)mmap_of(user), (const void *)user->addr, user->len_bytes,
			  (const void *)piece.head, piece.len_bytes, (const void *)piece.data,
			  piece.data_len_bytes);
	return DOCA_ERROR_INVALID_VALUE;
}

/* NULL when the pool is empty. The piece's next is not looked at: the new buffer is alone. */
static inline struct doca_buf *take(struct doca_buf_inventory *inventory, struct mmap_user *user,
				    const struct copy_piece *piece)
{
	struct doca_buf *buf = buf_home_take(&inventory->home, user);

	if (doca_unlikely(buf == NULL)) {
		LOG_DEBUG("inventory %p is empty: all %u elements are out", (const void *)inventory,
			  inventory->home.num_elements);
		return NULL;
	}
	/* Word by word: a struct copy would go through the stack, and wait for its stores. */
	buf->piece.next = NULL;
	buf->piece.head = piece->head;
	buf->piece.len_bytes = piece->len_bytes;
	buf->piece.data = piece->data;
	buf->piece.data_len_bytes = piece->data_len_bytes;
	return buf;
}

/* The first use of a map, and whatever is to be refused. */
static OUT_OF_LINE doca_error_t get_any(struct doca_buf_inventory *inventory,
					struct doca_mmap *mmap, void *addr, size_t len, void *data,
					size_t data_len, struct doca_buf **buf)
{
	const struct copy_piece piece = {
		.head = addr, .len_bytes = len, .data = data, .data_len_bytes = data_len};
	struct mmap_user *user;
	struct doca_buf *taken;
	doca_error_t result;

	/* A NULL address is outside every map. */
	if (inventory == NULL || mmap == NULL || buf == NULL)
		return REFUSE_NULL(inventory == NULL ? "inventory" : mmap == NULL ? "mmap" : "buf");
	if (!inventory->is_started)
		return refuse_not_started(inventory, "a buffer");
	result = user_of_map(inventory, mmap, &user);
	if (result != DOCA_SUCCESS)
		return result;
	if (!is_in_map(user, &piece))
		return refuse_region(user, piece);
	taken = take(inventory, user, &piece);
	if (taken == NULL)
		return DOCA_ERROR_NO_MEMORY;
	*buf = taken;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory,
						struct doca_mmap *mmap, void *addr, size_t len,
						void *data, size_t data_len, struct doca_buf **buf)
{
	const struct copy_piece piece = {
		.head = addr, .len_bytes = len, .data = data, .data_len_bytes = data_len};
	struct mmap_user *user = NULL;

	if (doca_likely(inventory != NULL && mmap != NULL && buf != NULL && inventory->is_started))
		user = recent_user(inventory, mmap);
	if (doca_unlikely(user == NULL || !is_in_map(user, &piece) || inventory->home.free == NULL))
		return get_any(inventory, mmap, addr, len, data, data_len, buf);
	*buf = take(inventory, user, &piece);
	return DOCA_SUCCESS;
}

/* One element, alone. */
static doca_error_t dup_element(struct doca_buf_inventory *inventory, const struct doca_buf *source,
				struct doca_buf **copy)
{
	struct doca_mmap *mmap = mmap_of(buf_user(source));
	struct mmap_user *user;
	doca_error_t result;

	if (mmap == NULL) {
		LOG_ERROR("buffer %p [%p, +%zu) refuses dup: its mmap was stopped or destroyed; "
			  "start it and take a new buffer",
			  (const void *)source, (const void *)source->piece.head,
			  source->piece.len_bytes);
		return DOCA_ERROR_BAD_STATE;
	}
	result = user_of_map(inventory, mmap, &user);
	if (result != DOCA_SUCCESS)
		return result;
	*copy = take(inventory, user, &source->piece);
	return *copy == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

static doca_error_t dup_list(struct doca_buf_inventory *inventory, const struct doca_buf *source,
			     struct doca_buf **copy)
{
	struct doca_buf *head = NULL;
	struct doca_buf *element;
	doca_error_t result;

	for (const struct copy_piece *piece = &source->piece; piece != NULL; piece = piece->next) {
		result = dup_element(inventory, (const struct doca_buf *)piece, &element);
		if (result != DOCA_SUCCESS)
			goto release;
		if (head == NULL)
			head = element;
		else
			(void)doca_buf_chain_list(head, element);
	}
	*copy = head;
	return DOCA_SUCCESS;

release:
	if (head != NULL)
		buf_release_list(head);
	return result;
}

doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
					const struct doca_buf *src_buf, struct doca_buf **dst_buf)
{
	if (inventory == NULL || src_buf == NULL || dst_buf == NULL)
		return REFUSE_NULL(inventory == NULL ? "inventory"
				   : src_buf == NULL ? "src_buf"
						     : "dst_buf");
	if (!inventory->is_started)
		return refuse_not_started(inventory, "dup");
	if (src_buf->refcount == 0) {
		LOG_ERROR("inventory %p refuses dup: buffer %p was released before",
			  (const void *)inventory, (const void *)src_buf);
		return DOCA_ERROR_BAD_STATE;
	}
	if (src_buf->is_inner) {
		LOG_ERROR("inventory %p refuses dup: buffer %p [%p, +%zu) is an inner element of a "
			  "list; pass the list's head",
			  (const void *)inventory, (const void *)src_buf,
			  (const void *)src_buf->piece.head, src_buf->piece.len_bytes);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	return dup_list(inventory, src_buf, dst_buf);
}

doca_error_t doca_buf_inventory_buf_reuse_by_args(struct doca_buf *buf, void *addr, size_t len,
						  void *data, size_t data_len)
{
	struct copy_piece piece = {
		.head = addr, .len_bytes = len, .data = data, .data_len_bytes = data_len};

	if (doca_unlikely(buf == NULL))
		return REFUSE_NULL("buf");
	if (doca_unlikely(buf->refcount == 0 || mmap_of(buf_user(buf)) == NULL)) {
		LOG_ERROR("buffer %p [%p, +%zu) refuses reuse: %s; take a new one",
			  (const void *)buf, (const void *)buf->piece.head, buf->piece.len_bytes,
			  buf->refcount == 0 ? "it was released before"
					     : "its mmap was stopped or destroyed");
		return DOCA_ERROR_BAD_STATE;
	}
	if (doca_unlikely(!is_in_map(buf_user(buf), &piece)))
		return refuse_region(buf_user(buf), piece);
	piece.next = buf->piece.next;
	piece.space = buf->piece.space;
	buf->piece = piece;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory, uint32_t num_elements)
{
	if (inventory == NULL)
		return REFUSE_NULL("inventory");
	if (!inventory->is_started)
		return refuse_not_started(inventory, "expand");
	if (num_elements == 0 || num_elements > UINT32_MAX - inventory->home.num_elements) {
		LOG_ERROR("inventory %p refuses expand by %u: it has %u elements; from 1 to %u "
			  "more are wanted",
			  (const void *)inventory, num_elements, inventory->home.num_elements,
			  UINT32_MAX - inventory->home.num_elements);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (!add_chunk(inventory, num_elements)) {
		LOG_ERROR("inventory %p: out of memory for %u elements more of %zu bytes",
			  (const void *)inventory, num_elements, sizeof(struct doca_buf));
		return DOCA_ERROR_NO_MEMORY;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory,
					      union doca_data user_data)
{
	if (inventory == NULL)
		return REFUSE_NULL("inventory");
	if (!inventory->is_started)
		return refuse_not_started(inventory, "user data");
	inventory->user_data = user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_get_user_data(const struct doca_buf_inventory *inventory,
					      union doca_data *user_data)
{
	if (inventory == NULL || user_data == NULL)
		return REFUSE_NULL(inventory == NULL ? "inventory" : "user_data");
	*user_data = inventory->user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_get_num_elements(const struct doca_buf_inventory *inventory,
						 uint32_t *num_of_elements)
{
	if (inventory == NULL || num_of_elements == NULL)
		return REFUSE_NULL(inventory == NULL ? "inventory" : "num_of_elements");
	*num_of_elements = inventory->home.num_elements;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_get_num_free_elements(const struct doca_buf_inventory *inventory,
						      uint32_t *num_of_free_elements)
{
	if (inventory == NULL || num_of_free_elements == NULL)
		return REFUSE_NULL(inventory == NULL ? "inventory" : "num_of_free_elements");
	*num_of_free_elements = inventory->home.num_free;
	return DOCA_SUCCESS;
}
