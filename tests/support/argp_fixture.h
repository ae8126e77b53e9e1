/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of the command line share: an open parser, parameters whose callbacks write down
 * their values, its messages, and children for what ends the program. The headers of the test
 * program come first.
 */
#ifndef TESTS_SUPPORT_ARGP_FIXTURE_H_
#define TESTS_SUPPORT_ARGP_FIXTURE_H_

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doca_argp.h>

#include "support/test.h"

#define ARGP_TEXT_SIZE 4096

/* The program's configuration: what each callback was given, a semicolon after each. */
struct argp_fixture {
	char calls[ARGP_TEXT_SIZE];
	doca_error_t answer;  /* of every callback */
	struct doca_dev *dev; /* of the last device parameter; the test's to close */
	struct doca_dev_rep *rep;
	const char *text; /* of the last text parameter */
	const char *devargs;
};

/* The parser's last message and how many came; the logger callback has no argument for it. */
static char last_message[ARGP_TEXT_SIZE];
static unsigned int num_messages;

__attribute__((format(printf, 2, 0))) static inline doca_error_t argp_keep_message(
	enum doca_log_level level, const char *format, va_list args)
{
	(void)level;
	num_messages++;
	vsnprintf(last_message, sizeof(last_message), format, args);
	return DOCA_SUCCESS;
}

__attribute__((format(printf, 2, 3))) static inline void argp_record(struct argp_fixture *fixture,
								     const char *format, ...)
{
	size_t len = strlen(fixture->calls);
	va_list args;

	va_start(args, format);
	vsnprintf(fixture->calls + len, sizeof(fixture->calls) - len, format, args);
	va_end(args);
}

static inline doca_error_t argp_on_text(void *param, void *config)
{
	struct argp_fixture *fixture = config;

	fixture->text = param;
	argp_record(fixture, "text %s;", (const char *)param);
	return fixture->answer;
}

static inline doca_error_t argp_on_number(void *param, void *config)
{
	struct argp_fixture *fixture = config;

	argp_record(fixture, "number %d;", *(int *)param);
	return fixture->answer;
}

static inline doca_error_t argp_on_flag(void *param, void *config)
{
	struct argp_fixture *fixture = config;

	argp_record(fixture, "flag %s;", *(bool *)param ? "true" : "false");
	return fixture->answer;
}

static inline doca_error_t argp_on_real(void *param, void *config)
{
	struct argp_fixture *fixture = config;

	argp_record(fixture, "real %.17g;", *(double *)param);
	return fixture->answer;
}

static inline doca_error_t argp_on_device(void *param, void *config)
{
	struct doca_argp_device_ctx *device = param;
	char addr[DOCA_DEVINFO_PCI_ADDR_SIZE] = "?";
	struct argp_fixture *fixture = config;

	fixture->dev = device->dev;
	fixture->devargs = device->devargs;
	doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(device->dev), addr);
	argp_record(fixture, "device %s %s;", addr,
		    device->devargs == NULL ? "-" : device->devargs);
	return fixture->answer;
}

static inline doca_error_t argp_on_rep(void *param, void *config)
{
	struct doca_argp_device_rep_ctx *rep = param;
	char addr[DOCA_DEVINFO_PCI_ADDR_SIZE] = "?";
	char rep_addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE] = "?";
	struct argp_fixture *fixture = config;

	fixture->rep = rep->dev_rep;
	doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(rep->dev_ctx.dev), addr);
	doca_devinfo_rep_get_pci_addr_str(doca_dev_rep_as_devinfo(rep->dev_rep), rep_addr);
	argp_record(fixture, "rep %s %s %s;", addr, rep_addr,
		    rep->dev_ctx.devargs == NULL ? "-" : rep->dev_ctx.devargs);
	return fixture->answer;
}

static inline doca_error_t argp_on_cmd(void *config)
{
	struct argp_fixture *fixture = config;

	argp_record(fixture, "cmd;");
	return fixture->answer;
}

static inline doca_argp_param_cb_t argp_callback_of(enum doca_argp_type type)
{
	switch (type) {
	case DOCA_ARGP_TYPE_INT:
		return argp_on_number;
	case DOCA_ARGP_TYPE_BOOLEAN:
		return argp_on_flag;
	case DOCA_ARGP_TYPE_DOUBLE:
		return argp_on_real;
	case DOCA_ARGP_TYPE_DEVICE:
		return argp_on_device;
	case DOCA_ARGP_TYPE_DEVICE_REP:
		return argp_on_rep;
	case DOCA_ARGP_TYPE_STRING:
	case DOCA_ARGP_TYPE_UNKNOWN:
		break;
	}
	return argp_on_text;
}

/* A parameter, complete and not registered; a name that is NULL is left out. */
static inline struct doca_argp_param *argp_param(const char *short_name, const char *long_name,
						 enum doca_argp_type type)
{
	struct doca_argp_param *param = NULL;

