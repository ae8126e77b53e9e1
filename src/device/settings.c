/* SPDX-License-Identifier: Apache-2.0 */
/* The settings: one table of names, what each allows, and how its text is read. */
#include "device/settings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "device/config.h"

#define PREFIX "SOFTDOCA_"

#define NS_PER_S UINT64_C(1000000000)
#define MAX_SECONDS 1000000
#define DEFAULT_DEADLINE_S 1 /* of one machine, the only reach that there is */
#define DEFAULT_CONNECT_TIMEOUT_S 60

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

enum verdict {
	VERDICT_TAKEN,
	VERDICT_NOT_BUILT, /* a right value, but nothing here can honour it */
	VERDICT_WRONG,
	VERDICT_LACKING, /* a right value, but this CPU has not what it asks for */
};

struct setting {
	const char *name;
	const char *allowed; /* what can be asked for today */
	enum verdict (*parse)(const struct setting *setting, const char *text,
			      struct settings *settings);
	size_t offset;		   /* of what parse writes, where that is one number */
	size_t size;		   /* of it, in bytes */
	enum settings_giver giver; /* the least that may */
};

int settings_word(const char *words, const char *text)
{
	size_t len = strlen(text);

	for (int i = 0;; i++) {
		size_t word_len = strcspn(words, ",");

		if (word_len == len && memcmp(words, text, len) == 0)
			return i;
		if (words[word_len] == '\0')
			return -1;
		words += word_len + strlen(", ");
	}
}

/* Numbers and enums are of four bytes or of eight. */
static enum verdict put_number(const struct setting *setting, uint64_t number,
			       struct settings *settings)
{
	const uint32_t narrow = (uint32_t)number;

	if (setting->size == sizeof(number))
		memcpy((char *)settings + setting->offset, &number, sizeof(number));
	else
		memcpy((char *)settings + setting->offset, &narrow, sizeof(narrow));
	return VERDICT_TAKEN;
}

/* Decimal digits, and nothing else before *end. */
static bool parse_digits(const char *text, uint64_t *number, const char **end)
{
	size_t num_digits = strspn(text, "0123456789");
	uint64_t value = 0;

	for (size_t i = 0; i < num_digits; i++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value))
			return false;
	}
	*number = value;
	*end = text + num_digits;
	return num_digits > 0;
}

bool settings_count(const char *text, uint64_t max, uint64_t *count)
{
	static const char units[] = "KMG";
	const char *tail;
	uint64_t value;

	if (!parse_digits(text, &value, &tail))
		return false;
	if (*tail != '\0') {
		const char *unit = strchr(units, *tail);

		if (unit == NULL || tail[1] != '\0' ||
		    __builtin_mul_overflow(value, UINT64_C(1) << (10 * (unit - units + 1)), &value))
			return false;
	}
	if (value == 0 || value > max)
		return false;
	*count = value;
	return true;
}

static enum verdict parse_word(const struct setting *setting, const char *text,
			       struct settings *settings)
{
	int index = settings_word(setting->allowed, text);

	return index < 0 ? VERDICT_WRONG : put_number(setting, (uint64_t)index, settings);
}

static enum verdict parse_count(const struct setting *setting, const char *text,
				struct settings *settings)
{
	uint64_t count;

	if (!settings_count(text, setting->size == sizeof(count) ? UINT64_MAX : UINT32_MAX, &count))
		return VERDICT_WRONG;
	return put_number(setting, count, settings);
}

/*
 * Seconds from a nanosecond to MAX_SECONDS, fractions allowed. Read by hand: strtod() follows the
 * program's locale.
 */
static enum verdict parse_seconds(const struct setting *setting, const char *text,
				  struct settings *settings)
{
	uint64_t fraction_ns = 0;
	const char *tail;
	uint64_t whole_s;

	if (!parse_digits(text, &whole_s, &tail))
		return VERDICT_WRONG;
	if (*tail == '.') {
		size_t num_digits = strspn(++tail, "0123456789");
		uint64_t unit_ns = NS_PER_S / 10;

		if (num_digits == 0)
			return VERDICT_WRONG;
		for (size_t i = 0; i < num_digits; i++, unit_ns /= 10)
			fraction_ns += unit_ns * (uint64_t)(tail[i] - '0');
		tail += num_digits;
	}
	fraction_ns += whole_s * NS_PER_S;
	if (*tail != '\0' || whole_s > MAX_SECONDS || fraction_ns > MAX_SECONDS * NS_PER_S ||
	    fraction_ns == 0)
		return VERDICT_WRONG;
	return put_number(setting, fraction_ns, settings);
}

