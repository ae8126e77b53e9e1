/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers: windows of valid data, references, and lists. A head knows its list's last element, so
 * that chaining costs the same for every length.
 */
#include "common/buf.h"

#include "base/placement.h"
#include "common/sdk_log.h"

#define LOG_REFUSAL(buf, format, ...)                                                              \
	LOG_ERROR("buffer %p [%p, +%zu) refuses " format, (const void *)(buf),                     \
		  (const void *)(buf)->piece.head, (buf)->piece.len_bytes, ##__VA_ARGS__)

#define WHY_INNER "it is an inner element of a list; use the list's head, or doca_buf_unchain_list"
#define WHY_RELEASED "it was released before; take a new one"

void buf_home_add(struct buf_home *home, struct doca_buf *bufs, uint32_t num_bufs)
{
	for (uint32_t i = num_bufs; i > 0; i--) {
		bufs[i - 1] = (struct doca_buf){.piece.next = home->free};
		home->free = &bufs[i - 1].piece;
	}
	home->num_elements += num_bufs;
	home->num_free += num_bufs;
}

static inline void release(struct doca_buf *buf)
{
	struct mmap_user *user = buf_user(buf);
	struct buf_home *home = user->home;

	mmap_user_set_num_bufs(user, mmap_user_num_bufs(user) - 1);
	buf->refcount = 0;
	buf->is_inner = false;
	buf->piece.next = home->free;
	home->free = &buf->piece;
	home->num_free++;
}

OUT_OF_LINE void buf_release_list(struct doca_buf *head)
{
	struct copy_piece *next;

	for (struct copy_piece *piece = &head->piece; piece != NULL; piece = next) {
		next = piece->next;
		release(buf_of(piece));
	}
}

doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount)
{
	if (doca_unlikely(buf == NULL))
		return REFUSE_NULL("buf");
	if (doca_unlikely(buf->is_inner || buf->refcount == 0)) {
		LOG_REFUSAL(buf, "a reference: %s", buf->is_inner ? WHY_INNER : WHY_RELEASED);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (doca_unlikely(buf->refcount == UINT16_MAX)) {
		LOG_REFUSAL(buf,
			    "a reference: it has %u, the most; drop some with "
			    "doca_buf_dec_refcount",
			    buf->refcount);
		return DOCA_ERROR_TOO_BIG;
	}
	if (refcount != NULL)
		*refcount = buf->refcount;
	buf->refcount++;
	return DOCA_SUCCESS;
}

/* Of a list, of a buffer with several references, and whatever is to be refused. */
static OUT_OF_LINE doca_error_t drop_any(struct doca_buf *buf, uint16_t *refcount)
{
	if (buf == NULL)
		return REFUSE_NULL("buf");
	if (buf->refcount == 0) {
		LOG_REFUSAL(buf, "to drop a reference: %s", WHY_RELEASED);
		return DOCA_ERROR_BAD_STATE;
	}
	if (buf->is_inner) {
		LOG_REFUSAL(buf, "to drop a reference: %s", WHY_INNER);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (refcount != NULL)
		*refcount = buf->refcount;
	if (buf->refcount > 1)
		buf->refcount--;
	else
		buf_release_list(buf);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount)
{
	if (doca_unlikely(buf == NULL || buf->refcount != 1 || buf->is_inner ||
			  buf->piece.next != NULL))
		return drop_any(buf, refcount);
	if (refcount != NULL)
		*refcount = 1;
	release(buf);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount)
{
	if (doca_unlikely(buf == NULL || refcount == NULL))
		return REFUSE_NULL(buf == NULL ? "buf" : "refcount");
	*refcount = buf->refcount;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len)
{
	if (doca_unlikely(buf == NULL || len == NULL))
		return REFUSE_NULL(buf == NULL ? "buf" : "len");
	*len = buf->piece.len_bytes;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head)
{
	if (doca_unlikely(buf == NULL || head == NULL))
		return REFUSE_NULL(buf == NULL ? "buf" : "head");
	*head = buf->piece.head;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len)
{
	if (doca_unlikely(buf == NULL || data_len == NULL))
		return REFUSE_NULL(buf == NULL ? "buf" : "data_len");
	*data_len = buf->piece.data_len_bytes;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data)
{
	if (doca_unlikely(buf == NULL || data == NULL))
		return REFUSE_NULL(buf == NULL ? "buf" : "data");
	*data = buf->piece.data;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len)
{
	if (doca_unlikely(buf == NULL))
		return REFUSE_NULL("buf");
	buf->piece.data = data;
	buf->piece.data_len_bytes = data_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len)
{
	if (doca_unlikely(buf == NULL))
		return REFUSE_NULL("buf");
	buf->piece.data_len_bytes = data_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_reset_data_len(struct doca_buf *buf)
{
	if (doca_unlikely(buf == NULL))
		return REFUSE_NULL("buf");
	buf->piece.data_len_bytes = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf, struct doca_buf **next_buf)
{
	if (doca_unlikely(buf == NULL || next_buf == NULL))
		return REFUSE_NULL(buf == NULL ? "buf" : "next_buf");
	*next_buf = buf_of(buf->piece.next);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf, struct doca_buf **last_buf)
{
	struct copy_piece *piece;

	if (doca_unlikely(buf == NULL || last_buf == NULL))
		return REFUSE_NULL(buf == NULL ? "buf" : "last_buf");
	/* An inner element does not know its head, which alone knows. */
	piece = buf->is_inner ? &buf->piece : &buf->last->piece;
	while (piece->next != NULL)
		piece = piece->next;
	*last_buf = buf_of(piece);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last)
{
	if (doca_unlikely(buf == NULL || is_last == NULL))
		return REFUSE_NULL(buf == NULL ? "buf" : "is_last");
	*is_last = buf->piece.next == NULL;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf, uint8_t *is_first)
{
	if (doca_unlikely(buf == NULL || is_first == NULL))
		return REFUSE_NULL(buf == NULL ? "buf" : "is_first");
	*is_first = !buf->is_inner;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list)
{
	if (doca_unlikely(buf == NULL || is_in_list == NULL))
		return REFUSE_NULL(buf == NULL ? "buf" : "is_in_list");
	*is_in_list = buf->is_inner || buf->piece.next != NULL;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_list_len(const struct doca_buf *buf, uint32_t *num_elements)
{
	uint32_t num = 0;

	if (doca_unlikely(buf == NULL || num_elements == NULL))
		return REFUSE_NULL(buf == NULL ? "buf" : "num_elements");
	if (doca_unlikely(buf->is_inner)) {
		LOG_REFUSAL(buf, "to tell the list's length: %s", WHY_INNER);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	for (const struct copy_piece *piece = &buf->piece; piece != NULL; piece = piece->next)
		num++;
	*num_elements = num;
	return DOCA_SUCCESS;
}

/* Why two lists cannot become one, NULL when they can. */
static const char *why_not_chained(const struct doca_buf *list1, const struct doca_buf *list2)
{
	if (list1 == list2)
		return "it cannot follow itself; pass two lists";
	if (list1->is_inner || list2->is_inner)
		return "one of them is an inner element of a list; pass the heads of both";
	if (list1->refcount == 0 || list2->refcount == 0)
		return "one of them was released before; take a new one";
	if (list2->refcount != 1)
		return "the list to append must have one reference; drop the others with "
		       "doca_buf_dec_refcount";
	return NULL;
}

doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2)
{
	const char *why;

	if (doca_unlikely(list1 == NULL || list2 == NULL))
		return REFUSE_NULL(list1 == NULL ? "list1" : "list2");
	why = why_not_chained(list1, list2);
	if (doca_unlikely(why != NULL)) {
		LOG_REFUSAL(list1, "to be followed by buffer %p [%p, +%zu): %s",
			    (const void *)list2, (const void *)list2->piece.head,
			    list2->piece.len_bytes, why);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	list1->last->piece.next = &list2->piece;
	list1->last = list2->last;
	list2->is_inner = true;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1_head, struct doca_buf *list1_tail,
				      struct doca_buf *list2)
{
	if (doca_unlikely(list1_head == NULL || list1_tail == NULL || list2 == NULL))
		return REFUSE_NULL(list1_head == NULL	? "list1_head"
				   : list1_tail == NULL ? "list1_tail"
							: "list2");
	if (doca_unlikely(!list1_head->is_inner && list1_head->last != list1_tail)) {
		LOG_REFUSAL(list1_head,
			    "buffer %p as its tail: its last element is %p; pass that, or call "
			    "doca_buf_chain_list",
			    (const void *)list1_tail, (const void *)list1_head->last);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	return doca_buf_chain_list(list1_head, list2);
}

/* The element before an inner element of a list, NULL when the list does not have that. */
static struct doca_buf *find_previous(struct doca_buf *head, const struct doca_buf *inner)
{
	struct copy_piece *piece = &head->piece;

	while (piece != NULL && piece->next != &inner->piece)
		piece = piece->next;
	return buf_of(piece);
}

doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2)
{
	struct doca_buf *previous = NULL;

	if (doca_unlikely(list1 == NULL || list2 == NULL))
		return REFUSE_NULL(list1 == NULL ? "list1" : "list2");
	if (doca_likely(!list1->is_inner && list2->is_inner))
		previous = find_previous(list1, list2);
	if (doca_unlikely(previous == NULL)) {
		LOG_REFUSAL(list1, "to be cut before buffer %p [%p, +%zu): %s", (const void *)list2,
			    (const void *)list2->piece.head, list2->piece.len_bytes,
			    list1->is_inner ? "it is no head; pass the list's head first"
					    : "that is not an inner element of its list");
		return DOCA_ERROR_INVALID_VALUE;
	}
	list2->last = list1->last;
	list2->is_inner = false;
	list1->last = previous;
	previous->piece.next = NULL;
	return DOCA_SUCCESS;
}
