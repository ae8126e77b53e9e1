/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection of the agent, fed with the input as its peer: the first byte says whether the
 * handshake is to be passed first, and how many bytes come at a time. Its region is small, has a
 * page that is not there, and pages beside it that must not change.
 */
#include "fuzz/fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "peer/agent_conn.h"
#include "wire/bytes.h"

#define PAGE ((size_t)4096)
#define GUARD 'g'

/* Guard, region of three pages without the second, guard. */
struct arena {
	uint8_t *pages;
	struct control *control;
	int control_fd;
	struct agent_table table;
	struct agent_region *region;
	uint8_t scratch[CONN_SCRATCH_BYTES];
};

static void must(int is_right)
{
	if (!is_right)
		abort();
}

/* Once a process: the region keeps its id and its secret, which seeds cannot know anyhow. */
static struct arena *arena_get(void)
{
	static struct arena *arena;
	struct agent_range range = {.len_bytes = 3 * PAGE,
				    .flags = EXPORT_MAY_READ | EXPORT_MAY_WRITE};
	const char *why;

	if (arena != NULL)
		return arena;
	arena = calloc(1, sizeof(*arena));
	must(arena != NULL);
	arena->pages =
		mmap(NULL, 5 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(arena->pages != MAP_FAILED);
	memset(arena->pages, GUARD, 5 * PAGE);
	munmap(arena->pages + 2 * PAGE, PAGE);
	must(control_create(&arena->control, &arena->control_fd) == 0);
	agent_table_init(&arena->table);
	arena->table.control = arena->control;
	range.addr = arena->pages + PAGE;
	must(agent_table_add(&arena->table, &range, &arena->region, &why) == DOCA_SUCCESS);
	memset(arena->region->id, 'i', EXPORT_ID_BYTES);
	memset(arena->region->secret, 's', EXPORT_SECRET_BYTES);
	return arena;
}

static void drain(int fd)
{
	uint8_t bytes[4096];

	while (recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
}

/* As much as the connection takes, until it is over. */
static bool feed(struct agent_conn *conn, int fd, const uint8_t *data, size_t len, size_t at_a_time)
{
	while (len > 0) {
		size_t now = len < at_a_time ? len : at_a_time;
		ssize_t sent = send(fd, data, now, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent < 0 && errno != EAGAIN)
			return false;
		if (sent > 0) {
			data += sent;
			len -= (size_t)sent;
		}
		if (!conn_turn(conn))
			return false;
		drain(fd);
	}
	return conn_turn(conn);
}

static bool pass_handshake(struct agent_conn *conn, int fd, const struct agent_region *region)
{
	static const uint8_t flags[NBD_CLIENT_FLAGS_BYTES] = {0, 0, 0, NBD_FIXED_NEWSTYLE};
	const struct nbd_option_header header = {.option = NBD_OPT_GO,
						 .len_bytes = 4 + NBD_NAME_LEN + 2};
	uint8_t option[NBD_OPTION_BYTES + 4 + NBD_NAME_LEN + 2] = {0};

	nbd_option_encode(&header, option);
	put_be32(option + NBD_OPTION_BYTES, NBD_NAME_LEN);
	nbd_name_encode(region->id, region->secret, (char *)option + NBD_OPTION_BYTES + 4);
	return feed(conn, fd, flags, sizeof(flags), sizeof(flags)) &&
	       feed(conn, fd, option, sizeof(option), sizeof(option));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_get();
	const struct conn_host host = {
		.table = &arena->table, .control_fd = arena->control_fd, .scratch = arena->scratch};
	struct agent_conn *conn;
	int sockets[2];
	bool goes_on = true;

	if (size == 0)
		return 0;
	must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets) == 0);
	conn = conn_create(&host, sockets[0], true, 0);
	must(conn != NULL);
	if ((data[0] & 0x80) != 0) {
		goes_on = pass_handshake(conn, sockets[1], arena->region);
		must(goes_on && conn_is_proved(conn));
	}
	if (goes_on)
		feed(conn, sockets[1], data + 1, size - 1, 1 + (data[0] & 0x7f) * 16);
	conn_destroy(conn);
	close(sockets[1]);
	for (size_t i = 0; i < PAGE; i++)
		must(arena->pages[i] == GUARD && arena->pages[4 * PAGE + i] == GUARD);
	return 0;
}
