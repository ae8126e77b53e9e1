/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_argp.h
 * @brief The command line of a DOCA program: parameters, sub-commands, help, and the same from a
 * JSON file.
 *
 * doca_argp_init(), then create, set and register parameters, then doca_argp_start(), then
 * doca_argp_destroy(). A parameter is given as `-x value` or `--long value`, also `-x=value` and
 * `--long=value`; a boolean one takes no value. The next argument is a value whatever it begins
 * with, unless it is the name of a known flag.
 *
 * Every program has these flags besides its own: `-h`, `--help`; `-v`, `--version`; `-l`,
 * `--log-level <10..70>`, which sets doca_log_level_set_global_lower_limit(); `--sdk-log-level
 * <10..70>`, which sets doca_log_level_set_global_sdk_limit(); `-j`, `--json <path>`.
 *
 * The JSON file is one object of up to three: `doca_general_flags` with `log-level` and
 * `sdk-log-level`; `doca_program_flags` with the long names of the program's parameters, an array
 * for one that may be repeated; `doca_dpdk_flags` with `devices` (objects of `device`: pf, vf, sf
 * or gpu, `id`, `hws`), `core-mask`, `core-list` and `flags`. Comments are allowed. A parameter
 * that the command line gives too has the values of the command line alone.
 *
 * Threads: there is one parser in a process, and it is not locked; every function of this header
 * says "one at a time" and means the process.
 */
#ifndef DOCA_ARGP_H_
#define DOCA_ARGP_H_

#include <stdarg.h>

#include <doca_compat.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief What a parameter's value is. */
enum doca_argp_type {
	DOCA_ARGP_TYPE_UNKNOWN = 0, /**< not set yet */
	DOCA_ARGP_TYPE_STRING = 1,  /**< text, not looked at */
	DOCA_ARGP_TYPE_INT = 2,	    /**< a decimal number that an int can hold */
	DOCA_ARGP_TYPE_BOOLEAN = 3, /**< a flag without a value; true or false in JSON */
	DOCA_ARGP_TYPE_DEVICE = 4, /**< `pci/0000:03:00.0`, then perhaps `,` and device arguments */
	DOCA_ARGP_TYPE_DEVICE_REP = 5, /**< `pci/0000:03:00.0,pf0vf0`, then perhaps the same */
	DOCA_ARGP_TYPE_DOUBLE = 6,     /**< a finite number, with a point in every locale */
};

/** @brief A parameter of the program. */
struct doca_argp_param;
/** @brief A sub-command of the program. */
struct doca_argp_cmd;

/** @brief The value of a DOCA_ARGP_TYPE_DEVICE parameter. */
struct doca_argp_device_ctx {
	struct doca_dev *dev; /**< open, and the callback's to close, also when it fails */
	const char *devargs;  /**< after the comma; NULL for none; until doca_argp_destroy() */
};

/** @brief The value of a DOCA_ARGP_TYPE_DEVICE_REP parameter. */
struct doca_argp_device_rep_ctx {
	struct doca_argp_device_ctx dev_ctx; /**< the parent; its dev is the parser's to close */
	struct doca_dev_rep *dev_rep; /**< open, and the callback's to close, also when it fails */
};

/**
 * @brief What runs for each value of a parameter.
 *
 * @param [in] param   The value: the `char *` of a STRING itself, which lives until
 *                     doca_argp_destroy(); a pointer to an int, bool, double, struct
 *                     doca_argp_device_ctx or struct doca_argp_device_rep_ctx that lives until the
 *                     callback returns.
 * @param [in] config  From doca_argp_init().
 *
 * @return DOCA_SUCCESS, or what doca_argp_start() is to return.
 */
typedef doca_error_t (*doca_argp_param_cb_t)(void *param, void *config);

/**
 * @brief What runs when a sub-command is given.
 *
 * @param [in] config  From doca_argp_init().
 *
 * @return DOCA_SUCCESS, or what doca_argp_start() is to return.
 */
typedef doca_error_t (*doca_argp_cmd_cb_t)(void *config);

/**
 * @brief What initialises DPDK.
 *
 * @param [in] argc  Number of arguments, at least 1.
 * @param [in] argv  The arguments, then NULL.
 *
 * @return DOCA_SUCCESS, or what doca_argp_start() is to return.
 */
typedef doca_error_t (*doca_argp_dpdk_cb_t)(int argc, char **argv);

/**
 * @brief What looks at the whole configuration.
 *
 * @param [in] config  From doca_argp_init().
 *
 * @return DOCA_SUCCESS, or what doca_argp_start() is to return.
 */
