/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The importer's end of the attach option: a connection to an exporter on this machine, and what it
 * handed over. The ways without a message a copy build on it.
 */
#ifndef PEER_ATTACH_H_
#define PEER_ATTACH_H_

#include <sys/types.h>

#include <doca_error.h>

#include "peer/control.h"
#include "peer/policy.h"
#include "wire/attach.h"
#include "wire/export.h"

struct attachment {
	int fd;	     /* owned; that it ends tells the exporter that we are gone */
	int file_fd; /* owned; of the memory file, -1 when there is none */
	int bell_fd; /* owned; of the range's bell, -1 when there is none */
	pid_t pid;   /* of the exporter, as the kernel sees it from here; else 0 */
	const struct control *control; /* owned; the exporter's page */
	struct attach_answer answer;
};

/*
 * Connect to one of the descriptor's local endpoints, prove the secret, take what is handed over;
 * at most 1 s. On an error *why is a few words for a log line. AUTHENTICATION: wrong secret;
 * NOT_FOUND: no such region (any more), or nobody listens, but the process lives; NOT_CONNECTED: no
 * exporter there, or one that hangs up; NOT_PERMITTED: it is
 * another user's, or refuses ours; NOT_SUPPORTED: no local endpoint, or it cannot be attached to;
 * TIME_OUT; NO_MEMORY; OPERATING_SYSTEM. Any thread.
 */
doca_error_t attach_open(const struct peer_policy *policy,
			 const struct export_descriptor *descriptor, struct attachment *attachment,
			 const char **why);

/* The memory file is mapped or not wanted. */
void attach_drop_file(struct attachment *attachment);

void attach_close(struct attachment *attachment);

/* In a forked child: the connection stays the parent's alone. Async-signal-safe. */
void attach_leave(struct attachment *attachment);

static inline enum control_verdict attach_check(const struct attachment *attachment)
{
	return control_check(attachment->control, attachment->answer.slot,
			     attachment->answer.generation);
}

/* What a verdict other than alive is as the status of an io. */
static inline doca_error_t attach_status(enum control_verdict verdict)
{
	return verdict == CONTROL_REVOKED ? DOCA_ERROR_SHUTDOWN : DOCA_ERROR_CONNECTION_RESET;
}

#endif /* PEER_ATTACH_H_ */
