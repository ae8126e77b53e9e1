/* SPDX-License-Identifier: Apache-2.0 */
/* Asks /proc, /sys and the C library, and lets two threads be busy for a moment. */
#include "machine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "kernels.h"
#include "measure.h"

#define BUSY_NS 50000000U
#define BUSY_ROUNDS 5

static void print_cpu(FILE *out, const char *before)
{
	char line[256];
	const char *name = NULL;
	FILE *file = fopen("/proc/cpuinfo", "r");

	while (file != NULL && name == NULL && fgets(line, sizeof(line), file) != NULL) {
		if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL)
			name = strchr(line, ':') + 2;
	}
	if (file != NULL)
		fclose(file);
	if (name != NULL)
		line[strcspn(line, "\n")] = '\0';
	fprintf(out, "%sCPU: %s; %ld of them, pinned to number %d\n", before,
		name != NULL ? name : "of unknown name", sysconf(_SC_NPROCESSORS_ONLN),
		measuring_cpu());
}

/* One line of a small file, without its end. */
static const char *read_line(const char *path, char *line, int len)
{
	FILE *file = fopen(path, "r");
	const char *got = file != NULL ? fgets(line, len, file) : NULL;

	if (file != NULL)
		fclose(file);
	if (got == NULL)
		return "unknown";
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static void print_caches(FILE *out, const char *before)
{
	fprintf(out, "%scaches as reported: L1d %ld KiB, L2 %ld KiB, L3 %ld KiB\n", before,
		sysconf(_SC_LEVEL1_DCACHE_SIZE) / 1024, sysconf(_SC_LEVEL2_CACHE_SIZE) / 1024,
		sysconf(_SC_LEVEL3_CACHE_SIZE) / 1024);
}

static void print_system(FILE *out, const char *before)
{
	char line[128];
	struct utsname system;
	double load[3] = {0, 0, 0};

	(void)getloadavg(load, 3);
	if (uname(&system) == 0)
		fprintf(out, "%ssystem: %s %s, huge pages %s, load %.2f\n", before, system.sysname,
			system.release,
			read_line("/sys/kernel/mm/transparent_hugepage/enabled", line,
				  sizeof(line)),
			load[0]);
}

static void print_kernel(FILE *out, const char *before)
{
	fprintf(out, "%skernel: %s\n", before, kernels_choose());
}

/* Names of the environment that change what is measured. */
static void print_settings(FILE *out, const char *before)
{
	static const char *const NAMES[] = {"SOFTDOCA_KERNEL", "SOFTDOCA_ENGINE", "GLIBC_TUNABLES"};

	for (size_t i = 0; i < sizeof(NAMES) / sizeof(*NAMES); i++) {
		if (getenv(NAMES[i]) != NULL)
			fprintf(out, "%s%s: %s\n", before, NAMES[i], getenv(NAMES[i]));
	}
}

/* Registers alone: how often round in the time. */
static void *be_busy(void *rounds)
{
	uint64_t end = clock_ns() + BUSY_NS;
	uint64_t x = 1;
	double done = 0;

	while (clock_ns() < end) {
		for (int i = 0; i < 10000; i++) {
			x = x * 6364136223846793005U + 1442695040888963407U;
			__asm__ volatile("" : "+r"(x));
		}
		done++;
	}
	*(double *)rounds = done;
	return NULL;
}

static double two_to_one(void)
{
	double one, first, second;
	pthread_t thread;

	be_busy(&one);
	if (pthread_create(&thread, NULL, be_busy, &second) != 0)
		return 0;
	be_busy(&first);
	pthread_join(thread, NULL);
	return (first + second) / one;
}

static void print_two(FILE *out, const char *before)
{
	double ratios[BUSY_ROUNDS];
	struct range range;

	for (int i = 0; i < BUSY_ROUNDS; i++)
		ratios[i] = two_to_one();
	range = range_of(ratios, BUSY_ROUNDS);
	fprintf(out, "%stwo busy CPUs do %.2f times the work of one (%.2f to %.2f)\n", before,
		range.median, range.low, range.high);
}

void machine_print(FILE *out, const char *before)
{
	print_cpu(out, before);
	print_caches(out, before);
	print_system(out, before);
	print_kernel(out, before);
	print_settings(out, before);
	print_two(out, before);
}
