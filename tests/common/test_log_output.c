/* SPDX-License-Identifier: Apache-2.0 */
/* How lines reach streams, descriptors, buffers and the system's log: whole, and never mixed. */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <syslog.h>

#include <doca_log.h>

#include "common/log_output.h"
#include "support/fd_capture.h"

DOCA_LOG_REGISTER(TEST::OUTPUT);

#define NUM_THREADS 8
#define NUM_RECORDS 500

/* The linker sends the library's calls to these (--wrap). */
ssize_t __wrap_write(int fd, const void *bytes, size_t len);
ssize_t __real_write(int fd, const void *bytes, size_t len);
int __wrap_poll(struct pollfd *fds, nfds_t num_fds, int timeout_ms);
int __real_poll(struct pollfd *fds, nfds_t num_fds, int timeout_ms);
void __wrap_openlog(const char *name, int options, int facility);
void __wrap_syslog(int priority, const char *format, ...);

/* What the next calls of write() and poll() do; all zero: the real thing. */
static struct {
	size_t max_len;	      /* take no more at once; 0: any */
	unsigned num_calls;   /* so far */
	int error;	      /* of each call with a number above free_calls */
	unsigned free_calls;  /* without an error, first */
	unsigned error_every; /* of every such call; 1: of all */
	int poll_result;
	unsigned num_polls;
} faults;

/* What the system's log was given. */
static struct {
	char name[64];
	int priority;
	char text[256];
} logged;

ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
	unsigned call = faults.num_calls++;

	if (faults.error != 0 && call >= faults.free_calls && call % faults.error_every == 0) {
		errno = faults.error;
		return -1;
	}
	if (faults.max_len > 0 && len > faults.max_len)
		len = faults.max_len;
	return __real_write(fd, bytes, len);
}

int __wrap_poll(struct pollfd *fds, nfds_t num_fds, int timeout_ms)
{
	faults.num_polls++;
	/* The descriptor is writable again, or the wait was in vain. */
	faults.error = 0;
	return faults.poll_result;
}

void __wrap_openlog(const char *name, int options, int facility)
{
	snprintf(logged.name, sizeof(logged.name), "%s", name);
}

void __wrap_syslog(int priority, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(logged.text, sizeof(logged.text), format, args);
	va_end(args);
	logged.priority = priority;
}

/* Backends live until exit: each test makes its own and silences all when it ends. */
static int setup_limits(void **state)
{
	memset(&faults, 0, sizeof(faults));
	memset(&logged, 0, sizeof(logged));
	return doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DISABLE) == DOCA_SUCCESS ? 0
											     : -1;
}

static void loosen(struct doca_log_backend *backend)
{
	assert_doca(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_TRACE),
		    DOCA_SUCCESS);
}

static struct log_capture *fd_backend(void)
{
	struct log_capture *capture = capture_new();
	struct doca_log_backend *backend;

	assert_non_null(capture);
	assert_doca(doca_log_backend_create_with_fd(capture->fd, &backend), DOCA_SUCCESS);
	loosen(backend);
	return capture;
}

/* No backend writes to its descriptor any more. */
static void end_capture(struct log_capture *capture)
{
	assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DISABLE), DOCA_SUCCESS);
	close(capture->fd);
	free(capture);
}

static void a_descriptor_gets_each_record_as_one_write(void **state)
{
	struct doca_log_backend *backend;
	char packet[4096];
	int fds[2];
	ssize_t len;

	/* A socket that keeps the bounds of what is written. */
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	assert_doca(doca_log_backend_create_with_fd(fds[0], &backend), DOCA_SUCCESS);
	loosen(backend);
	assert_doca(DOCA_LOG_INFO("first"), DOCA_SUCCESS);
	assert_doca(DOCA_LOG_INFO("second"), DOCA_SUCCESS);
	assert_doca(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DISABLE),
		    DOCA_SUCCESS);

	len = recv(fds[1], packet, sizeof(packet) - 1, MSG_DONTWAIT);
	assert_true(len > 0);
	packet[len] = '\0';
	assert_true(text_matches(packet, "^\\[[^\n]* first\n$"));
	len = recv(fds[1], packet, sizeof(packet) - 1, MSG_DONTWAIT);
	assert_true(len > 0);
	packet[len] = '\0';
	assert_true(text_matches(packet, "^\\[[^\n]* second\n$"));
	close(fds[0]);
	close(fds[1]);
}

