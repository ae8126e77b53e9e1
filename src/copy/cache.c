/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes of the caches, and what of them one core may count on. */
#include "copy/cache.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)

#define MAX_WINDOW_BYTES (24 * MIB)
#define MIN_WINDOW_BYTES (512 * KIB)

#define MAX_CACHES 16

/*
 * A level 3 cache of this size or less serves the cores near it. Of a larger one, a whole socket's,
 * a core gets what its neighbours leave, over a mesh that is hardly faster than memory.
 */
#define MAX_BELIEVED_BYTES (64 * MIB)
/* AMD's is that of a few cores, at most 96 MiB: more is a sum over many, of 32 MiB each. */
#define MAX_AMD_BYTES (96 * MIB)
#define USUAL_AMD_BYTES (32 * MIB)

uint64_t cache_window_bytes(const struct cache_facts *facts)
{
	const bool is_amd = facts->maker == CACHE_MAKER_AMD;
	uint64_t l3_bytes = facts->l3_bytes;
	uint64_t window_bytes;

	if (is_amd && l3_bytes > MAX_AMD_BYTES)
		l3_bytes = USUAL_AMD_BYTES;
	/* Source and target share it: of level 2 a half, of level 3 half of what one core takes. */
	if (is_amd || l3_bytes <= MAX_BELIEVED_BYTES)
		window_bytes = l3_bytes / 4;
	else
		window_bytes = 0;
	if (window_bytes < facts->l2_bytes / 2)
		window_bytes = facts->l2_bytes / 2;
	if (window_bytes < MIN_WINDOW_BYTES)
		return MIN_WINDOW_BYTES;
	return window_bytes < MAX_WINDOW_BYTES ? window_bytes : MAX_WINDOW_BYTES;
}

static void take(struct cache_facts *facts, unsigned int level, uint64_t size_bytes)
{
	if (level == 2)
		facts->l2_bytes = size_bytes;
	else if (level == 3)
		facts->l3_bytes = size_bytes;
}

#if defined(__x86_64__)
/* Both makers' leaves have one form: a cache a subleaf, until one of type 0. */
static void look_at_cpu(struct cache_facts *facts)
{
	unsigned int a;
	unsigned int b;
	unsigned int c;
	unsigned int d;
	unsigned int leaf = 4;

	if (__get_cpuid(0, &a, &b, &c, &d) == 0)
		return;
	if (c == signature_INTEL_ecx)
		facts->maker = CACHE_MAKER_INTEL;
	if (c == signature_AMD_ecx) {
		facts->maker = CACHE_MAKER_AMD;
		leaf = 0x8000001d;
	}
	for (unsigned int i = 0; i < MAX_CACHES; i++) {
		if (__get_cpuid_count(leaf, i, &a, &b, &c, &d) == 0 || (a & 0x1f) == 0)
			return;
		if ((a & 0x1f) != 2) /* not of instructions */
			take(facts, (a >> 5) & 7,
			     ((b >> 22) + UINT64_C(1)) * (((b >> 12) & 0x3ff) + UINT64_C(1)) *
				     ((b & 0xfff) + UINT64_C(1)) * (c + UINT64_C(1)));
	}
}
#else
static void look_at_cpu(struct cache_facts *facts)
{
}
#endif

/* One number of a file of the system about the first CPU's caches; 0: not there. */
static uint64_t read_number(int cache, const char *name)
{
	unsigned long long number = 0;
	char path[96];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/%s", cache, name);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	if (fscanf(file, "%llu", &number) != 1)
		number = 0;
	fclose(file);
	return number;
}

/* Sizes are in KiB there. That of instructions is of level 1 on every CPU. */
static void look_at_system(struct cache_facts *facts)
{
	for (int i = 0; i < MAX_CACHES; i++)
		take(facts, (unsigned int)read_number(i, "level"), read_number(i, "size") * KIB);
}

struct cache_facts cache_look(void)
{
	struct cache_facts facts = {.maker = CACHE_MAKER_OTHER};

	look_at_cpu(&facts);
	if (facts.l2_bytes == 0)
		look_at_system(&facts);
	return facts;
}
