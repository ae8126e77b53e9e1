/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sockets with names that nobody guesses. One in a directory gets its name once it listens, so that
 * a name whose socket refuses is that of a dead process.
 */
#include "peer/agent_listen.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "peer/policy.h"

#define PREFIX "softdoca-"
#define HIDDEN_PREFIX ".softdoca-" /* until it listens */
#define ABSTRACT_RANDOM_BYTES 14   /* with the prefix and the NUL before it 38 bytes of name */
#define PATH_RANDOM_BYTES 8

static_assert(sizeof(((struct sockaddr_un *)0)->sun_path) == EXPORT_ENDPOINT_BYTES,
	      "an endpoint holds any name of a socket");
static_assert(PEER_DIR_BYTES + sizeof(HIDDEN_PREFIX) + 2 * PATH_RANDOM_BYTES <=
		      EXPORT_ENDPOINT_BYTES,
	      "a name fits behind any directory");

static int random_hex(size_t num_bytes, char *text)
{
	uint8_t bytes[ABSTRACT_RANDOM_BYTES];

	if (getrandom(bytes, num_bytes, 0) != (ssize_t)num_bytes)
		return -errno;
	for (size_t i = 0; i < num_bytes; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
	return 0;
}

static int open_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	return fd < 0 ? -errno : fd;
}

static int bind_and_listen(int fd, const struct sockaddr_un *name, size_t path_len)
{
	socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + path_len);

	if (bind(fd, (const struct sockaddr *)name, len) != 0 || listen(fd, SOMAXCONN) != 0)
		return -errno;
	return 0;
}

static void set_endpoint(struct agent_listener *listener, const char *name, size_t len)
{
	listener->endpoint.type = EXPORT_UNIX;
	listener->endpoint.len_bytes = (uint8_t)len;
	memcpy(listener->endpoint.bytes, name, len);
}

int agent_listen_abstract(struct agent_listener *listener)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0" PREFIX};
	const size_t len = sizeof(PREFIX) + 2 * ABSTRACT_RANDOM_BYTES;
	int error = random_hex(ABSTRACT_RANDOM_BYTES, name.sun_path + sizeof(PREFIX));
	int fd;

	if (error != 0)
		return error;
	fd = open_socket();
	if (fd < 0)
		return fd;
	error = bind_and_listen(fd, &name, len);
	if (error != 0) {
		close(fd);
		return error;
	}
	listener->fd = fd;
	set_endpoint(listener, name.sun_path, len);
	return 0;
}

static bool is_refused(const char *path)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int fd = open_socket();
	bool refuses;

	if (fd < 0)
		return false;
	snprintf(name.sun_path, sizeof(name.sun_path), "%s", path);
	refuses = connect(fd, (const struct sockaddr *)&name, sizeof(name)) != 0 &&
		  errno == ECONNREFUSED;
	close(fd);
	return refuses;
}

/* A process that died between two steps of its start leaves the hidden name; that is rare. */
static void remove_stale(const char *dir_path)
{
	const struct dirent *entry;
	DIR *dir = opendir(dir_path);

	if (dir == NULL)
		return; /* binding there fails next, and says why */
	while ((entry = readdir(dir)) != NULL) {
		char path[EXPORT_ENDPOINT_BYTES];
		struct stat stat;
		int len;

		if (strncmp(entry->d_name, PREFIX, sizeof(PREFIX) - 1) != 0)
			continue;
		len = snprintf(path, sizeof(path), "%s/%s", dir_path, entry->d_name);
		if (len < (int)sizeof(path) && lstat(path, &stat) == 0 && S_ISSOCK(stat.st_mode) &&
		    is_refused(path))
			unlink(path);
	}
	closedir(dir);
}

/* Who may connect is decided by user and by secret, not by the file's mode. */
static int show(const char *hidden, const char *path)
{
	if (chmod(hidden, 0666) != 0 || rename(hidden, path) != 0)
		return -errno;
	return 0;
}

int agent_listen_in(const char *dir, struct agent_listener *listener)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	char random[2 * PATH_RANDOM_BYTES + 1];
	char path[EXPORT_ENDPOINT_BYTES];
	int error = random_hex(PATH_RANDOM_BYTES, random);
	int fd;

	if (error != 0)
		return error;
	remove_stale(dir);
	snprintf(name.sun_path, sizeof(name.sun_path), "%s/" HIDDEN_PREFIX "%s", dir, random);
	snprintf(path, sizeof(path), "%s/" PREFIX "%s", dir, random);
	fd = open_socket();
	if (fd < 0)
		return fd;
	error = bind_and_listen(fd, &name, sizeof(name.sun_path));
	if (error == 0)
		error = show(name.sun_path, path);
	if (error != 0)
		goto remove_name;
	listener->fd = fd;
	set_endpoint(listener, path, strlen(path));
	return 0;

remove_name:
	unlink(name.sun_path);
	close(fd);
	return error;
}

void agent_listener_close(struct agent_listener *listener)
{
	const struct export_endpoint *endpoint = &listener->endpoint;

	if (endpoint->type == EXPORT_UNIX && endpoint->bytes[0] != '\0') {
		char path[EXPORT_ENDPOINT_BYTES + 1];

		snprintf(path, sizeof(path), "%.*s", endpoint->len_bytes,
			 (const char *)endpoint->bytes);
		unlink(path);
	}
	close(listener->fd);
}
