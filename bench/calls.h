/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of a task and nothing else: a shared library with a queue, a copy and a callback, which
 * checks nothing. What it leaves of a bare memcpy loop is what a call a step leaves; no library
 * with the calls of DOCA is faster.
 */
#ifndef BENCH_CALLS_H_
#define BENCH_CALLS_H_

#include <stddef.h>
#include <stdint.h>

struct bare_task {
	struct bare_task *next;
	const uint8_t *from;
	uint8_t *to;
	size_t len;
	size_t done; /* of the target, which the caller rewinds */
	void (*completed)(struct bare_task *task, void *user_data);
	void *user_data;
};

struct bare_queue {
	struct bare_task *first;
	struct bare_task *last;
};

void bare_rewind(struct bare_task *task);
void bare_submit(struct bare_queue *queue, struct bare_task *task);
int bare_progress(struct bare_queue *queue);

#endif /* BENCH_CALLS_H_ */
