/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An agent that serves the attach option of one region and nothing else, and can be told to serve
 * it wrongly. It needs no thread of the libraries.
 */
#ifndef TESTS_PEER_FAKE_AGENT_H_
#define TESTS_PEER_FAKE_AGENT_H_

#include <stdbool.h>
#include <stdint.h>

#include "peer/control.h"
#include "wire/attach.h"
#include "wire/export.h"

struct fake_agent;

/* Zeros stand for an agent that does right by memory that is in no file. */
struct fake_options {
	void *addr;
	size_t len_bytes;
	uint32_t flags;	  /* of enum export_flag, beside EXPORT_CMA */
	const char *path; /* of the socket; NULL: an abstract one */
	int file_fd;	  /* borrowed; handed over when has_file */
	uint64_t file_offset;
	bool has_file;
	int bell_fd; /* borrowed; handed over when has_bell */
	bool has_bell;
	bool is_dead; /* the holder of the control page's lock has ended */
	/* What to do with a connection, in place of serving it; closes nothing. */
	void (*serve)(struct fake_agent *agent, int fd);
};

/* Fails the test that it cannot start for. */
struct fake_agent *fake_agent_start(const struct fake_options *options,
				    struct export_descriptor *descriptor);

/* As agent_revoke: when it returns nothing starts, and nothing runs. */
void fake_agent_revoke(struct fake_agent *agent);

void fake_agent_stop(struct fake_agent *agent);

/* Parts of a right conversation, for those who serve wrongly. False: the importer is gone. */
bool fake_greet(int fd);
bool fake_hear(int fd, struct attach_request *request, int *activity_fd);
bool fake_reply(int fd, uint32_t type, const void *payload, uint32_t len_bytes, const int *fds,
		uint32_t num_fds);
struct attach_answer fake_answer(const struct fake_agent *agent);
int fake_control_fd(const struct fake_agent *agent);

/* Connections that were accepted. */
uint32_t fake_num_connections(const struct fake_agent *agent);

#endif /* TESTS_PEER_FAKE_AGENT_H_ */
