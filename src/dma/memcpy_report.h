/* SPDX-License-Identifier: Apache-2.0 */
/* What a copy that is refused or has failed says: the rule, the ranges, what to do. */
#ifndef DMA_MEMCPY_REPORT_H_
#define DMA_MEMCPY_REPORT_H_

#include <stdbool.h>
#include <stddef.h>

#include "common/buf.h"
#include "copy/check.h"
#include "dma/dma.h"

/* What becomes of a copy that a log line tells of. */
static inline const char *copy_outcome(bool is_refused)
{
	return is_refused ? "refused" : "fails with IO_FAILED";
}

/*
 * A map lacks the right that its side of the copy needs: the first such buffer of each side, or
 * NULL, and the two lists.
 */
void report_right_missing(const struct doca_dma *dma, const struct doca_buf *unreadable,
			  const struct doca_buf *unwritable, const struct doca_buf *src,
			  const struct doca_buf *dst, bool is_refused);

/* Why a copy cannot be whole: told by try_submit, or when the engine has failed the copy. */
void report_fault(const struct doca_dma_task_memcpy *task, enum copy_fault fault, size_t num_bytes,
		  bool is_refused);

#endif /* DMA_MEMCPY_REPORT_H_ */
