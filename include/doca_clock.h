/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_clock.h
 * @brief The clocks of a device and of the machine, read alone or two at once.
 *
 * A virtual card's clocks are the machine's: its free running clock is CLOCK_MONOTONIC_RAW, its
 * real time clock is CLOCK_REALTIME; it has no DPA. A clock is named by exactly one of the bits
 * below.
 */
#ifndef DOCA_CLOCK_H_
#define DOCA_CLOCK_H_

#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#ifdef __GLIBC__
#include <bits/types/struct_timespec.h> /* which time.h leaves out in strict C99 */
#endif

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_clock;
struct doca_dev;
struct doca_devinfo;

/** @brief Device: counts from an unknown start, never set. */
#define DOCA_CLOCK_NIC_FREE_RUNNING 0x1
/** @brief Device: time since 1970. */
#define DOCA_CLOCK_NIC_REAL_TIME (0x1 << 1)
/** @brief Device: the timer of its DPA. */
#define DOCA_CLOCK_NIC_DPA_TIMER (0x1 << 8)
/** @brief Machine: the CPU's counter, TSC or CNTVCT_EL0; read in counter. */
#define DOCA_CLOCK_HOST_COUNTER_CYCLES (0x1 << 16)
/** @brief Machine: CLOCK_REALTIME. */
#define DOCA_CLOCK_HOST_REAL_TIME (0x1 << 17)
/** @brief Machine: CLOCK_MONOTONIC. */
#define DOCA_CLOCK_HOST_MONOTONIC (0x1 << 18)
/** @brief Machine: CLOCK_MONOTONIC_RAW. */
#define DOCA_CLOCK_HOST_MONOTONIC_RAW (0x1 << 19)

/** @brief What a clock showed. */
union doca_clock_timespec_t {
	struct timespec ts; /**< seconds and nanoseconds, of every clock but the next */
	uint64_t counter;   /**< ticks, of DOCA_CLOCK_HOST_COUNTER_CYCLES */
};

/**
 * @brief Ask whether a device has a free running clock: every one has.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_SUCCESS              It has.
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: DRIVER and NOT_SUPPORTED never
 * come back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_cap_nic_free_running_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device has a real time clock: every one has.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_SUCCESS              It has.
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: DRIVER and NOT_SUPPORTED never
 * come back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_cap_nic_real_time_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device has the timer of a DPA: none has.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: never succeeds.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_cap_nic_dpa_timer_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Create a reader of a device's and the machine's clocks.
 *
 * @param [in] dev     An open device; stays open until the reader is destroyed.
 * @param [out] clock  The new reader, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: DRIVER and NOT_SUPPORTED never
 * come back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_create(const struct doca_dev *dev, struct doca_clock **clock);

/**
 * @brief Destroy a reader of clocks.
 *
 * @param [in] clock  The reader; gone on success.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  clock is NULL.
 *
 * Threads: one at a time. Source: newer header text (3.1 to 3.3). Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_destroy(struct doca_clock *clock);

/**
 * @brief Read one clock.
 *
 * @param [in] clock       The reader.
 * @param [in] clock_type  One of DOCA_CLOCK_*.
 * @param [out] clock_ts   What it shows; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     An argument is NULL, or the type is not exactly one clock.
 * @retval DOCA_ERROR_NOT_SUPPORTED     There is no such clock: the DPA's timer; the counter of a
 * CPU that is neither x86-64 nor aarch64.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The system would not tell.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: DRIVER never comes back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_get_timestamp(const struct doca_clock *clock, uint64_t clock_type,
				      union doca_clock_timespec_t *clock_ts);

/**
 * @brief Read two clocks for the same moment, and tell how far off that may be.
 *
 * The primary clock is read before and after the device's, several times; the closest pair counts.
 * At the moment when the device's clock showed nic_clock_ts, the primary clock showed
 * primary_clock_ts, give or take the margin.
 *
 * @param [in] clock                The reader.
 * @param [in] primary_clock_type   One of DOCA_CLOCK_*.
 * @param [in] nic_clock_type       One of DOCA_CLOCK_NIC_*.
 * @param [out] primary_clock_ts    The primary clock; untouched on error, as the next two.
 * @param [out] nic_clock_ts        The device's clock.
 * @param [out] error_margin_nsecs  The margin in the primary clock's unit: nanoseconds, or ticks of
 *                                  DOCA_CLOCK_HOST_COUNTER_CYCLES. 0: exact.
 *
 * @retval DOCA_ERROR_INVALID_VALUE     An argument is NULL, a type is not exactly one clock, or the
 *                                      second is not a device's.
 * @retval DOCA_ERROR_NOT_SUPPORTED     As for doca_clock_get_timestamp().
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The system would not tell, or the primary clock was set back
 *                                      at each try.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3); doca-samples 3.3.0, clock_cross_timestamp,
 * for the margin's unit. Differs: DRIVER never comes back.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_get_crosstimestamp(const struct doca_clock *clock,
					   uint64_t primary_clock_type, uint64_t nic_clock_type,
					   union doca_clock_timespec_t *primary_clock_ts,
					   union doca_clock_timespec_t *nic_clock_ts,
					   uint64_t *error_margin_nsecs);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_CLOCK_H_ */
