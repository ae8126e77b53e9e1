/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data side of the fast path: memory that a consumer makes and shares with the process whose
 * producers send to it. No objects of DOCA, no sockets: the control side carries the descriptors
 * from one process to the other, and says when a connection is over.
 *
 * The consumer posts receives, each of a capacity; message n goes into receive n. A message is in
 * the segment, whole, once ring_send has said RING_OK, and is copied out by the consumer alone. No
 * call blocks, and none but those that say so makes a system call, as long as the other side does
 * not wait for a bell.
 *
 * Neither side trusts the other: what it reads from the segment it reads once and checks, and
 * RING_BROKEN is its answer to what cannot be. From then on that half is of no use, and is closed.
 *
 * Below: errors are negative errno.
 */
#ifndef COMCH_RING_H_
#define COMCH_RING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "copy/piece.h"

#define RING_MAX_RECVS 8192
#define RING_MAX_MSG_BYTES (2u << 20)
#define RING_MAX_IMM_BYTES 32

/*
 * The descriptors that the consumer's side gives the producers', in this order. A bell that both
 * sides keep is a timer (base/bell.h); of the other's socket each has an end of its own.
 */
enum ring_fd {
	RING_FD_SEGMENT, /* a memory file */
	RING_FD_BELL,	 /* a socket, rung for the consumer */
	RING_FD_ROOM,	 /* a timer, rung for producers that were refused; the last */
	RING_NUM_FDS,
};

enum ring_verdict {
	RING_OK,
	RING_AGAIN,    /* nothing there; or no room: no receive is posted, or memory is full */
	RING_TOO_LONG, /* longer than the receive it would go into, which stays posted */
	RING_CLOSED,   /* by the consumer: nothing more comes, nothing more is taken */
	RING_BROKEN,   /* the other side is against the rules */
};

struct ring_conf {
	uint32_t num_recvs;	/* posted at a time, 1 to RING_MAX_RECVS */
	uint32_t max_msg_bytes; /* 1 to RING_MAX_MSG_BYTES */
	uint32_t max_imm_bytes; /* 0 to RING_MAX_IMM_BYTES */
};

/* --- The consumer's half: of one thread at a time --- */

struct ring_reader;

/* A message that has arrived, where it lies: the other side may still write there, not lengthen. */
struct ring_view {
	const uint8_t *data;
	const uint8_t *imm;   /* as long as the view; the caller copies it */
	uint32_t len_bytes;   /* at most the capacity of its receive; 0: data is of no use */
	uint32_t imm_bytes;   /* at most max_imm_bytes */
	uint32_t producer_id; /* as the sender said */
};

/* -EINVAL: a value of the conf is out of its range; -ENOMEM, -EMFILE and others of the kernel. */
int ring_reader_create(const struct ring_conf *conf, struct ring_reader **reader);

/* Closes its descriptors and unmaps; what was not taken is lost. Nothing for NULL. */
void ring_reader_destroy(struct ring_reader *reader);

/*
 * What to send to the other process, by enum ring_fd: the reader's own, until it is told that they
 * were sent, which closes what only the other side needs. Never to be told is no fault.
 */
const int *ring_reader_fds(const struct ring_reader *reader);
void ring_reader_sent(struct ring_reader *reader);

/*
 * To be watched for input; hung up once no process has the producers' half any more. The reader's
 * own, never to be read by others.
 */
int ring_reader_bell_fd(const struct ring_reader *reader);

/*
 * Post a receive of that capacity (bytes over its whole buffer list; 0: immediate data alone),
 * behind those posted before. The caller posts no more than num_recvs at a time, and none once
 * closed.
 */
void ring_post(struct ring_reader *reader, uint32_t capacity_bytes);

/*
 * The next message, which goes into the oldest posted receive. RING_OK: *view stands until
 * ring_release; asked again before that it is the same message. RING_AGAIN: none is there.
 * RING_CLOSED: after ring_close, once all that was published before was released. RING_BROKEN.
 *
 * Costs a system call while the reader is armed, and then leaves it armed if none is there.
 */
enum ring_verdict ring_take(struct ring_reader *reader, struct ring_view *view);

/*
 * Append the message to the windows of a list, as a receive does: its bytes are moved behind the
 * valid ones of each piece, and the windows grow. False, and nothing is changed: the list has no
 * room any more.
 */
bool ring_copy_out(const struct ring_view *view, struct copy_piece *target);

/* After RING_OK: the message is copied and its receive over. */
void ring_release(struct ring_reader *reader);

/*
 * From now until the bell has rung or a message was taken, a message rings the bell, which is then
 * readable until a ring_take. True: do not wait, ring_take has something to say now.
 */
bool ring_arm(struct ring_reader *reader);

/*
 * No more messages. What was published before is still taken; each other sender is told
 * RING_CLOSED. Rings those that wait for room. Twice is once.
 */
void ring_close(struct ring_reader *reader);

/* --- The producers' half: one for each remote consumer, shared by all producers of the process ---
 */

struct ring_writer;

struct ring_msg {
	const struct copy_piece *pieces; /* their valid bytes, or NULL */
	size_t len_bytes;		 /* of all pieces together */
	const uint8_t *imm;		 /* or NULL */
	uint32_t imm_bytes;
	uint32_t producer_id;
};

/*
 * From the descriptors that came from the consumer's process. The writer owns them from here on,
 * also when it fails. -EPROTO: they are no such segment, or one that the other side could take away
 * (it is not sealed). -ENOMEM. *why is then a few words for a log line, and NULL else.
 */
int ring_writer_open(const int fds[RING_NUM_FDS], struct ring_writer **writer, const char **why);

/* Nobody sends or arms any more. Nothing for NULL. */
void ring_writer_close(struct ring_writer *writer);

/* Rung for all producers of the process, who watch it as base/bell.h says. The writer's own. */
int ring_writer_room_fd(const struct ring_writer *writer);

/*
 * Any thread. RING_OK: the message is in the segment, and its memory the caller's again.
 * RING_AGAIN: the same call may do later, without anything done here. RING_TOO_LONG: data or
 * immediate data are longer than the receive, or than the consumer takes at all; the receive stays
 * posted for another message. RING_CLOSED and RING_BROKEN stay so.
 *
 * A system call when the consumer is armed. The windows of the pieces lie in their regions.
 */
enum ring_verdict ring_send(struct ring_writer *writer, const struct ring_msg *msg);

/*
 * After RING_AGAIN, any thread: room is rung once something has changed since. True: it has
 * already, do not wait. Makes system calls.
 */
bool ring_arm_room(struct ring_writer *writer);

/* Any thread: whether something has changed since the last RING_AGAIN. No system call, no lock. */
bool ring_has_changed(const struct ring_writer *writer);

#endif /* COMCH_RING_H_ */
