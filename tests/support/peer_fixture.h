/* SPDX-License-Identifier: Apache-2.0 */
/* A DMA fixture with another process's memory imported, and the SDK's log lines kept. */
#ifndef TESTS_SUPPORT_PEER_FIXTURE_H_
#define TESTS_SUPPORT_PEER_FIXTURE_H_

#include "support/dma_fixture.h"
#include "support/exporter.h"
#include "support/test.h"

struct peer_fixture {
	struct dma_fixture *dma;
	struct exporter exporter;
	struct doca_mmap *mmap; /* the import, NULL when there is none */
};

/* An exporter of that memory, and a fixture that has imported it. */
struct peer_fixture peer_open_with(const struct exporter_options *options,
				   const struct dma_options *dma_options);

/* The usual: malloc, PCI_READ_WRITE. */
struct peer_fixture peer_open_usual(size_t len_bytes);

/* End both; the buffers of the import were released. */
void peer_close_all(struct peer_fixture *fixture);

doca_error_t peer_import(struct dma_fixture *dma, const struct exporter *exporter,
			 struct doca_mmap **mmap);

/* Buffers over a part of an imported map: full of data, or empty. */
struct doca_buf *peer_source(struct dma_fixture *dma, struct doca_mmap *mmap, size_t offset,
			     size_t len_bytes);
struct doca_buf *peer_target(struct dma_fixture *dma, struct doca_mmap *mmap, size_t offset,
			     size_t len_bytes);

/* Submit, wait for the callback, and give the status that it saw; task and buffers are released. */
doca_error_t peer_copy(struct dma_fixture *dma, struct doca_buf *source, struct doca_buf *target);

/* SOFTDOCA_REACH, "auto" when it is unset. */
const char *peer_reach_name(void);

/* What the SDK has logged at debug level and above since the last call. */
void peer_log_start(void);
const char *peer_log_take(void);

#endif /* TESTS_SUPPORT_PEER_FIXTURE_H_ */
