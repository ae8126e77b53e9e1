/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The copy task. What the contract refuses at the submit is found here; what a card would only find
 * while copying, the engine finds.
 */
#include "dma/dma.h"

#include <inttypes.h>

#include "base/placement.h"
#include "common/buf.h"
#include "common/library.h"
#include "copy/check.h"
#include "dma/memcpy_report.h"

static void set_src(struct doca_dma_task_memcpy *task, const struct doca_buf *src)
{
	task->base.op.source = (struct copy_piece *)src;
}

static void set_dst(struct doca_dma_task_memcpy *task, struct doca_buf *dst)
{
	task->base.op.target = (struct copy_piece *)dst;
}

/* What the checks need to know of one side of a copy. */
struct side {
	const struct doca_buf *head;
	size_t num_bytes;  /* of data */
	bool is_overflown; /* there are more than num_bytes can count */
	bool is_foreign;   /* a piece is in another process */
	uint32_t num_elements;
	const struct doca_buf *stale;  /* first that was released, or whose map is gone */
	const struct doca_buf *barred; /* first in a map without the right that the side needs */
};

static struct doca_dma *dma_of_task(const struct doca_task *base)
{
	return dma_of(base->ctx);
}

static const struct doca_buf *buf_next(const struct doca_buf *buf)
{
	return (const struct doca_buf *)buf->piece.next;
}

/* What keeps a buffer from being usual; false: nothing behind it can be looked at. */
static OUT_OF_LINE bool look_closer(struct side *side, const struct doca_buf *buf,
				    enum mmap_right right)
{
	if (buf->refcount == 0 || mmap_of(buf_user(buf)) == NULL) {
		side->stale = buf;
		return false;
	}
	if (piece_region(&buf->piece) != NULL)
		side->is_foreign = true;
	if (side->barred == NULL && (buf_user(buf)->rights & right) == 0)
		side->barred = buf;
	return true;
}

/*
 * One pass over a list, each of whose maps needs that right; NULL has nothing. Buffers that were
 * taken one after the other lie side by side: what comes soon is where the last step leads on.
 */
static struct side measure(const struct doca_buf *head, enum mmap_right right)
{
	struct side side = {.head = head};
	const struct doca_buf *next;

	for (const struct doca_buf *buf = head; buf != NULL; buf = next) {
		next = buf_next(buf);
		__builtin_prefetch(
			(const void *)((uintptr_t)next + 4 * ((uintptr_t)next - (uintptr_t)buf)));
		side.num_elements++;
		if (__builtin_add_overflow(side.num_bytes, buf->piece.data_len_bytes,
					   &side.num_bytes))
			side.is_overflown = true;
		if (doca_unlikely(!buf_may_be_used(buf, right)) && !look_closer(&side, buf, right))
			break;
	}
	return side;
}

/* The device's limits: the first that a copy goes beyond is named, once. */
static COLD bool is_within_limits(const struct doca_dma *dma, const struct side *source,
				  const struct side *target, bool is_refused)
{
	const struct side *longer = source->num_elements > target->num_elements ? source : target;

	if (source->is_overflown || source->num_bytes > dma->limits.max_buf_size_bytes) {
		const struct copy_piece *from = &source->head->piece;

		LOG_ERROR("dma context %p: copy %s: source [%p, +%zu) and what is chained to it "
			  "hold %zu bytes%s, which is more than the %" PRIu64
			  " that the device takes at once "
			  "(doca_dma_cap_task_memcpy_get_max_buf_size); split it into several "
			  "tasks",
			  (const void *)dma, copy_outcome(is_refused), (const void *)from->head,
			  from->len_bytes, source->is_overflown ? SIZE_MAX : source->num_bytes,
			  source->is_overflown ? " or more" : "", dma->limits.max_buf_size_bytes);
		return false;
	}
	if (longer->num_elements > dma->limits.max_buf_list_len) {
		const struct copy_piece *first = &longer->head->piece;

		LOG_ERROR("dma context %p: copy %s: %s list at [%p, +%zu) has %u elements, more "
			  "than the %u that the device takes "
			  "(doca_dma_cap_task_memcpy_get_max_buf_list_len); split it into several "
			  "tasks",
			  (const void *)dma, copy_outcome(is_refused),
			  longer == source ? "source" : "destination", (const void *)first->head,
			  first->len_bytes, longer->num_elements, dma->limits.max_buf_list_len);
		return false;
	}
	return true;
}

static COLD doca_error_t refuse_stale(const struct doca_dma *dma, const struct doca_buf *buf)
{
	LOG_ERROR("dma context %p: copy refused: buffer %p [%p, +%zu) %s", (const void *)dma,
		  (const void *)buf, (const void *)buf->piece.head, buf->piece.len_bytes,
		  buf->refcount == 0
			  ? "was released; keep it until the callback"
			  : "belongs to an mmap that was stopped or destroyed; keep that "
			    "until the callback");
	return DOCA_ERROR_INVALID_VALUE;
}

static COLD doca_error_t refuse_unset(const struct doca_dma *dma,
				      const struct doca_dma_task_memcpy *task)
{
	LOG_ERROR("dma context %p: task %p refuses submit: its %s is not set; call "
		  "doca_dma_task_memcpy_set_%s first",
		  (const void *)dma, (const void *)task,
		  task_src(task) == NULL ? "source" : "destination",
		  task_src(task) == NULL ? "src" : "dst");
	return DOCA_ERROR_INVALID_VALUE;
}

