/* SPDX-License-Identifier: Apache-2.0 */
/* The settings: one table of names, what each allows, and how its text is read. */
#include "device/settings.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define PREFIX "SOFTDOCA_"
#define KERNELS_SIZE 64
#define NAME_MAX_LEN 16 /* characters of the longest name, without prefix */

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
	enum verdict (*parse)(const char *text, struct settings *settings);
};

struct word {
	const char *text;
	int value; /* of the setting's enum, or NOT_BUILT */
};

#define NOT_BUILT (-1)

static enum verdict parse_word(const char *text, const struct word *words, size_t num_words,
			       int *value)
{
	for (size_t i = 0; i < num_words; i++) {
		if (strcmp(text, words[i].text) != 0)
			continue;
		if (words[i].value == NOT_BUILT)
			return VERDICT_NOT_BUILT;
		*value = words[i].value;
		return VERDICT_TAKEN;
	}
	return VERDICT_WRONG;
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

/* A count or a number of bytes: 1 to max, plain or with K, M, G. */
static enum verdict parse_count(const char *text, uint64_t max, uint64_t *count)
{
	static const char units[] = "KMG";
	const char *tail;
	uint64_t value;

	if (!parse_digits(text, &value, &tail))
		return VERDICT_WRONG;
	if (*tail != '\0') {
		const char *unit = strchr(units, *tail);

		if (unit == NULL || tail[1] != '\0' ||
		    __builtin_mul_overflow(value, UINT64_C(1) << (10 * (unit - units + 1)), &value))
			return VERDICT_WRONG;
	}
	if (value == 0 || value > max)
		return VERDICT_WRONG;
	*count = value;
	return VERDICT_TAKEN;
}

/*
 * Seconds from a nanosecond to MAX_SECONDS, fractions allowed. Read by hand: strtod() follows the
 * program's locale.
 */
static enum verdict parse_seconds(const char *text, uint64_t *time_ns)
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
	if (*tail != '\0' || whole_s > MAX_SECONDS || (whole_s == 0 && fraction_ns == 0))
		return VERDICT_WRONG;
	*time_ns = whole_s * NS_PER_S + fraction_ns;
	return VERDICT_TAKEN;
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

static enum verdict parse_device(const char *text, struct settings *settings)
{
	static const struct word words[] = {
		{"bluefield3", SETTINGS_DEVICE_BLUEFIELD3},
		{"bluefield2", SETTINGS_DEVICE_BLUEFIELD2},
		{"connectx7", SETTINGS_DEVICE_CONNECTX7},
		{"unlimited", SETTINGS_DEVICE_UNLIMITED},
		{"none", SETTINGS_DEVICE_NONE},
	};
	enum verdict verdict;
	int value;

	if (is_path(text))
		return VERDICT_NOT_BUILT;
	verdict = parse_word(text, words, ARRAY_LEN(words), &value);
	if (verdict == VERDICT_TAKEN)
		settings->device = (enum settings_device)value;
	return verdict;
}

static enum verdict parse_role(const char *text, struct settings *settings)
{
	static const struct word words[] = {
		{"both", SETTINGS_ROLE_BOTH},
		{"host", SETTINGS_ROLE_HOST},
		{"dpu", SETTINGS_ROLE_DPU},
	};
	int value;
	enum verdict verdict = parse_word(text, words, ARRAY_LEN(words), &value);

	if (verdict == VERDICT_TAKEN)
		settings->role = (enum settings_role)value;
	return verdict;
}

static enum verdict parse_errors(const char *text, struct settings *settings)
{
	static const struct word words[] = {
		{"documented", SETTINGS_ERRORS_DOCUMENTED},
		{"hardware", SETTINGS_ERRORS_HARDWARE},
	};
	int value;
	enum verdict verdict = parse_word(text, words, ARRAY_LEN(words), &value);

	if (verdict == VERDICT_TAKEN)
		settings->errors = (enum settings_errors)value;
	return verdict;
}

static enum verdict parse_max_buf_size(const char *text, struct settings *settings)
{
	return parse_count(text, UINT64_MAX, &settings->max_buf_size_bytes);
}

static enum verdict parse_max_buf_list_len(const char *text, struct settings *settings)
{
	uint64_t value;
	enum verdict verdict = parse_count(text, UINT32_MAX, &value);

	if (verdict == VERDICT_TAKEN)
		settings->max_buf_list_len = (uint32_t)value;
	return verdict;
}

static enum verdict parse_queue_depth(const char *text, struct settings *settings)
{
	uint64_t value;
	enum verdict verdict = parse_count(text, UINT32_MAX, &value);

	if (verdict == VERDICT_TAKEN)
		settings->queue_depth = (uint32_t)value;
	return verdict;
}

static enum verdict parse_engine(const char *text, struct settings *settings)
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

static enum verdict parse_kernel(const char *text, struct settings *settings)
{
	static const struct word words[] = {
		{"auto", 0}, {"portable", 0}, {"avx2", 0}, {"avx512", 0}, {"neon", 0}};
	bool is_auto = strcmp(text, "auto") == 0;
	int value;

	settings->kernel = is_auto ? NULL : kernel_find(text);
	if (is_auto || settings->kernel != NULL)
		return VERDICT_TAKEN;
	return parse_word(text, words, ARRAY_LEN(words), &value) == VERDICT_TAKEN ? VERDICT_LACKING
										  : VERDICT_WRONG;
}

static enum verdict parse_reach(const char *text, struct settings *settings)
{
	static const struct word words[] = {
		{"auto", PEER_REACH_AUTO},
		{"mapped", PEER_REACH_MAPPED},
		{"cma", PEER_REACH_CMA},
		{"nbd", PEER_REACH_NBD},
	};
	int value;
	enum verdict verdict = parse_word(text, words, ARRAY_LEN(words), &value);

	if (verdict == VERDICT_TAKEN)
		settings->policy.reach = (enum peer_reach)value;
	return verdict;
}

/* Whether it is there shows when it is used. */
static enum verdict parse_runtime_dir(const char *text, struct settings *settings)
{
	size_t len = strlen(text);

	if (len >= PEER_DIR_BYTES || (len > 0 && *text != '/'))
		return VERDICT_WRONG;
	memcpy(settings->policy.runtime_dir, text, len + 1);
	return VERDICT_TAKEN;
}

/* Numbers with a comma between two. */
static enum verdict parse_allow_uids(const char *text, struct settings *settings)
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

static enum verdict parse_empty(const char *text, struct settings *settings)
{
	return *text == '\0' ? VERDICT_TAKEN : VERDICT_NOT_BUILT;
}

static enum verdict parse_connect_timeout(const char *text, struct settings *settings)
{
	return parse_seconds(text, &settings->policy.connect_timeout_ns);
}

static enum verdict parse_deadline(const char *text, struct settings *settings)
{
	return parse_seconds(text, &settings->policy.deadline_ns);
}

static const char seconds_allowed[] = "seconds above 0 and up to 1000000, fractions allowed";
static const char count_allowed[] = "1 to 4294967295, plain or with K, M, G";

static const struct setting table[] = {
	{"DEVICE", "bluefield3, bluefield2, connectx7, unlimited, none", parse_device},
	{"ROLE", "both, host, dpu", parse_role},
	{"ERRORS", "documented, hardware", parse_errors},
	{"MAX_BUF_SIZE", "1 to 18446744073709551615 bytes, plain or with K, M, G",
	 parse_max_buf_size},
	{"MAX_BUF_LIST_LEN", count_allowed, parse_max_buf_list_len},
	{"QUEUE_DEPTH", count_allowed, parse_queue_depth},
	{"ENGINE", "inline, workers:1 to workers:64", parse_engine},
	{"KERNEL", "auto, portable, avx2, avx512, neon", parse_kernel},
	{"REACH", "auto, mapped, cma, nbd", parse_reach},
	{"LISTEN", "the empty text", parse_empty},
	{"ADVERTISE", "the empty text", parse_empty},
	{"RUNTIME_DIR", "the empty text, or an absolute path of at most 79 characters",
	 parse_runtime_dir},
	{"ALLOW_UIDS", "up to 64 user ids of 0 to 4294967294 with commas between",
	 parse_allow_uids},
	{"CONNECT_TIMEOUT", seconds_allowed, parse_connect_timeout},
	{"DEADLINE", seconds_allowed, parse_deadline},
	{"CONFIG", "the empty text", parse_empty},
};

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* How many characters to insert, drop or change, whatever their case, to make a known name. */
static size_t name_distance(const char *name, size_t len, const char *known)
{
	size_t known_len = strlen(known);
	size_t row[NAME_MAX_LEN + 1];

	assert(known_len <= NAME_MAX_LEN);
	for (size_t j = 0; j <= known_len; j++)
		row[j] = j;
	for (size_t i = 1; i <= len; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= known_len; j++) {
			bool differs = toupper((unsigned char)name[i - 1]) != known[j - 1];
			size_t above = row[j];

			row[j] = min3(above + 1, row[j - 1] + 1, diagonal + differs);
			diagonal = above;
		}
	}
	return row[known_len];
}