typedef doca_error_t (*doca_argp_validation_cb_t)(void *config);

/**
 * @brief What shows the parser's messages.
 *
 * @param [in] level   How severe the message is.
 * @param [in] format  As that of vprintf().
 * @param [in] args    Its arguments.
 *
 * @return Ignored.
 */
typedef doca_error_t (*doca_argp_logger_cb_t)(enum doca_log_level level, const char *format,
					      va_list args);

/**
 * @brief What opens the device of a parameter.
 *
 * @param [in] devinfo  The device; until the callback returns.
 * @param [in] usr_ctx  From doca_argp_register_dev_open_callback().
 * @param [out] dev     The open device.
 *
 * @return DOCA_SUCCESS, or what doca_argp_start() is to return.
 */
typedef doca_error_t (*doca_argp_dev_open_cb_t)(struct doca_devinfo *devinfo, void *usr_ctx,
						struct doca_dev **dev);

/**
 * @brief Print the help text on the standard output.
 *
 * It is the text of the sub-command that doca_argp_start() met last, else of the program. Lines are
 * wrapped at the width of the terminal, or at 80 columns where the output is none.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: the wording; before
 * doca_argp_init() one line of log and no output.
 */
DOCA_EXPERIMENTAL
void doca_argp_usage(void);

/**
 * @brief Open the parser of this process.
 *
 * @param [in] program_name    Shown in help and messages, copied, not empty; NULL for the name
 *                             that the process was started with.
 * @param [in] program_config  Handed to every callback, the caller's; may be NULL.
 *
 * @retval DOCA_SUCCESS              Parameters may be registered.
 * @retval DOCA_ERROR_BAD_STATE      It is open already; call doca_argp_destroy() first.
 * @retval DOCA_ERROR_INVALID_VALUE  program_name is empty.
 * @retval DOCA_ERROR_NO_MEMORY      The name could not be copied.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: which value is
 * invalid is written nowhere.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_init(const char *program_name, void *program_config);

/**
 * @brief Add a parameter to the program.
 *
 * The parser owns the parameter from here on, also when this fails: it is freed by
 * doca_argp_destroy(), or at once where the parser is not open.
 *
 * @param [in] input_param  With a short or a long name, a description, a callback and a type.
 *
 * @retval DOCA_SUCCESS               The parameter is known.
 * @retval DOCA_ERROR_BAD_STATE       The parser is not open or has started, the parameter is
 *                                    registered already, or another one or a built-in flag has one
 *                                    of its names.
 * @retval DOCA_ERROR_INITIALIZATION  A field is missing, or could not be copied when it was set.
 * @retval DOCA_ERROR_INVALID_VALUE   input_param is NULL, or a name is empty or begins with '-'.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: which names are
 * invalid is written nowhere.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_param(struct doca_argp_param *input_param);

/**
 * @brief Add a sub-command to the program.
 *
 * The parser owns the sub-command and all that is registered in it from here on, also when this
 * fails, as doca_argp_register_param() owns its parameter.
 *
 * @param [in] input_cmd  With a name, a description and a callback.
 *
 * @retval DOCA_SUCCESS               The sub-command is known.
 * @retval DOCA_ERROR_BAD_STATE       The parser is not open or has started, the sub-command is
 *                                    registered already, or another one beside it has its name.
 * @retval DOCA_ERROR_INITIALIZATION  A field is missing, or could not be copied when it was set.
 * @retval DOCA_ERROR_INVALID_VALUE   input_cmd is NULL, or its name is empty or begins with '-'.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *input_cmd);

/**
 * @brief Replace what -v and --version do.
 *
 * Without a callback the flag prints the version of the headers and of the library. Either way the
 * parser is then destroyed and the program ends with status 0, unless the callback returns an
 * error: that is what doca_argp_start() returns.
 *
 * @param [in] callback  Gets a bool that is true, and the program's configuration; it may end the
 *                       program itself. A later call replaces it.
 *
 * @retval DOCA_SUCCESS              The callback is known.
 * @retval DOCA_ERROR_BAD_STATE      The parser is not open or has started.
 * @retval DOCA_ERROR_INVALID_VALUE  callback is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: what follows a
 * callback that returns is written nowhere.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback);

/**
 * @brief Have the program's configuration looked at once all parameters' callbacks have succeeded.
 *
 * @param [in] callback  Gets the program's configuration; its error is what doca_argp_start()
 *                       returns. A later call replaces it.
 *
 * @retval DOCA_SUCCESS              The callback is known.
 * @retval DOCA_ERROR_BAD_STATE      The parser is not open or has started.
 * @retval DOCA_ERROR_INVALID_VALUE  callback is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_validation_callback(doca_argp_validation_cb_t callback);

/**
 * @brief Send what the parser has to say of the command line and of the JSON file to a callback.
 *
 * Without one it goes to the standard error. What the parser refuses of its caller, not of the
 * user, goes to the log of the libraries in both cases.
 *
 * @param [in] callback  Gets a level, a format and its arguments; the text is one line without a
 *                       newline. What it returns is ignored.
 *
 * @retval DOCA_SUCCESS              The callback is known.
 * @retval DOCA_ERROR_BAD_STATE      The parser is not open.
 * @retval DOCA_ERROR_ALREADY_EXIST  There is one; call doca_argp_disable_logger_callback() first.
 * @retval DOCA_ERROR_INVALID_VALUE  callback is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback);

/**
 * @brief Send the parser's messages to the standard error again.
 *
 * @retval DOCA_SUCCESS          They go there; also when no callback was known.
 * @retval DOCA_ERROR_BAD_STATE  The parser is not open.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_disable_logger_callback(void);

/**
 * @brief Read the command line, and the JSON file that it may name, then run the callbacks.
 *
 * All of the input is read and checked first: an error in it runs no callback. Then, in this order:
 * the levels of -l and --sdk-log-level are set; the callbacks of the parameters and sub-commands
 * run, those of the file first, then those of the command line in its order; then the validation
 * callback; then that of doca_argp_set_dpdk_program(). The first error of a callback ends this and
 * is returned as it is.
 *
 * Only -h, --help, -v and --version end the program. The message to an error names the argument, or
 * the file with line and column, and for an unknown name the nearest known one.
 *
 * doca_argp_destroy() from a callback takes effect when this returns: no other callback runs, and
 * DOCA_ERROR_BAD_STATE is returned unless the callback returns an error itself.
 *
 * @param [in] argc  Number of arguments, above 0.
 * @param [in] argv  The arguments, the program's name first; borrowed until doca_argp_destroy(),
 *                   not changed.
 *
 * @retval DOCA_SUCCESS              Every callback has succeeded.
 * @retval DOCA_ERROR_BAD_STATE      The parser is not open or was started before, or a callback
 *                                   called doca_argp_destroy().
 * @retval DOCA_ERROR_INVALID_VALUE  argc is 0 or less, argv or one of its elements is NULL; a
 *                                   value is missing, of the wrong type, too large, or has a tail;
 *                                   a mandatory parameter is missing, one that may not is repeated,
 *                                   one that must is not alone; a device does not exist; the file
 *                                   is no JSON, too nested, or not of the right form.
 * @retval DOCA_ERROR_NOT_SUPPORTED  A flag, a sub-command or, unless
 *                                   doca_argp_disable_pedantic_config_parsing() was called, a key
 *                                   of the file is unknown; or the file gives what only the command
 *                                   line may.
 * @retval DOCA_ERROR_IO_FAILED      The file cannot be opened or read, or has more than 4 MiB.
 * @retval DOCA_ERROR_NO_MEMORY      The values could not be stored.
 * @retval other                     What a callback, or the opening of a device, returned.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h, and newer header text (3.1
 * to 3.3). Differs: it never returns DOCA_ERROR_INITIALIZATION by itself; older guides end the
 * program on bad input.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_start(int argc, char **argv);

/**
 * @brief Close the parser: frees every registered parameter and sub-command, and the texts that
 * callbacks were given.
 *
 * Closes the parent devices of DOCA_ARGP_TYPE_DEVICE_REP parameters; one that is still in use stays
 * open. The levels that flags have set stay as they are.
 *
 * @retval DOCA_SUCCESS          The parser may be opened anew.
 * @retval DOCA_ERROR_BAD_STATE  The parser is not open.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_destroy(void);

/**
 * @brief Take what stands before "--" on the command line for DPDK, and hand it to a callback.
 *
 * Without "--" all arguments are flags of DOCA and of the program. The object doca_dpdk_flags of
 * the JSON file adds arguments.
 *
 * @param [in] callback  Gets an argument vector that begins with the program's name, ends with
 *                       NULL, and lives until doca_argp_destroy(); its error is what
 *                       doca_argp_start() returns. NULL, a parser that is not open and one that has
 *                       started are one line of log and no change.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: the order among the
 * callbacks, and a line without "--", are written nowhere.
 */
