/* SPDX-License-Identifier: Apache-2.0 */
/* Read from /proc, where the kernel writes it as text. */
#include "peer/self.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEXT_BYTES 1024
#define START_TIME_FIELD 22 /* of /proc/self/stat, as proc(5) counts */

static int read_text(const char *path, char text[TEXT_BYTES])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;
	int error;

	if (fd < 0)
		return -errno;
	do {
		got = read(fd, text, TEXT_BYTES - 1);
	} while (got < 0 && errno == EINTR);
	error = got < 0 ? -errno : 0;
	close(fd);
	text[got < 0 ? 0 : got] = '\0';
	return error;
}

int self_boot_id(uint8_t boot_id[SELF_BOOT_ID_BYTES])
{
	char text[TEXT_BYTES];
	const char *at = text;
	int error = read_text("/proc/sys/kernel/random/boot_id", text);

	if (error != 0)
		return error;
	for (int i = 0; i < SELF_BOOT_ID_BYTES; i++) {
		unsigned int byte;

		while (*at == '-')
			at++;
		if (!isxdigit((unsigned char)at[0]) || sscanf(at, "%2x", &byte) != 1)
			return -EPROTO;
		boot_id[i] = (uint8_t)byte;
		at += 2;
	}
	return 0;
}

int self_start_time(uint64_t *start_time)
{
	return self_start_time_of(getpid(), start_time);
}

int self_start_time_of(pid_t pid, uint64_t *start_time)
{
	char text[TEXT_BYTES];
	char path[32];
	const char *at;
	int error;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	error = read_text(path, text);

	if (error != 0)
		return error;
	/* The second field is a name in parentheses, with whatever in it. */
	at = strrchr(text, ')');
	if (at != NULL && (at[2] == 'Z' || at[2] == 'X'))
		return -ESRCH;
	for (int field = 2; at != NULL && field < START_TIME_FIELD; field++)
		at = strchr(at + 1, ' ');
	if (at == NULL || sscanf(at, " %" SCNu64, start_time) != 1)
		return -EPROTO;
	return 0;
}
