/* SPDX-License-Identifier: Apache-2.0 */
/* The engine that copies in the thread that calls progress. */
#ifndef ENGINE_INLINE_INLINE_H_
#define ENGINE_INLINE_INLINE_H_

#include "engine/engine.h"

extern const struct engine_ops inline_engine;

#endif /* ENGINE_INLINE_INLINE_H_ */
