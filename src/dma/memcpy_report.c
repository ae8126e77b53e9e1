/* SPDX-License-Identifier: Apache-2.0 */
/* The words for copies that are refused or have failed. */
#include "dma/memcpy_report.h"

#include <stdio.h>

#include "common/sdk_log.h"

/* "LOCAL_READ_WRITE | PCI_READ_ONLY" of a mask, into a caller's buffer. */
#define ACCESS_TEXT_SIZE 128

static const char *access_text(uint32_t access, char text[ACCESS_TEXT_SIZE])
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {
		{DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, "LOCAL_READ_WRITE"},
		{DOCA_ACCESS_FLAG_RDMA_READ, "RDMA_READ"},
		{DOCA_ACCESS_FLAG_RDMA_WRITE, "RDMA_WRITE"},
		{DOCA_ACCESS_FLAG_RDMA_ATOMIC, "RDMA_ATOMIC"},
		{DOCA_ACCESS_FLAG_PCI_READ_ONLY, "PCI_READ_ONLY"},
		{DOCA_ACCESS_FLAG_PCI_READ_WRITE, "PCI_READ_WRITE"},
		{DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, "PCI_RELAXED_ORDERING"},
	};
	size_t used = 0;

	if (access == DOCA_ACCESS_FLAG_LOCAL_READ_ONLY)
		return "LOCAL_READ_ONLY";
	text[0] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((access & names[i].flag) != 0)
			used += (size_t)snprintf(text + used, ACCESS_TEXT_SIZE - used, "%s%s",
						 used == 0 ? "" : " | ", names[i].name);
	return text;
}

/* The right that a side of a copy needs in a map, and who gives it. */
struct demand {
	const char *side;
	const char *other;
	const char *right;
	const char *remedy;
};

static struct demand demand_of(const struct mmap_user *user, bool is_write)
{
	const struct doca_mmap *mmap = mmap_of(user);
	const bool is_rdma = (user->access & (DOCA_ACCESS_FLAG_PCI_READ_ONLY |
					      DOCA_ACCESS_FLAG_PCI_READ_WRITE)) == 0;

	if (mmap == NULL || !mmap->is_imported)
		return (struct demand){"destination", "source", "LOCAL_READ_WRITE",
				       "call doca_mmap_set_permissions on the destination's before "
				       "doca_mmap_start"};
	return (struct demand){
		.side = is_write ? "destination" : "source",
		.other = is_write ? "source" : "destination",
		.right = is_write ? (is_rdma ? "RDMA_WRITE" : "PCI_READ_WRITE") : "RDMA_READ",
		.remedy = "it is imported: let its exporter call doca_mmap_set_permissions before "
			  "its doca_mmap_start",
	};
}

void report_right_missing(const struct doca_dma *dma, const struct doca_buf *unreadable,
			  const struct doca_buf *unwritable, const struct doca_buf *src,
			  const struct doca_buf *dst, bool is_refused)
{
	char barred_text[ACCESS_TEXT_SIZE];
	char other_text[ACCESS_TEXT_SIZE];
	const bool is_write = unwritable != NULL;
	const struct mmap_user *barred = buf_user(is_write ? unwritable : unreadable);
	const struct mmap_user *other = buf_user(is_write ? src : dst);
	const struct demand demand = demand_of(barred, is_write);

	LOG_ERROR("dma context %p: copy %s: the %s's mmap %p [%p, +%zu) has %s and lacks %s; the "
		  "%s's mmap %p [%p, +%zu) has %s, which is enough; %s",
		  (const void *)dma, copy_outcome(is_refused), demand.side, (void *)mmap_of(barred),
		  (void *)barred->addr, barred->len_bytes, access_text(barred->access, barred_text),
		  demand.right, demand.other, (void *)mmap_of(other), (void *)other->addr,
		  other->len_bytes, access_text(other->access, other_text), demand.remedy);
}

static const struct copy_piece *find_unsound(const struct copy_piece *list)
{
	while (list->next != NULL && piece_is_sound(list))
		list = list->next;
	return list;
}

