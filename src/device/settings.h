/* SPDX-License-Identifier: Apache-2.0 */
/* What the environment asks of the virtual card; the table is in docs/configuration.md. */
#ifndef DEVICE_SETTINGS_H_
#define DEVICE_SETTINGS_H_

#include <stdint.h>

#include <doca_error.h>

#include "copy/kernel.h"
#include "peer/policy.h"

enum settings_device {
	SETTINGS_DEVICE_BLUEFIELD3,
	SETTINGS_DEVICE_BLUEFIELD2,
	SETTINGS_DEVICE_CONNECTX7,
	SETTINGS_DEVICE_UNLIMITED,
	SETTINGS_DEVICE_NONE,
};

enum settings_role {
	SETTINGS_ROLE_BOTH,
	SETTINGS_ROLE_HOST,
	SETTINGS_ROLE_DPU,
};

enum settings_errors {
	SETTINGS_ERRORS_DOCUMENTED,
	SETTINGS_ERRORS_HARDWARE,
};

/* Threads that copy. */
#define SETTINGS_MAX_WORKERS 64

/* All zero is every default, but for the times in the policy: settings_read sets those. */
struct settings {
	enum settings_device device;
	enum settings_role role;
	enum settings_errors errors;
	uint32_t num_workers;		  /* 0: the inline engine */
	const struct copy_kernel *kernel; /* NULL: the best that the CPU has */
	uint64_t max_buf_size_bytes;	  /* 0: the device's */
	uint32_t max_buf_list_len;	  /* 0: the device's */
	uint32_t queue_depth;		  /* 0: as many as the context has tasks */
	struct peer_policy policy;
};

#define SETTINGS_PROBLEM_SIZE 512

/*
 * Read the settings out of an environment: "NAME=value" strings up to a NULL, or NULL for an empty
 * one. A bad value, one that is not built yet, or a name of ours that is no setting: INVALID_VALUE,
 * *settings is untouched, and problem is one line for the log that names variable, value and what
 * is allowed. The caller logs it, as it must be able to say it again.
 */
doca_error_t settings_read(char *const *environment, struct settings *settings,
			   char problem[SETTINGS_PROBLEM_SIZE]);

#endif /* DEVICE_SETTINGS_H_ */