/* The name of a topology file, rather than of a model. */
static bool is_path(const char *text)
{
	static const char suffix[] = ".json";
	size_t len = strlen(text);

	return strchr(text, '/') != NULL ||
	       (len >= sizeof(suffix) - 1 &&
		strcmp(text + len - (sizeof(suffix) - 1), suffix) == 0);
}

static enum verdict parse_device(const struct setting *setting, const char *text,
				 struct settings *settings)
{
	int index = settings_word(SETTINGS_MODELS ", none", text);

	if (is_path(text)) {
		size_t len = strlen(text);

		if (len >= sizeof(settings->topology))
			return VERDICT_WRONG;
		memcpy(settings->topology, text, len + 1);
		strcpy(settings->topology_by, "variable " PREFIX "DEVICE");
		return VERDICT_TAKEN;
	}
	if (index < 0)
		return VERDICT_WRONG;
	settings->topology[0] = '\0';
	settings->device = (enum settings_device)index;
	return VERDICT_TAKEN;
}

static enum verdict parse_engine(const struct setting *setting, const char *text,
				 struct settings *settings)
{
	static const char workers[] = "workers:";
	uint64_t num_workers = 0;
	const char *tail;

	if (strncmp(text, workers, sizeof(workers) - 1) == 0) {
		if (!parse_digits(text + sizeof(workers) - 1, &num_workers, &tail) ||
		    *tail != '\0' || num_workers == 0 || num_workers > SETTINGS_MAX_WORKERS)
			return VERDICT_WRONG;
	} else if (strcmp(text, "inline") != 0) {
		return VERDICT_WRONG;
	}
	settings->num_workers = (uint32_t)num_workers;
	return VERDICT_TAKEN;
}

static enum verdict parse_kernel(const struct setting *setting, const char *text,
				 struct settings *settings)
{
	bool is_auto = strcmp(text, "auto") == 0;

	settings->kernel = is_auto ? NULL : kernel_find(text);
	if (is_auto || settings->kernel != NULL)
		return VERDICT_TAKEN;
	return settings_word(setting->allowed, text) < 0 ? VERDICT_WRONG : VERDICT_LACKING;
}

/* Whether it is there shows when it is used. */
static enum verdict parse_runtime_dir(const struct setting *setting, const char *text,
				      struct settings *settings)
{
	size_t len = strlen(text);

	if (len >= PEER_DIR_BYTES || (len > 0 && *text != '/'))
		return VERDICT_WRONG;
	memcpy(settings->policy.runtime_dir, text, len + 1);
	return VERDICT_TAKEN;
}

/* Numbers with a comma between two. */
static enum verdict parse_allow_uids(const struct setting *setting, const char *text,
				     struct settings *settings)
{
	struct peer_policy *policy = &settings->policy;
	uint64_t uid;

	policy->num_uids = 0;
	while (*text != '\0') {
		/* The largest number is no user: the kernel's "leave it as it is". */
		if (policy->num_uids == PEER_MAX_UIDS || !parse_digits(text, &uid, &text) ||
		    uid >= UINT32_MAX)
			return VERDICT_WRONG;
		policy->uids[policy->num_uids++] = (uid_t)uid;
		if (*text == ',' && text[1] != '\0')
			text++;
		else if (*text != '\0')
			return VERDICT_WRONG;
	}
	return VERDICT_TAKEN;
}

static enum verdict parse_empty(const struct setting *setting, const char *text,
				struct settings *settings)
{
	return *text == '\0' ? VERDICT_TAKEN : VERDICT_NOT_BUILT;
}

/* Read before all else. */
static enum verdict parse_config(const struct setting *setting, const char *text,
				 struct settings *settings)
{
	return VERDICT_TAKEN;
}

static const char seconds_allowed[] = "seconds above 0 and up to 1000000, fractions allowed";
static const char count_allowed[] = "1 to 4294967295, plain or with K, M, G";

