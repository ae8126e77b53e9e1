/* SPDX-License-Identifier: Apache-2.0 */
/* The table of options, what it makes of a command line, and the help that it prints. */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_version.h>

enum kind {
	KIND_NUMBER,
	KIND_SECONDS,
	KIND_WORD,
	KIND_TEXT,
	KIND_FLAG,
	KIND_MASK,
	KIND_LIST,
	KIND_SWEEP,
	KIND_REFUSED,
};

struct row {
	const char *name;
	enum kind kind;
	size_t offset; /* of a uint64_t, double or const char * in struct options */
	uint64_t max;  /* of a number, which is at least min */
	uint64_t min;
	const char *words; /* that are allowed, with commas between, or what a value is */
	const char *help;  /* or why it is refused */
};

#define AT(member) offsetof(struct options, member)
#define NETWORK "it is for libraries that send, and doca_dma copies"

static const struct row rows[] = {
	{"mode", KIND_WORD, AT(mode), 0, 0,
	 "throughput,bulk-latency,precision-latency,max-bandwidth", "what to measure"},
	{"pipeline-steps", KIND_WORD, AT(one_word), 0, 0, "doca_dma", "the library"},
	{"device", KIND_TEXT, AT(device), 0, 0, "DEVICE",
	 "PCI address, ibdev or interface; first with DMA"},
	{"data-provider", KIND_WORD, AT(one_word), 0, 0, "random-data", "what is copied"},
	{"uniform-job-size", KIND_NUMBER, AT(point.size_bytes), 1ull << 40, 1, "BYTES",
	 "of a job, which is one task; 4K"},
	{"job-output-buffer-size", KIND_NUMBER, AT(point.output_bytes), 1ull << 40, 1, "BYTES",
	 "room for what a job copies; its size"},
	{"pieces", KIND_NUMBER, AT(point.pieces), 65536, 1, "N", "in each list of a job; 1"},
	{"depth", KIND_NUMBER, AT(point.depth), 65536, 1, "N",
	 "tasks in flight, at most the jobs of the window; 32"},
	{"batch", KIND_NUMBER, AT(point.batch), 65536, 1, "N", "tasks submitted together; 1"},
	{"window", KIND_NUMBER, AT(point.window_bytes), 1ull << 40, 1, "BYTES",
	 "that a thread's jobs go round in"},
	{"data-provider-job-count", KIND_NUMBER, AT(point.num_jobs), 1ull << 32, 1, "N",
	 "the same as a number of jobs; the depth"},
	{"core-mask", KIND_MASK, 0, 0, 0, "MASK", "CPUs, as bits"},
	{"core-list", KIND_LIST, 0, 0, 0, "LIST", "CPUs, such as 0,2,4-7; those allowed"},
	{"core-count", KIND_NUMBER, AT(point.num_cores), MAX_CPUS, 1, "N",
	 "the first N of them; all that are named, else 1"},
	{"threads-per-core", KIND_NUMBER, AT(point.threads_per_core), 64, 1, "N", "1"},
	{"use-remote-input-buffers", KIND_FLAG, AT(has_remote_input), 0, 0, NULL,
	 "host to DPU: sources in a companion process"},
	{"use-remote-output-buffers", KIND_FLAG, AT(has_remote_output), 0, 0, NULL,
	 "DPU to host: targets in a companion process"},
	{"wait", KIND_WORD, AT(is_by_event), 0, 0, "poll,event",
	 "how a thread waits for its tasks"},
	{"run-limit-seconds", KIND_SECONDS, AT(limit_seconds), 0, 0, "SECONDS",
	 "of copying by tasks, a setting; 1"},
	{"run-limit-jobs", KIND_NUMBER, AT(limit_jobs), 1ull << 50, 1, "N",
	 "of all threads together"},
	{"run-limit-bytes", KIND_NUMBER, AT(limit_bytes), 1ull << 60, 1, "BYTES",
	 "of all threads together"},
	{"warm-up-jobs", KIND_NUMBER, AT(warm_up_jobs), 1ull << 32, 0, "N",
	 "of each thread, not counted; 100"},
	{"rounds", KIND_NUMBER, AT(num_rounds), 1000, 1, "N",
	 "that a setting is measured in, at least; 7"},
	{"sweep", KIND_SWEEP, 0, 0, 0, "NAME,START,END,STEP",
	 "of a number above; STEP is N or *N; up to 2"},
	{"csv-output-file", KIND_TEXT, AT(csv_file), 0, 0, "FILE", "a row for each setting"},
	{"csv-append-mode", KIND_FLAG, AT(is_csv_appended), 0, 0, NULL, "keep the file's rows"},
	{"csv-stats", KIND_TEXT, AT(csv_stats), 0, 0, "NAMES",
	 "of columns, with * and ?, commas between"},
	{"json-output-file", KIND_TEXT, AT(json_file), 0, 0, "FILE", "the same, and more, as JSON"},
	{"plot", KIND_TEXT, AT(plot_file), 0, 0, "FILE",
	 "an SVG by gnuplot: by job size, a curve for each window"},
	{"rt-stats-interval", KIND_SECONDS, AT(interval_seconds), 0, 0, "SECONDS",
	 "say how far it is, also into a file"},
	{"query", KIND_WORD, AT(query), 0, 0, "none,device-capabilities,supported-sweep-attributes",
	 "answer, and measure nothing"},
	{"attribute", KIND_REFUSED, 0, 0, 0, NULL, "doca_dma has none"},
	{"companion-connection-string", KIND_REFUSED, 0, 0, 0, NULL,
	 "the companion is a process of this machine that doca_bench starts itself"},
	{"data-provider-input-file", KIND_REFUSED, 0, 0, 0, NULL, "copies do not depend on what"},
	{"latency-bucket-range", KIND_REFUSED, 0, 0, 0, NULL,
	 "latencies are kept to 1 in 128, whatever they are"},
	{"mtu-size", KIND_REFUSED, 0, 0, 0, NULL, NETWORK},
	{"receive-queue-size", KIND_REFUSED, 0, 0, 0, NULL, NETWORK},
	{"send-queue-size", KIND_REFUSED, 0, 0, 0, NULL, NETWORK},
	{"representor", KIND_REFUSED, 0, 0, 0, NULL, "exported memory needs none"},
};

