/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of memory, each a sealed memory file of its own whose descriptor stays open as long as a
 * page of it is mapped: what another process can be handed. One table for the process, sorted by
 * address; all functions may be called by any thread. Nothing here allocates.
 */
#ifndef HEAP_BLOCK_H_
#define HEAP_BLOCK_H_

#include <stdbool.h>
#include <stddef.h>

#define MAX_BLOCKS 16384

/* What a block was made for; what one free() gives back is never found as the other. */
enum block_kind {
	BLOCK_OF_MALLOC,
	BLOCK_OF_MMAP,
};

/* At most this many blocks, their descriptors from first_fd up; no block before this is called. */
void block_setup(size_t max_blocks, int first_fd);

/* A new block of zeros; NULL when there is no room for one of any sort, and nothing is changed.
 * The alignment is a power of two, or 0; flags may be MAP_NORESERVE and MAP_POPULATE. */
void *block_map(enum block_kind kind, void *hint, size_t len_bytes, size_t alignment, int flags);

/* The bytes from addr to the end of the block of malloc's that begins there; 0: none does. */
size_t block_size(const void *addr);

/* The system calls of these names, for any addresses, blocks or not; errno and all. */
void *block_mmap(void *addr, size_t len_bytes, int prot, int flags, int fd, long offset);
int block_munmap(void *addr, size_t len_bytes);
int block_mprotect(void *addr, size_t len_bytes, int prot);
int block_madvise(void *addr, size_t len_bytes, int advice);
/* A block cannot grow: it is copied to new memory. */
void *block_mremap(void *addr, size_t old_bytes, size_t new_bytes, int flags, void *new_addr);

/* Around a fork. The child's blocks become its own, but for pages whose protection was changed. */
void block_fork_prepare(void);
void block_fork_parent(void);
void block_fork_child(void);

#endif /* HEAP_BLOCK_H_ */
