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

enum kind { NUMBER, SECONDS, WORD, TEXT, FLAG, MASK, LIST, SWEEP, NOTED, REFUSED };

struct row {
	const char *name;
	enum kind kind;
	size_t offset; /* of a uint64_t, double or const char * in struct options */
	uint64_t min;
	uint64_t max;
	const char *value; /* what it is called, or the words that are allowed */
	const char *help;  /* or why it is not needed, or refused */
};

#define MANY UINT32_MAX
#define BYTES ((uint64_t)1 << 40)
#define OF(kind, member, value) kind, offsetof(struct options, member), 0, 0, value
#define COUNT(member, min, max) NUMBER, offsetof(struct options, member), min, max, "N"
#define SIZE(member) NUMBER, offsetof(struct options, member), 1, BYTES, "BYTES"
#define NOT REFUSED, 0, 0, 0, NULL
#define NEEDLESS NOTED, 0, 0, 0, NULL
#define COMPANION "doca_bench starts its companion by itself, on this machine"
#define NETWORK "it is for libraries that send, and doca_dma copies"

static const char modes[] = "throughput,bulk-latency,precision-latency,max-bandwidth";

static const struct row rows[] = {
	{"mode", OF(WORD, mode, modes), "what to measure"},
	{"pipeline-steps", OF(WORD, one_word, "doca_dma"), "the library"},
	{"device", OF(TEXT, device, "DEVICE"), "PCI address or ibdev; the first that copies"},
	{"data-provider", OF(WORD, one_word, "random-data"), "what is copied"},
	{"uniform-job-size", SIZE(point.size_bytes), "of a job, which is one task; 4K"},
	{"job-output-buffer-size", SIZE(point.output_bytes),
	 "room for what a job copies; its size"},
	{"pieces", COUNT(point.pieces, 1, MANY), "in the lists of a job, on either side; 1"},
	{"depth", COUNT(point.depth, 1, 65536), "tasks in flight, up to the window's jobs; 32"},
	{"batch", COUNT(point.batch, 1, 65536), "tasks submitted together; 1"},
	{"window", SIZE(point.window_bytes), "that a thread's jobs go round in"},
	{"data-provider-job-count", COUNT(point.num_jobs, 1, MANY),
	 "the same in jobs; the (largest) depth"},
	{"core-mask", OF(MASK, cpus, "MASK"), "CPUs, as bits"},
	{"core-list", OF(LIST, cpus, "LIST"), "CPUs, such as 0,2,4-7; those allowed"},
	{"core-count", COUNT(point.num_cores, 1, MAX_CPUS), "first N of them; all named, else 1"},
	{"threads-per-core", COUNT(point.threads_per_core, 1, 64), "1"},
	{"use-remote-input-buffers", OF(FLAG, has_remote_input, NULL),
	 "host to DPU: sources in a companion process"},
	{"use-remote-output-buffers", OF(FLAG, has_remote_output, NULL),
	 "DPU to host: targets in a companion process"},
	{"wait", OF(WORD, is_by_event, "poll,event"), "how a thread waits for its tasks"},
	{"run-limit-seconds", OF(SECONDS, limit_seconds, "SECONDS"), "of tasks, a setting; 1"},
	{"run-limit-jobs", COUNT(limit_jobs, 1, BYTES), "of all threads together"},
	{"run-limit-bytes", SIZE(limit_bytes), "of all threads together"},
	{"warm-up-jobs", COUNT(warm_up_jobs, 0, MANY), "of each thread, not counted; 100"},
	{"rounds", COUNT(num_rounds, 1, 1000), "that a setting is measured in, at least; 7"},
	{"sweep", OF(SWEEP, sweeps, "NAME,START,END,STEP"),
	 "of a number; STEP is N or *N; up to 2"},
	{"csv-output-file", OF(TEXT, csv_file, "FILE"), "a row for each setting"},
	{"csv-append-mode", OF(FLAG, is_csv_appended, NULL), "keep the file's rows"},
	{"csv-stats", OF(TEXT, csv_stats, "NAMES"), "of columns, with * and ?, commas between"},
	{"json-output-file", OF(TEXT, json_file, "FILE"), "the same fields, as JSON"},
	{"plot", OF(TEXT, plot_file, "FILE"), "SVG by gnuplot, of a sweep"},
	{"rt-stats-interval", OF(SECONDS, interval_seconds, "SECONDS"), "say how far it is"},
	{"query", OF(WORD, query, "none,device-capabilities,supported-sweep-attributes"),
	 "answer, and measure nothing"},
	{"companion-connection-string", NEEDLESS, COMPANION},
	{"companion-core-list", NEEDLESS, COMPANION},
	{"representor", NEEDLESS, "exported memory wants none"},
	{"attribute", NOT, "doca_dma has none"},
	{"data-provider-input-file", NOT, "the time of a copy does not depend on what is copied"},
	{"latency-bucket-range", NOT, "latencies are kept to one part in 128, whatever they are"},
	{"mtu-size", NOT, NETWORK},
	{"receive-queue-size", NOT, NETWORK},
	{"send-queue-size", NOT, NETWORK},
};