#define NUM_ROWS (sizeof(rows) / sizeof(rows[0]))

static void say_line(const char *end, const char *format, va_list arguments)
{
	fputs("doca_bench: ", stderr);
	vfprintf(stderr, format, arguments);
	fputs(end, stderr);
}

void say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_line("\n", format, arguments);
	va_end(arguments);
}

int refuse(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_line("; see doca_bench --help\n", format, arguments);
	va_end(arguments);
	return EXIT_USAGE;
}

static void print_help(void)
{
	puts("Usage: doca_bench [OPTION...]\n\n"
	     "Measures copies by doca_dma, and memcpy beside it, on the same memory, in turn.\n");
	for (size_t i = 0; i < NUM_ROWS && rows[i].kind != KIND_REFUSED; i++) {
		bool is_long = rows[i].kind == KIND_WORD && strlen(rows[i].words) > 12;
		const char *value = rows[i].words == NULL ? "" : is_long ? "WORD" : rows[i].words;
		int width = printf("  --%s %s", rows[i].name, value);

		printf("%*s%s\n", width < 35 ? 35 - width : 1, "", rows[i].help);
		if (is_long)
			printf("%35s%s\n", "", rows[i].words);
	}
	puts("  --help, --version\n\n"
	     "Numbers may end in K, M or G (1024). A default is last in its line, or the first "
	     "word.\n"
	     "Exit codes: 0; 1 it failed; 2 wrong use; 3 a copied byte was wrong; 130 Ctrl-C.\n"
	     "The manual page has more: doca_bench(1), and doca-dma(7) for the settings.");
}

