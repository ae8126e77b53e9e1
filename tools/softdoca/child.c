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
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_ROUNDS 1000 /* generations of processes that escape */

/* Between three processes: this one, the guard it starts, and the child, which the guard starts. */
struct shared {
	int error; /* errno: the guard or the child could not go on */
	bool is_over;
	int status;
};

struct watch {
	pid_t guard;  /* 0: none */
	int lifeline; /* held by this process alone: when it is closed, the guard ends the child */
	struct shared *shared;
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

_Noreturn static void live(const struct watch *watch, pid_t guard, int out, child_body body,
			   const void *arg)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;
	int result;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != guard)
		_exit(0);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	result = body(out, arg);
	watch->shared->error = result < 0 ? -result : 0;
	_exit(result);
}

/* What left the child's group is a child of the guard's, or will be when its parent is gone. */
static void end_orphans(void)
{
	bool is_done = false;
	int pid;

	for (int round = 0; round < MAX_ROUNDS && !is_done; round++) {
		FILE *list = fopen("/proc/thread-self/children", "re");

		is_done = true;
		while (list != NULL && fscanf(list, "%d", &pid) == 1) {
			if (kill(pid, SIGKILL) != 0)
				continue; /* it has become another user's */
			is_done = false;
			waitpid(pid, NULL, 0);
		}
		if (list != NULL)
			fclose(list);
	}
}

/* Until the child ends, or nobody holds the lifeline. */
static void wait_for(pid_t pid, int lifeline, const struct watch *watch)
{
	struct pollfd polled[] = {{.fd = lifeline}, {.fd = watch->signals, .events = POLLIN}};
	struct signalfd_siginfo signals;
	siginfo_t info = {0};

	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == 0 && polled[0].revents == 0) {
		poll(polled, 2, -1);
		while (read(watch->signals, &signals, sizeof(signals)) > 0)
			;
	}
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL); /* where it had no time to make its group */
	waitpid(pid, &watch->shared->status, 0);
	watch->shared->is_over = info.si_pid != 0;
}

/* Ends when the child and all that it started have ended: no signal but SIGKILL hurries it. */
_Noreturn static void stand_guard(const struct watch *watch, int lifeline, int out, child_body body,
				  const void *arg)
{
	pid_t self = getpid();
	sigset_t all;
	pid_t pid;

	close(watch->lifeline);
	setpgid(0, 0);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	pid = prctl(PR_SET_CHILD_SUBREAPER, 1L) == 0 ? fork() : -1;
	if (pid == 0)
		live(watch, self, out, body, arg);
	close(out);
	if (pid > 0)
		wait_for(pid, lifeline, watch);
	else
		watch->shared->error = errno;
	end_orphans();
	_exit(0);
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

static void take_signals(struct watch *watch)
{
	struct signalfd_siginfo info;

	while (read(watch->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo != SIGCHLD)
			watch->end_signal = (int)info.ssi_signo;
	}
	if (waitpid(watch->guard, NULL, WNOHANG) == watch->guard)
		watch->guard = 0;
}

int child_shortage(const char *text)
{
	static const int errors[] = {EAGAIN, EMFILE, ENFILE, ENOMEM};
	struct rlimit memory = {.rlim_cur = RLIM_INFINITY};

	/* As the loader says it, also where a file must not be executed. */
	getrlimit(RLIMIT_AS, &memory);
	if (memory.rlim_cur != RLIM_INFINITY && strstr(text, "failed to map segment") != NULL)
		return ENOMEM;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (strstr(text, strerror(errors[i])) != NULL)
			return errors[i];
	return strstr(text, "Cannot fork") != NULL ? EAGAIN : 0; /* a shell */
}

/* When the guard is gone. */
static void take_end(struct child *child, const struct watch *watch, bool is_ended)
{
	int status = watch->shared->status;

	child->error = watch->shared->error;
	child->is_over = watch->shared->is_over;
	if (child->is_over) {
		child->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		child->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	} else if (!is_ended && child->error == 0) {
		child->error = ECHILD; /* somebody killed the guard */
	}
	if (child->error == 0 && child->exit_code != 0)
		child->error = child_shortage(child->text);
}

static void attend(struct child *child, struct watch *watch, int deadline_s)
{
	int64_t deadline_ms = now_ms() + (int64_t)deadline_s * 1000;
	bool is_ended;

	while (watch->guard != 0 && watch->end_signal == 0) {
		struct pollfd polled[] = {{.fd = watch->out, .events = POLLIN},
					  {.fd = watch->signals, .events = POLLIN}};
		int64_t left_ms = deadline_ms - now_ms();

		if (left_ms <= 0)
			break;
		poll(polled, 2, (int)left_ms);
		if (watch->out >= 0)
			take_text(child, watch);
		take_signals(watch);
	}
	is_ended = watch->guard != 0;
	if (is_ended) {
		close(watch->lifeline);
		watch->lifeline = -1;
		waitpid(watch->guard, NULL, 0);
	}
	if (watch->out >= 0)
		take_text(child, watch);
	child->text[watch->len] = '\0';
	take_end(child, watch, is_ended);
}

void child_ends(sigset_t *set)
{
	static const int others[] = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU};
	struct sigaction action;

	sigfillset(set);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		sigdelset(set, others[i]);
	for (int signal = 1; signal < NSIG; signal++)
		if (sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
			sigdelset(set, signal);
}

static bool start(struct watch *watch, child_body body, const void *arg)
{
	int lifeline[2];
	int out[2];

	if (watch->signals < 0 || pipe2(lifeline, O_CLOEXEC) != 0)
		return false;
	watch->lifeline = lifeline[1];
	if (pipe2(out, O_CLOEXEC) == 0) {
		watch->out = out[0];
		fcntl(watch->out, F_SETFL, O_NONBLOCK);
		watch->guard = fork();
		if (watch->guard == 0)
			stand_guard(watch, lifeline[0], out[1], body, arg);
		close(out[1]);
	}
	close(lifeline[0]);
	return watch->guard > 0;
}

static void finish(const struct watch *watch)
{
	const int fds[] = {watch->out, watch->signals, watch->lifeline};

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (watch->shared != MAP_FAILED)
		munmap(watch->shared, sizeof(*watch->shared));
	if (watch->end_signal != 0)
		raise(watch->end_signal);
}

bool child_run(struct child *child, child_body body, const void *arg, int deadline_s)
{
	const struct sigaction by_default = {.sa_handler = SIG_DFL};
	struct watch watch = {.out = -1, .signals = -1, .lifeline = -1};
	struct sigaction before;
	sigset_t ours;

	*child = (struct child){0};
	sigaction(SIGCHLD, &by_default, &before); /* ignored, it would tell no status */
	child_ends(&ours);
	sigaddset(&ours, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ours, &watch.mask);
	watch.shared = mmap(NULL, sizeof(*watch.shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (watch.shared != MAP_FAILED)
		watch.signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	if (start(&watch, body, arg))
		attend(child, &watch, deadline_s);
	else
		child->error = errno;
	finish(&watch);
	sigaction(SIGCHLD, &before, NULL);
	sigprocmask(SIG_SETMASK, &watch.mask, NULL);
	return child->error == 0 && child->is_over && child->signal == 0 && child->exit_code == 0;
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
