/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is copied. It is random, as zeros are copied faster than what programs copy. */
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "bench.h"

#define HUGE_PAGE ((size_t)2 << 20)
#define LOOK_BYTES ((uint64_t)1 << 20) /* filled between two looks at the signal */

bool doca_ok(doca_error_t result, const char *call)
{
	if (result != DOCA_SUCCESS)
		say("%.*s: %s", (int)strcspn(call, "("), call, doca_error_get_name(result));
	return result == DOCA_SUCCESS;
}

static bool fits(size_t len)
{
	struct sysinfo info;

	if (sysinfo(&info) != 0 || len / info.mem_unit < info.totalram / 4)
		return true;
	say("%zu MiB on either side of the copies are more than a quarter of this machine's "
	    "memory; make --window, --depth or --uniform-job-size smaller",
	    len >> 20);
	return false;
}

static bool is_mapped(struct memory *memory, void *bytes)
{
	memory->bytes = bytes == MAP_FAILED ? NULL : bytes;
	if (memory->bytes == NULL)
		say("cannot allocate %zu bytes: %m", memory->len);
	return memory->bytes != NULL;
}

static size_t whole_pages(size_t len)
{
	return (len + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

bool memory_open(struct memory *memory, size_t len)
{
	memory->len = whole_pages(len);
	return fits(len) && is_mapped(memory, mmap(NULL, memory->len, PROT_READ | PROT_WRITE,
						   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

bool memory_open_shared(struct memory *memory, size_t len, bool is_written)
{
	/* What is mapped before that seal stays writable: our own view of it. */
	int seals = F_SEAL_SHRINK | F_SEAL_GROW | (is_written ? 0 : F_SEAL_FUTURE_WRITE);
	int fd = memfd_create("doca_bench", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *bytes = MAP_FAILED;

	memory->len = whole_pages(len);
	if (fd >= 0 && ftruncate(fd, (off_t)memory->len) == 0)
		bytes = mmap(NULL, memory->len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (!is_mapped(memory, bytes))
		return false;
	/* The descriptor stays open: whoever imports the memory is handed it. */
	return fcntl(fd, F_ADD_SEALS, seals) == 0;
}

bool memory_register(struct memory *memory, struct doca_dev *dev, uint32_t access)
{
	return DOCA(doca_mmap_create(&memory->mmap)) &&
	       DOCA(doca_mmap_add_dev(memory->mmap, dev)) &&
	       DOCA(doca_mmap_set_memrange(memory->mmap, memory->bytes, memory->len)) &&
	       DOCA(doca_mmap_set_permissions(memory->mmap, access)) &&
	       DOCA(doca_mmap_start(memory->mmap));
}

void memory_close(struct memory *memory)
{
	if (memory->mmap != NULL)
		DOCA(doca_mmap_destroy(memory->mmap));
	if (memory->bytes != NULL)
		munmap(memory->bytes, memory->len);
}

/* One of splitmix64's numbers: any of them, without those before it. */
static uint64_t word_at(uint64_t index)
{
	uint64_t word = (index + 1) * 0x9e3779b97f4a7c15;

	word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
	word = (word ^ word >> 27) * 0x94d049bb133111eb;
	return word ^ word >> 31;
}

static void fill(struct memory *memory, uint64_t at, uint64_t len, bool is_wrong)
{
	uint64_t mask = is_wrong ? UINT64_MAX : 0;

	for (uint64_t i = 0; i < len; i += 8) {
		uint64_t word = word_at((at + i) / 8) ^ mask;

		memcpy(memory->bytes + at + i, &word, len - i < 8 ? len - i : 8);
	}
}

/* Jobs begin at multiples of 64, so that a word is cut at the end of a job alone. */
void memory_fill(struct memory *memory, uint64_t at, uint64_t len, bool is_wrong)
{
	for (; len > LOOK_BYTES && interrupted() == 0; at += LOOK_BYTES, len -= LOOK_BYTES)
		fill(memory, at, LOOK_BYTES, is_wrong);
	fill(memory, at, len < LOOK_BYTES ? len : LOOK_BYTES, is_wrong);
}

bool memory_is_right(const struct memory *memory, uint64_t at, uint64_t len,
		     struct wrong_byte *wrong)
{
	for (uint64_t i = 0; i < len; i += 8) {
		uint64_t word = word_at((at + i) / 8);
		uint64_t part = len - i < 8 ? len - i : 8;
		const uint8_t *found = memory->bytes + at + i;
		const uint8_t *wanted = (const uint8_t *)&word;
		uint64_t k = 0;

		if (memcmp(found, wanted, part) == 0)
			continue;
		while (found[k] == wanted[k])
			k++;
		*wrong = (struct wrong_byte){at + i + k, found[k], wanted[k]};
		return false;
	}
	return true;
}
