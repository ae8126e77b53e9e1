/* SPDX-License-Identifier: Apache-2.0 */
/* A file on its way through the ring of windows that both halves know. */
#ifndef SAMPLES_APPLICATIONS_DMA_COPY_TRANSFER_H_
#define SAMPLES_APPLICATIONS_DMA_COPY_TRANSFER_H_

#include <stdbool.h>
#include <stdint.h>

#include "common/bench.h"
#include "common/dma_session.h"
#include "common/file.h"
#include "common/progress_bar.h"
#include "common/sha256.h"

#include "link.h"

#define TRANSFER_WINDOW_SIZE ((size_t)2 * 1024 * 1024) /* less where a device takes less */
#define TRANSFER_NUM_WINDOWS 16
#define TRANSFER_MAX_WINDOWS BENCH_WINDOWS

struct transfer {
	struct link *link;	     /* borrowed */
	struct dma_session *session; /* of the DPU half, borrowed: it copies to or from the ring */
	char *ring;		     /* of the host half, borrowed: the ring itself */
	size_t window_size;
	uint32_t num_windows; /* of the ring; at most TRANSFER_MAX_WINDOWS */
	uint64_t total;	      /* bytes of the file, as its sender has announced */
	bool is_measured;     /* at the receiver: fill bench too */

	uint64_t num_filled;		   /* windows that the sender has announced */
	uint64_t num_emptied;		   /* of these, those that the receiver has taken */
	uint64_t len;			   /* bytes that are through */
	size_t lens[TRANSFER_MAX_WINDOWS]; /* of the windows in the ring */
	struct sha256_text digest;
	struct progress_bar bar;
	struct bench bench;
	struct dma_memory spare; /* of the measurement, owned */
};

/*
 * A window by its number in the file; its place in the ring is used over and over. This half's
 * bytes of it are in the ring itself, or where DMA takes them from or brings them to.
 */
char *transfer_bytes(const struct transfer *transfer, uint64_t number, bool is_sender);
size_t *transfer_len(struct transfer *transfer, uint64_t number);

/* Start to move it between this half and the ring, and wait for it. False: why was said. */
bool transfer_submit(struct transfer *transfer, uint64_t number);
bool transfer_wait(struct transfer *transfer, uint64_t number);

/* The whole way of a file, from its first byte to what the other half says in the end. */
bool transfer_send(struct transfer *transfer, const char *path);
bool transfer_receive(struct transfer *transfer, const char *path);

/* prove.c: whether the file has the digest that the sender has announced; then that it has its
 * name. */
bool transfer_prove(struct transfer *transfer, const struct target_file *target,
		    const struct sha256_text *announced);
bool transfer_tell(struct transfer *transfer, const char *path);

/* measure.c: time the ring's first num windows, whose bytes have just come. */
bool transfer_measure(struct transfer *transfer, uint32_t num);

#endif /* SAMPLES_APPLICATIONS_DMA_COPY_TRANSFER_H_ */
