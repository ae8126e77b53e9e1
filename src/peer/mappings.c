/* SPDX-License-Identifier: Apache-2.0 */
/* Reads /proc/self/maps. */
#include "peer/mappings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

int mappings_open(struct mappings *mappings)
{
	*mappings = (struct mappings){.maps = fopen("/proc/self/maps", "re")};
	return mappings->maps != NULL ? 0 : -errno;
}

void mappings_close(struct mappings *mappings)
{
	free(mappings->line);
	fclose(mappings->maps);
}

static bool parse(const char *line, struct mapping *mapping)
{
	unsigned int dev_major;
	unsigned int dev_minor;
	uint64_t ino;
	char rights[5]; /* r or -, w or -, x or -, s or p */

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64, &mapping->start,
		   &mapping->end, rights, &mapping->offset, &dev_major, &dev_minor, &ino) != 7)
		return false;
	mapping->dev = makedev(dev_major, dev_minor);
	mapping->ino = (ino_t)ino;
	mapping->is_readable = rights[0] == 'r';
	mapping->is_writable = rights[1] == 'w';
	mapping->is_shared = rights[3] == 's';
	return true;
}

bool mappings_next(struct mappings *mappings, uint64_t above, struct mapping *mapping)
{
	while (getline(&mappings->line, &mappings->size, mappings->maps) > 0)
		if (parse(mappings->line, mapping) && mapping->end > above)
			return true;
	return false;
}

int mappings_check(const void *addr, size_t len_bytes, bool is_writable)
{
	uint64_t at = (uintptr_t)addr;
	const uint64_t end = at + len_bytes;
	struct mappings mappings;
	struct mapping mapping = {0};
	int result = mappings_open(&mappings);

	if (result != 0)
		return result;
	while (at < end && result == 0) {
		if (!mappings_next(&mappings, at, &mapping) || mapping.start > at ||
		    !mapping.is_readable)
			result = -EFAULT;
		else if (is_writable && !mapping.is_writable)
			result = -EACCES;
		else
			at = mapping.end;
	}
	mappings_close(&mappings);
	return result;
}
