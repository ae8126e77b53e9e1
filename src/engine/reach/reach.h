/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine of copies with memory of other processes on a side. It drives the ways to reach them
 * (peer/peer.h), one step of one op at a time, from the thread that polls; where a way does its
 * work in a thread of its own, poll does not wait for it.
 */
#ifndef ENGINE_REACH_REACH_H_
#define ENGINE_REACH_REACH_H_

#include "engine/engine.h"

/* Of a copy from one other process's memory to another's: what passes through ours at a time. */
#define REACH_BOUNCE_BYTES ((size_t)256 << 10)

extern const struct engine_ops reach_engine;

#endif /* ENGINE_REACH_REACH_H_ */