#define NUM_ROWS (sizeof(rows) / sizeof(rows[0]))
_Static_assert(NUM_ROWS <= 64, "a bit of options.given for each");

__attribute__((format(printf, 2, 0), nonnull)) static void say_line(const char *end,
								    const char *format,
								    va_list arguments)
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
	     "Measures copies by doca_dma, and memcpy beside it, in turn.\n");
	for (const struct row *row = rows; row->kind < NOTED; row++) {
		bool is_long = row->kind == WORD && strlen(row->value) > 12;
		int width = printf("  --%s %s", row->name,
				   row->value == NULL ? ""
				   : is_long	      ? "WORD"
						      : row->value);

		printf("%*s%s\n", 35 - width, "", row->help);
		if (is_long)
			printf("%8s%s\n", "", row->value);
	}
	puts("  -h, --help                       this text\n"
	     "  -V, --version                    the version\n\n"
	     "Numbers may end in K, M or G (1024). A default is last in its line, or the\n"
	     "first word.\n"
	     "Exit codes: 0; 1 it failed; 2 wrong use; 3 a copied byte was wrong; 130 Ctrl-C.\n"
	     "The manual page has more: doca_bench(1), and softdoca(7) for the settings.");
}

bool options_number(const char *text, uint64_t *number)
{
	static const char suffixes[] = "KMG";
	const char *suffix;
	char *end;
	int shift = 0;

	errno = 0;
	*number = strtoull(text, &end, 10);
	suffix = *end == '\0' ? NULL : strchr(suffixes, *end);
	if (suffix != NULL) {
		shift = 10 * (int)(suffix - suffixes + 1);
		end++;
	}
	return isdigit((unsigned char)text[0]) && errno == 0 && *end == '\0' &&
	       !__builtin_mul_overflow(*number, (uint64_t)1 << shift, number);
}

static bool set_number(const struct row *row, const char *text, uint64_t *number)
{
	return options_number(text, number) && *number >= row->min && *number <= row->max;
}

static bool set_seconds(const char *text, double *seconds)
{
	char *end;

	*seconds = strtod(text, &end);
	/* Neither blanks nor hexadecimal digits, as of the other numbers. */
	return strspn(text, "0123456789.e-") == strlen(text) && end != text && *end == '\0' &&
	       *seconds > 0 && *seconds <= 1e6;
}

/* The word of that number, and how long it is; NULL behind the last. */
static const char *word_of(const char *words, uint64_t number, size_t *len)
{
	for (; number > 0 && words != NULL; number--) {
		words = strchr(words, ',');
		words = words == NULL ? NULL : words + 1;
	}
	*len = words == NULL ? 0 : strcspn(words, ",");
	return words;
}

