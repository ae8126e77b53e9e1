/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exports memory that holds a file's bytes: export_memory DIRECTORY FILE ro|rw. Says the name that
 * a local NBD client asks for, and the socket; when its input ends it writes the memory back.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "peer/agent.h"
#include "wire/nbd.h"

static void fail(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

/* Memory of our own, not the file's. */
static uint8_t *load(int file, size_t len)
{
	uint8_t *memory = malloc(len);
	size_t at = 0;

	if (memory == NULL)
		fail("malloc");
	while (at < len) {
		ssize_t got = read(file, memory + at, len - at);

		if (got <= 0)
			fail("read");
		at += (size_t)got;
	}
	return memory;
}

static void say_where(const uint8_t *bytes, size_t len)
{
	struct export_descriptor descriptor;
	char name[NBD_NAME_LEN + 1];
	const struct export_endpoint *endpoint;
	const char *why;

	if (export_decode(bytes, len, &descriptor, &why) != DOCA_SUCCESS)
		exit(EXIT_FAILURE);
	nbd_name_encode(descriptor.id, descriptor.secret, name);
	endpoint = &descriptor.endpoints[descriptor.num_endpoints - 1];
	printf("%s %.*s\n", name, endpoint->len_bytes, (const char *)endpoint->bytes);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct peer_policy policy = {.deadline_ns = UINT64_C(10000000000)};
	struct agent_range range = {.flags = EXPORT_MAY_READ};
	struct agent_region *region;
	uint8_t bytes[EXPORT_MAX_BYTES];
	const char *why;
	struct stat stat;
	size_t len;
	int file;

	if (argc != 4)
		return EXIT_FAILURE;
	file = open(argv[2], O_RDWR | O_CLOEXEC);
	if (file < 0 || fstat(file, &stat) != 0)
		fail(argv[2]);
	snprintf(policy.runtime_dir, sizeof(policy.runtime_dir), "%s", argv[1]);
	range.len_bytes = (size_t)stat.st_size;
	range.addr = load(file, range.len_bytes);
	if (strcmp(argv[3], "rw") == 0)
		range.flags |= EXPORT_MAY_WRITE;
	if (agent_export(&policy, &range, &region, bytes, &len, &why) != DOCA_SUCCESS)
		fail(why);
	say_where(bytes, len);
	while (getchar() != EOF)
		;
	agent_revoke(region);
	if (pwrite(file, range.addr, range.len_bytes, 0) != stat.st_size)
		fail("pwrite");
	close(file);
	free(range.addr);
	return EXIT_SUCCESS;
}
