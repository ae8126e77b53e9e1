/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A memory file, sealed: one that cannot shrink may be mapped by another process without a risk,
 * and so softdoca does, where it reaches ordinary memory through the kernel. A card does not mind.
 */
#include "shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/report.h"

bool shared_memory_open(struct shared_memory *memory, size_t len, bool is_written_by_peer)
{
	/* What is mapped before that seal stays writable: our own view of it. */
	int read_only_seal = is_written_by_peer ? 0 : F_SEAL_FUTURE_WRITE;

	*memory = (struct shared_memory){.len = len, .bytes = MAP_FAILED};
	memory->fd = memfd_create("dma_copy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (memory->fd >= 0 && ftruncate(memory->fd, (off_t)len) == 0)
		memory->bytes = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
				     memory->fd, 0);
	if (memory->bytes != MAP_FAILED &&
	    fcntl(memory->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | read_only_seal) == 0)
		return true;

	complain("cannot make %s of memory to share: %m", text_of_size(len).chars);
	shared_memory_close(memory);
	return false;
}

void shared_memory_close(struct shared_memory *memory)
{
	if (memory->bytes != MAP_FAILED && memory->bytes != NULL)
		munmap(memory->bytes, memory->len);
	if (memory->fd >= 0 && memory->len > 0)
		close(memory->fd);
	*memory = (struct shared_memory){.fd = -1};
}