static void a_descriptor_is_written_through_interruptions_and_short_writes(void **state)
{
	struct log_capture *capture = fd_backend();

	faults.max_len = 7;
	faults.error = EINTR;
	faults.error_every = 2;
	assert_doca(DOCA_LOG_INFO("whole"), DOCA_SUCCESS);
	assert_true(faults.num_calls > 4);
	assert_true(text_matches(capture_text(capture), "^\\[[^\n]* whole\n$"));
	end_capture(capture);
}

static void a_full_descriptor_drops_a_record_rather_than_wait(void **state)
{
	struct log_capture *capture = fd_backend();

	faults.error = EAGAIN;
	faults.error_every = 1;
	assert_doca(DOCA_LOG_INFO("dropped"), DOCA_ERROR_OPERATING_SYSTEM);
	assert_int_equal(faults.num_polls, 0);
	assert_string_equal(capture_text(capture), "");
	end_capture(capture);
}

static void a_descriptor_that_fills_up_in_a_record_is_waited_for(void **state)
{
	struct log_capture *capture = fd_backend();

	faults.max_len = 10;
	faults.error = EAGAIN;
	faults.free_calls = 2;
	faults.error_every = 1;
	faults.poll_result = 1;
	assert_doca(DOCA_LOG_INFO("whole"), DOCA_SUCCESS);
	assert_int_equal(faults.num_polls, 1);
	assert_true(text_matches(capture_text(capture), "^\\[[^\n]* whole\n$"));
	end_capture(capture);
}

static void a_descriptor_that_stays_full_is_given_up(void **state)
{
	struct log_capture *capture = fd_backend();

	faults.max_len = 10;
	faults.error = EAGAIN;
	faults.free_calls = 2;
	faults.error_every = 1;
	faults.poll_result = 0;
	assert_doca(DOCA_LOG_INFO("torn"), DOCA_ERROR_OPERATING_SYSTEM);
	assert_int_equal(faults.num_calls, 3);
	end_capture(capture);
}

