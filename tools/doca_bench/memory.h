/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is copied, and bytes by which any process knows whether a copy is right. */
#ifndef DOCA_BENCH_MEMORY_H_
#define DOCA_BENCH_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>
#include <doca_mmap.h>

struct memory {
	uint8_t *bytes;
	size_t len;
	struct doca_mmap *mmap;
};

struct wrong_byte {
	uint64_t at; /* where in the memory */
	uint8_t found;
	uint8_t wanted;
};

/* Ordinary memory; shared: a memory file that others can map, closed to writers if it is only read.
 * False, and a line said, when there is not so much. */
bool memory_open(struct memory *memory, size_t len);
bool memory_open_shared(struct memory *memory, size_t len, bool is_written);

bool memory_register(struct memory *memory, struct doca_dev *dev, uint32_t access);
void memory_close(struct memory *memory);

/* Random bytes, the same in each process and at each call; or what is wrong everywhere.
 * Interrupted, the rest is left as it is. */
void memory_fill(struct memory *memory, uint64_t at, uint64_t len, bool is_wrong);

/* Whether the bytes are those of memory_fill; if not, the first that is none. */
bool memory_is_right(const struct memory *memory, uint64_t at, uint64_t len,
		     struct wrong_byte *wrong);

/* A call of the library that must succeed; false, and a line said, when it does not. */
#define DOCA(call) doca_ok((call), #call)
bool doca_ok(doca_error_t result, const char *call);

#endif /* DOCA_BENCH_MEMORY_H_ */
