/* SPDX-License-Identifier: Apache-2.0 */
/* doca_bench: measures copies by doca_dma, as the tool that DOCA's guides name. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "measure.h"
#include "report.h"

#define MAX_BANDWIDTH_BYTES ((uint64_t)64 << 20) /* largest job of max-bandwidth by itself */

/* Every thread looks at it; a handler has no other way to be told what is its. */
static atomic_int the_signal;

static struct run {
	struct bench bench;
	struct options options;
	struct result *results;
	size_t num_planned;
	size_t num; /* that are measured, at least in part */
} the_run;

int interrupted(void)
{
	return atomic_load_explicit(&the_signal, memory_order_relaxed);
}

/* A second one ends the process, whatever it waits for. */
static void on_signal(int number)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	atomic_store_explicit(&the_signal, number, memory_order_relaxed);
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* The most that any setting wants, on either side. */
static uint64_t most_bytes(const struct run *run)
{
	uint64_t most = 0;

	for (size_t i = 0; i < run->num_planned; i++)
		if (setting_bytes(&run->results[i]) > most)
			most = setting_bytes(&run->results[i]);
	return most;
}

static int plan(struct run *run)
{
	const size_t num = options_num_points(&run->options);

	run->results = calloc(num, sizeof(*run->results));
	if (run->results == NULL) {
		say("cannot allocate %zu results: %m", num);
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < num; i++) {
		struct result *result = &run->results[run->num_planned];
		int code = setting_make(&run->bench, options_point(&run->options, i), result);

		if (code != 0)
			return code;
		run->num_planned += result->num_jobs > 0;
	}
	run->bench.num_left_out = num - run->num_planned;
	return run->num_planned > 0 ? 0 : refuse("--window holds no job of the sweep");
}

static bool open_memory(struct bench *bench, uint64_t len)
{
	if (!memory_open(&bench->source, len) || !memory_open(&bench->target, len))
		return false;
	memory_fill(&bench->source, 0, bench->source.len, false);
	memory_fill(&bench->target, 0, bench->target.len, true);
	if (bench->companion.pid != 0 && !companion_import(&bench->companion, bench->dev, len,
							   bench->options->has_remote_output))
		return false;
	return memory_register(&bench->source, bench->dev, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY) &&
	       memory_register(&bench->target, bench->dev, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
}

static void close_all(struct run *run)
{
	companion_stop(&run->bench.companion);
	memory_close(&run->bench.target);
	memory_close(&run->bench.source);
	if (run->bench.dev != NULL)
		DOCA(doca_dev_close(run->bench.dev));
	free(run->bench.settings);
	free(run->results);
}

static void tell(const struct result *result, uint64_t round, uint64_t num_rounds)
{
	char text[128];

	(void)snprintf(text, sizeof(text), "%zu of %zu: jobs of %s, round %llu of %llu",
		       the_run.num + 1, the_run.num_planned,
		       text_of_bytes(result->point.size_bytes), (unsigned long long)round + 1,
		       (unsigned long long)num_rounds);
	report_progress(&the_run.bench, text);
}

static void print_best(struct run *run)
{
	struct result *best = &run->results[0];

	for (size_t i = 1; i < run->num; i++)
		if (run->results[i].speed[BY_TASKS][FIGURE_MEDIAN] >
		    best->speed[BY_TASKS][FIGURE_MEDIAN])
			best = &run->results[i];
	puts("best:");
	report_row(&run->bench, best);
}

static int measure_all(struct run *run)
{
	int code = 0;

	report_begin(&run->bench, run->results, run->num_planned);
	while (run->num < run->num_planned && code == 0 && interrupted() == 0) {
		struct result *result = &run->results[run->num];

		code = measure(&run->bench, result, tell);
		report_progress(&run->bench, NULL);
		if (code != 0 || result->num_rounds == 0)
			break;
		report_row(&run->bench, result);
		run->num++;
	}
	if (code == 0 && run->options.mode == MODE_MAX_BANDWIDTH && run->num > 0)
		print_best(run);
	report_end(run->results, run->num, run->num_planned);
	return code;
}

/* A figure that a wrong byte put in doubt is in no file. */
static int write_files(const struct run *run)
{
	const struct options *options = &run->options;
	bool is_written = true;

	if (run->num == 0)
		return 0;
	if (options->csv_file != NULL)
		is_written &= report_csv(&run->bench, run->results, run->num);
	if (options->json_file != NULL)
		is_written &= report_json(&run->bench, run->results, run->num);
	if (options->plot_file != NULL)
		is_written &= report_plot(&run->bench, run->results, run->num);
	return is_written ? 0 : EXIT_FAILURE;
}

static int run_all(struct run *run)
{
	struct options *options = &run->options;
	struct bench *bench = &run->bench;
	bool is_remote = options->has_remote_input || options->has_remote_output;
	int code;

	bench->options = options;
	code = report_check(bench);
	if (code != 0)
		return code;
	/* Before the library is called: a child of a process that has opened a device is none to
	 * the library. */
	if (is_remote && !companion_start(&bench->companion))
		return EXIT_FAILURE;
	bench->dev = device_open(options->device);
	if (bench->dev == NULL || !device_limits(doca_dev_as_devinfo(bench->dev), &bench->limits))
		return EXIT_FAILURE;
	if (is_remote && !bench->limits.can_import) {
		say("device %s cannot import another process's memory, as a DPU's can; leave "
		    "--use-remote-*-buffers out, or choose one of --query device-capabilities",
		    bench->limits.pci_addr);
		return EXIT_FAILURE;
	}
	if (options->mode == MODE_MAX_BANDWIDTH && options->num_sweeps == 0)
		options_sweep_sizes(options, bench->limits.max_bytes < MAX_BANDWIDTH_BYTES
						     ? bench->limits.max_bytes
						     : MAX_BANDWIDTH_BYTES);
	code = plan(run);
	if (code != 0)
		return code;
	if (!open_memory(bench, most_bytes(run)) || !report_learn(bench))
		return EXIT_FAILURE;
	code = measure_all(run);
	/* A failure later on takes nothing from what was measured before; a wrong byte does. */
	if (code == EXIT_WRONG_BYTE || write_files(run) == 0)
		return code;
	return EXIT_FAILURE;
}

/* What is opened later is not to be taken for one of them. What is written to one fails still. */
static bool has_standard_files(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
			return false;
	return true;
}

/* Whether what was said has been written: a table that nobody can read is a failure. */
static int finish_output(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	say("standard output: %s", strerror(errno));
	return code != 0 ? code : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	int code;

	if (!has_standard_files())
		return EXIT_FAILURE;
	if (!options_parse(&the_run.options, argc, argv, &code))
		return finish_output(code);
	if (the_run.options.query == QUERY_SWEEPS) {
		options_print_sweeps();
		return finish_output(0);
	}
	if (the_run.options.query == QUERY_DEVICES)
		return finish_output(device_print_all(the_run.options.device) ? 0 : EXIT_FAILURE);
	catch_signals();
	code = run_all(&the_run);
	close_all(&the_run);
	if (code == 0 && interrupted() != 0)
		code = 128 + interrupted();
	return finish_output(code);
}
