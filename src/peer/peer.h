/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of another process, as its importer reaches it. A way is a table; which one serves a
 * region is chosen once, at the import, by trying. A region is shared by threads; an io belongs to
 * the queue that submits it.
 */
#ifndef PEER_PEER_H_
#define PEER_PEER_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include <doca_error.h>

#include "base/list.h"
#include "base/waker.h"
#include "peer/activity.h"
#include "peer/policy.h"
#include "wire/export.h"

#define PEER_MAX_PIECES 64

struct copy_history;

/* Move len_bytes between pieces of ours and pieces of a region. From submit to done it is the
 * way's. */
struct peer_io {
	struct peer_io *next; /* for the way, while it holds the io */
	struct peer_region *region;
	const struct activity *activity; /* the queue's slot */
	struct copy_history *history;	 /* the queue's: for a way that copies in submit */
	struct waker *waker;		 /* woken when it becomes done outside of submit */
	bool is_write;			 /* from local to remote */
	uint32_t num_local;
	uint32_t num_remote;
	size_t len_bytes; /* of either side */
	doca_error_t status;
	_Atomic bool is_done; /* stored last, with release */
	struct iovec local[PEER_MAX_PIECES];
	struct iovec remote[PEER_MAX_PIECES]; /* addresses of the exporter, inside the region */
};

static inline bool peer_io_is_done(const struct peer_io *io)
{
	return atomic_load_explicit(&io->is_done, memory_order_acquire);
}

static inline void peer_io_finish(struct peer_io *io, doca_error_t status)
{
	io->status = status;
	atomic_store_explicit(&io->is_done, true, memory_order_release);
}

struct peer_ops {
	const char *name; /* as SOFTDOCA_REACH has it */

	/*
	 * Submit never fails and never waits for the peer: what it cannot do at once is done later,
	 * the io's waker told. Every io becomes done, at the latest when it has made no progress
	 * for the policy's deadline. A status other than SUCCESS, and what is in the target then:
	 * NOT_PERMITTED, INVALID_VALUE: refused, unchanged; IO_FAILED: the memory is not there;
	 * SHUTDOWN: the region was revoked; CONNECTION_RESET: the exporter is gone; TIME_OUT;
	 * NO_MEMORY, OPERATING_SYSTEM: here.
	 */
	void (*submit)(struct peer_region *region, struct peer_io *io);

	/*
	 * In a forked child, whose only thread this is: let go of what it shares with the parent,
	 * and put other ops in the region, whose submit is peer_submit_orphaned. Calls nothing that
	 * is not async-signal-safe.
	 */
	void (*orphan)(struct peer_region *region);

	/* No io of the region is under way. Leaves no thread, socket or mapping of its own. */
	void (*close)(struct peer_region *region);
};

/* What every way begins its own struct with. */
struct peer_region {
	const struct peer_ops *ops;
	uint8_t *addr; /* of the range, in the exporter */
	size_t len_bytes;
	bool is_readable;
	bool is_writable;
	struct list link; /* of the process's regions, for peer_open and peer_close */
};

/* The region as a descriptor has it. */
static inline void peer_region_init(struct peer_region *region, const struct peer_ops *ops,
				    const struct export_descriptor *descriptor)
{
	region->ops = ops;
	region->addr = (uint8_t *)(uintptr_t)descriptor->addr;
	region->len_bytes = descriptor->len_bytes;
	region->is_readable = (descriptor->flags & EXPORT_MAY_READ) != 0;
	region->is_writable = (descriptor->flags & EXPORT_MAY_WRITE) != 0;
}

/*
 * SUCCESS when the io asks for no more than the region's range and rights. The caller has seen to
 * it; this keeps the exporter's other memory safe should it have not.
 */
static inline doca_error_t peer_check(const struct peer_region *region, const struct peer_io *io)
{
	if (io->is_write ? !region->is_writable : !region->is_readable)
		return DOCA_ERROR_NOT_PERMITTED;
	for (uint32_t i = 0; i < io->num_remote; i++) {
		/* An address below the range wraps to an offset beyond any. */
		size_t offset = (uintptr_t)io->remote[i].iov_base - (uintptr_t)region->addr;

		if (offset > region->len_bytes ||
		    io->remote[i].iov_len > region->len_bytes - offset)
			return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

/* What peer_open has to say: which way was taken, and why each better one was not. */
#define PEER_REPORT_BYTES 512

/*
 * Reach a descriptor's range by the best way that works, or by the one that the policy forces. On
 * an error the report says why. AUTHENTICATION: wrong secret; NOT_FOUND: the exporter has no such
 * region (any more); NOT_CONNECTED: no exporter, or one that hangs up; NOT_PERMITTED: one side's
 * policy or the kernel refuses; NOT_SUPPORTED: no endpoint that this build can use, or the forced
 * way cannot; TIME_OUT; NO_MEMORY; OPERATING_SYSTEM. Any thread; waits for the peer on one machine
 * at most 1 s to attach, and 1 s more when nbd is tried after that. Not cancelled while it does.
 *
 * Memory imported before fork() is the parent's alone: each submit of the child is done at once,
 * CONNECTION_RESET, and the child imports it again.
 */
doca_error_t peer_open(const struct peer_policy *policy, const struct export_descriptor *descriptor,
		       struct peer_region **region, char report[PEER_REPORT_BYTES]);

void peer_close(struct peer_region *region);

/* What serves a parent's region in a forked child. */
static inline void peer_submit_orphaned(struct peer_region *region, struct peer_io *io)
{
	peer_io_finish(io, DOCA_ERROR_CONNECTION_RESET);
}

#endif /* PEER_PEER_H_ */
