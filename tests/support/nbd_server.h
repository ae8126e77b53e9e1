/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small NBD server in processes of its own, for tests: it serves memory that it shares with the
 * test, and does what a server must not as soon as it is told to.
 */
#ifndef TESTS_SUPPORT_NBD_SERVER_H_
#define TESTS_SUPPORT_NBD_SERVER_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "wire/export.h"

enum nbd_fault {
	NBD_SOUND,
	/* Instead of a greeting. */
	NBD_GREETS_NOT,
	NBD_GREETS_AND_LEAVES, /* half of it */
	NBD_GREETS_NONSENSE,
	NBD_GREETS_OLD_STYLE,
	/* Instead of an answer to GO. */
	NBD_GO_SILENT,
	NBD_GO_LEAVES,
	NBD_GO_REFUSED, /* with nbd_server_plan.go_reply */
	NBD_GO_NONSENSE,
	/* Instead of an answer to a request, each that comes while it is so. */
	NBD_ANSWERS_ERROR, /* nbd_server_plan.error */
	NBD_ANSWERS_NOT,
	NBD_ANSWERS_HALF, /* the header and half of the data, then nothing */
	NBD_ANSWERS_HALF_AND_LEAVES,
	NBD_ANSWERS_ANOTHER, /* a request that nobody made */
	NBD_ANSWERS_NONSENSE,
	NBD_ANSWERS_STRUCTURED, /* which was not agreed on */
	NBD_NEGLECTS_FIRST,	/* the first such request, for ever */
	NBD_LEAVES,
	NBD_READS_NOT, /* not even the request */
};

/* Shared with the server's processes: the test may change it at any time. */
struct nbd_server_plan {
	_Atomic int fault; /* enum nbd_fault */
	uint32_t go_reply;
	uint32_t error;
	uint64_t size_bytes; /* that it claims to serve */
	bool is_read_only;
	uid_t uid; /* that it runs as */
	_Atomic uint32_t num_connections;
	_Atomic uint32_t num_requests;
	_Atomic uint32_t max_request_bytes;
};

struct nbd_server {
	pid_t pid; /* of the process and of its group: a process a connection */
	struct nbd_server_plan *plan;
	uint8_t *memory;
	size_t len_bytes;
	struct export_descriptor descriptor; /* by which it is reached */
};

/* The descriptor's address is one that the test does not have. */
#define NBD_SERVER_ADDR UINT64_C(0x100000000000)

/* Memory and plan; then change the plan, if need be, and start. */
void nbd_server_init(struct nbd_server *server, size_t len_bytes);
void nbd_server_start(struct nbd_server *server);

/* SIGSTOP, SIGCONT; SIGKILL, which also waits for its end. */
void nbd_server_signal(struct nbd_server *server, int signal);

/* Killed, if it was not, and its memory given back. */
void nbd_server_fini(struct nbd_server *server);

#endif /* TESTS_SUPPORT_NBD_SERVER_H_ */