/*
 * What is wrong with a copy as far as a submit can know it: local memory may be read whatever its
 * map's rights, to be written it needs LOCAL_READ_WRITE.
 */
static doca_error_t check_contract(const struct doca_dma *dma, const struct side *source,
				   const struct side *target, bool is_refused)
{
	if (doca_unlikely(source->barred != NULL || target->barred != NULL)) {
		report_right_missing(dma, source->barred, target->barred, source->head,
				     target->head, is_refused);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (doca_unlikely(!is_within_limits(dma, source, target, is_refused)))
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}

/* Any copy: lists, other processes, and whatever is to be refused. */
doca_error_t memcpy_prepare(struct doca_task *base, bool is_strict)
{
	struct doca_dma_task_memcpy *task = (struct doca_dma_task_memcpy *)base;
	const struct doca_buf *src = task_src(task);
	const struct doca_buf *dst = task_dst(task);
	const struct doca_dma *dma = dma_of_task(base);
	struct side source;
	struct side target;
	bool is_refused;
	doca_error_t found;

	if (src == NULL || dst == NULL)
		return refuse_unset(dma, task);
	source = measure(src, MMAP_READ);
	target = measure(dst, MMAP_WRITE);
	if (doca_unlikely(source.stale != NULL || target.stale != NULL))
		return refuse_stale(dma, source.stale != NULL ? source.stale : target.stale);

	/* Else a card accepts the submit and fails the copy. */
	is_refused = is_strict || !dma->hardware_errors;
	found = check_contract(dma, &source, &target, is_refused);
	if (doca_unlikely(found != DOCA_SUCCESS) && is_refused)
		return found;
	if (is_strict) {
		enum copy_fault fault = copy_check(&src->piece, &dst->piece, source.num_bytes);

		report_fault(task, fault, source.num_bytes, true);
		if (fault != COPY_SOUND)
			return DOCA_ERROR_INVALID_VALUE;
	}

	base->op.len_bytes = source.num_bytes;
	base->op.is_foreign = source.is_foreign || target.is_foreign;
	base->op.fault = COPY_SOUND;
	base->op.status = found == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
	return DOCA_SUCCESS;
}

void memcpy_conclude(struct doca_task *base)
{
	if (doca_unlikely(base->op.fault != COPY_SOUND))
		report_fault((struct doca_dma_task_memcpy *)base, base->op.fault,
			     base->op.len_bytes, false);
	/* A card has one word for whatever went wrong on its way. */
	if (doca_unlikely(base->op.status != DOCA_SUCCESS) && dma_of_task(base)->hardware_errors)
		base->op.status = DOCA_ERROR_IO_FAILED;
}

/* Of what is known when a task is made; NULL is set later. */
static bool may_be_copied(const struct doca_dma *dma, const struct doca_buf *src,
			  const struct doca_buf *dst)
{
	struct side source;
	struct side target;

	if (dma->hardware_errors)
		return true;
	source = measure(src, MMAP_READ);
	target = measure(dst, MMAP_WRITE);
	return is_within_limits(dma, &source, &target, true);
}

/* With lists, and whatever is to be refused. */
static OUT_OF_LINE doca_error_t alloc_any(struct doca_dma *dma, const struct doca_buf *src,
					  struct doca_buf *dst, union doca_data user_data,
					  struct doca_dma_task_memcpy **task)
{
	struct doca_task *taken;
	doca_error_t result;

	if (dma == NULL || task == NULL)
		return REFUSE_NULL(dma == NULL ? "dma" : "task");
	if (!may_be_copied(dma, src, dst))
		return DOCA_ERROR_INVALID_VALUE;
	result = tasks_take(LOG_HERE, &dma->ctx, &dma->pool, user_data, &taken);
	if (result != DOCA_SUCCESS)
		return result;
	*task = (struct doca_dma_task_memcpy *)taken;
	set_src(*task, src);
	set_dst(*task, dst);
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma, const struct doca_buf *src,
					     struct doca_buf *dst, union doca_data user_data,
					     struct doca_dma_task_memcpy **task)
{
	struct doca_dma_task_memcpy *taken;

	if (doca_unlikely(dma == NULL || task == NULL || src == NULL || dst == NULL ||
			  src->piece.next != NULL || dst->piece.next != NULL ||
			  src->piece.data_len_bytes > dma->limits.max_buf_size_bytes ||
			  !tasks_may_take(&dma->ctx, &dma->pool)))
		return alloc_any(dma, src, dst, user_data, task);
	taken = (struct doca_dma_task_memcpy *)tasks_take_one(&dma->ctx, &dma->pool, user_data);
	set_src(taken, src);
	set_dst(taken, dst);
	*task = taken;
	return DOCA_SUCCESS;
}

struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task)
{
	return task == NULL ? NULL : &task->base;
}

void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task, const struct doca_buf *src)
{
	if (task_may_set(LOG_HERE, (struct doca_task *)task))
		set_src(task, src);
}

const struct doca_buf *doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task)
{
	return task == NULL ? NULL : task_src(task);
}

void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task, struct doca_buf *dst)
{
	if (task_may_set(LOG_HERE, (struct doca_task *)task))
		set_dst(task, dst);
}

struct doca_buf *doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task)
{
	return task == NULL ? NULL : task_dst(task);
}