	assert_doca(doca_argp_param_create(&param), DOCA_SUCCESS);
	if (short_name != NULL)
		doca_argp_param_set_short_name(param, short_name);
	if (long_name != NULL)
		doca_argp_param_set_long_name(param, long_name);
	doca_argp_param_set_description(param, "What it is for");
	doca_argp_param_set_callback(param, argp_callback_of(type));
	doca_argp_param_set_type(param, type);
	return param;
}

static inline void argp_add(const char *short_name, const char *long_name, enum doca_argp_type type)
{
	assert_doca(doca_argp_register_param(argp_param(short_name, long_name, type)),
		    DOCA_SUCCESS);
}

/* A sub-command, complete and not registered. */
static inline struct doca_argp_cmd *argp_cmd(const char *name)
{
	struct doca_argp_cmd *cmd = NULL;

	assert_doca(doca_argp_cmd_create(&cmd), DOCA_SUCCESS);
	doca_argp_cmd_set_name(cmd, name);
	doca_argp_cmd_set_description(cmd, "What it does");
	doca_argp_cmd_set_callback(cmd, argp_on_cmd);
	return cmd;
}

/* Fixtures of one test: an open parser named prog, its messages kept. */
static inline int argp_setup(void **state)
{
	struct argp_fixture *fixture = calloc(1, sizeof(*fixture));

	*state = fixture;
	last_message[0] = '\0';
	num_messages = 0;
	if (fixture == NULL || doca_argp_init("prog", fixture) != DOCA_SUCCESS)
		return -1;
	return doca_argp_register_logger_callback(argp_keep_message) == DOCA_SUCCESS ? 0 : -1;
}

static inline int argp_teardown(void **state)
{
	doca_error_t result = doca_argp_destroy();

	free(*state);
	return result == DOCA_SUCCESS ? 0 : -1;
}

/* For a test that destroys the parser itself. */
static inline int argp_teardown_closed(void **state)
{
	free(*state);
	return doca_argp_destroy() == DOCA_ERROR_BAD_STATE ? 0 : -1;
}

#define argp_test(function) cmocka_unit_test_setup_teardown(function, argp_setup, argp_teardown)

static inline doca_error_t argp_start_list(const char *const *argv)
{
	int argc = 0;

	while (argv[argc] != NULL)
		argc++;
	return doca_argp_start(argc, (char **)argv);
}

/* doca_argp_start() of the program with these arguments. */
#define START(...) argp_start_list((const char *const[]){"prog", __VA_ARGS__, NULL})
#define START_NONE() argp_start_list((const char *const[]){"prog", NULL})

/* Exactly one message came, and it has the text. */
#define assert_message(part) argp_check_message((part), __FILE__, __LINE__)

static inline void argp_check_message(const char *part, const char *file, int line)
{
	if (num_messages == 1 && strstr(last_message, part) != NULL)
		return;
	print_error("wanted one message with \"%s\", got %u: \"%s\"\n", part, num_messages,
		    last_message);
	_fail(file, line);
}

/* The callbacks that ran, in order. */
#define assert_calls(state, expected)                                                              \
	assert_string_equal(((const struct argp_fixture *)*(state))->calls, (expected))

/* A file with that text; the caller unlinks it. */
struct argp_file {
	char path[64];
};

static inline struct argp_file argp_write_file(const char *text, size_t len)
{
	struct argp_file file = {"/tmp/softdoca-argp-XXXXXX"};
	int fd = mkstemp(file.path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), (ssize_t)len);
	close(fd);
	return file;
}

/* What a child wrote and how it ended. */
struct argp_child {
	char out[ARGP_TEXT_SIZE * 2];
	char err[ARGP_TEXT_SIZE];
	int status; /* of exit(); -1: it was killed */
};

static inline void argp_read_back(int fd, char *text, size_t size)
{
	ssize_t got = pread(fd, text, size - 1, 0);

	text[got < 0 ? 0 : got] = '\0';
	close(fd);
}

static inline int argp_temporary(void)
{
	char path[] = "/tmp/softdoca-argp-XXXXXX";
	int fd = mkstemp(path);

	unlink(path);
	return fd;
}

/* Run in a child; what it returns is its exit status plus 100, so that exit() itself is seen. */
static inline void argp_run_child(struct argp_child *child, int (*body)(void))
{
	int out = argp_temporary();
	int err = argp_temporary();
	int status;
	pid_t pid;

	assert_true(out >= 0 && err >= 0);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		status = body();
		fflush(NULL);
		_exit(100 + status);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	child->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	argp_read_back(out, child->out, sizeof(child->out));
	argp_read_back(err, child->err, sizeof(child->err));
}

#endif /* TESTS_SUPPORT_ARGP_FIXTURE_H_ */
