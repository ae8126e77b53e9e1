/* SPDX-License-Identifier: Apache-2.0 */
/* softdoca pair: runs a host half and a DPU half together, and ends them together. */
#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "half.h"
#include "options.h"
#include "wait_files.h"

#define EXIT_TIMEOUT 124 /* as timeout(1) has it */
#define GRACE_MS 5000
#define MAX_TIMEOUT_S 1e9
#define NEVER INT64_MAX

static const char help[] =
	"Usage: softdoca pair [OPTION...] -- HOST-COMMAND... -- DPU-COMMAND...\n"
	"\n"
	"Runs both halves of a program, each in a process group of its own: the host\n"
	"half with SOFTDOCA_ROLE=host, the DPU half with SOFTDOCA_ROLE=dpu. Their lines\n"
	"come out with a label, stdout on stdout and stderr on stderr.\n"
	"\n"
	"  --wait FILE        start the DPU half when the host half has written FILE;\n"
	"                     what is there from earlier does not count. Up to 16\n"
	"                     times. Without it both halves start together\n"
	"  --timeout SECONDS  end both after that time\n"
	"  -h, --help         this text\n"
	"\n"
	"When the DPU half is done and the host half still runs, Enter is pressed in\n"
	"the host half, once; it has no other input, the DPU half has none. When one\n"
	"half fails, the other is ended: SIGTERM, and SIGKILL after 5 seconds, to its\n"
	"whole group. So are both on Ctrl-C, SIGTERM and SIGHUP; a second one kills.\n"
	"What a half leaves in its group ends with the pair at the latest.\n"
	"\n"
	"The exit code is that of the half that failed first, 128 and the signal's\n"
	"number if a signal ended it; 0 when both succeed. 124: timeout. 130, 143, 129:\n"
	"Ctrl-C, SIGTERM, SIGHUP. 127, 126: the program of a half was not found, cannot\n"
	"be run. 1: a FILE was not written, or its directory cannot be watched. 2:\n"
	"wrong use, or a wrong setting.\n"
	"\n"
	"Settings stand in front: softdoca run --device lab.json softdoca pair ...\n"
	"\n"
	"HOST-COMMAND ends at the first -- in it; one that has its own goes into a\n"
	"script. The stdout of a half is a dumb terminal, so that lines come when they\n"
	"are written.\n";

