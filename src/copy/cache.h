/* SPDX-License-Identifier: Apache-2.0 */
/* What the caches of a core hold: how long a target that was written stays near. */
#ifndef COPY_CACHE_H_
#define COPY_CACHE_H_

#include <stdint.h>

enum cache_maker {
	CACHE_MAKER_OTHER,
	CACHE_MAKER_INTEL,
	CACHE_MAKER_AMD,
};

/* As the CPU, or else the system, tells. */
struct cache_facts {
	enum cache_maker maker;
	uint64_t l2_bytes; /* of a core; 0: not told */
	uint64_t l3_bytes; /* the one that the core is at; 0: none, or not told */
};

struct cache_facts cache_look(void);

/* The bytes of copying within which a target is still near. Of the facts alone. */
uint64_t cache_window_bytes(const struct cache_facts *facts);

#endif /* COPY_CACHE_H_ */