static const char *peer_cause(doca_error_t status)
{
	switch (status) {
	case DOCA_ERROR_CONNECTION_RESET:
		return "the exporter is gone; import what its next process exports";
	case DOCA_ERROR_SHUTDOWN:
		return "the exporter has destroyed the mmap; import a new export";
	case DOCA_ERROR_TIME_OUT:
		return "the exporter did not answer within SOFTDOCA_DEADLINE; is it stopped?";
	case DOCA_ERROR_NOT_PERMITTED:
		return "the exporter's rights, or the kernel's, do not allow it";
	case DOCA_ERROR_NO_MEMORY:
	case DOCA_ERROR_OPERATING_SYSTEM:
		return "this process is out of memory or descriptors for it";
	default:
		return "the exporter has unmapped or truncated a part of the range";
	}
}

static const struct copy_piece *find_foreign(const struct copy_piece *list)
{
	while (list != NULL && piece_region(list) == NULL)
		list = list->next;
	return list;
}

static void report_peer(const struct doca_dma_task_memcpy *task)
{
	const struct copy_piece *from = find_foreign(task->base.op.source);
	const struct copy_piece *to = find_foreign(task->base.op.target);
	const struct copy_piece *foreign = from != NULL ? from : to;
	const doca_error_t status = task->base.op.status;

	LOG_ERROR("dma context %p: copy of task %p fails with %s: %s [%p, +%zu)%s is another "
		  "process's memory: %s",
		  (void *)task->base.ctx, (const void *)task, doca_error_get_name(status),
		  from != NULL ? "source" : "destination", (void *)foreign->head,
		  foreign->len_bytes, from != NULL && to != NULL ? ", as the destination," : "",
		  peer_cause(status));
}

void report_fault(const struct doca_dma_task_memcpy *task, enum copy_fault fault, size_t num_bytes,
		  bool is_refused)
{
	const void *dma = task->base.ctx;
	const char *copy = copy_outcome(is_refused);
	const struct copy_piece *from = task->base.op.source;
	const struct copy_piece *to = task->base.op.target;
	const struct copy_piece *at;

	switch (fault) {
	case COPY_SOUND:
		break;
	case COPY_SOURCE_EMPTY:
		LOG_ERROR("dma context %p: copy of task %p %s: source [%p, +%zu) holds no data; "
			  "call doca_buf_set_data on it before the submit",
			  dma, (const void *)task, copy, (void *)from->head, from->len_bytes);
		break;
	case COPY_SOURCE_OUTSIDE:
	case COPY_TARGET_OUTSIDE:
		at = find_unsound(fault == COPY_SOURCE_OUTSIDE ? from : to);
		LOG_ERROR("dma context %p: copy of task %p %s: %s buffer [%p, +%zu) has its data "
			  "at [%p, +%zu), outside of its region; keep doca_buf_set_data within "
			  "head and length",
			  dma, (const void *)task, copy,
			  fault == COPY_SOURCE_OUTSIDE ? "source" : "destination", (void *)at->head,
			  at->len_bytes, (void *)at->data, at->data_len_bytes);
		break;
	case COPY_TARGET_SMALL:
		LOG_ERROR("dma context %p: copy of task %p %s: %zu bytes of source data, room for "
			  "%zu behind the data of destination [%p, +%zu) and what is chained to "
			  "it; call doca_buf_reset_data_len before the submit, or split the copy",
			  dma, (const void *)task, copy, num_bytes, copy_room(to, num_bytes),
			  (void *)to->head, to->len_bytes);
		break;
	case COPY_CHANGED:
		LOG_ERROR("dma context %p: copy of task %p %s: source [%p, +%zu) or destination "
			  "[%p, +%zu) was changed while the copy was under way; leave both alone "
			  "from submit to callback",
			  dma, (const void *)task, copy, (void *)from->head, from->len_bytes,
			  (void *)to->head, to->len_bytes);
		break;
	case COPY_PEER:
		report_peer(task);
		break;
	}
}
