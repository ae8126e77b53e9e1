/* SPDX-License-Identifier: Apache-2.0 */
/* What a producer and a consumer have in common: their life, their tasks, their buffers. */
#include "comch/party.h"

#include "comch/endpoint.h"

doca_error_t party_create(struct doca_comch_connection *connection, const struct ctx_ops *ops,
			  size_t size_bytes, struct party **party)
{
	uint32_t id = channels_draw_id(connection->channels);
	struct party *created;

	if (id == 0) {
		LOG_ERROR("no %s on connection %p: it is not established, or has ended; create one "
			  "once the client is running, or in the server's connection event",
			  ops->name, (void *)connection);
		return DOCA_ERROR_BAD_STATE;
	}
	created = doca__ctx_new(LOG_HERE, ops, connection->endpoint->ctx.dev, size_bytes);
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	created->channels = connection->channels;
	channels_hold(created->channels);
	list_init(&created->member.link);
	created->id = id;
	*party = created;
	return DOCA_SUCCESS;
}

doca_error_t party_destroy(struct log_place place, struct party *party)
{
	doca_error_t result = doca__ctx_check_destroy(place, &party->ctx);

	if (result != DOCA_SUCCESS)
		return result;
	doca__task_pool_fini(&party->pool);
	channels_put(party->channels);
	doca__ctx_delete(&party->ctx);
	return DOCA_SUCCESS;
}

doca_error_t party_start(struct party *party)
{
	doca_error_t result = doca__tasks_start(LOG_HERE, &party->ctx, &party->pool);

	if (result != DOCA_SUCCESS)
		return result;
	if (channels_join(party->channels, &party->member, &party->ctx))
		return DOCA_SUCCESS;
	LOG_ERROR("%s %p refuses start: its connection has ended; create another on one that is "
		  "established",
		  party->ctx.ops->name, (void *)party);
	return DOCA_ERROR_NOT_CONNECTED;
}

void party_end(struct party *party)
{
	channels_leave(party->channels, &party->member);
}

/* What is wrong with one buffer, or NULL. */
static const char *find_fault(const struct doca_buf *buf, const struct doca_mmap *mmap)
{
	const struct doca_mmap *its = buf->refcount == 0 ? NULL : mmap_of(buf_user(buf));

	if (buf->refcount == 0)
		return "was released; keep it until the callback";
	if (its == NULL)
		return "belongs to an mmap that was stopped or destroyed; keep that until the "
		       "callback";
	if (piece_region(&buf->piece) != NULL)
		return "is in another process's memory; want memory of this process, to which "
		       "doca_dma can copy";
	if (mmap != NULL && mmap != its)
		return "is not in the mmap that the consumer was created with";
	return piece_is_sound(&buf->piece) ? NULL : "has a data window that lies outside of it";
}

doca_error_t party_measure(const struct party *party, const struct doca_buf *head,
			   const struct doca_mmap *mmap, struct party_list *list)
{
	const char *kind = party->ctx.ops->name;
	uint32_t num_elements = 0;

	*list = (struct party_list){0};
	for (const struct copy_piece *piece = head == NULL ? NULL : &head->piece; piece != NULL;
	     piece = piece->next) {
		const struct doca_buf *buf = (const struct doca_buf *)piece;
		const char *fault = find_fault(buf, mmap);

		if (doca_unlikely(fault != NULL)) {
			LOG_ERROR("%s %p refuses a task: buffer %p [%p, +%zu) %s", kind,
				  (const void *)party, (const void *)buf, (const void *)piece->head,
				  piece->len_bytes, fault);
			return DOCA_ERROR_INVALID_VALUE;
		}
		if (doca_unlikely(++num_elements > PARTY_MAX_LIST_LEN)) {
			LOG_ERROR("%s %p refuses a task: its list has more than %u buffers", kind,
				  (const void *)party, PARTY_MAX_LIST_LEN);
			return DOCA_ERROR_INVALID_VALUE;
		}
		/* Windows lie in memory: sums of so few cannot overflow. */
		list->num_bytes += piece->data_len_bytes;
		list->room_bytes += piece_room(piece);
	}
	return DOCA_SUCCESS;
}
