/* SPDX-License-Identifier: Apache-2.0 */
/* What a proved importer may ask: each request against the region's range and rights. */
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "peer/agent_conn.h"

#define PROBE_PAGES 64

/*
 * Whether every page can be read: once an answer has begun there is no way to say that it cannot.
 * Reads a byte of each, which fills no page that is not there yet, and is no load of ours.
 */
static bool is_readable(const uint8_t *addr, size_t len_bytes)
{
	const uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uint8_t *end = addr + len_bytes;
	uint8_t bytes[PROBE_PAGES];

	while (addr < end) {
		struct iovec local = {.iov_base = bytes};
		struct iovec remote[PROBE_PAGES];
		unsigned long num = 0;
		ssize_t got;

		for (; num < PROBE_PAGES && addr < end; num++) {
			remote[num].iov_base = (void *)(uintptr_t)addr;
			remote[num].iov_len = 1;
			addr = (const uint8_t *)(((uintptr_t)addr / page_bytes + 1) * page_bytes);
		}
		local.iov_len = num;
		got = process_vm_readv(getpid(), &local, 1, remote, num, 0);
		/* Where a sandbox forbids it, the fault is met in the sending. */
		if (got < 0 && (errno == EPERM || errno == ENOSYS))
			return true;
		if (got != (ssize_t)num)
			return false;
	}
	return true;
}

static uint32_t check_request(const struct agent_conn *conn)
{
	const struct nbd_request *request = &conn->request;
	const struct agent_range *range = &conn->region->range;
	const bool is_write = request->type == NBD_CMD_WRITE;

	if (request->type != NBD_CMD_READ && !is_write && request->type != NBD_CMD_FLUSH)
		return NBD_EINVAL;
	if (request->flags != 0)
		return NBD_EINVAL;
	if (is_write && !agent_region_is_writable(conn->region))
		return NBD_EPERM;
	if (request->type == NBD_CMD_READ && !agent_region_is_readable(conn->region))
		return NBD_EPERM;
	if (request->len_bytes > NBD_MAX_REQUEST_BYTES)
		return NBD_EINVAL;
	if (request->offset > range->len_bytes ||
	    request->len_bytes > range->len_bytes - request->offset)
		return is_write ? NBD_ENOSPC : NBD_EINVAL;
	if (atomic_load_explicit(&conn->region->is_revoked, memory_order_acquire))
		return NBD_ESHUTDOWN;
	return NBD_SUCCESS;
}

static void begin_read(struct agent_conn *conn)
{
	if (!is_readable(conn->at, conn->left)) {
		conn_reply(conn, NBD_EIO);
		return;
	}
	conn_reply(conn, NBD_SUCCESS);
	conn->is_sending = conn->left > 0;
}

static void begin_write(struct agent_conn *conn, uint32_t error)
{
	conn->error = error;
	conn->state = error == NBD_SUCCESS ? CONN_RECEIVE : CONN_DRAIN;
	if (conn->left == 0)
		conn_reply(conn, error);
}

bool conn_request(struct agent_conn *conn)
{
	uint32_t error;

	if (!nbd_request_decode(conn->in, &conn->request) || conn->request.type == NBD_CMD_DISC)
		return false;
	error = check_request(conn);
	conn->left = conn->request.len_bytes;
	/* Where it is refused, `at` is only counted, never looked at. */
	conn->at = (uint8_t *)((uintptr_t)conn->region->range.addr + conn->request.offset);
	if (conn->request.type == NBD_CMD_WRITE)
		begin_write(conn, error);
	else if (conn->request.type == NBD_CMD_READ && error == NBD_SUCCESS)
		begin_read(conn);
	else
		conn_reply(conn, error);
	return true;
}