/* What stands in a field of its own, and all else. */
#define FIELD(setting, words, how, member, least)                                                  \
	{                                                                                          \
		.name = setting, .allowed = words, .parse = how,                                   \
		.offset = offsetof(struct settings, member),                                       \
		.size = sizeof(((struct settings *)NULL)->member), .giver = least                  \
	}
#define OF_CARD(setting, words, how, member) FIELD(setting, words, how, member, SETTINGS_OF_CARD)
#define OTHER(setting, words, how, least)                                                          \
	{                                                                                          \
		.name = setting, .allowed = words, .parse = how, .giver = least                    \
	}
#define OF_FILE(setting, words, how) OTHER(setting, words, how, SETTINGS_OF_FILE)

/* Those that more may give before the others. */
static const struct setting table[] = {
	OF_CARD("ERRORS", "documented, hardware", parse_word, errors),
	OF_CARD("MAX_BUF_SIZE", "1 to 18446744073709551615 bytes, plain or with K, M, G",
		parse_count, max_buf_size_bytes),
	OF_CARD("MAX_BUF_LIST_LEN", count_allowed, parse_count, max_buf_list_len),
	OF_CARD("QUEUE_DEPTH", count_allowed, parse_count, queue_depth),
	OF_CARD("REACH", "auto, mapped, cma, nbd", parse_word, policy.reach),
	OF_CARD("CONNECT_TIMEOUT", seconds_allowed, parse_seconds, policy.connect_timeout_ns),
	OF_CARD("DEADLINE", seconds_allowed, parse_seconds, policy.deadline_ns),
	OF_FILE("DEVICE",
		SETTINGS_MODELS ", none, or a topology file: a path of at most 511 characters with "
				"/ in it or ending in .json",
		parse_device),
	FIELD("ROLE", "both, host, dpu", parse_word, role, SETTINGS_OF_FILE),
	OF_FILE("ENGINE", "inline, workers:1 to workers:64", parse_engine),
	OF_FILE("KERNEL", "auto, portable, avx2, avx512, neon", parse_kernel),
	OF_FILE("LISTEN", "the empty text", parse_empty),
	OF_FILE("ADVERTISE", "the empty text", parse_empty),
	OF_FILE("RUNTIME_DIR", "the empty text, or an absolute path of at most 79 characters",
		parse_runtime_dir),
	OF_FILE("ALLOW_UIDS", "up to 64 user ids of 0 to 4294967294 with commas between",
		parse_allow_uids),
	OTHER("CONFIG", "the empty text, or the path of a JSON file", parse_config,
	      SETTINGS_OF_ENVIRONMENT),
};

size_t settings_names(const char *names[SETTINGS_MAX_NAMES], enum settings_giver giver)
{
	size_t num_given = 0;

	static_assert(ARRAY_LEN(table) < SETTINGS_MAX_NAMES, "a bit of given for each setting");
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		names[i] = table[i].name;
		num_given += table[i].giver <= giver;
	}
	return num_given;
}

/* The setting of that name, or the table's end. */
static size_t table_find(const char *name, size_t len)
{
	size_t i = 0;

	while (i < ARRAY_LEN(table) &&
	       (strlen(table[i].name) != len || memcmp(table[i].name, name, len) != 0))
		i++;
	return i;
}

static doca_error_t refuse_name(const char *name, size_t len, char *problem)
{
	const size_t shown_len = len < NEAREST_MAX_NAME ? len : NEAREST_MAX_NAME;
	const char *names[SETTINGS_MAX_NAMES];
	size_t num_names = settings_names(names, SETTINGS_OF_ENVIRONMENT);
	const char *nearest = nearest_name(name, len, names, num_names);

	snprintf(problem, SETTINGS_PROBLEM_SIZE,
		 "variable " PREFIX "%.*s is no setting, %s%s; correct or unset it", (int)shown_len,
		 name, nearest == NULL ? "" : "the nearest is " PREFIX,
		 nearest == NULL ? "nor near one: softdoca(7) has them all" : nearest);
	return DOCA_ERROR_INVALID_VALUE;
}

/* What KERNEL may be on this CPU. */
static void list_kernels(char *list, size_t size)
{
	size_t len = (size_t)snprintf(list, size, "auto");
	const struct copy_kernel *kernel;

	for (size_t i = 0; (kernel = kernel_at(i)) != NULL && len < size; i++)
		len += (size_t)snprintf(list + len, size - len, ", %s", kernel->name);
}

