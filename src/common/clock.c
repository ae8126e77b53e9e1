/* SPDX-License-Identifier: Apache-2.0 */
/* The clocks of a virtual card, which are the machine's, and the machine's own. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include <doca_clock.h>

#include "common/dev.h"
#include "common/sdk_log.h"

#define NIC_CLOCKS                                                                                 \
	(DOCA_CLOCK_NIC_FREE_RUNNING | DOCA_CLOCK_NIC_REAL_TIME | DOCA_CLOCK_NIC_DPA_TIMER)
#define NS_PER_S UINT64_C(1000000000)

/* Pairs of two clocks, of which the closest counts: one of them runs undisturbed. */
#define NUM_TRIES 16

struct doca_clock {
	struct doca_dev *dev; /* held */
};

enum source_kind {
	SOURCE_SYSTEM,	/* clock_gettime */
	SOURCE_COUNTER, /* the CPU's */
	SOURCE_MISSING,
};

static const struct clock_source {
	uint64_t type;
	enum source_kind kind;
	clockid_t id;
} sources[] = {
	{DOCA_CLOCK_NIC_FREE_RUNNING, SOURCE_SYSTEM, CLOCK_MONOTONIC_RAW},
	{DOCA_CLOCK_NIC_REAL_TIME, SOURCE_SYSTEM, CLOCK_REALTIME},
	{DOCA_CLOCK_NIC_DPA_TIMER, SOURCE_MISSING, 0},
	{DOCA_CLOCK_HOST_REAL_TIME, SOURCE_SYSTEM, CLOCK_REALTIME},
	{DOCA_CLOCK_HOST_MONOTONIC, SOURCE_SYSTEM, CLOCK_MONOTONIC},
	{DOCA_CLOCK_HOST_MONOTONIC_RAW, SOURCE_SYSTEM, CLOCK_MONOTONIC_RAW},
#if defined(__x86_64__) || defined(__aarch64__)
	{DOCA_CLOCK_HOST_COUNTER_CYCLES, SOURCE_COUNTER, 0},
#else
	{DOCA_CLOCK_HOST_COUNTER_CYCLES, SOURCE_MISSING, 0},
#endif
};

/* The fences keep it between the readings of other clocks around it. */
static uint64_t read_counter(void)
{
	uint64_t ticks = 0;

#if defined(__x86_64__)
	__builtin_ia32_lfence();
	ticks = __builtin_ia32_rdtsc();
	__builtin_ia32_lfence();
#elif defined(__aarch64__)
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
#endif
	return ticks;
}