static bool parse_number(const char *text, uint64_t *number)
{
	static const char suffixes[] = "KMG";
	const char *suffix;
	char *end;
	uint64_t factor = 1;

	errno = 0;
	*number = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)text[0]) || errno != 0)
		return false;
	suffix = *end == '\0' ? NULL : strchr(suffixes, *end);
	if (suffix != NULL) {
		factor = 1ull << (10 * (suffix - suffixes + 1));
		end++;
	}
	return *end == '\0' && !__builtin_mul_overflow(*number, factor, number);
}

static int set_number(const struct row *row, const char *text, uint64_t *number)
{
	if (parse_number(text, number) && *number >= row->min && *number <= row->max)
		return 0;
	return refuse("--%s is '%s'; allowed: %llu to %llu, also with K, M or G", row->name, text,
		      (unsigned long long)row->min, (unsigned long long)row->max);
}

static int set_seconds(const struct row *row, const char *text, double *seconds)
{
	char *end;

	*seconds = strtod(text, &end);
	if (end != text && *end == '\0' && *seconds > 0 && *seconds <= 1e6)
		return 0;
	return refuse("--%s is '%s'; allowed: seconds above 0, up to 1000000", row->name, text);
}

static int set_word(const struct row *row, const char *text, uint64_t *chosen)
{
	const char *word = row->words;
	size_t len = strlen(text);

	for (uint64_t i = 0; word != NULL; i++) {
		const char *comma = strchr(word, ',');
		size_t word_len = comma == NULL ? strlen(word) : (size_t)(comma - word);

		if (len == word_len && strncmp(word, text, len) == 0) {
			*chosen = i;
			return 0;
		}
		word = comma == NULL ? NULL : comma + 1;
	}
	return refuse("--%s is '%s'; allowed: %s", row->name, text, row->words);
}

static bool add_cpus(struct options *options, uint64_t first, uint64_t last)
{
	for (uint64_t cpu = first; cpu <= last; cpu++) {
		if (options->num_cpus == MAX_CPUS || cpu >= MAX_CPUS)
			return false;
		options->cpus[options->num_cpus++] = (int)cpu;
	}
	options->has_cpus = true;
	return first <= last;
}

static int set_mask(const struct row *row, const char *text, struct options *options)
{
	char *end;
	uint64_t mask;

	errno = 0;
	mask = strtoull(text, &end, 16);
	if (!isxdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || mask == 0)
		return refuse("--%s is '%s'; allowed: 0x1 to 0xffffffffffffffff", row->name, text);
	options->num_cpus = 0;
	for (unsigned int cpu = 0; cpu < 64; cpu++)
		if ((mask >> cpu & 1) != 0)
			(void)add_cpus(options, cpu, cpu);
	return 0;
}

static int set_list(const struct row *row, const char *text, struct options *options)
{
	const char *at = text;
	bool is_right = true;

	options->num_cpus = 0;
	while (is_right) {
		char *end;
		uint64_t first = strtoull(at, &end, 10);
		uint64_t last = first;

		is_right = isdigit((unsigned char)*at);
		if (is_right && *end == '-') {
			at = end + 1;
			is_right = isdigit((unsigned char)*at);
			last = strtoull(at, &end, 10);
		}
		is_right = is_right && add_cpus(options, first, last);
		if (*end != ',')
			return is_right && *end == '\0'
				       ? 0
				       : refuse("--%s is '%s'; allowed: CPUs and ranges below %d, "
						"such as 0,2,4-7",
						row->name, text, MAX_CPUS);
		at = end + 1;
	}
	return refuse("--%s is '%s'; allowed: CPUs and ranges below %d, such as 0,2,4-7", row->name,
		      text, MAX_CPUS);
}

static bool is_swept(const struct row *row)
{
	return row->kind == KIND_NUMBER && row->offset >= AT(point) &&
	       row->offset < AT(point) + sizeof(struct point);
}

