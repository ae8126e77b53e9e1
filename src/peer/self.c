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

/* Fields of /proc/PID/stat, as proc(5) counts; a flag that the kernel sets first of all. */
#define NAME_FIELD 2
#define FLAGS_FIELD 9
#define START_TIME_FIELD 22
#define FLAG_EXITING 0x4u

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
	char text[TEXT_BYTES] = "";
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
	struct self_program program;
	int error = self_program_of(pid, &program);

	if (error == 0)
		*start_time = program.start_time;
	return error;
}

bool self_sees(const uint8_t boot_id[SELF_BOOT_ID_BYTES], pid_t pid, uint64_t start_time)
{
	uint8_t own_boot_id[SELF_BOOT_ID_BYTES];
	uint64_t seen;

	return self_boot_id(own_boot_id) == 0 &&
	       memcmp(own_boot_id, boot_id, sizeof(own_boot_id)) == 0 &&
	       self_start_time_of(pid, &seen) == 0 && seen == start_time;
}

/* Of the text of /proc/PID/stat, from the name's end on; NULL when there are not so many. */
static const char *skip_to_field(const char *name_end, int wanted)
{
	const char *at = name_end;

	for (int field = NAME_FIELD; at != NULL && field < wanted; field++)
		at = strchr(at + 1, ' ');
	return at;
}

int self_program_of(pid_t pid, struct self_program *program)
{
	char text[TEXT_BYTES];
	char path[32];
	const char *name, *name_end, *flags, *start_time;
	unsigned int bits;
	int error;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	error = read_text(path, text);
	if (error != 0)
		return error;
	/* A name in parentheses, with whatever in it, those too. */
	name = strchr(text, '(');
	name_end = strrchr(text, ')');
	if (name == NULL || name_end == NULL)
		return -EPROTO;
	flags = skip_to_field(name_end, FLAGS_FIELD);
	start_time = skip_to_field(name_end, START_TIME_FIELD);
	if (flags == NULL || sscanf(flags, " %u", &bits) != 1 || start_time == NULL ||
	    sscanf(start_time, " %" SCNu64, &program->start_time) != 1)
		return -EPROTO;
	if (name_end[2] == 'Z' || name_end[2] == 'X' || (bits & FLAG_EXITING) != 0)
		return -ESRCH;
	snprintf(program->name, sizeof(program->name), "%.*s", (int)(name_end - name - 1),
		 name + 1);
	return 0;
}
