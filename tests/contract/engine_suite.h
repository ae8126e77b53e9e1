/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of src/engine/engine.h as tests: every engine passes them. */
#ifndef TESTS_CONTRACT_ENGINE_SUITE_H_
#define TESTS_CONTRACT_ENGINE_SUITE_H_

#include "support/test.h"

#include "engine/engine.h"

/*
 * Run the contract and then the engine's own tests as one group; what main() returns. The initial
 * state of each test is the engine. The test program is linked with --wrap=calloc.
 */
int engine_suite_run(const struct engine_ops *engine, const struct CMUnitTest *own, size_t num_own);

/* A queue, and one op over a piece on either side with guards around the target. */
#define ENGINE_SUITE_BYTES 4096
#define ENGINE_SUITE_GUARD_BYTES 16
#define ENGINE_SUITE_GUARD 0xee

struct engine_case {
	const struct engine_ops *engine;
	struct engine_queue *queue;
	struct waker waker; /* never armed */
	struct engine_op op;
	struct copy_piece source;
	struct copy_piece target;
	uint8_t from[ENGINE_SUITE_BYTES];			   /* counts up */
	uint8_t to[ENGINE_SUITE_BYTES + ENGINE_SUITE_GUARD_BYTES]; /* all guard */
};

/* From the state of a test of this suite. The op copies all of from to the first byte of to. */
struct engine_case *engine_case_open(void **state);
void engine_case_close(struct engine_case *engine_case);

/* Poll, a budget at a time, until an op comes back; fails the test when none does. */
struct engine_op *engine_case_wait(struct engine_case *engine_case, size_t budget_bytes);

/* No byte of the target was written, and no piece was changed. */
void engine_case_is_untouched(const struct engine_case *engine_case);

#endif /* TESTS_CONTRACT_ENGINE_SUITE_H_ */
