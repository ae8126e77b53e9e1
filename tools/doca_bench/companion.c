/* SPDX-License-Identifier: Apache-2.0 */
/* The companion: the host's half on this machine. It ends when its socket does, or its parent. */
#include "companion.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "ticks.h"

#define MAX_EXPORT_BYTES 2048
#define END_MS 2000
#define ANSWER_MS 30000
#define LOOK_MS 100 /* between two looks at the signal */
#define FILL_BYTES ((uint64_t)64 << 20)

enum ask { ASK_EXPORT, ASK_EXPORT_TO_WRITE, ASK_FILL, ASK_SPOIL, ASK_LOOK };

struct question {
	uint64_t ask; /* enum ask */
	uint64_t at;
	uint64_t len;
};

struct answer {
	uint64_t is_right;
	struct wrong_byte wrong;
};

struct hello {
	uint8_t *bytes;
	uint64_t export_len;
	uint8_t export[MAX_EXPORT_BYTES];
};

/* Whole, and nothing else. */
static bool recv_question(int socket, struct question *question)
{
	return recv(socket, question, sizeof(*question), MSG_TRUNC) == (ssize_t)sizeof(*question);
}

/* Makes the memory that the first question asks for, and says where it is. */
static bool say_hello(int socket, struct memory *memory)
{
	struct hello hello = {0};
	struct question question;
	struct doca_dev *dev = NULL;
	const void *export = NULL;
	size_t len = 0;
	bool is_written;

	if (!recv_question(socket, &question))
		return false;
	is_written = question.ask == ASK_EXPORT_TO_WRITE;
	dev = device_open(NULL);
	if (dev == NULL || !memory_open_shared(memory, question.len, is_written))
		return false;
	if (!memory_register(memory, dev,
			     is_written ? DOCA_ACCESS_FLAG_PCI_READ_WRITE
					: DOCA_ACCESS_FLAG_PCI_READ_ONLY) ||
	    !DOCA(doca_mmap_export_pci(memory->mmap, dev, &export, &len)) ||
	    len > sizeof(hello.export))
		return false;
	hello.bytes = memory->bytes;
	hello.export_len = len;
	memcpy(hello.export, export, len);
	return send(socket, &hello, sizeof(hello), MSG_NOSIGNAL) == (ssize_t)sizeof(hello);
}

static void serve(int socket, struct memory *memory)
{
	struct question question;

	while (recv_question(socket, &question) && question.len <= memory->len &&
	       question.at <= memory->len - question.len) {
		struct answer answer = {.is_right = true};

		if (question.ask == ASK_LOOK)
			answer.is_right =
				memory_is_right(memory, question.at, question.len, &answer.wrong);
		else
			memory_fill(memory, question.at, question.len, question.ask == ASK_SPOIL);
		if (send(socket, &answer, sizeof(answer), MSG_NOSIGNAL) < 0)
			return;
	}
}

__attribute__((noreturn)) static void be_companion(int socket, pid_t parent)
{
	struct memory memory = {0};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Ctrl-C is for the parent to answer, which still has questions. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	setenv("SOFTDOCA_ROLE", "host", 1);
	if (getppid() != parent || !say_hello(socket, &memory))
		_exit(EXIT_FAILURE);
	serve(socket, &memory);
	_exit(EXIT_SUCCESS);
}

bool companion_start(struct companion *companion)
{
	pid_t parent = getpid();
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
		say("cannot start the companion: %m");
		return false;
	}
	companion->pid = fork();
	if (companion->pid == 0) {
		close(ends[0]);
		be_companion(ends[1], parent);
	}
	if (companion->pid < 0) {
		say("cannot start the companion: %m");
		companion->pid = 0;
		return false;
	}
	close(ends[1]);
	companion->socket = ends[0];
	return true;
}