static void tell_flaw(const struct setting *setting, enum verdict verdict,
		      struct settings_flaw *flaw)
{
	static const char *const whys[] = {
		[VERDICT_NOT_BUILT] = "is not built yet",
		[VERDICT_WRONG] = "is wrong",
		[VERDICT_LACKING] = "this CPU lacks",
	};

	flaw->why = whys[verdict];
	if (verdict == VERDICT_LACKING)
		list_kernels(flaw->allowed, sizeof(flaw->allowed));
	else
		snprintf(flaw->allowed, sizeof(flaw->allowed), "%s", setting->allowed);
}

bool settings_take(struct settings *settings, size_t index, const char *text,
		   enum settings_giver giver, struct settings_flaw *flaw)
{
	const struct setting *setting = &table[index];
	const uint32_t bit = UINT32_C(1) << index;
	struct settings taken = *settings;
	enum verdict verdict;

	if (giver < setting->giver) {
		bool is_of_file = setting->giver == SETTINGS_OF_FILE;

		flaw->why = is_of_file ? "is not a card's to have" : "is the environment's alone";
		snprintf(flaw->allowed, sizeof(flaw->allowed), PREFIX "%s%s", setting->name,
			 is_of_file ? " or the file of " PREFIX "CONFIG, for all cards" : "");
		return false;
	}
	verdict = text == NULL ? VERDICT_WRONG : setting->parse(setting, text, &taken);
	if (verdict != VERDICT_TAKEN) {
		tell_flaw(setting, verdict, flaw);
		return false;
	}
	if (giver != SETTINGS_OF_CARD)
		taken.given |= bit;
	if (giver != SETTINGS_OF_CARD || (settings->given & bit) == 0)
		*settings = taken;
	return true;
}

/* The environment's variables: its own words are stronger than a file's. */
static doca_error_t read_variables(char *const *environment, struct settings *settings,
				   char *problem)
{
	struct settings_flaw flaw;
	uint32_t seen = 0; /* of a name given twice the first counts, as getenv() has it */

	for (; environment != NULL && *environment != NULL; environment++) {
		const char *name = *environment + sizeof(PREFIX) - 1;
		size_t len;
		size_t i;

		if (strncmp(*environment, PREFIX, sizeof(PREFIX) - 1) != 0)
			continue;
		len = strcspn(name, "=");
		if (name[len] == '\0')
			continue; /* no assignment, so no variable */
		i = table_find(name, len);
		if (i == ARRAY_LEN(table))
			return refuse_name(name, len, problem);
		if ((seen & (UINT32_C(1) << i)) != 0)
			continue;
		seen |= UINT32_C(1) << i;
		if (settings_take(settings, i, name + len + 1, SETTINGS_OF_ENVIRONMENT, &flaw))
			continue;
		snprintf(problem, SETTINGS_PROBLEM_SIZE,
			 "variable " PREFIX
			 "%s has value '%.128s', which %s; allowed: %s; correct or unset it",
			 table[i].name, name + len + 1, flaw.why, flaw.allowed);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

/* The first value of a variable of ours in an environment; an empty text where there is none. */
static const char *variable(char *const *environment, const char *name)
{
	size_t len = strlen(name);

	for (; environment != NULL && *environment != NULL; environment++) {
		if (strncmp(*environment, name, len) == 0 && (*environment)[len] == '=')
			return *environment + len + 1;
	}
	return "";
}

doca_error_t settings_read(char *const *environment, struct settings *settings,
			   char problem[SETTINGS_PROBLEM_SIZE])
{
	const char *config = variable(environment, PREFIX "CONFIG");
	struct settings found = {
		.policy = {.deadline_ns = DEFAULT_DEADLINE_S * NS_PER_S,
			   .connect_timeout_ns = DEFAULT_CONNECT_TIMEOUT_S * NS_PER_S}};
	doca_error_t result = DOCA_SUCCESS;

	if (*config != '\0')
		result = config_read(config, &found, problem);
	if (result == DOCA_SUCCESS)
		result = read_variables(environment, &found, problem);
	if (result == DOCA_SUCCESS)
		*settings = found;
	return result;
}
