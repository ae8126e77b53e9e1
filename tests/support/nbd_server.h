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
	NBD_NEGLECTS_FIRST,	/* one request, for ever */
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
	uint32_t delay_ms;	  /* before each answer */
	_Atomic bool is_over;	  /* for the test's own use */
	uid_t uid;		  /* that it runs as */
	bool refuses_all;	  /* with go_reply: every name, not the right one alone */
	bool has_any_name;	  /* but the right one */
	_Atomic uint32_t num_gos; /* how often it was asked for an export */
	_Atomic bool has_neglected;
	_Atomic uint32_t num_connections;
	_Atomic uint32_t num_requests;
	_Atomic uint32_t max_request_bytes;
};

struct nbd_server {
	int gone_fd; /* an eventfd: readable when a client has closed its connection */
	pid_t pid;   /* of the process and of its group: a process a connection */
	struct nbd_server_plan *plan;
	uint8_t *memory;
	size_t len_bytes;
	struct export_descriptor descriptor; /* by which it is reached */
};

/* Replies to GO, as the specification numbers them. */
#define NBD_TEST_UNSUP UINT32_C(0x80000001)
#define NBD_TEST_POLICY UINT32_C(0x80000002)
#define NBD_TEST_INVALID UINT32_C(0x80000003)
#define NBD_TEST_PLATFORM UINT32_C(0x80000004)
#define NBD_TEST_UNKNOWN UINT32_C(0x80000006)
#define NBD_TEST_SHUTDOWN UINT32_C(0x80000007)
#define NBD_TEST_BLOCK_SIZE UINT32_C(0x80000008)
#define NBD_TEST_TOO_BIG UINT32_C(0x80000009)

/* The descriptor's address is one that the test does not have. */
#define NBD_SERVER_ADDR UINT64_C(0x100000000000)

/* Memory and plan; then change the plan, if need be, and start. */
void nbd_server_init(struct nbd_server *server, size_t len_bytes);
void nbd_server_start(struct nbd_server *server);

/* SIGSTOP, SIGCONT; SIGKILL, which also waits for its end. */
void nbd_server_signal(struct nbd_server *server, int signal);

/* It closes its connections and listens no more, and its process lives on. */
void nbd_server_close(struct nbd_server *server);

/* Its one connection is closed when this returns; it listens on. */
void nbd_server_drop(struct nbd_server *server);

/* Wait until a client has closed a connection. */
void nbd_server_wait_gone(struct nbd_server *server);

/* Killed, if it was not, and its memory given back. */
void nbd_server_fini(struct nbd_server *server);

#endif /* TESTS_SUPPORT_NBD_SERVER_H_ */
