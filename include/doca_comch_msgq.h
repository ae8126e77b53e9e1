/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_comch_msgq.h
 * @brief A message queue between a CPU and the programs of a DPA. A virtual card has no DPA: each
 * call answers NOT_SUPPORTED.
 */
#ifndef DOCA_COMCH_MSGQ_H_
#define DOCA_COMCH_MSGQ_H_

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_dpa;
struct doca_comch_consumer;
struct doca_comch_msgq;
struct doca_comch_producer;

/**
 * @brief Would create a queue.
 *
 * @param [in] dev    The device.
 * @param [out] msgq  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_msgq.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_create(struct doca_dev *dev, struct doca_comch_msgq **msgq);

/**
 * @brief Would destroy a queue.
 *
 * @param [in] msgq  The queue.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  msgq is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_msgq.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq);

/**
 * @brief Would let a DPA receive.
 *
 * @param [in] msgq  The queue.
 * @param [in] dpa   The DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_msgq.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq, struct doca_dpa *dpa);

/**
 * @brief Would limit the consumers.
 *
 * @param [in] msgq               The queue.
 * @param [in] max_num_consumers  A plain count.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  msgq is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_msgq.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq,
						   uint32_t max_num_consumers);

/**
 * @brief Would let a DPA send.
 *
 * @param [in] msgq  The queue.
 * @param [in] dpa   The DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_msgq.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq, struct doca_dpa *dpa);

/**
 * @brief Would limit the producers.
 *
 * @param [in] msgq               The queue.
 * @param [in] max_num_producers  A plain count.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  msgq is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_msgq.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq,
						   uint32_t max_num_producers);

/**
 * @brief Would start a queue.
 *
 * @param [in] msgq  The queue.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  msgq is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_msgq.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq);

/**
 * @brief Would stop a queue.
 *
 * @param [in] msgq  The queue.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  msgq is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_msgq.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq);

/**
 * @brief Would create a consumer of a queue.
 *
 * @param [in] msgq       The queue.
 * @param [out] consumer  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_msgq.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq,
					     struct doca_comch_consumer **consumer);

/**
 * @brief Would create a producer of a queue.
 *
 * @param [in] msgq       The queue.
 * @param [out] producer  Not written.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch_msgq.h. Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq,
					     struct doca_comch_producer **producer);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_COMCH_MSGQ_H_ */
