/* SPDX-License-Identifier: Apache-2.0 */
/* What run and doctor find out: where softdoca is, what its library says, whether a card is there.
 */
#ifndef SOFTDOCA_PROBE_H_
#define SOFTDOCA_PROBE_H_

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "child.h"

#define COMMON_LIBRARY "libdoca_common.so.2"
#define VENDOR_DEADLINE_S 10
#define NO_DMA ", no DMA" /* behind a device that has none */

/* A path that is given from the directory of this program, without links; false, and empty: nothing
 * there. */
bool probe_from_here(const char *relative, char path[PATH_MAX]);

/* The directory of softdoca's libraries, as installed or as built. */
bool probe_library_dir(char path[PATH_MAX]);

struct answer {
	struct child child;
	bool is_refusal;     /* of a setting; else the library could not be asked */
	const char *warning; /* about DOCA_LOG_LEVEL, or NULL */
	char *text;	     /* its version and a line for each device, or what it refuses */
};

/* Whether softdoca's library takes the settings of the environment. */
bool probe_settings(const char *library_dir, struct answer *answer);

/* Of a record of the library's: what stands behind the time, process and place. */
char *probe_text(char *record);

enum vendor_verdict { VENDOR_MISSING, VENDOR_SEES, VENDOR_BLIND, VENDOR_FAILED };

struct vendor {
	enum vendor_verdict verdict;
	char dir[PATH_MAX]; /* of the library */
	char version[32];
	unsigned num_devices;
	char why[256];	 /* VENDOR_FAILED: "was ended by ..." */
	int child_error; /* VENDOR_FAILED: errno where it could not be asked, or 0 */
};

/* Looks for a DOCA that is not softdoca, and for its cards. */
void probe_vendor(struct vendor *vendor);

#endif /* SOFTDOCA_PROBE_H_ */
