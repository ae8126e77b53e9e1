/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of src/peer/peer.h as tests: every way passes them, over exporters that are
 * processes of their own.
 */
#ifndef TESTS_CONTRACT_PEER_SUITE_H_
#define TESTS_CONTRACT_PEER_SUITE_H_

#include "support/test.h"

#include <sys/types.h>

#include "peer/agent.h"
#include "copy/copy.h"
#include "peer/peer.h"
#include "support/let_go.h"

/* The exporter's memory: a range that begins at no page's beginning, with guards around it. */
#define PEER_SUITE_BYTES 65536
#define PEER_SUITE_GUARD_BYTES 8192
#define PEER_SUITE_OFFSET (PEER_SUITE_GUARD_BYTES + 64)
#define PEER_SUITE_ALL_BYTES (PEER_SUITE_BYTES + 2 * PEER_SUITE_GUARD_BYTES)
#define PEER_SUITE_GUARD 0xee

struct suite_memory {
	uint8_t *all; /* PEER_SUITE_ALL_BYTES; the range begins at PEER_SUITE_OFFSET */
	int file_fd;  /* of a sealed memory file that is all of it; -1: private memory */
	struct agent_range range; /* with the rights */
};

/* Who serves, in the exporter's process. */
struct suite_exporter {
	void *(*start)(const struct suite_memory *memory, uint8_t descriptor[EXPORT_MAX_BYTES],
		       size_t *len_bytes);
	void (*revoke)(void *started);
};

/* The agent itself. */
extern const struct suite_exporter agent_exporter;

struct peer_suite {
	const char *way; /* by name, as the region's ops have it */
	enum peer_reach reach;
	const struct suite_exporter *exporter;
	bool is_in_file;     /* the memory */
	bool notices_unmaps; /* of the exporter's memory, and fails */
};

/*
 * Run the contract and then the way's own tests as one group; what main() returns. The initial
 * state of each test is the suite.
 */
int peer_suite_run(const struct peer_suite *suite, const struct CMUnitTest *own, size_t num_own);

/* Whether one process may copy from another's memory here; when not, says that all is skipped. */
bool peer_suite_kernel_copies(void);

/* One exporter, its range imported, and one io over the whole of it. */
struct peer_case {
	const struct peer_suite *suite;
	size_t num_fds;
	pid_t exporter;
	int control; /* a socket to the exporter */
	struct peer_policy policy;
	struct export_descriptor descriptor;
	struct peer_region *region;
	struct activity activity;
	struct copy_history history;
	struct waker waker;
	struct peer_io io;
	char report[PEER_REPORT_BYTES];
	uint8_t local[PEER_SUITE_BYTES + 2]; /* all guard; the io is over what begins at 1 */
};

/* From the state of a test of this suite. Rights: EXPORT_MAY_READ and perhaps EXPORT_MAY_WRITE. */
struct peer_case *peer_case_open(void **state, uint32_t rights);

/* An exporter alone, with nothing imported. */
struct peer_case *peer_case_export(void **state, uint32_t rights);
doca_error_t peer_case_import(struct peer_case *peer_case);

void peer_case_close(struct peer_case *peer_case);

/* Submit the io and wait until it is done: its status. */
doca_error_t peer_case_run(struct peer_case *peer_case);

/* What is done in the exporter, and done when they return. */
void peer_case_revoke(struct peer_case *peer_case);
void peer_case_unmap(struct peer_case *peer_case); /* all but the range's first page */
void peer_case_exec(struct peer_case *peer_case);
void peer_case_kill(struct peer_case *peer_case);
void peer_case_fetch(struct peer_case *peer_case, uint8_t all[PEER_SUITE_ALL_BYTES]);

/* The byte that the range has there to begin with. */
uint8_t peer_suite_byte(size_t at);

/* Neither side's memory is other than it was to begin with. */
void peer_case_is_untouched(struct peer_case *peer_case);
void peer_case_local_is_untouched(const struct peer_case *peer_case);

#endif /* TESTS_CONTRACT_PEER_SUITE_H_ */