void companion_say_end(struct companion *companion)
{
	struct pollfd end = {.fd = companion->socket, .events = POLLRDHUP};
	siginfo_t info = {0};
	bool is_known;

	if (companion->pid == 0)
		return;
	/* One that is stopped ends no more than it answers. */
	is_known = waitid(P_PID, (id_t)companion->pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
		   info.si_pid != 0;
	if (!is_known)
		is_known = poll(&end, 1, END_MS) > 0 &&
			   waitid(P_PID, (id_t)companion->pid, &info, WEXITED | WNOWAIT) == 0;
	if (!is_known)
		return;
	if (info.si_code == CLD_EXITED)
		say("the companion, process %d, ended with exit code %d", info.si_pid,
		    info.si_status);
	else
		say("the companion, process %d, was %s by signal %d (%s)", info.si_pid,
		    info.si_code == CLD_STOPPED ? "stopped" : "ended", info.si_status,
		    strsignal(info.si_status));
}

/* Whether there is an answer, or an end. Interrupted, it is waited for END_MS more: a question is
 * soon answered. */
static bool is_answered(const struct companion *companion)
{
	struct pollfd answer = {.fd = companion->socket, .events = POLLIN};
	double end = now_seconds() + ANSWER_MS / 1e3;
	int ready;

	do {
		double now = now_seconds();

		if (interrupted() != 0 && end > now + END_MS / 1e3)
			end = now + END_MS / 1e3;
		if (now > end)
			return false;
		ready = poll(&answer, 1, LOOK_MS);
	} while (ready == 0 || (ready < 0 && errno == EINTR));
	return true;
}

static bool hear(struct companion *companion, void *words, size_t len)
{
	bool is_there = is_answered(companion);

	if (is_there && recv(companion->socket, words, len, 0) == (ssize_t)len)
		return true;
	if (!is_there)
		say("the companion, process %d, does not answer", companion->pid);
	companion_say_end(companion);
	return false;
}

/* One that cannot be sent is not answered either. */
static bool ask(struct companion *companion, struct question question, void *answer, size_t len)
{
	(void)send(companion->socket, &question, sizeof(question), MSG_NOSIGNAL);
	return hear(companion, answer, len);
}

/* In parts, so that each is soon answered. */
static bool fill(struct companion *companion, enum ask what, uint64_t len)
{
	struct answer answer;
	bool is_filled = true;

	for (uint64_t at = 0; at < len && is_filled && interrupted() == 0; at += FILL_BYTES) {
		uint64_t part = len - at < FILL_BYTES ? len - at : FILL_BYTES;

		is_filled =
			ask(companion, (struct question){what, at, part}, &answer, sizeof(answer));
	}
	return is_filled;
}

bool companion_make_wrong(struct companion *companion, uint64_t len)
{
	return fill(companion, ASK_SPOIL, len);
}

bool companion_import(struct companion *companion, struct doca_dev *dev, size_t len,
		      bool is_written)
{
	struct question question = {is_written ? ASK_EXPORT_TO_WRITE : ASK_EXPORT, 0, len};
	struct hello hello;
	bool is_imported;

	if (!ask(companion, question, &hello, sizeof(hello)))
		return false;
	companion->bytes = hello.bytes;
	is_imported = DOCA(doca_mmap_create_from_export(NULL, hello.export, hello.export_len, dev,
							&companion->mmap));
	explicit_bzero(&hello, sizeof(hello));
	if (!is_imported)
		companion_say_end(companion);
	return is_imported && fill(companion, is_written ? ASK_SPOIL : ASK_FILL, len);
}

bool companion_look(struct companion *companion, uint64_t at, uint64_t len,
		    struct wrong_byte *wrong, bool *is_right)
{
	struct answer answer;

	if (!ask(companion, (struct question){ASK_LOOK, at, len}, &answer, sizeof(answer)))
		return false;
	*is_right = answer.is_right;
	*wrong = answer.wrong;
	return true;
}

void companion_stop(struct companion *companion)
{
	if (companion->pid == 0)
		return;
	if (companion->mmap != NULL)
		DOCA(doca_mmap_destroy(companion->mmap));
	close(companion->socket);
	kill(companion->pid, SIGKILL); /* it has nothing to lose, and may be stopped */
	waitpid(companion->pid, NULL, 0);
	*companion = (struct companion){0};
}
