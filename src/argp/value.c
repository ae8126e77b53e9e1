/* SPDX-License-Identifier: Apache-2.0 */
/* The values that were given, and how a text becomes one. */
#include "argp/argp.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct argp_value *value_add(struct parser *parser, struct list *values,
			     const struct doca_argp_param *param)
{
	struct argp_value *value = calloc(1, sizeof(*value));

	if (value == NULL) {
		input_error(parser, "out of memory");
		return NULL;
	}
	value->param = param;
	list_add_tail(values, &value->link);
	return value;
}

bool values_have(const struct list *values, const struct doca_argp_param *param)
{
	list_for_each (link, values) {
		if (CONTAINER_OF(link, struct argp_value, link)->param == param)
			return true;
	}
	return false;
}

void values_free(struct list *values)
{
	struct list *next;

	for (struct list *link = values->next; link != values; link = next) {
		struct argp_value *value = CONTAINER_OF(link, struct argp_value, link);

		next = link->next;
		/* One that is still in use stays open: its users still work. */
		doca_dev_close(value->parent);
		free(value);
	}
	list_init(values);
}

/* strtol() and strtod() pass over space before a number; here it is none. */
static bool begins_like_a_number(const char *text)
{
	if (*text == '-' || *text == '+')
		text++;
	return isdigit((unsigned char)*text) || *text == '.';
}

static const char *int_read(struct argp_value *value, const char *text)
{
	long number;
	char *end;

	if (!begins_like_a_number(text))
		return "is no number";
	errno = 0;
	number = strtol(text, &end, 10);
	if (end == text)
		return "is no whole number";
	if (*end != '\0')
		return "is a number with something behind it";
	if (errno != 0 || number < INT_MIN || number > INT_MAX)
		return "is too large: a whole number is between -2147483648 and 2147483647";
	value->as.number = (int)number;
	return NULL;
}

/* The locale of the program does not change what its command line means. */
static const char *double_read(struct argp_value *value, const char *text)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	double real;
	char *end;

	if (plain == (locale_t)0)
		return "cannot be read: out of memory";
	real = strtod_l(text, &end, plain);
	freelocale(plain);
	if (end == text || !begins_like_a_number(text))
		return "is no number";
	if (*end != '\0')
		return "is a number with something behind it";
	if (!isfinite(real))
		return "is too large";
	value->as.real = real;
	return NULL;
}

static const char *level_read(struct argp_value *value, const char *text)
{
	const char *problem = int_read(value, text);

	if (problem == NULL && !level_is_valid(value->as.number))
		return "is no level: give 10, 20, 30, 40, 50, 60 or 70";
	return problem;
}

static const char *device_read(struct argp_value *value, const char *text)
{
	value->as.text = text;
	return device_text_check(text, value->param->type == DOCA_ARGP_TYPE_DEVICE_REP);
}

const char *value_read(struct argp_value *value, const char *text)
{
	switch (value->param->type) {
	case DOCA_ARGP_TYPE_STRING:
		value->as.text = text;
		return NULL;
	case DOCA_ARGP_TYPE_INT:
		return value->param->builtin != BUILTIN_NONE ? level_read(value, text)
							     : int_read(value, text);
	case DOCA_ARGP_TYPE_DOUBLE:
		return double_read(value, text);
	case DOCA_ARGP_TYPE_DEVICE:
	case DOCA_ARGP_TYPE_DEVICE_REP:
		return device_read(value, text);
	case DOCA_ARGP_TYPE_BOOLEAN:
	case DOCA_ARGP_TYPE_UNKNOWN:
		break;
	}
	return "is not expected: the flag takes no value";
}
