/* SPDX-License-Identifier: Apache-2.0 */
/* The least that a library with such calls can do. */
#include "calls.h"

#include <string.h>

void bare_rewind(struct bare_task *task)
{
	task->done = 0;
}

void bare_submit(struct bare_queue *queue, struct bare_task *task)
{
	task->next = NULL;
	if (queue->first == NULL)
		queue->first = task;
	else
		queue->last->next = task;
	queue->last = task;
}

int bare_progress(struct bare_queue *queue)
{
	struct bare_task *task = queue->first;

	if (task == NULL)
		return 0;
	queue->first = task->next;
	memcpy(task->to + task->done, task->from, task->len);
	task->done += task->len;
	task->completed(task, task->user_data);
	return 1;
}
