/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures one setting. The threads wait at a barrier for each phase: tasks, or memcpy. Before a
 * phase every byte of its targets is made wrong, and after it each must be right. As a round copies
 * to a target many times, of which any may do that, a phase before the rounds and one behind them
 * copies to each but once.
 */
#include "measure.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ticks.h"
#include "worker.h"

#define MAX_ROUND_SECONDS 0.25
#define MAX_ROUNDS 1000
#define ALIGNMENT 64

enum phase { PHASE_WAIT, PHASE_TASKS, PHASE_MEMCPY, PHASE_END };

struct crew {
	struct bench *bench;
	struct result *result;
	struct worker *workers; /* num_threads of them */
	pthread_barrier_t barrier;
	enum phase phase; /* the barrier orders it */
	uint64_t num_rounds;
	/* num_rounds of each */
	double *speed[NUM_WHO];
	double *ratio;
};

#define ULL(number) ((unsigned long long)(number))

static int check(const struct bench *bench, const struct result *result)
{
	const struct point *point = &result->point;
	const struct limits *limits = &bench->limits;
	const char *queue_depth = getenv("SOFTDOCA_QUEUE_DEPTH");
	uint64_t most = 0;

	if ((double)result->num_threads * (double)result->num_jobs * (double)result->stride > 1e15)
		return refuse("the windows of all threads are more than 10^15 bytes together; make "
			      "--window, --data-provider-job-count or --depth smaller");
	if (point->size_bytes > limits->max_bytes)
		return refuse("--uniform-job-size is %llu; device %s copies up to %llu bytes a job",
			      ULL(point->size_bytes), limits->pci_addr, ULL(limits->max_bytes));
	if (point->output_bytes != 0 && point->output_bytes < point->size_bytes)
		return refuse("--job-output-buffer-size is %llu; a job of %llu bytes wants as many",
			      ULL(point->output_bytes), ULL(point->size_bytes));
	if (point->pieces > limits->max_pieces || point->pieces > point->size_bytes)
		return refuse("--pieces is %llu; device %s takes up to %u in a list, and each is a "
			      "byte at least",
			      ULL(point->pieces), limits->pci_addr, limits->max_pieces);
	if (result->num_jobs == 0)
		return refuse("--window is %llu, and holds no job of %llu bytes",
			      ULL(point->window_bytes), ULL(result->stride));
	if (point->batch > point->depth)
		return refuse("--batch is %llu; at most --depth, %llu, are in flight",
			      ULL(point->batch), ULL(point->depth));
	if (queue_depth != NULL && options_number(queue_depth, &most) && most < result->depth)
		return refuse("--depth is %llu; SOFTDOCA_QUEUE_DEPTH lets %llu be in flight",
			      ULL(result->depth), ULL(most));
	if (point->num_cores > bench->options->num_cpus)
		return refuse("--core-count is %llu; there are %llu cores to choose from",
			      ULL(point->num_cores), ULL(bench->options->num_cpus));
	return 0;
}