static uint64_t next_value(const struct sweep *sweep, uint64_t value)
{
	return sweep->is_factor ? value * sweep->step : value + sweep->step;
}

static uint64_t num_values(const struct sweep *sweep)
{
	uint64_t num = 0;

	for (uint64_t value = sweep->start; value <= sweep->end && num <= MAX_POINTS; num++)
		value = next_value(sweep, value);
	return num;
}

static int set_sweep_values(const struct row *row, char *fields[4], struct sweep *sweep)
{
	int code = set_number(row, fields[1], &sweep->start);

	if (code == 0)
		code = set_number(row, fields[2], &sweep->end);
	if (code != 0)
		return code;
	sweep->is_factor = fields[3][0] == '*';
	if (!parse_number(fields[3] + sweep->is_factor, &sweep->step) ||
	    sweep->step < 1u + sweep->is_factor || sweep->step > row->max)
		return refuse("--sweep of %s has the step '%s'; allowed: N above 0, or *N above 1",
			      row->name, fields[3]);
	if (sweep->end < sweep->start)
		return refuse("--sweep of %s ends at %s, below its start %s", row->name, fields[2],
			      fields[1]);
	sweep->name = row->name;
	sweep->offset = row->offset;
	return 0;
}

static int set_sweep(char *text, struct options *options)
{
	char *rest = text;
	char *fields[4];
	size_t num = 0;

	if (options->num_sweeps == MAX_SWEEPS)
		return refuse("more than %d --sweep", MAX_SWEEPS);
	while (num < 4 && (fields[num] = strsep(&rest, ",")) != NULL)
		num++;
	if (num < 4 || rest != NULL)
		return refuse("--sweep begins with '%s'; allowed: NAME,START,END,STEP", text);
	for (size_t i = 0; i < NUM_ROWS; i++) {
		if (is_swept(&rows[i]) && strcmp(rows[i].name, fields[0]) == 0)
			return set_sweep_values(&rows[i], fields,
						&options->sweeps[options->num_sweeps++]);
	}
	return refuse("--sweep of '%s'; allowed: what doca_bench --query "
		      "supported-sweep-attributes lists",
		      fields[0]);
}

static int set(const struct row *row, char *text, struct options *options)
{
	void *field = (char *)options + row->offset;

	switch (row->kind) {
	case KIND_NUMBER:
		return set_number(row, text, field);
	case KIND_SECONDS:
		return set_seconds(row, text, field);
	case KIND_WORD:
		return set_word(row, text, field);
	case KIND_TEXT:
		*(const char **)field = text;
		return *text != '\0' ? 0 : refuse("--%s is empty; it wants a value", row->name);
	case KIND_FLAG:
		*(uint64_t *)field = 1;
		return 0;
	case KIND_MASK:
		return set_mask(row, text, options);
	case KIND_LIST:
		return set_list(row, text, options);
	case KIND_SWEEP:
		return set_sweep(text, options);
	case KIND_REFUSED:
		break;
	}
	return refuse("--%s has no meaning here: %s; leave it out", row->name, row->help);
}

