/* SPDX-License-Identifier: Apache-2.0 */
/* What a copy tells when it is done: one line, or a short table when it was measured. */
#ifndef SAMPLES_COMMON_COPY_REPORT_H_
#define SAMPLES_COMMON_COPY_REPORT_H_

#include <stdbool.h>
#include <stdint.h>

#include "bench.h"
#include "options.h"
#include "sha256.h"

struct copy_report {
	uint64_t len;		   /* bytes copied */
	uint64_t num_windows;	   /* that they were copied in */
	struct sha256_text digest; /* of source and copy alike */
	struct bench_result bench; /* where options ask for it */
};

/* Print it on standard output; false when that fails. */
bool copy_report_print(const struct copy_report *report, const struct dma_session *session,
		       const struct options *options);

#endif /* SAMPLES_COMMON_COPY_REPORT_H_ */
