/* SPDX-License-Identifier: Apache-2.0 */
/* Lines into streams, descriptors, the system's log, and buffers; never two mixed. */
#include "common/log_output.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

/* How long a line that is written in part waits for its descriptor to take the rest. */
#define PARTIAL_WRITE_WAIT_MS 1000

/* openlog() has one name for the process: set and used under this. */
static struct lock syslog_lock = LOCK_INITIALIZER;

/*
 * A handler runs with its output's lock held. What it logs skips every output with a buffer: not
 * only its own, for two handlers that log to each other's would wait for each other.
 */
static _Thread_local bool is_in_handler;

/*
 * A line that nobody reads must not end the program: while it is written SIGPIPE is held back, and
 * taken away if it is ours. What is begun here ends with its scope, also when the thread is
 * cancelled while it waits for a slow reader: cancellation unwinds.
 */
struct guard {
	sigset_t sigpipe; /* that signal alone */
	sigset_t pending;
	sigset_t old_mask;
	bool was_pending;
};

static bool is_sigpipe_pending(struct guard *guard)
{
	return sigpending(&guard->pending) == 0 && sigismember(&guard->pending, SIGPIPE) == 1;
}

static void guard_begin(struct guard *guard)
{
	sigemptyset(&guard->sigpipe);
	sigaddset(&guard->sigpipe, SIGPIPE);
	guard->was_pending = is_sigpipe_pending(guard);
	pthread_sigmask(SIG_BLOCK, &guard->sigpipe, &guard->old_mask);
}

static void guard_end(struct guard *guard)
{
	static const struct timespec at_once;

	if (!guard->was_pending && is_sigpipe_pending(guard))
		(void)sigtimedwait(&guard->sigpipe, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &guard->old_mask, NULL);
}

#define WRITE_SCOPE()                                                                              \
	struct guard guard __attribute__((cleanup(guard_end)));                                    \
	guard_begin(&guard)

static void lock_drop_scoped(struct lock **lock) NO_THREAD_SAFETY_ANALYSIS
{
	lock_drop(*lock);
}

static struct lock *lock_take_scoped(struct lock *lock) NO_THREAD_SAFETY_ANALYSIS
{
	lock_take(lock);
	return lock;
}

#define LOCK_SCOPE(which)                                                                          \
	struct lock *held __attribute__((cleanup(lock_drop_scoped), unused)) =                     \
		lock_take_scoped(which)

static void stream_unlock(FILE **stream)
{
	funlockfile(*stream);
}

static bool write_whole(int fd, const struct log_line *line)
{
	size_t done = 0;

	while (done < line->len) {
		ssize_t written = write(fd, line->bytes + done, line->len - done);

		if (written > 0) {
			done += (size_t)written;
		} else if (written < 0 && errno == EINTR) {
			continue;
		} else if (written < 0 && errno == EAGAIN && done > 0) {
			struct pollfd writable = {.fd = fd, .events = POLLOUT};

			if (poll(&writable, 1, PARTIAL_WRITE_WAIT_MS) == 0)
				return false;
		} else {
			return false;
		}
	}
	return true;
}

bool log_fd_write(int fd, const struct log_line *line)
{
	WRITE_SCOPE();
	return write_whole(fd, line);
}

static bool write_to_fd(struct log_output *output, const struct log_record *record,
			const struct log_line *line)
{
	WRITE_SCOPE();
	LOCK_SCOPE(&output->lock);
	return write_whole(output->fd, line);
}

/* The stream's own lock keeps lines apart, also from what the program prints there. */
static bool write_to_file(struct log_output *output, const struct log_record *record,
			  const struct log_line *line)
{
	FILE *stream __attribute__((cleanup(stream_unlock), unused)) = output->file;
	bool is_written;
	WRITE_SCOPE();

	flockfile(output->file);
	is_written = fwrite_unlocked(line->bytes, 1, line->len, output->file) == line->len;
	is_written = fflush_unlocked(output->file) == 0 && is_written;
	return is_written;
}

static bool write_to_buf(struct log_output *output, const struct log_record *record,
			 const struct log_line *line)
{
	static const char cut[] = "...\n";
	size_t len = line->len;
	size_t cut_len = 0;

	if (is_in_handler)
		return true;
	if (len >= output->buf.capacity) {
		len = output->buf.capacity - 1;
		cut_len = len < strlen(cut) ? len : strlen(cut);
	}

	lock_take(&output->lock);
	memcpy(output->buf.bytes, line->bytes, len);
	memcpy(output->buf.bytes + len - cut_len, cut + strlen(cut) - cut_len, cut_len);
	output->buf.bytes[len] = '\0';
	is_in_handler = true;
	output->buf.handler(output->buf.bytes);
	is_in_handler = false;
	lock_drop(&output->lock);
	return true;
}

static int syslog_priority(uint32_t level)
{
	switch (level) {
	case DOCA_LOG_LEVEL_CRIT:
		return LOG_CRIT;
	case DOCA_LOG_LEVEL_ERROR:
		return LOG_ERR;
	case DOCA_LOG_LEVEL_WARNING:
		return LOG_WARNING;
	case DOCA_LOG_LEVEL_INFO:
		return LOG_INFO;
	default:
		return LOG_DEBUG;
	}
}

static bool write_to_syslog(struct log_output *output, const struct log_record *record,
			    const struct log_line *line)
{
	lock_take(&syslog_lock);
	openlog(output->syslog_name, 0, LOG_USER);
	syslog(syslog_priority(record->level), "%.*s", (int)line->len - 1, line->bytes);
	lock_drop(&syslog_lock);
	return true;
}

void log_output_init_file(struct log_output *output, FILE *file)
{
	lock_init(&output->lock);
	output->write = write_to_file;
	output->file = file;
}

void log_output_init_fd(struct log_output *output, int fd)
{
	lock_init(&output->lock);
	output->write = write_to_fd;
	output->fd = fd;
}

void log_output_init_buf(struct log_output *output, char *bytes, size_t capacity,
			 log_flush_callback handler)
{
	lock_init(&output->lock);
	output->write = write_to_buf;
	output->buf.bytes = bytes;
	output->buf.capacity = capacity;
	output->buf.handler = handler;
}

void log_output_init_syslog(struct log_output *output, char *name)
{
	lock_init(&output->lock);
	output->write = write_to_syslog;
	output->syslog_name = name;
}

bool log_output_write(struct log_output *output, const struct log_record *record,
		      const struct log_line *line)
{
	return output->write(output, record, line);
}
