/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries, and each capability that a device can be asked for: one row a function. */
#ifndef CAPS_COMMON_TABLE_H_
#define CAPS_COMMON_TABLE_H_

#include <stddef.h>

#include <doca_dev.h>

struct json_object;

#define MODULE_PREFIX "doca-"

struct library {
	const char *module; /* of pkg-config: MODULE_PREFIX and the name */
	const struct capability *capabilities;
	size_t num; /* 0: it asks no device */
};

extern const struct library libraries[];
extern const size_t num_libraries;

const char *library_name(const struct library *library);

/* By "dma", "doca_dma" or "doca-dma"; NULL for another. */
const struct library *library_find(const char *name);

/* What the device answers, name to value: whether it can, or how much. No row for a limit of what
 * it cannot do. */
struct json_object *library_ask(const struct library *library, struct doca_dev *dev);

#endif /* CAPS_COMMON_TABLE_H_ */
