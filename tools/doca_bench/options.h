/* SPDX-License-Identifier: Apache-2.0 */
/* What the command line asks for. Names and meanings are those of DOCA's guide where it has them.
 */
#ifndef DOCA_BENCH_OPTIONS_H_
#define DOCA_BENCH_OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXIT_USAGE 2
#define MAX_CPUS 1024
#define MAX_SWEEPS 2
#define MAX_POINTS 1024

enum mode { MODE_THROUGHPUT, MODE_BULK_LATENCY, MODE_PRECISION_LATENCY, MODE_MAX_BANDWIDTH };
enum query { QUERY_NONE, QUERY_DEVICES, QUERY_SWEEPS };

/* One setting of all that a sweep may change: numbers alone, so that two compare. */
struct point {
	uint64_t size_bytes;   /* of a job: one task */
	uint64_t output_bytes; /* room of its target; 0: its size */
	uint64_t pieces;       /* in its lists, on either side */
	uint64_t depth;	       /* tasks in flight, a thread */
	uint64_t batch;	       /* tasks submitted together */
	uint64_t window_bytes; /* that the jobs of a thread go round in; 0: num_jobs has it */
	uint64_t num_jobs;     /* in that window; 0: window_bytes has it */
	uint64_t num_cores;
	uint64_t threads_per_core;
};

struct sweep {
	const char *name;
	size_t offset; /* in struct options */
	uint64_t start;
	uint64_t end;
	uint64_t step;
	bool is_factor;
};

struct options {
	uint64_t mode; /* enum mode */
	struct point point;
	struct sweep sweeps[MAX_SWEEPS]; /* the first is the outer one */
	uint64_t num_sweeps;
	const char *device;
	uint64_t has_remote_input;
	uint64_t has_remote_output;
	uint64_t is_by_event;
	uint64_t limit_jobs; /* over all threads; UINT64_MAX: none */
	uint64_t limit_bytes;
	double limit_seconds;	 /* 0: none */
	uint64_t warm_up_jobs;	 /* a thread */
	uint64_t num_rounds;	 /* at least */
	double interval_seconds; /* between two words on the progress; 0: on a terminal alone */
	const char *csv_file;
	const char *csv_stats;
	uint64_t is_csv_appended;
	const char *json_file;
	const char *plot_file;
	uint64_t query;	   /* enum query */
	uint64_t given;	   /* a bit for each option that is */
	uint64_t swept;	   /* and for each that a sweep names */
	uint64_t one_word; /* of options that have but one */
	int cpus[MAX_CPUS];
	uint64_t num_cpus;
};

/* Whether to go on; if not, *code is the exit code. Borrows from argv. */
bool options_parse(struct options *options, int argc, char **argv, int *code);

/* A count as the options and the settings have it, also with K, M or G. */
bool options_number(const char *text, uint64_t *number);

/* How many settings the sweeps lead through, and the one of that number. */
uint64_t options_num_points(const struct options *options);
struct point options_point(const struct options *options, uint64_t number);

/* The sweep of job sizes that max-bandwidth makes when none is asked for. */
void options_sweep_sizes(struct options *options, uint64_t end);

void options_print_sweeps(void);
const char *options_mode(const struct options *options);
const char *options_direction(const struct options *options);

static inline bool has_latency(const struct options *options)
{
	return options->mode == MODE_BULK_LATENCY || options->mode == MODE_PRECISION_LATENCY;
}

/* One line on stderr; refuse() says where to read more and returns EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);
__attribute__((format(printf, 1, 2))) int refuse(const char *format, ...);

#endif /* DOCA_BENCH_OPTIONS_H_ */