int setting_make(const struct bench *bench, struct point point, struct result *result)
{
	uint64_t room =
		point.output_bytes > point.size_bytes ? point.output_bytes : point.size_bytes;

	*result = (struct result){.point = point};
	result->stride = (room + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	result->num_threads = point.num_cores * point.threads_per_core;
	result->num_jobs =
		point.num_jobs != 0 ? point.num_jobs : point.window_bytes / result->stride;
	result->depth = bench->options->mode == MODE_PRECISION_LATENCY ? 1 : point.depth;
	if (result->depth > result->num_jobs)
		result->depth = result->num_jobs;
	/* Which is no setting of a sweep; check() refuses it by itself. */
	if (result->num_jobs == 0 && bench->options->num_sweeps > 0)
		return 0;
	result->batch = point.batch < result->depth ? point.batch : result->depth;
	return check(bench, result);
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct crew *crew = worker->crew;
	enum phase phase = PHASE_WAIT;

	worker->is_open = worker_open(worker);
	while (phase != PHASE_END) {
		pthread_barrier_wait(&crew->barrier); /* what is done, the crew may read now */
		pthread_barrier_wait(&crew->barrier);
		phase = crew->phase;
		if (phase == PHASE_TASKS)
			worker_run_tasks(worker);
		else if (phase == PHASE_MEMCPY)
			worker_run_memcpy(worker);
	}
	worker_close(worker);
	return NULL;
}

/* From here the members are at rest, between the barrier's two waits. */
static void run_phase(struct crew *crew, enum phase phase)
{
	crew->phase = phase;
	pthread_barrier_wait(&crew->barrier);
	if (phase != PHASE_END)
		pthread_barrier_wait(&crew->barrier);
}

static bool has_failed(struct crew *crew)
{
	for (uint64_t i = 0; i < crew->result->num_threads; i++) {
		const struct worker *worker = &crew->workers[i];

		if (!worker->is_open)
			return true;
		if (worker->result != DOCA_SUCCESS) {
			say("a copy failed: %s", doca_error_get_name(worker->result));
			companion_say_end(&crew->bench->companion);
			return true;
		}
	}
	return false;
}

static bool say_wrong(const struct crew *crew, const struct worker *worker,
		      const struct wrong_byte *wrong)
{
	const char *who = crew->phase == PHASE_MEMCPY ? ", copied by memcpy," : "";
	uint64_t at = wrong->at - worker->offset;

	say("WRONG BYTE: byte %llu of job %llu of thread %llu%s is 0x%02x and should be 0x%02x; "
	    "there is no figure for jobs of %llu bytes",
	    ULL(at % crew->result->stride), ULL(at / crew->result->stride), ULL(worker->number),
	    who, wrong->found, wrong->wanted, ULL(crew->result->point.size_bytes));
	return false;
}

static int look_at_job(struct crew *crew, const struct worker *worker, uint64_t number)
{
	struct bench *bench = crew->bench;
	uint64_t at = worker->offset + number * crew->result->stride;
	uint64_t len = crew->result->point.size_bytes;
	struct wrong_byte wrong = {0};
	bool is_right = true;

	if (crew->phase == PHASE_MEMCPY || !bench->options->has_remote_output)
		is_right = memory_is_right(&bench->target, at, len, &wrong);
	else if (!companion_look(&bench->companion, at, len, &wrong, &is_right))
		return EXIT_FAILURE;
	return is_right || say_wrong(crew, worker, &wrong) ? 0 : EXIT_WRONG_BYTE;
}

/* Of each thread the jobs that it did, or all of its window. */
static int look(struct crew *crew)
{
	int code = 0;

	for (uint64_t i = 0; i < crew->result->num_threads; i++) {
		const struct worker *worker = &crew->workers[i];
		uint64_t num = worker->num_done;

		if (num > crew->result->num_jobs)
			num = crew->result->num_jobs;
		for (uint64_t job = 0; job < num && code == 0 && interrupted() == 0; job++)
			code = look_at_job(crew, worker, job);
	}
	return code;
}

/* A phase from targets that are wrong to such that are right; all windows lie one behind the other.
 * What it was to do and did is the workers'. */
static int run_checked(struct crew *crew, enum phase phase)
{
	struct bench *bench = crew->bench;
	const uint64_t len = setting_bytes(crew->result);

	if (phase == PHASE_TASKS && bench->options->has_remote_output &&
	    !companion_make_wrong(&bench->companion, len))
		return EXIT_FAILURE;
	memory_fill(&bench->target, 0, len, true);
	run_phase(crew, phase);
	if (has_failed(crew))
		return EXIT_FAILURE;
	/* Of what was interrupted nobody knows which jobs are done: tasks may be in flight. */
	return interrupted() != 0 ? 0 : look(crew);
}

static void limit_to(struct crew *crew, uint64_t max_jobs)
{
	for (uint64_t i = 0; i < crew->result->num_threads; i++) {
		crew->workers[i].max_jobs = max_jobs;
		crew->workers[i].max_seconds = 0;
	}
}

/* Each target is copied to once. */
static int prove(struct crew *crew)
{
	int code;

	limit_to(crew, crew->result->num_jobs);
	code = run_checked(crew, PHASE_TASKS);
	return code != 0 ? code : run_checked(crew, PHASE_MEMCPY);
}

/* Jobs of all threads; and the time from the first that began to the last that ended: threads that
 * share a CPU wait for each other, which the time of each alone does not tell. */
static uint64_t count_jobs(const struct crew *crew, double *seconds)
{
	double begun = crew->workers[0].begun;
	double ended = crew->workers[0].ended;
	uint64_t num = 0;

	for (uint64_t i = 0; i < crew->result->num_threads; i++) {
		const struct worker *worker = &crew->workers[i];

		num += worker->num_done;
		begun = worker->begun < begun ? worker->begun : begun;
		ended = worker->ended > ended ? worker->ended : ended;
	}
	*seconds = ended - begun;
	return num;
}

/* That all threads do in all rounds, at most. */
static uint64_t jobs_of(const struct crew *crew)
{
	const struct options *options = crew->bench->options;
	const uint64_t size = crew->result->point.size_bytes;
	const uint64_t jobs = options->limit_bytes / size + (options->limit_bytes % size != 0);

	return jobs < options->limit_jobs ? jobs : options->limit_jobs;
}

/* Shares the jobs out over rounds and threads, and the time over rounds. */
static void limit(struct crew *crew, uint64_t round)
{
	const struct options *options = crew->bench->options;
	const uint64_t num_shares = crew->num_rounds * crew->result->num_threads;
	const uint64_t jobs = jobs_of(crew);

	for (uint64_t i = 0; i < crew->result->num_threads; i++) {
		struct worker *worker = &crew->workers[i];
		uint64_t share = round * crew->result->num_threads + i;

		worker->max_seconds = options->limit_seconds / (double)crew->num_rounds;
		worker->max_jobs = jobs / num_shares + (share < jobs % num_shares);
	}
}

static int run_round(struct crew *crew, uint64_t round)
{
	struct result *result = crew->result;
	const double size = (double)result->point.size_bytes;
	uint64_t num_jobs;
	uint64_t num_copies;
	double seconds;
	double copy_seconds;
	int code;

	limit(crew, round);
	code = run_checked(crew, PHASE_TASKS);
	if (code != 0 || interrupted() != 0)
		return code;
	num_jobs = count_jobs(crew, &seconds);
	crew->speed[BY_TASKS][round] = (double)num_jobs * size / seconds;
	code = run_checked(crew, PHASE_MEMCPY);
	num_copies = count_jobs(crew, &copy_seconds);
	if (code != 0 || num_copies == 0)
		return code; /* it was interrupted before the first */
	result->jobs_done += num_jobs;
	result->seconds += seconds;
	crew->speed[BY_MEMCPY][round] = (double)num_copies * size / copy_seconds;
	crew->ratio[round] = crew->speed[BY_TASKS][round] / crew->speed[BY_MEMCPY][round];
	result->num_rounds = round + 1;
	return 0;
}

/* Until the first round nothing counts, nor behind the last. */
static int warm_up(struct crew *crew)
{
	int code = prove(crew);

	if (code != 0 || interrupted() != 0)
		return code;
	limit_to(crew, crew->bench->options->warm_up_jobs);
	run_phase(crew, PHASE_TASKS);
	for (uint64_t i = 0; i < crew->result->num_threads; i++)
		memset(crew->workers[i].ns, 0, sizeof(crew->workers[i].ns));
	return has_failed(crew) ? EXIT_FAILURE : 0;
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

static void make_figures(double *values, uint64_t num, double figures[NUM_FIGURES])
{
	qsort(values, num, sizeof(double), compare);
	figures[FIGURE_MIN] = values[0];
	figures[FIGURE_MEDIAN] = (values[(num - 1) / 2] + values[num / 2]) / 2;
	figures[FIGURE_MAX] = values[num - 1];
}

/* Of all threads together: the first takes in the others'. */
static void make_quantiles(struct crew *crew, enum who who)
{
	static const double parts[NUM_QUANTILES] = {0, 0.5, 0.9, 0.99, 0.999, 1};
	struct histogram *sum = &crew->workers[0].ns[who];

	for (uint64_t i = 1; i < crew->result->num_threads; i++)
		histogram_merge(sum, &crew->workers[i].ns[who]);
	for (int i = 0; i < NUM_QUANTILES; i++)
		crew->result->ns[who][i] = histogram_quantile(sum, parts[i]);
	crew->result->ns[who][NUM_QUANTILES - 1] = (double)sum->max;
}

static void sum_up(struct crew *crew)
{
	struct result *result = crew->result;

	result->is_cut_short = interrupted() != 0;
	if (result->num_rounds == 0)
		return;
	for (enum who who = 0; who < NUM_WHO; who++) {
		make_figures(crew->speed[who], result->num_rounds, result->speed[who]);
		make_quantiles(crew, who);
	}
	if (has_latency(crew->bench->options))
		result->ratio[FIGURE_MEDIAN] = result->ns[BY_MEMCPY][QUANTILE_MEDIAN] /
					       result->ns[BY_TASKS][QUANTILE_MEDIAN];
	else
		make_figures(crew->ratio, result->num_rounds, result->ratio);
}

static int run_rounds(struct crew *crew, void (*tell)(const struct result *result, uint64_t round,
						      uint64_t num_rounds))
{
	int code = has_failed(crew) ? EXIT_FAILURE : warm_up(crew);

	for (uint64_t round = 0; round < crew->num_rounds && code == 0 && interrupted() == 0;
	     round++) {
		tell(crew->result, round, crew->num_rounds);
		code = run_round(crew, round);
	}
	if (code != 0)
		return code;
	sum_up(crew);
	return interrupted() != 0 ? 0 : prove(crew);
}

static uint64_t rounds_of(const struct crew *crew)
{
	const struct options *options = crew->bench->options;
	uint64_t seconds_want = (uint64_t)(options->limit_seconds / MAX_ROUND_SECONDS);
	uint64_t most = jobs_of(crew) / crew->result->num_threads;
	uint64_t num = options->num_rounds > seconds_want ? options->num_rounds : seconds_want;

	if (num > MAX_ROUNDS)
		num = MAX_ROUNDS;
	if (num > most)
		num = most;
	return num > 0 ? num : 1;
}

/* How many of them started; they come to the barrier, whatever becomes of them. */
static uint64_t start_workers(struct crew *crew)
{
	const struct options *options = crew->bench->options;

	for (uint64_t i = 0; i < crew->result->num_threads; i++) {
		struct worker *worker = &crew->workers[i];

		worker->crew = crew;
		worker->bench = crew->bench;
		worker->setting = crew->result;
		worker->number = i;
		worker->cpu = options->cpus[i / crew->result->point.threads_per_core];
		worker->offset = i * crew->result->num_jobs * crew->result->stride;
		worker->is_timed = has_latency(options);
		if (pthread_create(&worker->thread, NULL, work, worker) != 0)
			return i;
	}
	return crew->result->num_threads;
}

int measure(struct bench *bench, struct result *result,
	    void (*tell)(const struct result *result, uint64_t round, uint64_t num_rounds))
{
	struct crew crew = {.bench = bench, .result = result};
	int code = EXIT_FAILURE;
	uint64_t num_started;

	crew.num_rounds = rounds_of(&crew);
	crew.workers = calloc(result->num_threads, sizeof(*crew.workers));
	crew.ratio = calloc(3 * crew.num_rounds, sizeof(double));
	if (crew.workers == NULL || crew.ratio == NULL ||
	    pthread_barrier_init(&crew.barrier, NULL, (unsigned int)result->num_threads + 1) != 0) {
		say("cannot allocate what measures: %m");
		goto free_all;
	}
	crew.speed[BY_TASKS] = crew.ratio + crew.num_rounds;
	crew.speed[BY_MEMCPY] = crew.speed[BY_TASKS] + crew.num_rounds;
	num_started = start_workers(&crew);
	if (num_started < result->num_threads) {
		say("cannot start %llu threads", (unsigned long long)result->num_threads);
		exit(EXIT_FAILURE); /* those that did wait for the others */
	}
	pthread_barrier_wait(&crew.barrier);
	code = run_rounds(&crew, tell);
	run_phase(&crew, PHASE_END);
	for (uint64_t i = 0; i < num_started; i++)
		pthread_join(crew.workers[i].thread, NULL);
	pthread_barrier_destroy(&crew.barrier);

free_all:
	free(crew.ratio);
	free(crew.workers);
	return code;
}
