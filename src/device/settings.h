/* SPDX-License-Identifier: Apache-2.0 */
/* What the user asks of the virtual cards; the table is in docs/configuration.md. */
#ifndef DEVICE_SETTINGS_H_
#define DEVICE_SETTINGS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "copy/kernel.h"
#include "peer/policy.h"

/* The models, in the order of SETTINGS_MODELS. */
enum settings_device {
	SETTINGS_DEVICE_BLUEFIELD3,
	SETTINGS_DEVICE_BLUEFIELD2,
	SETTINGS_DEVICE_CONNECTX7,
	SETTINGS_DEVICE_UNLIMITED,
	SETTINGS_DEVICE_NONE,
};

#define SETTINGS_MODELS "bluefield3, bluefield2, connectx7, unlimited"

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

#define SETTINGS_PATH_SIZE 512

/* All zero is every default, but for the times in the policy: settings_read sets those. */
struct settings {
	uint32_t given; /* a bit for each setting that the user gave */
	enum settings_device device;
	enum settings_role role;
	enum settings_errors errors;
	uint32_t num_workers;		  /* 0: the inline engine */
	const struct copy_kernel *kernel; /* NULL: the best that the CPU has */
	uint64_t max_buf_size_bytes;	  /* 0: the device's */
	uint32_t max_buf_list_len;	  /* 0: the device's */
	uint32_t queue_depth;		  /* 0: as many as the context has tasks */
	struct peer_policy policy;
	char topology[SETTINGS_PATH_SIZE]; /* a file in place of the device; empty: none */
	char topology_by[320];		   /* who names it: "variable SOFTDOCA_DEVICE" */
};

#define SETTINGS_PROBLEM_SIZE 1024

/*
 * Read the settings out of an environment: "NAME=value" strings up to a NULL, or NULL for an empty
 * one; and before it, out of the file that its CONFIG names. A bad value, one that is not built
 * yet, or a name of ours that is no setting: INVALID_VALUE, *settings is untouched, and problem is
 * one line for the log that names variable or file, value and what is allowed. The caller logs it,
 * as it must be able to say it again. NO_MEMORY likewise.
 */
doca_error_t settings_read(char *const *environment, struct settings *settings,
			   char problem[SETTINGS_PROBLEM_SIZE]);

/* The place of a word in "these, such, words", or -1. */
int settings_word(const char *words, const char *text);

/* A count or a number of bytes: 1 to max, plain or with K, M, G. */
bool settings_count(const char *text, uint64_t max, uint64_t *count);

#define SETTINGS_MAX_NAMES 32

/* Who gives a setting, and what of: an earlier one gives no more settings than a later one. */
enum settings_giver {
	SETTINGS_OF_CARD, /* in a topology file: what the process was given counts more */
	SETTINGS_OF_FILE,
	SETTINGS_OF_ENVIRONMENT,
};

/* The names of all, without prefix; how many, the first, a giver has. */
size_t settings_names(const char *names[SETTINGS_MAX_NAMES], enum settings_giver giver);

/* What is wrong with a text for a setting. */
struct settings_flaw {
	const char *why; /* "is wrong" */
	char allowed[160];
};

/* Take a text, or NULL for what is none, for the setting at an index. False, with the flaw: it is
 * refused. */
bool settings_take(struct settings *settings, size_t index, const char *text,
		   enum settings_giver giver, struct settings_flaw *flaw);

#endif /* DEVICE_SETTINGS_H_ */