/* Those that the process may use, if none are named; none that it may not. */
static int check_cpus(struct options *options)
{
	cpu_set_t allowed;

	CPU_ZERO(&allowed);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		CPU_SET(0, &allowed);
	for (int cpu = 0; cpu < MAX_CPUS && !options->has_cpus; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			options->cpus[options->num_cpus++] = cpu;
	for (uint64_t i = 0; i < options->num_cpus; i++) {
		if (!CPU_ISSET(options->cpus[i], &allowed))
			return refuse("CPU %d is not this process's to use; it has %d, see nproc "
				      "and taskset -p",
				      options->cpus[i], CPU_COUNT(&allowed));
	}
	if (options->point.num_cores == 0)
		options->point.num_cores = options->has_cpus ? options->num_cpus : 1;
	return 0;
}

static int check_together(struct options *options)
{
	if (options->has_remote_input && options->has_remote_output)
		return refuse(
			"--use-remote-input-buffers and --use-remote-output-buffers: one side "
			"of a copy is the DPU's own; leave one out");
	if (options->point.window_bytes != 0 && options->point.num_jobs != 0)
		return refuse("--window and --data-provider-job-count say the same in two ways; "
			      "leave one out");
	if (options->is_csv_appended && options->csv_file == NULL)
		return refuse("--csv-append-mode wants --csv-output-file");
	if (options->csv_stats != NULL && options->csv_file == NULL)
		return refuse("--csv-stats wants --csv-output-file");
	if (options_num_points(options) > MAX_POINTS)
		return refuse("--sweep leads to more than %d settings", MAX_POINTS);
	if (options->limit_seconds == 0 && options->limit_jobs == 0 && options->limit_bytes == 0)
		options->limit_seconds = 1;
	return check_cpus(options);
}

static int refuse_option(int found, char **argv)
{
	const char *option = argv[optind - 1];

	if (found == ':')
		return refuse("option %s wants a value", option);
	if (optopt != 0 && strncmp(option, "--", 2) != 0)
		return refuse("unknown option -%c", optopt);
	return refuse(optopt != 0 ? "option %s takes no value" : "unknown option %s", option);
}

bool options_parse(struct options *options, int argc, char **argv, int *code)
{
	struct option longs[NUM_ROWS + 3] = {{"help", no_argument, NULL, 'h'},
					     {"version", no_argument, NULL, 'V'}};
	int found;

	*options = (struct options){
		.point = {.size_bytes = 4096,
			  .pieces = 1,
			  .depth = 32,
			  .batch = 1,
			  .threads_per_core = 1},
		.warm_up_jobs = 100,
		.num_rounds = 7,
	};
	for (size_t i = 0; i < NUM_ROWS; i++)
		longs[i + 2] = (struct option){
			rows[i].name, rows[i].kind == KIND_FLAG ? no_argument : required_argument,
			NULL, 256 + (int)i};
	opterr = 0;
	*code = 0;
	while (*code == 0 && (found = getopt_long(argc, argv, ":a:hV", longs, NULL)) != -1) {
		if (found == 'h')
			return print_help(), false;
		if (found == 'V')
			return puts("doca_bench " DOCA_VERSION_STRING " of softdoca"), false;
		if (found == 'a')
			*code = refuse(
				"-a has no meaning here: doca_dma has no attribute; leave it "
				"out");
		else if (found < 256)
			*code = refuse_option(found, argv);
		else
			*code = set(&rows[found - 256], optarg, options);
	}
	if (*code == 0 && optind < argc)
		*code = refuse("'%s' is no option", argv[optind]);
	if (*code == 0)
		*code = check_together(options);
	return *code == 0;
}

uint64_t options_num_points(const struct options *options)
{
	uint64_t num = 1;

	for (uint64_t i = 0; i < options->num_sweeps; i++)
		num *= num_values(&options->sweeps[i]);
	return num;
}

struct point options_point(const struct options *options, uint64_t number)
{
	struct options at = *options;

	for (uint64_t i = options->num_sweeps; i-- > 0;) {
		const struct sweep *sweep = &options->sweeps[i];
		uint64_t steps = number % num_values(sweep);
		uint64_t *field = (uint64_t *)((char *)&at + sweep->offset);

		number /= num_values(sweep);
		for (*field = sweep->start; steps > 0; steps--)
			*field = next_value(sweep, *field);
	}
	return at.point;
}

void options_sweep_sizes(struct options *options, uint64_t end)
{
	options->sweeps[options->num_sweeps++] =
		(struct sweep){"uniform-job-size", AT(point.size_bytes), 4096, end, 2, true};
}

void options_print_sweeps(void)
{
	for (size_t i = 0; i < NUM_ROWS; i++)
		if (is_swept(&rows[i]))
			puts(rows[i].name);
}