static const char *nearest_name(const char *name, size_t len)
{
	const char *nearest = table[0].name;
	size_t least = name_distance(name, len, nearest);

	for (size_t i = 1; i < ARRAY_LEN(table); i++) {
		size_t distance = name_distance(name, len, table[i].name);

		if (distance < least) {
			least = distance;
			nearest = table[i].name;
		}
	}
	return nearest;
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
	const size_t shown_len = len < 64 ? len : 64;

	snprintf(problem, SETTINGS_PROBLEM_SIZE,
		 "variable " PREFIX "%.*s is no setting, the nearest is " PREFIX
		 "%s; correct or unset it",
		 (int)shown_len, name, nearest_name(name, shown_len));
	return DOCA_ERROR_INVALID_VALUE;
}

/* What KERNEL may be on this CPU. */
static void list_kernels(char list[KERNELS_SIZE])
{
	int len = snprintf(list, KERNELS_SIZE, "auto");
	const struct copy_kernel *kernel;

	for (size_t i = 0; (kernel = kernel_at(i)) != NULL && len < KERNELS_SIZE; i++)
		len += snprintf(list + len, (size_t)(KERNELS_SIZE - len), ", %s", kernel->name);
}

static doca_error_t refuse_value(const struct setting *setting, const char *value,
				 enum verdict verdict, char *problem)
{
	static const char *const whys[] = {
		[VERDICT_NOT_BUILT] = "is not built yet",
		[VERDICT_WRONG] = "is wrong",
		[VERDICT_LACKING] = "this CPU lacks",
	};
	char kernels[KERNELS_SIZE];

	list_kernels(kernels);
	snprintf(problem, SETTINGS_PROBLEM_SIZE,
		 "variable " PREFIX
		 "%s has value '%.128s', which %s; allowed: %s; correct or unset it",
		 setting->name, value, whys[verdict],
		 verdict == VERDICT_LACKING ? kernels : setting->allowed);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t settings_read(char *const *environment, struct settings *settings,
			   char problem[SETTINGS_PROBLEM_SIZE])
{
	struct settings found = {
		.policy = {.deadline_ns = DEFAULT_DEADLINE_S * NS_PER_S,
			   .connect_timeout_ns = DEFAULT_CONNECT_TIMEOUT_S * NS_PER_S}};
	uint32_t seen = 0; /* of a name given twice the first counts, as getenv() has it */

	static_assert(ARRAY_LEN(table) <= 32, "a bit of seen for each setting");
	for (; environment != NULL && *environment != NULL; environment++) {
		const char *name = *environment + sizeof(PREFIX) - 1;
		enum verdict verdict;
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
		verdict = table[i].parse(name + len + 1, &found);
		if (verdict != VERDICT_TAKEN)
			return refuse_value(&table[i], name + len + 1, verdict, problem);
	}
	*settings = found;
	return DOCA_SUCCESS;
}