DOCA_EXPERIMENTAL
void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback);

/**
 * @brief Make a parameter.
 *
 * @param [out] param  The new parameter, the caller's until registered or destroyed; untouched on
 *                     error.
 *
 * @retval DOCA_SUCCESS              The parameter exists.
 * @retval DOCA_ERROR_INVALID_VALUE  param is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 * @retval DOCA_ERROR_BAD_STATE      The parser is not open.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_param_create(struct doca_argp_param **param);

/**
 * @brief Name a parameter for use with one dash.
 *
 * @param [in] param  The parameter, not yet registered.
 * @param [in] name   One letter or more, copied: "ns" is given as -ns, and never read as -n -s.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * parameter that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_short_name(struct doca_argp_param *param, const char *name);

/**
 * @brief Name a parameter for use with two dashes and as a key of the JSON file.
 *
 * @param [in] param  The parameter, not yet registered.
 * @param [in] name   Copied.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * parameter that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_long_name(struct doca_argp_param *param, const char *name);

/**
 * @brief Say what help shows after the name of a parameter.
 *
 * @param [in] param      The parameter, not yet registered.
 * @param [in] arguments  For example "<path>", copied. Without it help shows one after the type.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * parameter that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_arguments(struct doca_argp_param *param, const char *arguments);

/**
 * @brief Say what help shows beside a parameter.
 *
 * @param [in] param        The parameter, not yet registered.
 * @param [in] description  Copied; a newline in it begins a new line.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * parameter that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_description(struct doca_argp_param *param, const char *description);

/**
 * @brief Set what runs for each value of a parameter.
 *
 * @param [in] param     The parameter, not yet registered.
 * @param [in] callback  See doca_argp_param_cb_t.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * parameter that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_callback(struct doca_argp_param *param, doca_argp_param_cb_t callback);

/**
 * @brief Set the type of a parameter's value.
 *
 * @param [in] param  The parameter, not yet registered.
 * @param [in] type   Any but DOCA_ARGP_TYPE_UNKNOWN; a number that is no type is one line of log
 *                    and no change.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * parameter that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_type(struct doca_argp_param *param, enum doca_argp_type type);

/**
 * @brief Have a start without the parameter refused.
 *
 * @param [in] param  The parameter, not yet registered.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * parameter that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_mandatory(struct doca_argp_param *param);

/**
 * @brief Refuse the parameter in the JSON file.
 *
 * @param [in] param  The parameter, not yet registered.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * parameter that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_cli_only(struct doca_argp_param *param);

/**
 * @brief Let the parameter be given more than once, and as an array in the JSON file; its callback
 * runs once a value.
 *
 * @param [in] param  The parameter, not yet registered.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * parameter that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_multiplicity(struct doca_argp_param *param);

/**
 * @brief Have the parameter refused beside any other flag or sub-command; mandatory ones are not
 * missed then.
 *
 * @param [in] param  The parameter, not yet registered.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * parameter that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_singular(struct doca_argp_param *param);

/**
 * @brief Let the parameter also be given after the name of a sub-command below the place where it
 * is registered.
 *
 * @param [in] param  The parameter, not yet registered.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * parameter that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_inherited(struct doca_argp_param *param);

/**
 * @brief Leave the parameter out of help and suggestions.
 *
 * @param [in] param  The parameter, not yet registered.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * parameter that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_hidden(struct doca_argp_param *param);

/**
 * @brief Free a parameter that was never registered.
 *
 * @param [in] param  Gone on success.
 *
 * @retval DOCA_SUCCESS              The parameter is gone.
 * @retval DOCA_ERROR_BAD_STATE      It was registered, or that was tried: the parser owns it.
 * @retval DOCA_ERROR_INVALID_VALUE  param is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: it works also when
 * the parser is closed.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_param_destroy(struct doca_argp_param *param);

/**
 * @brief Make a sub-command.
 *
 * @param [out] cmd  The new sub-command, the caller's until registered or destroyed; untouched on
 *                   error.
 *
 * @retval DOCA_SUCCESS              The sub-command exists.
 * @retval DOCA_ERROR_INVALID_VALUE  cmd is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 * @retval DOCA_ERROR_BAD_STATE      The parser is not open.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd);

/**
 * @brief Name a sub-command.
 *
 * @param [in] cmd   The sub-command, not yet registered.
 * @param [in] name  As it stands on the command line, without a dash; copied.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * sub-command that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name);

/**
 * @brief Say what help shows beside a sub-command.
 *
 * @param [in] cmd          The sub-command, not yet registered.
 * @param [in] description  Copied; a newline in it begins a new line.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * sub-command that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd, const char *description);

/**
 * @brief Set what runs when the sub-command is given.
 *
 * @param [in] cmd       The sub-command, not yet registered.
 * @param [in] callback  Gets the program's configuration; runs before the callbacks of the
 *                       parameters that follow the name.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * sub-command that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd, doca_argp_cmd_cb_t callback);

/**
 * @brief Leave the sub-command out of help and suggestions.
 *
 * @param [in] cmd  The sub-command, not yet registered.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: NULL and a
 * sub-command that is registered are one line of log and no change.
 */
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd);

