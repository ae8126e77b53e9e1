/* SPDX-License-Identifier: Apache-2.0 */
/* What a fuzz target offers to libFuzzer, and to replay.c for its seeds. */
#ifndef TESTS_FUZZ_FUZZ_H_
#define TESTS_FUZZ_FUZZ_H_

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* TESTS_FUZZ_FUZZ_H_ */
