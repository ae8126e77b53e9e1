/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_bitfield.h
 * @brief Bit fields in bytes and in big-endian words: masks, writing, reading.
 *
 * A BE macro takes and gives masks and words in big-endian order and field values in the order of
 * the CPU. All but the P variants are constant expressions when their arguments are; a mask
 * argument is evaluated more than once. A mask without a bit sets nothing and reads 0.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_bitfield.h. Differs: a P variant accepts a
 * pointer that is not aligned.
 */
#ifndef DOCA_BITFIELD_H_
#define DOCA_BITFIELD_H_

#include <stdint.h>

#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief Index of the lowest bit that is set in x, an integer; -1 when none is. */
#define DOCA_SHIFT(x) (__builtin_ffsll((long long)(x)) - 1)

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
/** @brief 16 bits from the CPU's order to big endian. */
#define DOCA_HTOBE16(x) ((doca_be16_t)(uint16_t)(x))
/** @brief 32 bits from the CPU's order to big endian. */
#define DOCA_HTOBE32(x) ((doca_be32_t)(uint32_t)(x))
#else
/** @brief 16 bits from the CPU's order to big endian. */
#define DOCA_HTOBE16(x) ((doca_be16_t)__builtin_bswap16((uint16_t)(x)))
/** @brief 32 bits from the CPU's order to big endian. */
#define DOCA_HTOBE32(x) ((doca_be32_t)__builtin_bswap32((uint32_t)(x)))
#endif

/** @brief 16 bits from big endian to the CPU's order. */
#define DOCA_BETOH16(x) ((uint16_t)DOCA_HTOBE16(x))
/** @brief 32 bits from big endian to the CPU's order. */
#define DOCA_BETOH32(x) ((uint32_t)DOCA_HTOBE32(x))

/** @brief Mask of a byte with the bits l to h set, 0 <= l <= h <= 7. */
#define DOCA_U8_GENMASK(h, l) ((uint8_t)((0xffU >> (7 - (h))) & (0xffU << (l))))
/** @brief Big-endian mask with the bits l to h set, 0 <= l <= h <= 15. */
#define DOCA_BE16_GENMASK(h, l) DOCA_HTOBE16((0xffffU >> (15 - (h))) & (0xffffU << (l)))
/** @brief Big-endian mask with the bits l to h set, 0 <= l <= h <= 31. */
#define DOCA_BE32_GENMASK(h, l) DOCA_HTOBE32((0xffffffffU >> (31 - (h))) & (0xffffffffU << (l)))

/** @brief The value v placed under the mask m; what does not fit is cut off. */
#define DOCA_U8_SET(m, v) ((uint8_t)(((uint32_t)(v) << (DOCA_SHIFT(m) & 7)) & (m)))
/** @brief The value v placed under the big-endian mask m; what does not fit is cut off. */
#define DOCA_BE16_SET(m, v)                                                                        \
	DOCA_HTOBE16(((uint32_t)(v) << (DOCA_SHIFT(DOCA_BETOH16(m)) & 15)) & DOCA_BETOH16(m))
/** @brief The value v placed under the big-endian mask m; what does not fit is cut off. */
#define DOCA_BE32_SET(m, v)                                                                        \
	DOCA_HTOBE32(((uint32_t)(v) << (DOCA_SHIFT(DOCA_BETOH32(m)) & 31)) & DOCA_BETOH32(m))

/** @brief The field of the byte f under the mask m. */
#define DOCA_U8_GET(m, f) ((uint8_t)(((uint32_t)(f) & (m)) >> (DOCA_SHIFT(m) & 7)))
/** @brief The field of the big-endian word f under the big-endian mask m, in the CPU's order. */
#define DOCA_BE16_GET(m, f)                                                                        \
	((uint16_t)((DOCA_BETOH16(f) & DOCA_BETOH16(m)) >> (DOCA_SHIFT(DOCA_BETOH16(m)) & 15)))
/** @brief The field of the big-endian word f under the big-endian mask m, in the CPU's order. */
#define DOCA_BE32_GET(m, f)                                                                        \
	((DOCA_BETOH32(f) & DOCA_BETOH32(m)) >> (DOCA_SHIFT(DOCA_BETOH32(m)) & 31))

/** @brief What the P macros do: store at p, or OR into what is at p. Call the macros. */
static inline void doca_bitfield_store16(void *p, doca_be16_t bits)
{
	__builtin_memcpy(p, &bits, sizeof(bits));
}

/** @brief As doca_bitfield_store16(). */
static inline void doca_bitfield_store32(void *p, doca_be32_t bits)
{
	__builtin_memcpy(p, &bits, sizeof(bits));
}

/** @brief As doca_bitfield_store16(). */
static inline void doca_bitfield_or16(void *p, doca_be16_t bits)
{
	doca_be16_t word;

	__builtin_memcpy(&word, p, sizeof(word));
	doca_bitfield_store16(p, (doca_be16_t)(word | bits));
}

/** @brief As doca_bitfield_store16(). */
static inline void doca_bitfield_or32(void *p, doca_be32_t bits)
{
	doca_be32_t word;

	__builtin_memcpy(&word, p, sizeof(word));
	doca_bitfield_store32(p, (doca_be32_t)(word | bits));
}

/** @brief Store DOCA_U8_GENMASK() in the byte at p. */
#define DOCA_U8P_GENMASK(h, l, p)                                                                  \
	do {                                                                                       \
		*(uint8_t *)(p) = DOCA_U8_GENMASK(h, l);                                           \
	} while (0)
/** @brief Store DOCA_BE16_GENMASK() in the word at p. */
#define DOCA_BE16P_GENMASK(h, l, p) doca_bitfield_store16((p), DOCA_BE16_GENMASK(h, l))
/** @brief Store DOCA_BE32_GENMASK() in the word at p. */
#define DOCA_BE32P_GENMASK(h, l, p) doca_bitfield_store32((p), DOCA_BE32_GENMASK(h, l))

/** @brief OR DOCA_U8_SET() into the byte at p: the other fields stay. */
#define DOCA_U8P_SET(m, v, p)                                                                      \
	do {                                                                                       \
		*(uint8_t *)(p) |= DOCA_U8_SET(m, v);                                              \
	} while (0)
/** @brief OR DOCA_BE16_SET() into the word at p: the other fields stay. */
#define DOCA_BE16P_SET(m, v, p) doca_bitfield_or16((p), DOCA_BE16_SET(m, v))
/** @brief OR DOCA_BE32_SET() into the word at p: the other fields stay. */
#define DOCA_BE32P_SET(m, v, p) doca_bitfield_or32((p), DOCA_BE32_SET(m, v))

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_BITFIELD_H_ */
