/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starting, hearing and ending a half. Its stdout is a terminal, so that the C library writes each
 * line when it is whole: into a pipe it would keep kilobytes back, and "press Enter" with them. It
 * is a dumb one, as a labelled line can be neither moved in nor coloured. Its stderr is a pipe:
 * that is never kept back, and stays apart.
 */
#include "half.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "command.h"

/* Each in the order of pipe(): what is read, what is written. */
struct ends {
	int in[2];
	int out[2];
	int err[2];
};

static void close_ends(const struct ends *ends, bool is_ours)
{
	const int theirs[] = {ends->in[0], ends->out[1], ends->err[1]};
	const int ours[] = {ends->in[1], ends->out[0], ends->err[0]};

	for (size_t i = 0; i < 3; i++) {
		int fd = is_ours ? ours[i] : theirs[i];

		if (fd >= 0)
			close(fd);
	}
}

/* Bytes pass unchanged. Where there are no terminals, a pipe must do. */
static int open_terminal(int ends[2])
{
	struct termios mode = {0};
	struct winsize size = {.ws_row = 24, .ws_col = 80};

	cfmakeraw(&mode);
	mode.c_cflag |= CREAD;
	if (openpty(&ends[0], &ends[1], NULL, &mode, &size) != 0)
		return pipe2(ends, O_CLOEXEC);
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

static int open_ends(struct ends *ends, bool has_input)
{
	*ends = (struct ends){.in = {-1, -1}, .out = {-1, -1}, .err = {-1, -1}};
	if (has_input) {
		if (pipe2(ends->in, O_CLOEXEC) != 0)
			return errno;
	} else {
		ends->in[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (ends->in[0] < 0)
			return errno;
	}
	if (open_terminal(ends->out) != 0 || pipe2(ends->err, O_CLOEXEC) != 0)
		return errno;
	fcntl(ends->out[0], F_SETFL, O_NONBLOCK);
	fcntl(ends->err[0], F_SETFL, O_NONBLOCK);
	return 0;
}

__attribute__((noreturn)) static void become(const struct half *half, const struct ends *ends,
					     const sigset_t *mask, pid_t parent)
{
	int error;

	/* If the pair is killed, its program is too; the group, whose terminal that is, is hung up.
	 * A caller that ignores SIGHUP, as nohup does, meant another terminal. */
	signal(SIGHUP, SIG_DFL);
	setsid();
	ioctl(ends->out[1], TIOCSCTTY, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	dup2(ends->in[0], STDIN_FILENO);
	dup2(ends->out[1], STDOUT_FILENO);
	dup2(ends->err[1], STDERR_FILENO);
	setenv("SOFTDOCA_ROLE", half->role, 1);
	setenv("TERM", "dumb", 1);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(half->argv[0], half->argv);
	error = errno;
	say(&pair_command, "cannot run %s: %s", half->argv[0], strerror(error));
	_exit(error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

int half_start(struct half *half, const sigset_t *mask, bool has_input)
{
	pid_t parent = getpid();
	struct ends ends;
	int error = open_ends(&ends, has_input);

	if (error != 0)
		goto close_all;
	half->pid = fork();
	if (half->pid < 0) {
		error = errno;
		half->pid = 0;
		goto close_all;
	}
	if (half->pid == 0)
		become(half, &ends, mask, parent);
	close_ends(&ends, false);
	half->input = ends.in[1];
	output_open(&half->out, ends.out[0], stdout);
	output_open(&half->err, ends.err[0], stderr);
	return 0;

close_all:
	close_ends(&ends, false);
	close_ends(&ends, true);
	return error;
}

static void reap_program(struct half *half)
{
	siginfo_t info = {0};

	if (half->is_over || waitid(P_PID, (id_t)half->pid, &info, WEXITED | WNOHANG) != 0 ||
	    info.si_pid == 0)
		return;
	half->is_over = true;
	half->status = info.si_status;
	half->code = info.si_code;
}

/* What the program leaves behind becomes our child, so no child in the group is an empty group. */
void half_reap(struct half *half)
{
	if (!half_runs(half))
		return;
	reap_program(half);
	while (half->is_over && !half->is_gone) {
		siginfo_t info = {0};

		if (waitid(P_PGID, (id_t)half->pid, &info, WEXITED | WNOHANG) != 0)
			half->is_gone = errno == ECHILD;
		else if (info.si_pid == 0)
			return;
	}
}

/* A program that was only just started may not yet be a group. A stopped one would not hear. */
void half_signal(const struct half *half, int signal)
{
	if (!half_runs(half))
		return;
	if (kill(-half->pid, signal) != 0)
		kill(half->pid, signal);
	kill(-half->pid, SIGCONT);
}

void half_press_enter(struct half *half)
{
	if (half->input < 0)
		return;
	/* One that has closed its input wants none. */
	if (write(half->input, "\n", 1) < 0 && errno != EPIPE)
		say(&pair_command, "cannot press Enter: %s", strerror(errno));
	close(half->input);
	half->input = -1;
}
