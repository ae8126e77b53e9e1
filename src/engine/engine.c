/* SPDX-License-Identifier: Apache-2.0 */
/* The list of engines. A new one is a folder, a line here, one in meson.build, a row in the docs.
 */
#include "engine/engine.h"

#include <string.h>

#include "engine/inline/inline.h"
#include "engine/workers/workers.h"

static const struct engine_ops *const engines[] = {
	&inline_engine,
	&workers_engine,
};

const struct engine_ops *engine_find(const char *name)
{
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		if (strcmp(engines[i]->name, name) == 0)
			return engines[i];
	return NULL;
}
