/* SPDX-License-Identifier: Apache-2.0 */
/* What the host half hands to the DPU half, in two files. */
#include "handoff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "report.h"

#define INFO_MAX 256 /* characters, more than the three lines have */
#define INFO_FORMAT "address 0x%" PRIx64 "\nlength %" PRIu64 "\nsha256 %s\n"
#define INFO_SCAN "address 0x%" SCNx64 " length %" SCNu64 " sha256 %64[0-9a-f]"

static bool file_write(const char *path, mode_t mode, const void *bytes, size_t len)
{
	struct target_file target;
	bool success = false;

	if (!target_open(&target, path, NULL))
		return false;
	if (fchmod(target.fd, mode) != 0)
		complain("cannot set the permissions of %s: %m", path);
	else
		success = target_write(&target, bytes, len) && target_commit(&target);
	target_discard(&target);
	return success;
}

bool handoff_write(const struct handoff *handoff)
{
	char info[INFO_MAX];
	int len = snprintf(info, sizeof(info), INFO_FORMAT, handoff->address, handoff->len,
			   handoff->digest.chars);

	return file_write(handoff->info_path, 0644, info, (size_t)len) &&
	       file_write(handoff->descriptor_path, 0600, handoff->descriptor,
			  handoff->descriptor_len);
}

/* All of a file that has at most max bytes. */
static bool file_load(const char *path, void *bytes, size_t max, size_t *len)
{
	struct source_file source;
	bool success;

	if (!source_open(&source, path))
		return false;
	success = source_read(&source, bytes, max, len);
	source_close(&source);
	if (success && *len == max) {
		complain("%s is too long to be what the host half wrote", path);
		return false;
	}
	return success;
}

bool handoff_read(struct handoff *handoff)
{
	char info[INFO_MAX] = "";
	size_t len = 0;

	if (!file_load(handoff->descriptor_path, handoff->descriptor, HANDOFF_DESCRIPTOR_MAX,
		       &handoff->descriptor_len) ||
	    !file_load(handoff->info_path, info, sizeof(info) - 1, &len))
		return false;
	if (sscanf(info, INFO_SCAN, &handoff->address, &handoff->len, handoff->digest.chars) == 3 &&
	    strlen(handoff->digest.chars) == sizeof(handoff->digest.chars) - 1)
		return true;
	complain("%s does not give address, length and sha256 as the host half writes them",
		 handoff->info_path);
	return false;
}

void handoff_remove(const struct handoff *handoff)
{
	unlink(handoff->descriptor_path);
	unlink(handoff->info_path);
}
