/* SPDX-License-Identifier: Apache-2.0 */
/* What an unproved peer may ask, and what it is told. */
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "peer/activity.h"
#include "peer/agent_conn.h"
#include "wire/attach.h"

#define PREFERRED_BLOCK_BYTES 4096

static uint8_t *queue_reply(struct agent_conn *conn, uint32_t option, uint32_t type, size_t len)
{
	const struct nbd_option_reply reply = {
		.option = option, .type = type, .len_bytes = (uint32_t)len};

	assert(conn->out_len + NBD_OPTION_REPLY_BYTES + len <= sizeof(conn->out));
	nbd_option_reply_encode(&reply, conn_queue(conn, NBD_OPTION_REPLY_BYTES));
	return conn_queue(conn, len);
}

/* ACK when the region may be used; which refusal it is tells what an importer makes of it. */
static uint32_t find_region(struct agent_conn *conn, const uint8_t id[EXPORT_ID_BYTES],
			    const uint8_t secret[EXPORT_SECRET_BYTES], struct agent_region **region)
{
	struct agent_region *found = agent_table_find(conn->host->table, id);

	if (found == NULL)
		return NBD_REP_ERR_UNKNOWN;
	if (!agent_region_has_secret(found, secret))
		return NBD_REP_ERR_POLICY;
	if (atomic_load_explicit(&found->is_revoked, memory_order_acquire))
		return NBD_REP_ERR_SHUTDOWN;
	*region = found;
	return NBD_REP_ACK;
}

static void queue_infos(struct agent_conn *conn, uint32_t option, const struct agent_region *region)
{
	uint16_t flags = NBD_FLAG_HAS_FLAGS | NBD_FLAG_SEND_FLUSH | NBD_FLAG_CAN_MULTI_CONN;

	if (!agent_region_is_writable(region))
		flags |= NBD_FLAG_READ_ONLY;
	nbd_info_export_encode(region->range.len_bytes, flags,
			       queue_reply(conn, option, NBD_REP_INFO, NBD_INFO_EXPORT_BYTES));
	nbd_info_block_size_encode(
		1, PREFERRED_BLOCK_BYTES, NBD_MAX_REQUEST_BYTES,
		queue_reply(conn, option, NBD_REP_INFO, NBD_INFO_BLOCK_SIZE_BYTES));
}

static uint32_t answer_go(struct agent_conn *conn, const struct nbd_option_header *header,
			  const uint8_t *payload)
{
	struct agent_region *region = NULL;
	uint8_t id[EXPORT_ID_BYTES];
	uint8_t secret[EXPORT_SECRET_BYTES];
	struct nbd_go go;
	uint32_t type;

	if (!nbd_go_decode(payload, header->len_bytes, &go))
		return NBD_REP_ERR_INVALID;
	if (!nbd_name_decode(go.name, go.name_len, id, secret))
		return NBD_REP_ERR_UNKNOWN;
	type = find_region(conn, id, secret, &region);
	if (type != NBD_REP_ACK)
		return type;
	queue_infos(conn, header->option, region);
	if (header->option == NBD_OPT_GO) {
		conn->region = region;
		conn_await(conn, CONN_REQUEST, NBD_REQUEST_BYTES);
	}
	return NBD_REP_ACK;
}

static void queue_attached(struct agent_conn *conn, const struct agent_region *region)
{
	struct attach_answer answer = {
		.tag = region->tag,
		.file_offset = region->file_offset,
		.generation = region->generation,
		.slot = region->slot,
		.flags = region->range.flags,
		.addr = (uintptr_t)region->range.addr,
		.len_bytes = region->range.len_bytes,
		.has_bell = region->range.has_bell,
	};

	conn->out_fds[conn->num_out_fds++] = conn->host->control_fd;
	/* Whoever has a file can read it. Its program may have sealed it since the export. */
	if (region->file != NULL && agent_region_is_readable(region) &&
	    shared_file_is_sealed_for(region->file->file.fd, agent_region_is_writable(region))) {
		answer.has_file = true;
		conn->out_fds[conn->num_out_fds++] = region->file->file.fd;
	}
	if (answer.has_bell)
		conn->out_fds[conn->num_out_fds++] = region->range.bell_fd;
	attach_answer_encode(&answer,
			     queue_reply(conn, ATTACH_OPTION, NBD_REP_ACK, ATTACH_ANSWER_BYTES));
}

/* ACK: the answer is queued, as its payload. */
static uint32_t answer_attach(struct agent_conn *conn, const struct nbd_option_header *header,
			      const uint8_t *payload)
{
	struct agent_region *region = NULL;
	struct attach_request request;
	uint32_t type;

	if (header->len_bytes != ATTACH_REQUEST_BYTES || conn->received_fd < 0)
		return NBD_REP_ERR_INVALID;
	attach_request_decode(payload, &request);
	type = find_region(conn, request.id, request.secret, &region);
	if (type != NBD_REP_ACK)
		return type;
	if (activity_map(conn->received_fd, &conn->words) != 0)
		return NBD_REP_ERR_INVALID;
	conn->region = region;
	conn_await(conn, CONN_ATTACHED, 1);
	queue_attached(conn, region);
	return NBD_REP_ACK;
}

static void answer_option(struct agent_conn *conn, const struct nbd_option_header *header)
{
	const uint8_t *payload = conn->in + NBD_OPTION_BYTES;
	uint32_t type;

	conn_await(conn, CONN_OPTION, NBD_OPTION_BYTES);
	if (header->option == NBD_OPT_ABORT) {
		conn->is_ending = true;
		type = NBD_REP_ACK;
	} else if (!conn->is_admitted) {
		type = NBD_REP_ERR_PLATFORM;
	} else if (header->option == NBD_OPT_GO || header->option == NBD_OPT_INFO) {
		type = answer_go(conn, header, payload);
	} else if (header->option == ATTACH_OPTION) {
		type = answer_attach(conn, header, payload);
		if (type == NBD_REP_ACK)
			return;
	} else {
		type = NBD_REP_ERR_UNSUP;
	}
	(void)queue_reply(conn, header->option, type, 0);
}

static void drop_received_fd(struct agent_conn *conn)
{
	if (conn->received_fd < 0)
		return;
	lock_take(&conn->host->table->lock);
	close(conn->received_fd);
	conn->received_fd = -1;
	lock_drop(&conn->host->table->lock);
}

static bool take_option(struct agent_conn *conn)
{
	struct nbd_option_header header;

	if (!nbd_option_decode(conn->in, &header))
		return false;
	/* No reply refuses an EXPORT_NAME, and what is longer than any that is known is not read.
	 */
	if (header.option == NBD_OPT_EXPORT_NAME || header.len_bytes > NBD_MAX_OPTION_BYTES)
		return false;
	if (conn->state == CONN_OPTION && header.len_bytes > 0) {
		conn_await(conn, CONN_PAYLOAD, NBD_OPTION_BYTES + header.len_bytes);
		return true;
	}
	answer_option(conn, &header);
	drop_received_fd(conn);
	explicit_bzero(conn->in, conn->in_len); /* a secret may be there */
	conn->in_len = 0;
	return true;
}

bool conn_handshake(struct agent_conn *conn)
{
	if (conn->state != CONN_FLAGS)
		return take_option(conn);
	if (!nbd_client_flags_decode(conn->in))
		return false;
	conn->in_len = 0;
	conn_await(conn, CONN_OPTION, NBD_OPTION_BYTES);
	return true;
}
