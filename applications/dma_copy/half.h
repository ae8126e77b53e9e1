/* SPDX-License-Identifier: Apache-2.0 */
/* The two roles; a program built for the DPU has the one, any other program the other. */
#ifndef SAMPLES_APPLICATIONS_DMA_COPY_HALF_H_
#define SAMPLES_APPLICATIONS_DMA_COPY_HALF_H_

#include <stdbool.h>

#include "options.h"
#include "transfer.h"

/* True: the file is copied and proved, on both sides. False: why not was said. */
bool half_run_host(const struct dma_copy_options *options);
bool half_run_dpu(const struct dma_copy_options *options);

/* What both do once the ring stands: the file, and one line on it, or a table. */
bool half_transfer(struct transfer *transfer, const struct dma_copy_options *options);

/* The sizes of the two offers must fit; the file's length becomes the transfer's. */
bool half_agree(struct transfer *transfer, const struct dma_copy_options *options,
		const struct message *offer);

/* The first message of either half. */
bool half_offer(struct message *offer, enum message_type type,
		const struct dma_copy_options *options);

#endif /* SAMPLES_APPLICATIONS_DMA_COPY_HALF_H_ */