static bool set_word(const struct row *row, const char *text, uint64_t *chosen)
{
	const char *word;
	size_t len;

	for (*chosen = 0; (word = word_of(row->value, *chosen, &len)) != NULL; ++*chosen)
		if (strlen(text) == len && strncmp(word, text, len) == 0)
			return true;
	return false;
}

static bool add_cpus(struct options *options, uint64_t first, uint64_t last)
{
	for (uint64_t cpu = first; cpu <= last; cpu++) {
		if (options->num_cpus == MAX_CPUS || cpu >= MAX_CPUS)
			return false;
		options->cpus[options->num_cpus++] = (int)cpu;
	}
	return first <= last;
}

static bool set_mask(const char *text, struct options *options)
{
	char *end;
	uint64_t mask = strtoull(text, &end, 16);

	options->num_cpus = 0;
	for (unsigned int cpu = 0; cpu < 64; cpu++)
		if ((mask >> cpu & 1) != 0)
			(void)add_cpus(options, cpu, cpu);
	return isxdigit((unsigned char)text[0]) && *end == '\0' && mask != 0;
}

static bool set_list(const char *text, struct options *options)
{
	options->num_cpus = 0;
	for (;; text++) {
		char *end;
		uint64_t first = strtoull(text, &end, 10);
		uint64_t last = first;

		if (!isdigit((unsigned char)*text))
			return false;
		if (*end == '-') {
			text = end + 1;
			last = strtoull(text, &end, 10);
		}
		if (!isdigit((unsigned char)*text) || !add_cpus(options, first, last))
			return false;
		text = end;
		if (*text != ',')
			return *text == '\0';
	}
}

static uint64_t bit_of(const char *name)
{
	size_t i = 0;

	while (strcmp(rows[i].name, name) != 0)
		i++;
	return (uint64_t)1 << i;
}

/* On the command line, or swept. */
static bool is_given(const struct options *options, const char *name)
{
	return ((options->given | options->swept) & bit_of(name)) != 0;
}

static bool has_all(const struct options *options, const char *one, const char *other)
{
	return is_given(options, one) && is_given(options, other);
}

static bool is_swept(const struct row *row)
{
	return row->kind == NUMBER && row->offset >= offsetof(struct options, point) &&
	       row->offset < offsetof(struct options, sweeps);
}

/* One that is beyond all numbers is the largest, which ends every sweep. */
static uint64_t next_value(const struct sweep *sweep, uint64_t value)
{
	uint64_t next;

	if (sweep->is_factor ? __builtin_mul_overflow(value, sweep->step, &next)
			     : __builtin_add_overflow(value, sweep->step, &next))
		return UINT64_MAX;
	return next;
}

static uint64_t num_values(const struct sweep *sweep)
{
	uint64_t num = 1;

	for (uint64_t value = next_value(sweep, sweep->start);
	     value <= sweep->end && num <= MAX_POINTS; num++)
		value = next_value(sweep, value);
	return num;
}

static uint64_t last_value(const struct sweep *sweep)
{
	uint64_t value = sweep->start;

	while (next_value(sweep, value) <= sweep->end)
		value = next_value(sweep, value);
	return value;
}

