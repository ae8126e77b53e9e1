/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that a JSON file gives. */
#ifndef DEVICE_CONFIG_H_
#define DEVICE_CONFIG_H_

#include "device/file.h"
#include "device/settings.h"

/* Those of the file of SOFTDOCA_CONFIG; problem as of settings_read(). */
doca_error_t config_read(const char *path, struct settings *settings,
			 char problem[SETTINGS_PROBLEM_SIZE]);

/* Those of an object of a file. */
doca_error_t config_take(const struct file *file, const struct spot *object,
			 enum settings_giver giver, struct settings *settings);

#endif /* DEVICE_CONFIG_H_ */
