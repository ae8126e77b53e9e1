/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine that copies in threads of its own, one pool of them a process, with the help of who
 * calls progress.
 */
#ifndef ENGINE_WORKERS_WORKERS_H_
#define ENGINE_WORKERS_WORKERS_H_

#include "engine/engine.h"

/* Copies of fewer bytes are done by who polls, unless nobody does. */
#define WORKERS_LARGE_BYTES ((size_t)1 << 20)

extern const struct engine_ops workers_engine;

/* How many threads the next start of the pool is to have: 1 to WORKERS_MAX_THREADS. */
#define WORKERS_MAX_THREADS 64
void workers_set_threads(unsigned num_threads);

#endif /* ENGINE_WORKERS_WORKERS_H_ */