/* Ticks or nanoseconds. */
static doca_error_t source_read(const struct clock_source *source, uint64_t *units)
{
	struct timespec now;

	if (source->kind == SOURCE_COUNTER) {
		*units = read_counter();
		return DOCA_SUCCESS;
	}
	if (clock_gettime(source->id, &now) != 0) {
		LOG_ERROR("clock of type 0x%" PRIx64 " cannot be read: %m", source->type);
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	*units = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
	return DOCA_SUCCESS;
}

static union doca_clock_timespec_t timestamp_of(const struct clock_source *source, uint64_t units)
{
	if (source->kind == SOURCE_COUNTER)
		return (union doca_clock_timespec_t){.counter = units};
	return (union doca_clock_timespec_t){
		.ts = {.tv_sec = (time_t)(units / NS_PER_S), .tv_nsec = (long)(units % NS_PER_S)},
	};
}

static doca_error_t source_find(const char *call, uint64_t type, const struct clock_source **found)
{
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		if (sources[i].type != type)
			continue;
		if (sources[i].kind == SOURCE_MISSING) {
			LOG_ERROR("%s refused: clock type 0x%" PRIx64 " is not there: %s; take "
				  "another",
				  call, type,
				  type == DOCA_CLOCK_NIC_DPA_TIMER
					  ? "a virtual card has no DPA"
					  : "of this kind of CPU no counter is read");
			return DOCA_ERROR_NOT_SUPPORTED;
		}
		*found = &sources[i];
		return DOCA_SUCCESS;
	}
	LOG_ERROR("%s refused: clock type 0x%" PRIx64 "; want exactly one of DOCA_CLOCK_*", call,
		  type);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t answer(const struct doca_devinfo *devinfo, doca_error_t result)
{
	return devinfo == NULL ? REFUSE_NULL("devinfo") : result;
}

doca_error_t doca_clock_cap_nic_free_running_is_supported(const struct doca_devinfo *devinfo)
{
	return answer(devinfo, DOCA_SUCCESS);
}

doca_error_t doca_clock_cap_nic_real_time_is_supported(const struct doca_devinfo *devinfo)
{
	return answer(devinfo, DOCA_SUCCESS);
}

doca_error_t doca_clock_cap_nic_dpa_timer_is_supported(const struct doca_devinfo *devinfo)
{
	if (devinfo != NULL)
		LOG_DEBUG("device %s has no DPA, nor its timer", devinfo->function->name);
	return answer(devinfo, DOCA_ERROR_NOT_SUPPORTED);
}

doca_error_t doca_clock_create(const struct doca_dev *dev, struct doca_clock **clock)
{
	struct doca_clock *created;

	if (dev == NULL || clock == NULL)
		return REFUSE_NULL(dev == NULL ? "dev" : "clock");
	created = calloc(1, sizeof(*created));
	if (created == NULL) {
		LOG_ERROR("no memory for a clock");
		return DOCA_ERROR_NO_MEMORY;
	}
	created->dev = (struct doca_dev *)dev; /* its count alone is written */
	doca__dev_hold(created->dev);
	*clock = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_clock_destroy(struct doca_clock *clock)
{
	if (clock == NULL)
		return REFUSE_NULL("clock");
	doca__dev_put(clock->dev);
	free(clock);
	return DOCA_SUCCESS;
}

doca_error_t doca_clock_get_timestamp(const struct doca_clock *clock, uint64_t clock_type,
				      union doca_clock_timespec_t *clock_ts)
{
	const struct clock_source *source;
	doca_error_t result;
	uint64_t units;

	if (clock == NULL || clock_ts == NULL)
		return REFUSE_NULL(clock == NULL ? "clock" : "clock_ts");
	result = source_find(__func__, clock_type, &source);
	if (result == DOCA_SUCCESS)
		result = source_read(source, &units);
	if (result == DOCA_SUCCESS)
		*clock_ts = timestamp_of(source, units);
	return result;
}

/* One clock around another: the other was read between the two readings. */
struct bracket {
	uint64_t before;
	uint64_t nic;
	uint64_t after;
};

static doca_error_t bracket_read(const struct clock_source *primary, const struct clock_source *nic,
				 struct bracket *bracket)
{
	doca_error_t result = source_read(primary, &bracket->before);

	if (result == DOCA_SUCCESS)
		result = source_read(nic, &bracket->nic);
	if (result == DOCA_SUCCESS)
		result = source_read(primary, &bracket->after);
	return result;
}

/* The closest of all tries; one across which the primary clock was set back does not count. */
static doca_error_t bracket_find(const struct clock_source *primary, const struct clock_source *nic,
				 struct bracket *best)
{
	uint64_t width = UINT64_MAX;

	for (unsigned i = 0; i < NUM_TRIES; i++) {
		struct bracket bracket;
		doca_error_t result = bracket_read(primary, nic, &bracket);

		if (result != DOCA_SUCCESS)
			return result;
		if (bracket.after >= bracket.before && bracket.after - bracket.before < width) {
			width = bracket.after - bracket.before;
			*best = bracket;
		}
	}
	if (width != UINT64_MAX)
		return DOCA_SUCCESS;
	LOG_ERROR("clock of type 0x%" PRIx64 " went back at each of %u tries; call again once it "
		  "is set",
		  primary->type, NUM_TRIES);
	return DOCA_ERROR_OPERATING_SYSTEM;
}

static doca_error_t check_is_nic(uint64_t type)
{
	if ((type & NIC_CLOCKS) != 0 || type == 0)
		return DOCA_SUCCESS;
	LOG_ERROR("doca_clock_get_crosstimestamp refuses 0x%" PRIx64 " as its second clock: want "
		  "one of DOCA_CLOCK_NIC_*",
		  type);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_clock_get_crosstimestamp(const struct doca_clock *clock,
					   uint64_t primary_clock_type, uint64_t nic_clock_type,
					   union doca_clock_timespec_t *primary_clock_ts,
					   union doca_clock_timespec_t *nic_clock_ts,
					   uint64_t *error_margin_nsecs)
{
	const struct clock_source *primary;
	const struct clock_source *nic;
	struct bracket best;
	doca_error_t result;
	uint64_t width;

	if (clock == NULL || primary_clock_ts == NULL || nic_clock_ts == NULL ||
	    error_margin_nsecs == NULL)
		return REFUSE_NULL(clock == NULL	      ? "clock"
				   : primary_clock_ts == NULL ? "primary_clock_ts"
				   : nic_clock_ts == NULL     ? "nic_clock_ts"
							      : "error_margin_nsecs");
	result = source_find(__func__, primary_clock_type, &primary);
	if (result == DOCA_SUCCESS)
		result = check_is_nic(nic_clock_type);
	if (result == DOCA_SUCCESS)
		result = source_find(__func__, nic_clock_type, &nic);
	if (result == DOCA_SUCCESS)
		result = bracket_find(primary, nic, &best);
	if (result != DOCA_SUCCESS)
		return result;
	width = best.after - best.before;
	*primary_clock_ts = timestamp_of(primary, best.before + width / 2);
	*nic_clock_ts = timestamp_of(nic, best.nic);
	*error_margin_nsecs = width - width / 2;
	return DOCA_SUCCESS;
}