struct pair {
	struct half host;
	struct half dpu;
	struct wait_files files;
	sigset_t mask; /* of the halves */
	int signals;
	int code; /* the first failure, or 0 */
	bool is_ending;
	bool is_helped; /* with the help, and nothing is run */
	int64_t deadline_ms;
	int64_t kill_ms;
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Once; the first reason is the exit code. */
static void end(struct pair *pair, int code)
{
	if (pair->is_ending)
		return;
	pair->is_ending = true;
	pair->code = code;
	pair->kill_ms = now_ms() + GRACE_MS;
	half_signal(&pair->host, SIGTERM);
	half_signal(&pair->dpu, SIGTERM);
}

static void kill_both(struct pair *pair)
{
	half_signal(&pair->host, SIGKILL);
	half_signal(&pair->dpu, SIGKILL);
	pair->kill_ms = NEVER;
}

static void start(struct pair *pair, struct half *half)
{
	int error = half_start(half, &pair->mask, half == &pair->host);

	if (error == 0)
		return;
	say(&pair_command, "cannot start the %s half: %s", half->role, strerror(error));
	end(pair, 1);
}

static void start_dpu_if_due(struct pair *pair)
{
	if (pair->dpu.pid == 0 && !pair->is_ending && wait_files_missing(&pair->files) == NULL)
		start(pair, &pair->dpu);
}

static void look_for_files(struct pair *pair)
{
	int error;

	if (pair->files.fd < 0 || pair->dpu.pid != 0)
		return;
	error = wait_files_read(&pair->files);
	if (error != 0) {
		say(&pair_command, "cannot watch for %s: %s", wait_files_missing(&pair->files),
		    strerror(error));
		end(pair, 1);
	}
	start_dpu_if_due(pair);
}

/* What a half's end means for the other. */
static void judge(struct pair *pair, const struct half *half, const struct half *other)
{
	const char *ending = half_runs(other) && !other->is_over ? "; ending the other half" : "";

	if (!half->is_over || pair->is_ending || (half->code == CLD_EXITED && half->status == 0))
		return;
	if (half->code == CLD_EXITED)
		say(&pair_command, "the %s half failed with exit code %d%s", half->role,
		    half->status, ending);
	else
		say(&pair_command, "the %s half was ended by signal %d (%s)%s", half->role,
		    half->status, strsignal(half->status), ending);
	end(pair, half->code == CLD_EXITED ? half->status : 128 + half->status);
}

static void look_at_children(struct pair *pair)
{
	bool was_over = pair->dpu.is_over;

	half_reap(&pair->host);
	half_reap(&pair->dpu);
	/* The host half's last act may have been to write the file. */
	look_for_files(pair);
	judge(pair, &pair->host, &pair->dpu);
	judge(pair, &pair->dpu, &pair->host);
	if (pair->host.is_over && pair->dpu.pid == 0 && !pair->is_ending) {
		say(&pair_command, "the host half ended and has not written %s",
		    wait_files_missing(&pair->files));
		end(pair, 1);
	}
	if (pair->dpu.is_over && !was_over && !pair->is_ending && !pair->host.is_over)
		half_press_enter(&pair->host);
	if (pair->host.is_over && pair->dpu.is_over)
		end(pair, 0); /* what they left running */
}

static void look_at_signals(struct pair *pair)
{
	struct signalfd_siginfo info;

	while (read(pair->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			look_at_children(pair);
		else if (info.ssi_signo == SIGPIPE)
			continue; /* who writes learns it from the write */
		else if (pair->is_ending)
			kill_both(pair);
		else
			end(pair, 128 + (int)info.ssi_signo);
	}
}

static void look_at_output(struct pair *pair, struct output *output)
{
	output_pass(output);
	if (output->error == 0 || pair->is_ending)
		return;
	if (output->error != EPIPE)
		say(&pair_command, "cannot write: %s", strerror(output->error));
	end(pair, output->error == EPIPE ? 128 + SIGPIPE : 1);
}

static void look_at_clock(struct pair *pair)
{
	int64_t now = now_ms();

	if (now >= pair->kill_ms)
		kill_both(pair);
	if (now >= pair->deadline_ms && !pair->is_ending) {
		say(&pair_command, "timeout; ending both halves");
		end(pair, EXIT_TIMEOUT);
	}
}

static int wait_ms(const struct pair *pair)
{
	int64_t next = pair->is_ending ? pair->kill_ms : pair->deadline_ms;
	int64_t left = next == NEVER ? -1 : next - now_ms();

	if (next != NEVER && left < 0)
		return 0;
	return left > INT32_MAX ? INT32_MAX : (int)left;
}

static void loop(struct pair *pair)
{
	struct output *outputs[] = {&pair->host.out, &pair->host.err, &pair->dpu.out,
				    &pair->dpu.err};

	while (half_runs(&pair->host) || half_runs(&pair->dpu)) {
		struct pollfd polled[6] = {
			{.fd = pair->signals, .events = POLLIN},
			{.fd = pair->dpu.pid == 0 ? pair->files.fd : -1, .events = POLLIN},
		};

		for (size_t i = 0; i < 4; i++)
			polled[2 + i] = (struct pollfd){.fd = outputs[i]->source, .events = POLLIN};
		poll(polled, 6, wait_ms(pair));
		for (size_t i = 0; i < 4; i++) {
			if (polled[2 + i].revents != 0)
				look_at_output(pair, outputs[i]);
		}
		look_for_files(pair);
		look_at_signals(pair);
		look_at_clock(pair);
	}
	for (size_t i = 0; i < 4; i++)
		output_finish(outputs[i]);
}

/* A signal that our caller ignores, as nohup does, is not for us. */
static void take_signal(sigset_t *set, int signal)
{
	struct sigaction action;

	if (sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
		sigaddset(set, signal);
}

static int set_up(struct pair *pair)
{
	sigset_t ours;

	sigemptyset(&ours);
	signal(SIGCHLD, SIG_DFL);
	sigaddset(&ours, SIGCHLD);
	sigaddset(&ours, SIGPIPE);
	take_signal(&ours, SIGINT);
	take_signal(&ours, SIGTERM);
	take_signal(&ours, SIGHUP);
	sigprocmask(SIG_BLOCK, &ours, &pair->mask);
	pair->signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	if (pair->signals < 0)
		return errno;
	/* What a half leaves behind when its program ends is still ours to end. */
	return prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 ? errno : 0;
}

static int run_pair(struct pair *pair)
{
	int error = set_up(pair);

	if (error != 0) {
		say(&pair_command, "cannot start: %s", strerror(error));
		return 1;
	}
	start(pair, &pair->host);
	start_dpu_if_due(pair);
	loop(pair);
	return pair->code;
}

/* 0, or the exit code of a refusal. */
static int set_timeout(const struct command *self, struct pair *pair, const char *text)
{
	char *tail;
	double seconds = strtod(text, &tail);

	if (tail == text || *tail != '\0' || !(seconds > 0 && seconds <= MAX_TIMEOUT_S))
		return refuse(self, "--timeout is '%s'; allowed: seconds above 0", text);
	pair->deadline_ms = now_ms() + (int64_t)(seconds * 1000) + 1;
	return 0;
}

static int add_file(const struct command *self, struct pair *pair, const char *path)
{
	int error = wait_files_add(&pair->files, path);

	if (error == EISDIR)
		return refuse(self, "--wait '%s' names no file", path);
	if (error == E2BIG)
		return refuse(self, "more than %d times --wait", MAX_WAIT_FILES);
	if (error == 0)
		return 0;
	say(self, "cannot watch the directory of %s: %s", path, strerror(error));
	return 1;
}

/* The two commands behind the options; the second -- becomes the end of the first. */
static int split_commands(const struct command *self, struct pair *pair, char **argv)
{
	size_t num_host = 0;

	if (strcmp(argv[optind - 1], "--") != 0 && argv[optind] != NULL)
		return refuse(self, "'%s' stands before the -- of the host command", argv[optind]);
	if (argv[optind] == NULL)
		return refuse(self, "no host command");
	pair->host.argv = argv + optind;
	while (pair->host.argv[num_host] != NULL && strcmp(pair->host.argv[num_host], "--") != 0)
		num_host++;
	if (num_host == 0 || pair->host.argv[0][0] == '\0')
		return refuse(self, "the host command is empty");
	if (pair->host.argv[num_host] == NULL)
		return refuse(self, "no -- and DPU command after the host command");
	pair->host.argv[num_host] = NULL;
	pair->dpu.argv = pair->host.argv + num_host + 1;
	if (pair->dpu.argv[0] == NULL || pair->dpu.argv[0][0] == '\0')
		return refuse(self, "the DPU command is empty");
	return 0;
}

static int parse(const struct command *self, struct pair *pair, int argc, char **argv)
{
	static const struct option options[] = {
		{"help", no_argument, NULL, 'h'},
		{"timeout", required_argument, NULL, 't'},
		{"wait", required_argument, NULL, 'w'},
		{NULL, 0, NULL, 0},
	};
	int result = 0;
	int found;

	while (result == 0 && (found = getopt_long(argc, argv, "+:h", options, NULL)) != -1) {
		switch (found) {
		case 't':
			result = set_timeout(self, pair, optarg);
			break;
		case 'w':
			result = add_file(self, pair, optarg);
			break;
		case 'h':
			pair->is_helped = true;
			return print_help(self);
		default:
			return refuse_option(self, found, argv);
		}
	}
	return result != 0 ? result : split_commands(self, pair, argv);
}

static void init(struct half *half, const char *role, const char *label, const char *colour)
{
	half->role = role;
	half->input = -1;
	half->out.source = -1;
	half->err.source = -1;
	half->out.label = half->err.label = label;
	half->out.colour = half->err.colour = colour;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct pair *pair = calloc(1, sizeof(*pair));
	int code;

	if (pair == NULL) {
		say(self, "no memory");
		return 1;
	}
	pair->files.fd = -1;
	pair->deadline_ms = NEVER;
	pair->kill_ms = NEVER;
	init(&pair->host, "host", "host | ", "\033[36m");
	init(&pair->dpu, "dpu", "dpu  | ", "\033[33m");
	code = parse(self, pair, argc, argv);
	if (code == 0 && !pair->is_helped)
		code = setup_check(self, &(struct setup){0});
	if (code == 0 && !pair->is_helped)
		code = run_pair(pair);
	free(pair);
	return code;
}

const struct command pair_command = {
	.name = "pair",
	.summary = "run a host half and a DPU half together",
	.help = help,
	.run = run,
};
