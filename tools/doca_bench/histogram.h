/* SPDX-License-Identifier: Apache-2.0 */
/* Latencies, counted in bins that are at most 1/128 wide: quantiles of any number in little room.
 */
#ifndef DOCA_BENCH_HISTOGRAM_H_
#define DOCA_BENCH_HISTOGRAM_H_

#include <stdint.h>

#define HISTOGRAM_BINS (58 * 128)

struct histogram {
	uint64_t num;
	uint64_t min;
	uint64_t max;
	uint64_t bins[HISTOGRAM_BINS];
};

static inline void histogram_add(struct histogram *histogram, uint64_t value)
{
	unsigned int shift = value < 128 ? 0 : 56u - (unsigned int)__builtin_clzll(value);

	if (histogram->num++ == 0 || value < histogram->min)
		histogram->min = value;
	if (value > histogram->max)
		histogram->max = value;
	/* Of a larger value the leading bit and the seven behind it say the bin. */
	histogram->bins[shift * 128 + (value >> shift)]++;
}

static inline void histogram_merge(struct histogram *to, const struct histogram *from)
{
	if (from->num == 0)
		return;
	if (to->num == 0 || from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	to->num += from->num;
	for (unsigned int i = 0; i < HISTOGRAM_BINS; i++)
		to->bins[i] += from->bins[i];
}

/* The middle of the bin below which that part of all values lies, never beyond the extremes. */
static inline double histogram_quantile(const struct histogram *histogram, double part)
{
	double wanted = part * (double)histogram->num;
	double sum = 0;
	unsigned int bin = 0;
	unsigned int shift;
	double value;

	while (bin < HISTOGRAM_BINS - 1 && (sum += (double)histogram->bins[bin]) < wanted)
		bin++;
	shift = bin < 256 ? 0 : bin / 128 - 1;
	value = (double)((uint64_t)(bin - shift * 128) << shift) +
		(double)((1ull << shift) - 1) / 2;
	if (value < (double)histogram->min)
		return (double)histogram->min;
	return value > (double)histogram->max ? (double)histogram->max : value;
}

#endif /* DOCA_BENCH_HISTOGRAM_H_ */