/**
 * @brief Add a parameter to a sub-command: it may stand after the name of the sub-command.
 *
 * Owned as by doca_argp_register_param(). Of the built-in names only -h and --help are taken here:
 * another one, and that of an inherited parameter, means the sub-command's own parameter after its
 * name. The JSON file cannot give it.
 *
 * @param [in] cmd          The sub-command, registered or not.
 * @param [in] input_param  As for doca_argp_register_param().
 *
 * @retval DOCA_SUCCESS               The parameter is known.
 * @retval DOCA_ERROR_BAD_STATE       As doca_argp_register_param(); of the names only those of the
 *                                    sub-command's own parameters, -h and --help count.
 * @retval DOCA_ERROR_INITIALIZATION  A field is missing, or could not be copied when it was set.
 * @retval DOCA_ERROR_INVALID_VALUE   cmd or input_param is NULL, or a name is not valid.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h; doca-samples 3.3.0,
 * mgmt_data_direct. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd,
					  struct doca_argp_param *input_param);

/**
 * @brief Add a sub-command to a sub-command.
 *
 * Owned as by doca_argp_register_cmd().
 *
 * @param [in] cmd        The upper sub-command, registered or not.
 * @param [in] input_cmd  As for doca_argp_register_cmd().
 *
 * @retval DOCA_SUCCESS               The sub-command is known.
 * @retval DOCA_ERROR_BAD_STATE       As doca_argp_register_cmd().
 * @retval DOCA_ERROR_INITIALIZATION  A field is missing, or could not be copied when it was set.
 * @retval DOCA_ERROR_INVALID_VALUE   cmd or input_cmd is NULL, input_cmd is cmd or contains it, or
 *                                    its name is not valid.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd, struct doca_argp_cmd *input_cmd);

/**
 * @brief Free a sub-command that was never registered, and all that is registered in it.
 *
 * @param [in] cmd  Gone on success.
 *
 * @retval DOCA_SUCCESS              The sub-command is gone.
 * @retval DOCA_ERROR_BAD_STATE      It was registered, or that was tried: the parser owns it.
 * @retval DOCA_ERROR_INVALID_VALUE  cmd is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: it works also when
 * the parser is closed.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd);

/**
 * @brief The level that -l or --log-level gave.
 *
 * @param [out] log_level  One of enum doca_log_level; where none was given,
 *                         doca_log_level_get_global_lower_limit(). Untouched on error.
 *
 * @retval DOCA_SUCCESS              The level is known.
 * @retval DOCA_ERROR_INVALID_VALUE  log_level is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_get_log_level(int *log_level);

/**
 * @brief The level that --sdk-log-level gave.
 *
 * @param [out] log_level  One of enum doca_log_level; where none was given,
 *                         doca_log_level_get_global_sdk_limit(). Untouched on error.
 *
 * @retval DOCA_SUCCESS              The level is known.
 * @retval DOCA_ERROR_INVALID_VALUE  log_level is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_argp.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_get_sdk_log_level(int *log_level);

/**
 * @brief Have devices of parameters opened by a callback instead of doca_dev_open().
 *
 * @param [in] callback  Its error is what doca_argp_start() returns. A later call replaces it.
 * @param [in] usr_ctx   Handed to the callback, the caller's; may be NULL.
 *
 * @retval DOCA_SUCCESS              The callback is known.
 * @retval DOCA_ERROR_BAD_STATE      The parser is not open or has started.
 * @retval DOCA_ERROR_INVALID_VALUE  callback is NULL.
 *
 * Threads: one at a time. Source: newer header text (3.1 to 3.3). Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_dev_open_callback(doca_argp_dev_open_cb_t callback, void *usr_ctx);

/**
 * @brief Ignore keys of the JSON file that are not known, in place of refusing them.
 *
 * @retval DOCA_SUCCESS          They are ignored.
 * @retval DOCA_ERROR_BAD_STATE  The parser is not open or has started.
 *
 * Threads: one at a time. Source: newer header text (3.1 to 3.3). Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_disable_pedantic_config_parsing(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_ARGP_H_ */
