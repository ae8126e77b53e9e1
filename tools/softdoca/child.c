/* SPDX-License-Identifier: Apache-2.0 */
/* A child, its deadline, and the signals that end it before. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct watch {
	pid_t pid;
	int out;     /* what the child writes; does not block */
	int signals; /* SIGCHLD, and those that end us */
	size_t len;
	int end_signal; /* one of those came */
	sigset_t mask;	/* of before */
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

_Noreturn static void live(int out, child_body body, const void *arg)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	_exit(body(out, arg));
}

/* What no longer fits is read all the same, so that the child is not stopped by it. */
static void take_text(struct child *child, struct watch *watch)
{
	char rest[4096];
	ssize_t len;

	do {
		size_t room = sizeof(child->text) - 1 - watch->len;

		len = read(watch->out, room > 0 ? child->text + watch->len : rest,
			   room > 0 ? room : sizeof(rest));
		if (len > 0 && room > 0)
			watch->len += (size_t)len;
	} while (len > 0);
	if (len == 0) { /* its end is always readable */
		close(watch->out);
		watch->out = -1;
	}
}

static void take_signals(struct child *child, struct watch *watch)
{
	struct signalfd_siginfo info;
	int status;

	while (read(watch->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo != SIGCHLD)
			watch->end_signal = (int)info.ssi_signo;
	}
	if (watch->pid == 0 || waitpid(watch->pid, &status, WNOHANG) != watch->pid)
		return;
	kill(-watch->pid, SIGKILL); /* what it left */
	watch->pid = 0;
	child->is_over = true;
	child->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	child->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

static void attend(struct child *child, struct watch *watch, int deadline_s)
{
	int64_t deadline_ms = now_ms() + (int64_t)deadline_s * 1000;

	while (watch->pid != 0 && watch->end_signal == 0) {
		struct pollfd polled[] = {{.fd = watch->out, .events = POLLIN},
					  {.fd = watch->signals, .events = POLLIN}};
		int64_t left_ms = deadline_ms - now_ms();

		if (left_ms <= 0)
			break;
		poll(polled, 2, (int)left_ms);
		if (watch->out >= 0)
			take_text(child, watch);
		take_signals(child, watch);
	}
	if (watch->pid != 0) {
		kill(-watch->pid, SIGKILL);
		kill(watch->pid, SIGKILL); /* where it had no time to make its group */
		waitpid(watch->pid, NULL, 0);
	}
	if (watch->out >= 0)
		take_text(child, watch);
	child->text[watch->len] = '\0';
}

/* A signal that our caller ignores, as nohup does, is not for us. */
static void take_signal(sigset_t *set, int signal)
{
	struct sigaction action;

	if (sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
		sigaddset(set, signal);
}

static bool start(struct watch *watch, child_body body, const void *arg)
{
	int ends[2];

	if (watch->signals < 0 || pipe2(ends, O_CLOEXEC) != 0)
		return false;
	watch->out = ends[0];
	fcntl(watch->out, F_SETFL, O_NONBLOCK);
	watch->pid = fork();
	if (watch->pid == 0)
		live(ends[1], body, arg);
	close(ends[1]);
	return watch->pid > 0;
}

bool child_run(struct child *child, child_body body, const void *arg, int deadline_s)
{
	const struct sigaction by_default = {.sa_handler = SIG_DFL};
	struct watch watch = {.out = -1};
	struct sigaction before;
	sigset_t ours;

	*child = (struct child){0};
	sigaction(SIGCHLD, &by_default, &before); /* ignored, it would tell no status */
	sigemptyset(&ours);
	sigaddset(&ours, SIGCHLD);
	take_signal(&ours, SIGINT);
	take_signal(&ours, SIGTERM);
	take_signal(&ours, SIGHUP);
	sigprocmask(SIG_BLOCK, &ours, &watch.mask);
	watch.signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	if (start(&watch, body, arg))
		attend(child, &watch, deadline_s);
	else
		child->error = errno;
	if (watch.out >= 0)
		close(watch.out);
	if (watch.signals >= 0)
		close(watch.signals);
	if (watch.end_signal != 0)
		raise(watch.end_signal);
	sigaction(SIGCHLD, &before, NULL);
	sigprocmask(SIG_SETMASK, &watch.mask, NULL);
	return child->is_over && child->signal == 0 && child->exit_code == 0;
}

int child_shell(int out, const void *arg)
{
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	execl("/bin/sh", "sh", "-c", (const char *)arg, (char *)NULL);
	return 127;
}

void child_describe(const struct child *child, char *text, size_t size)
{
	if (child->error != 0)
		snprintf(text, size, "could not be tried: %s", strerror(child->error));
	else if (!child->is_over)
		snprintf(text, size, "gave no answer in time");
	else if (child->signal != 0)
		snprintf(text, size, "was ended by signal %d (%s)", child->signal,
			 strsignal(child->signal));
	else
		snprintf(text, size, "ended with exit code %d", child->exit_code);
}
