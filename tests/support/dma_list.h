/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of buffers for the tests of DMA. */
#ifndef TESTS_SUPPORT_DMA_LIST_H_
#define TESTS_SUPPORT_DMA_LIST_H_

#include "support/dma_fixture.h"
#include "support/test.h"

/* Elements of element_bytes each, one behind the other from the start of the area. */
static inline struct doca_buf *dma_list(struct dma_fixture *fixture,
					struct doca_buf *(*element)(struct dma_fixture *, size_t,
								    size_t),
					size_t num_elements, size_t element_bytes)
{
	struct doca_buf *head = element(fixture, 0, element_bytes);

	for (size_t i = 1; i < num_elements; i++)
		assert_doca(doca_buf_chain_list(head,
						element(fixture, i * element_bytes, element_bytes)),
			    DOCA_SUCCESS);
	return head;
}

#endif /* TESTS_SUPPORT_DMA_LIST_H_ */
