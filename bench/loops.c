/* SPDX-License-Identifier: Apache-2.0 */
/* Plain loops, of vectors and of the string instruction, with ordinary and non-temporal stores. */
#include "loops.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define PAGE ((size_t)4096)
#define AHEAD 1024 /* bytes that are prefetched */

static void copy_movsb(uint8_t *to, const uint8_t *from, size_t len)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(len) : : "memory");
}

__attribute__((target("avx2"))) static void copy_avx2(uint8_t *to, const uint8_t *from, size_t len)
{
	for (size_t i = 0; i < len; i += 128) {
		__m256i a = _mm256_load_si256((const void *)(from + i));
		__m256i b = _mm256_load_si256((const void *)(from + i + 32));
		__m256i c = _mm256_load_si256((const void *)(from + i + 64));
		__m256i d = _mm256_load_si256((const void *)(from + i + 96));

		_mm256_store_si256((void *)(to + i), a);
		_mm256_store_si256((void *)(to + i + 32), b);
		_mm256_store_si256((void *)(to + i + 64), c);
		_mm256_store_si256((void *)(to + i + 96), d);
	}
}

__attribute__((target("avx2"))) static void copy_avx2_nt(uint8_t *to, const uint8_t *from,
							 size_t len)
{
	for (size_t i = 0; i < len; i += 64) {
		__m256i a = _mm256_load_si256((const void *)(from + i));
		__m256i b = _mm256_load_si256((const void *)(from + i + 32));

		_mm256_stream_si256((void *)(to + i), a);
		_mm256_stream_si256((void *)(to + i + 32), b);
	}
	_mm_sfence();
}

__attribute__((target("avx512f"))) static void copy_avx512(uint8_t *to, const uint8_t *from,
							   size_t len)
{
	for (size_t i = 0; i < len; i += 256) {
		__m512i a = _mm512_load_si512(from + i);
		__m512i b = _mm512_load_si512(from + i + 64);
		__m512i c = _mm512_load_si512(from + i + 128);
		__m512i d = _mm512_load_si512(from + i + 192);

		_mm512_store_si512(to + i, a);
		_mm512_store_si512(to + i + 64, b);
		_mm512_store_si512(to + i + 128, c);
		_mm512_store_si512(to + i + 192, d);
	}
}

__attribute__((target("avx512f"))) static void copy_avx512_nt(uint8_t *to, const uint8_t *from,
							      size_t len)
{
	for (size_t i = 0; i < len; i += 64)
		_mm512_stream_si512((void *)(to + i), _mm512_load_si512(from + i));
	_mm_sfence();
}

__attribute__((target("avx512f"))) static void copy_avx512_nta(uint8_t *to, const uint8_t *from,
							       size_t len)
{
	for (size_t i = 0; i < len; i += 64) {
		_mm_prefetch((const char *)from + i + AHEAD, _MM_HINT_NTA);
		_mm512_stream_si512((void *)(to + i), _mm512_load_si512(from + i));
	}
	_mm_sfence();
}

/* Four pages side by side: four streams for the prefetcher and for the memory's banks. */
__attribute__((target("avx512f"))) static void copy_avx512_nt4(uint8_t *to, const uint8_t *from,
							       size_t len)
{
	for (size_t block = 0; block < len; block += 4 * PAGE) {
		for (size_t i = block; i < block + PAGE; i += 128) {
			for (size_t at = i; at < i + 4 * PAGE; at += PAGE) {
				_mm_prefetch((const char *)from + at + 256, _MM_HINT_T0);
				_mm_prefetch((const char *)from + at + 320, _MM_HINT_T0);
				_mm512_stream_si512((void *)(to + at),
						    _mm512_load_si512(from + at));
				_mm512_stream_si512((void *)(to + at + 64),
						    _mm512_load_si512(from + at + 64));
			}
		}
	}
	_mm_sfence();
}

#define RUN(loop)                                                                                  \
	static void run_##loop(void *context, size_t times)                                        \
	{                                                                                          \
		const struct work *work = context;                                                 \
                                                                                                   \
		for (; times > 0; times--) {                                                       \
			for (size_t i = 0; i < work->num; i++)                                     \
				copy_##loop(work->copies[i].to, work->copies[i].from,              \
					    work->copies[i].len);                                  \
		}                                                                                  \
	}

RUN(movsb)
RUN(avx2)
RUN(avx2_nt)
RUN(avx512)
RUN(avx512_nt)
RUN(avx512_nta)
RUN(avx512_nt4)

size_t loops_of(const struct work *work, struct way *ways, size_t max)
{
	const struct {
		const char *name;
		void (*run)(void *context, size_t times);
		int there;
	} loops[] = {
		{"memcpy", run_memcpy, 1},
		{"rep movsb", run_movsb, __builtin_cpu_supports("avx")},
		{"avx2", run_avx2, __builtin_cpu_supports("avx2")},
		{"avx2 nt", run_avx2_nt, __builtin_cpu_supports("avx2")},
		{"avx512", run_avx512, __builtin_cpu_supports("avx512f")},
		{"avx512 nt", run_avx512_nt, __builtin_cpu_supports("avx512f")},
		{"avx512 nt+nta", run_avx512_nta, __builtin_cpu_supports("avx512f")},
		{"avx512 nt 4 pages", run_avx512_nt4, __builtin_cpu_supports("avx512f")},
	};
	size_t num = 0;

	for (size_t i = 0; i < sizeof(loops) / sizeof(*loops) && num < max; i++) {
		if (loops[i].there)
			ways[num++] = (struct way){
				.name = loops[i].name,
				.run = loops[i].run,
				.context = (void *)work,
				.work = work,
			};
	}
	return num;
}

#else

size_t loops_of(const struct work *work, struct way *ways, size_t max)
{
	if (max == 0)
		return 0;
	ways[0] = (struct way){
		.name = "memcpy", .run = run_memcpy, .context = (void *)work, .work = work};
	return 1;
}

#endif