static void a_descriptor_that_cannot_be_written_is_refused(void **state)
{
	struct doca_log_backend *none = NULL;
	int read_only = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int closed = open("/dev/null", O_WRONLY | O_CLOEXEC);

	close(closed);
	assert_doca(doca_log_backend_create_with_fd(-1, &none), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_fd(closed, &none), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_fd(read_only, &none), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_fd(1, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_fd_sdk(-1, &none), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_fd_sdk(closed, &none), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_fd_sdk(1, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_null(none);
	close(read_only);
}

static void a_stream_has_each_record_at_once(void **state)
{
	struct log_capture *capture = capture_new();
	struct doca_log_backend *backend;
	FILE *stream = fdopen(capture->fd, "w");

	assert_non_null(stream);
	assert_doca(doca_log_backend_create_with_file(stream, &backend), DOCA_SUCCESS);
	loosen(backend);
	fprintf(stream, "printed before\n");
	assert_doca(DOCA_LOG_WARN("logged"), DOCA_SUCCESS);
	assert_true(text_matches(capture_text(capture), "^printed before\n\\[[^\n]* logged\n$"));
	end_capture(capture);
}

static void a_stream_that_cannot_be_written_is_reported(void **state)
{
	FILE *stream = fopen("/dev/full", "we");
	struct doca_log_backend *backend;

	assert_non_null(stream);
	assert_doca(doca_log_backend_create_with_file(stream, &backend), DOCA_SUCCESS);
	loosen(backend);
	assert_doca(DOCA_LOG_WARN("lost"), DOCA_ERROR_OPERATING_SYSTEM);
}

static void a_stream_or_backend_of_null_is_refused(void **state)
{
	struct doca_log_backend *none = NULL;

	assert_doca(doca_log_backend_create_with_file(NULL, &none), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_file(stderr, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_file_sdk(NULL, &none), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_file_sdk(stderr, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_null(none);
}

/* A buffer of any size between guards. Never freed: its backend lives until exit. */
struct guarded {
	char buf[1024]; /* first: the handler is given its address */
	char seen[1024];
	unsigned num_calls;
	int source;
};

static void keep(char *buf)
{
	struct guarded *guarded = (struct guarded *)buf;

	memcpy(guarded->seen, buf, sizeof(guarded->seen));
	guarded->num_calls++;
}

static struct guarded *buf_backend(size_t capacity, log_flush_callback handler)
{
	struct guarded *guarded = calloc(1, sizeof(*guarded));
	struct doca_log_backend *backend;

	assert_non_null(guarded);
	memset(guarded->buf, '#', sizeof(guarded->buf));
	assert_doca(doca_log_backend_create_with_buf(guarded->buf, capacity, handler, &backend),
		    DOCA_SUCCESS);
	loosen(backend);
	return guarded;
}

static void a_buffer_holds_each_record_at_its_start(void **state)
{
	struct guarded *guarded = buf_backend(1024, keep);

	assert_doca(DOCA_LOG_INFO("a longer first record"), DOCA_SUCCESS);
	assert_true(text_matches(guarded->seen, "^\\[[^\n]* a longer first record\n$"));
	assert_doca(DOCA_LOG_INFO("short"), DOCA_SUCCESS);
	assert_true(text_matches(guarded->seen, "^\\[[^\n]* short\n$"));
	assert_int_equal(guarded->num_calls, 2);
}

static void a_record_that_does_not_fit_is_cut_with_a_mark(void **state)
{
	for (size_t capacity = 1; capacity < 64; capacity++) {
		struct guarded *guarded = buf_backend(capacity, keep);

		assert_doca(DOCA_LOG_INFO("a record of more than 64 bytes"), DOCA_SUCCESS);
		assert_int_equal(guarded->num_calls, 1);
		assert_int_equal(strlen(guarded->seen), capacity - 1);
		assert_int_equal(guarded->seen[capacity], '#');
		if (capacity >= 5)
			assert_string_equal(guarded->seen + capacity - 5, "...\n");
		setup_limits(state);
	}
}

static void a_record_that_just_fits_is_whole(void **state)
{
	struct guarded *large = buf_backend(1024, keep);
	struct guarded *exact;
	size_t len;

	/* The same place and text, so the same length. */
	assert_doca(doca_log(DOCA_LOG_LEVEL_INFO, log_source, "c", 1, "f", "text"), DOCA_SUCCESS);
	len = strlen(large->seen);
	exact = buf_backend(len + 1, keep);
	assert_doca(doca_log(DOCA_LOG_LEVEL_INFO, log_source, "c", 1, "f", "text"), DOCA_SUCCESS);
	assert_int_equal(strlen(exact->seen), len);
	assert_string_equal(exact->seen + len - 6, " text\n");
}

static void a_buffer_without_room_or_handler_is_refused(void **state)
{
	struct doca_log_backend *none = NULL;
	char buf[8];

	assert_doca(doca_log_backend_create_with_buf(NULL, 8, keep, &none),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_buf(buf, 0, keep, &none),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_buf(buf, 8, NULL, &none),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_buf(buf, 8, keep, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_buf_sdk(NULL, 8, keep, &none),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_buf_sdk(buf, 0, keep, &none),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_buf_sdk(buf, 8, NULL, &none),
		    DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_buf_sdk(buf, 8, keep, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	assert_null(none);
}

static void keep_and_log(char *buf)
{
	keep(buf);
	DOCA_LOG_INFO("from the handler");
}

static void a_handler_may_log_and_is_not_called_for_it(void **state)
{
	struct log_capture *capture = fd_backend();
	struct guarded *first = buf_backend(1024, keep_and_log);
	struct guarded *second = buf_backend(1024, keep_and_log);

	assert_doca(DOCA_LOG_INFO("outer"), DOCA_SUCCESS);
	assert_int_equal(first->num_calls, 1);
	assert_int_equal(second->num_calls, 1);
	/* One by each handler, and the outer one. */
	assert_int_equal(num_lines(capture_text(capture)), 3);
	/* The mark is gone with the handler. */
	assert_doca(DOCA_LOG_INFO("outer"), DOCA_SUCCESS);
	assert_int_equal(first->num_calls, 2);
	end_capture(capture);
}

static void the_system_log_gets_name_priority_and_one_line(void **state)
{
	static const struct {
		uint32_t level;
		int priority;
	} levels[] = {
		{DOCA_LOG_LEVEL_CRIT, LOG_CRIT},       {DOCA_LOG_LEVEL_ERROR, LOG_ERR},
		{DOCA_LOG_LEVEL_WARNING, LOG_WARNING}, {DOCA_LOG_LEVEL_INFO, LOG_INFO},
		{DOCA_LOG_LEVEL_DEBUG, LOG_DEBUG},     {DOCA_LOG_LEVEL_TRACE, LOG_DEBUG},
	};
	struct doca_log_backend *backend;
	char name[] = "program";

	assert_doca(doca_log_backend_create_with_syslog(name, &backend), DOCA_SUCCESS);
	memset(name, '?', strlen(name));
	loosen(backend);
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		assert_doca(DOCA_LOG(levels[i].level, "100%% of level %u", levels[i].level),
			    DOCA_SUCCESS);
		assert_string_equal(logged.name, "program");
		assert_int_equal(logged.priority, levels[i].priority);
		assert_true(text_matches(logged.text, "^\\[.* 100% of level [2-7]0$"));
	}
}

static void the_system_log_shows_the_sdk_tier_too(void **state)
{
	struct doca_log_backend *backend;

	assert_doca(doca_log_backend_create_with_syslog_sdk("libraries", &backend), DOCA_SUCCESS);
	/* The refusal is a line of the SDK tier. */
	assert_doca(doca_log_backend_set_sdk_level(NULL, DOCA_LOG_LEVEL_INFO),
		    DOCA_ERROR_INVALID_VALUE);
	assert_string_equal(logged.name, "libraries");
	assert_non_null(strstr(logged.text, "[DOCA][ERR]"));
	assert_doca(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_DISABLE), DOCA_SUCCESS);
}

static void a_system_log_without_name_is_refused(void **state)
{
	struct doca_log_backend *none = NULL;

	assert_doca(doca_log_backend_create_with_syslog(NULL, &none), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_syslog("x", NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_syslog_sdk(NULL, &none), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_log_backend_create_with_syslog_sdk("x", NULL), DOCA_ERROR_INVALID_VALUE);
	assert_null(none);
}

static void *log_many(void *number)
{
	for (int i = 0; i < NUM_RECORDS; i++)
		DOCA_LOG_INFO("thread %d record %d end", *(int *)number, i);
	return NULL;
}

/* Each record of each thread, once, in the thread's order, with nothing between its bytes. */
static void assert_all_whole(const char *text)
{
	int next[NUM_THREADS] = {0};
	int thread, record, used;

	assert_int_equal(num_lines(text), NUM_THREADS * NUM_RECORDS);
	for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
		const char *start = strstr(line, "] thread ");

		assert_int_equal(line[0], '[');
		assert_non_null(start);
		used = 0;
		sscanf(start, "] thread %d record %d end%n", &thread, &record, &used);
		assert_true(used > 0 && start[used] == '\n');
		assert_in_range(thread, 0, NUM_THREADS - 1);
		assert_int_equal(record, next[thread]++);
	}
}

/* Appends to the text behind the buffer: the backend's lock alone keeps it whole. */
struct collected {
	char buf[256]; /* first: the handler is given its address */
	size_t len;
	char text[1 << 20];
};

static void collect(char *buf)
{
	struct collected *collected = (struct collected *)buf;
	size_t len = strlen(buf);

	memcpy(collected->text + collected->len, buf, len + 1);
	collected->len += len;
}

static void eight_threads_write_whole_records_everywhere(void **state)
{
	struct log_capture *by_fd = fd_backend();
	struct log_capture *by_file = capture_new();
	FILE *stream = fdopen(by_file->fd, "w");
	struct collected *by_buf = calloc(1, sizeof(*by_buf));
	struct doca_log_backend *backend;
	pthread_t threads[NUM_THREADS];
	int numbers[NUM_THREADS];

	assert_doca(doca_log_backend_create_with_file(stream, &backend), DOCA_SUCCESS);
	loosen(backend);
	assert_doca(doca_log_backend_create_with_buf(by_buf->buf, sizeof(by_buf->buf), collect,
						     &backend),
		    DOCA_SUCCESS);
	loosen(backend);

	/* Short writes: without a lock the pieces would mix. */
	faults.max_len = 16;
	for (int i = 0; i < NUM_THREADS; i++) {
		numbers[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, log_many, &numbers[i]), 0);
	}
	for (int i = 0; i < NUM_THREADS; i++)
		pthread_join(threads[i], NULL);

	assert_all_whole(capture_text(by_fd));
	assert_all_whole(capture_text(by_file));
	assert_all_whole(by_buf->text);
	end_capture(by_fd);
	end_capture(by_file);
}

/* With the default action of SIGPIPE, as most programs have it. */
static void a_pipe_without_a_reader_is_refused_and_nobody_dies(void **state)
{
	struct doca_log_backend *backend;
	FILE *stream;
	int ends[2];

	for (int kind = 0; kind < 2; kind++) {
		assert_int_equal(pipe(ends), 0);
		stream = fdopen(ends[1], "w");
		assert_non_null(stream);
		if (kind == 0)
			assert_doca(doca_log_backend_create_with_fd(ends[1], &backend),
				    DOCA_SUCCESS);
		else
			assert_doca(doca_log_backend_create_with_file(stream, &backend),
				    DOCA_SUCCESS);
		loosen(backend);
		close(ends[0]);

		assert_doca(DOCA_LOG_INFO("nobody reads this"), DOCA_ERROR_OPERATING_SYSTEM);
		assert_doca(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DISABLE),
			    DOCA_SUCCESS);
		fclose(stream);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_pipe_without_a_reader_is_refused_and_nobody_dies,
				       setup_limits),
		cmocka_unit_test_setup(a_descriptor_gets_each_record_as_one_write, setup_limits),
		cmocka_unit_test_setup(
			a_descriptor_is_written_through_interruptions_and_short_writes,
			setup_limits),
		cmocka_unit_test_setup(a_full_descriptor_drops_a_record_rather_than_wait,
				       setup_limits),
		cmocka_unit_test_setup(a_descriptor_that_fills_up_in_a_record_is_waited_for,
				       setup_limits),
		cmocka_unit_test_setup(a_descriptor_that_stays_full_is_given_up, setup_limits),
		cmocka_unit_test_setup(a_descriptor_that_cannot_be_written_is_refused,
				       setup_limits),
		cmocka_unit_test_setup(a_stream_has_each_record_at_once, setup_limits),
		cmocka_unit_test_setup(a_stream_that_cannot_be_written_is_reported, setup_limits),
		cmocka_unit_test_setup(a_stream_or_backend_of_null_is_refused, setup_limits),
		cmocka_unit_test_setup(a_buffer_holds_each_record_at_its_start, setup_limits),
		cmocka_unit_test_setup(a_record_that_does_not_fit_is_cut_with_a_mark, setup_limits),
		cmocka_unit_test_setup(a_record_that_just_fits_is_whole, setup_limits),
		cmocka_unit_test_setup(a_buffer_without_room_or_handler_is_refused, setup_limits),
		cmocka_unit_test_setup(a_handler_may_log_and_is_not_called_for_it, setup_limits),
		cmocka_unit_test_setup(the_system_log_gets_name_priority_and_one_line,
				       setup_limits),
		cmocka_unit_test_setup(the_system_log_shows_the_sdk_tier_too, setup_limits),
		cmocka_unit_test_setup(a_system_log_without_name_is_refused, setup_limits),
		cmocka_unit_test_setup(eight_threads_write_whole_records_everywhere, setup_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
