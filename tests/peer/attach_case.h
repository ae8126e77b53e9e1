/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of attaching share: one try, at an agent that does as it is told. */
#ifndef TESTS_PEER_ATTACH_CASE_H_
#define TESTS_PEER_ATTACH_CASE_H_

#include "support/process.h"

#include "peer/attach.h"
#include "peer/fake_agent.h"

#define RANGE_BYTES 4096

static uint8_t range[RANGE_BYTES];

/* One try to attach. */
struct attach_case {
	size_t num_fds;
	struct peer_policy policy;
	struct fake_options options;
	struct fake_agent *agent;
	struct export_descriptor descriptor;
	struct attachment attachment;
	const char *why;
};

static inline struct attach_case *case_new(void)
{
	struct attach_case *new = calloc(1, sizeof(*new));

	assert_non_null(new);
	new->num_fds = open_fds();
	new->options = (struct fake_options){
		.addr = range,
		.len_bytes = sizeof(range),
		.flags = EXPORT_MAY_READ | EXPORT_MAY_WRITE,
	};
	return new;
}

static inline struct attach_case *case_start(void (*serve)(struct fake_agent *agent, int fd))
{
	struct attach_case *started = case_new();

	started->options.serve = serve;
	started->agent = fake_agent_start(&started->options, &started->descriptor);
	return started;
}

static inline doca_error_t attach(struct attach_case *attach_case)
{
	attach_case->why = NULL;
	return attach_open(&attach_case->policy, &attach_case->descriptor, &attach_case->attachment,
			   &attach_case->why);
}

/* Nothing is left but what the case began with. */
static inline void case_end(struct attach_case *attach_case)
{
	if (attach_case->agent != NULL)
		fake_agent_stop(attach_case->agent);
	assert_int_equal(open_fds(), attach_case->num_fds);
	free(attach_case);
}

static inline void assert_refused(struct attach_case *attach_case, doca_error_t wanted)
{
	const struct attachment untouched = attach_case->attachment;

	assert_doca(attach(attach_case), wanted);
	assert_non_null(attach_case->why);
	assert_memory_equal(&attach_case->attachment, &untouched, sizeof(untouched));
	case_end(attach_case);
}

#endif /* TESTS_PEER_ATTACH_CASE_H_ */
