/* SPDX-License-Identifier: Apache-2.0 */
/* Names of servers as addresses of sockets. */
#include "comch/address.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SEND_BUFFER_BYTES (1 << 20)
#define LOCK_ATTEMPTS 100
#define LOCK_PAUSE_NS 10000000

/* FNV-1a: names that do not fit into an address are told apart by it, and again by the greeting. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text != '\0'; text++)
		hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t hash_of(const char *function, const char *server_name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hash = hash_text(hash, function);
	hash = hash_text(hash, "/");
	return hash_text(hash, server_name);
}

void address_of(const struct peer_policy *policy, const char *function, const char *server_name,
		struct address *address)
{
	uint64_t hash = hash_of(function, server_name);
	char *path = address->name.sun_path;
	size_t size = sizeof(address->name.sun_path);
	int len;

	*address = (struct address){.name.sun_family = AF_UNIX};
	address->is_path = policy->runtime_dir[0] != '\0';
	if (address->is_path) {
		len = snprintf(path, size, "%s/comch-%016" PRIx64 ".sock", policy->runtime_dir,
			       hash);
		assert(len < (int)size);
		address->len_bytes = sizeof(address->name);
		return;
	}
	len = snprintf(path + 1, size - 1, "softdoca-comch/%s/%016" PRIx64 "/%s", function, hash,
		       server_name);
	if (len > (int)size - 2)
		len = (int)size - 2;
	address->len_bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len);
}

static int open_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	return fd < 0 ? -errno : fd;
}

static int bind_and_listen(int fd, const struct address *address)
{
	if (bind(fd, (const struct sockaddr *)&address->name, address->len_bytes) != 0)
		return -errno;
	/* Who may connect is decided by the peer's user, as for abstract sockets. */
	if (address->is_path && chmod(address->name.sun_path, 0666) != 0)
		return -errno;
	return listen(fd, SOMAXCONN) == 0 ? 0 : -errno;
}

/* A socket that nobody listens on: its server is dead. Any other file is not ours to remove. */
static bool is_stale(const struct address *address)
{
	struct stat status;
	int fd;

	if (lstat(address->name.sun_path, &status) != 0 || !S_ISSOCK(status.st_mode))
		return false;
	fd = address_connect(address);
	if (fd >= 0)
		close(fd);
	return fd == -ECONNREFUSED;
}

/* Servers that start look at what is there one after the other: the lock dies with its holder. */
static int lock_directory(const struct address *address)
{
	const struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};
	char dir[sizeof(address->name.sun_path)];
	int fd;

	memcpy(dir, address->name.sun_path, sizeof(dir));
	*strrchr(dir, '/') = '\0';
	fd = open(dir[0] == '\0' ? "/" : dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	for (int i = 0; i < LOCK_ATTEMPTS; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return fd;
		nanosleep(&pause, NULL);
	}
	close(fd);
	return -EBUSY;
}

static int listen_in_directory(int fd, const struct address *address)
{
	int lock_fd = lock_directory(address);
	int error;

	if (lock_fd < 0)
		return lock_fd;
	error = bind_and_listen(fd, address);
	if (error == -EADDRINUSE && is_stale(address)) {
		error = unlink(address->name.sun_path) == 0 ? bind_and_listen(fd, address) : -errno;
	}
	close(lock_fd);
	return error;
}

int address_listen(const struct address *address)
{
	int fd = open_socket();
	int error;

	if (fd < 0)
		return fd;
	error = address->is_path ? listen_in_directory(fd, address) : bind_and_listen(fd, address);
	if (error != 0) {
		close(fd);
		return error;
	}
	return fd;
}

void address_forget(const struct address *address)
{
	if (address->is_path)
		(void)unlink(address->name.sun_path);
}

int address_connect(const struct address *address)
{
	int fd = open_socket();
	int error;

	if (fd < 0)
		return fd;
	if (connect(fd, (const struct sockaddr *)&address->name, address->len_bytes) == 0)
		return fd;
	error = -errno;
	close(fd);
	return error;
}

int socket_get_peer(int fd, struct ucred *peer)
{
	socklen_t len_bytes = sizeof(*peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &len_bytes) == 0 ? 0 : -errno;
}

void socket_widen(int fd)
{
	const int len_bytes = SEND_BUFFER_BYTES;

	(void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &len_bytes, sizeof(len_bytes));
}