static const struct row *find_swept(const char *name)
{
	for (const struct row *row = rows; row->kind < NOTED; row++)
		if (is_swept(row) && strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

/* NULL, or what is allowed for the part that is wrong. */
static const char *read_sweep(const char *text, struct options *options)
{
	struct sweep *sweep = &options->sweeps[options->num_sweeps];
	const struct row *row;
	char name[32];
	char start[24];
	char end[24];
	char step[24];
	int len = 0;

	if (options->num_sweeps++ == MAX_SWEEPS)
		return "two of them";
	if (sscanf(text, "%31[^,],%23[^,],%23[^,],%23[^,]%n", name, start, end, step, &len) != 4 ||
	    text[len] != '\0')
		return "NAME,START,END,STEP";
	row = find_swept(name);
	if (row == NULL)
		return "a NAME that --query supported-sweep-attributes lists";
	if (!set_number(row, start, &sweep->start) || !set_number(row, end, &sweep->end) ||
	    sweep->start > sweep->end)
		return "START and END as the option has them, START not above END";
	sweep->is_factor = step[0] == '*';
	if (!options_number(step + sweep->is_factor, &sweep->step) || sweep->step > row->max ||
	    sweep->step <= sweep->is_factor)
		return "STEP N above 0, or *N above 1";
	sweep->name = row->name;
	sweep->offset = row->offset;
	if ((options->swept & bit_of(name)) != 0)
		return "a NAME once";
	options->swept |= bit_of(name);
	return NULL;
}

static int set_sweep(const char *text, struct options *options)
{
	const char *allowed = read_sweep(text, options);

	return allowed == NULL ? 0 : refuse("--sweep is '%s'; allowed: %s", text, allowed);
}

/* Whether the value is right. */
static bool set(const struct row *row, const char *text, struct options *options)
{
	void *field = (char *)options + row->offset;

	switch (row->kind) {
	case NUMBER:
		return set_number(row, text, field);
	case SECONDS:
		return set_seconds(text, field);
	case WORD:
		return set_word(row, text, field);
	case TEXT:
		*(const char **)field = text;
		return *text != '\0';
	case FLAG:
		*(uint64_t *)field = 1;
		return true;
	case MASK:
		return set_mask(text, options);
	case LIST:
		return set_list(text, options);
	case NOTED:
		say("--%s is not needed here: %s", row->name, row->help);
		return true;
	case SWEEP:
	case REFUSED:
		break;
	}
	return false;
}

static int refuse_value(const struct row *row, const char *text)
{
	static const char *const allowed[] = {
		[SECONDS] = "seconds above 0, up to 1000000",
		[TEXT] = "any but an empty one",
		[MASK] = "0x1 to 0xffffffffffffffff",
		[LIST] = "CPUs and ranges below 1024, such as 0,2,4-7",
	};

	if (row->kind == REFUSED)
		return refuse("--%s has no meaning here: %s; leave it out", row->name, row->help);
	if (row->kind == NUMBER)
		return refuse("--%s is '%s'; allowed: %llu to %llu, also with K, M or G", row->name,
			      text, (unsigned long long)row->min, (unsigned long long)row->max);
	return refuse("--%s is '%s'; allowed: %s", row->name, text,
		      row->kind == WORD ? row->value : allowed[row->kind]);
}

/* Those that the process may use, if none are named; none that it may not. */
static int check_cpus(struct options *options)
{
	bool are_named = options->num_cpus > 0;
	cpu_set_t allowed;

	CPU_ZERO(&allowed);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		CPU_SET(0, &allowed);
	for (int cpu = 0; cpu < MAX_CPUS && !are_named; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			options->cpus[options->num_cpus++] = cpu;
	for (uint64_t i = 0; i < options->num_cpus; i++)
		if (!CPU_ISSET(options->cpus[i], &allowed))
			return refuse(
				"CPU %d is not this process's to use; it has %d, see taskset -p",
				options->cpus[i], CPU_COUNT(&allowed));
	if (options->point.num_cores == 0)
		options->point.num_cores = are_named ? options->num_cpus : 1;
	return 0;
}

/* The window is as many jobs as the depth, and the same ones while the depth is swept. */
static void set_window(struct options *options)
{
	const size_t at_depth = offsetof(struct options, point.depth);

	if (is_given(options, "window") || is_given(options, "data-provider-job-count"))
		return;
	options->point.num_jobs = options->point.depth;
	for (uint64_t i = 0; i < options->num_sweeps; i++)
		if (options->sweeps[i].offset == at_depth)
			options->point.num_jobs = last_value(&options->sweeps[i]);
}

static int check_together(struct options *options)
{
	const bool is_single = options->mode == MODE_PRECISION_LATENCY;
	const bool sweeps_sizes = options->mode == MODE_MAX_BANDWIDTH && options->num_sweeps == 0;
	const uint64_t of_query = bit_of("query") | bit_of("device");
	const struct {
		bool is_wrong;
		const char *why;
	} rules[] = {
		{has_all(options, "use-remote-input-buffers", "use-remote-output-buffers"),
		 "--use-remote-input-buffers and --use-remote-output-buffers: one side of a copy "
		 "is the DPU's own; leave one out"},
		{has_all(options, "window", "data-provider-job-count"),
		 "--window and --data-provider-job-count say the same; leave one out"},
		{has_all(options, "core-mask", "core-list"),
		 "--core-mask and --core-list say the same; leave one out"},
		{is_single && (is_given(options, "depth") || is_given(options, "batch")),
		 "--depth and --batch: precision-latency has one job in flight; leave them out, "
		 "--data-provider-job-count sets the window"},
		{sweeps_sizes && is_given(options, "uniform-job-size"),
		 "--uniform-job-size: max-bandwidth sweeps it itself; leave it out"},
		{options->plot_file != NULL && options->num_sweeps == 0 && !sweeps_sizes,
		 "--plot wants a --sweep, or --mode max-bandwidth"},
		{options->query != QUERY_NONE &&
			 ((options->given | options->swept) & ~of_query) != 0,
		 "--query measures nothing: leave all but it and --device out"},
		{options->csv_file == NULL &&
			 (options->is_csv_appended || options->csv_stats != NULL),
		 "--csv-append-mode and --csv-stats want --csv-output-file"},
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].is_wrong)
			return refuse("%s", rules[i].why);
	for (size_t i = 0; i < NUM_ROWS; i++)
		if ((options->given & options->swept & (uint64_t)1 << i) != 0)
			return refuse("--%s is given, and swept; leave one out", rows[i].name);
	set_window(options);
	if (options_num_points(options) > MAX_POINTS)
		return refuse("--sweep leads to more than %d settings", MAX_POINTS);
	if (options->limit_seconds == 0 && options->limit_jobs == UINT64_MAX &&
	    options->limit_bytes == UINT64_MAX)
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
		.point = {4096, .pieces = 1, .depth = 32, .batch = 1, .threads_per_core = 1},
		.limit_jobs = UINT64_MAX,
		.limit_bytes = UINT64_MAX,
		.warm_up_jobs = 100,
		.num_rounds = 7,
	};
	for (int i = 0; i < (int)NUM_ROWS; i++)
		longs[i + 2] = (struct option){rows[i].name, rows[i].kind != FLAG, NULL, 256 + i};
	opterr = 0;
	*code = 0;
	while (*code == 0 && (found = getopt_long(argc, argv, ":a:hvV", longs, NULL)) != -1) {
		if (found == 'h')
			return print_help(), false;
		if (found == 'v' || found == 'V')
			return puts("doca_bench " DOCA_VERSION_STRING " of softdoca"), false;
		if (found == 'a')
			*code = refuse("-a has no meaning here: doca_dma has no attribute");
		else if (found < 256)
			*code = refuse_option(found, argv);
		else if (rows[found - 256].kind == SWEEP)
			*code = set_sweep(optarg, options);
		else if (!set(&rows[found - 256], optarg, options))
			*code = refuse_value(&rows[found - 256], optarg);
		else
			options->given |= (uint64_t)1 << (found - 256);
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
	uint64_t start = end < 4096 ? end : 4096;

	options->sweeps[options->num_sweeps++] =
		(struct sweep){"uniform-job-size",
			       offsetof(struct options, point.size_bytes),
			       start,
			       end,
			       2,
			       true};
}

void options_print_sweeps(void)
{
	for (size_t i = 0; i < NUM_ROWS; i++)
		if (is_swept(&rows[i]))
			puts(rows[i].name);
}

const char *options_mode(const struct options *options)
{
	static char mode[32];
	size_t len;
	const char *word = word_of(modes, options->mode, &len);

	(void)snprintf(mode, sizeof(mode), "%.*s", (int)len, word);
	return mode;
}

const char *options_direction(const struct options *options)
{
	return options->has_remote_input    ? "host to DPU"
	       : options->has_remote_output ? "DPU to host"
					    : "local";
}
