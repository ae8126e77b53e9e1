/* SPDX-License-Identifier: Apache-2.0 */
/* process_vm_readv() and process_vm_writev() inside submit. */
#include "peer/cma/cma.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

struct cma_region {
	struct peer_region region;
	struct attachment attachment;
};

static struct cma_region *cma_of(struct peer_region *region)
{
	return (struct cma_region *)region;
}

static ssize_t transfer(pid_t pid, const struct peer_io *io)
{
	return io->is_write ? process_vm_writev(pid, io->local, io->num_local, io->remote,
						io->num_remote, 0)
			    : process_vm_readv(pid, io->local, io->num_local, io->remote,
					       io->num_remote, 0);
}

/* The pieces without their first bytes. */
static void advance(struct iovec *pieces, uint32_t num, size_t done_bytes)
{
	for (uint32_t i = 0; i < num; i++) {
		size_t len_bytes = pieces[i].iov_len < done_bytes ? pieces[i].iov_len : done_bytes;

		pieces[i].iov_base = (uint8_t *)pieces[i].iov_base + len_bytes;
		pieces[i].iov_len -= len_bytes;
		done_bytes -= len_bytes;
	}
}

static doca_error_t status_of(int error)
{
	switch (error) {
	case ESRCH:
		return DOCA_ERROR_CONNECTION_RESET;
	case EPERM:
		return DOCA_ERROR_NOT_PERMITTED;
	case ENOMEM:
		return DOCA_ERROR_NO_MEMORY;
	default:
		return DOCA_ERROR_IO_FAILED; /* EFAULT: the memory is not there */
	}
}

/*
 * The exporter is looked at before each call, so that none reaches a program that follows it under
 * its process id, and after: an exec between look and call is not told as a success.
 *
 * A call that does less than it was asked met a page that is not there, or 2 GiB, which is as much
 * as the kernel does at once: the next call says which.
 */
static doca_error_t move(const struct cma_region *cma, struct peer_io *io)
{
	size_t left_bytes = io->len_bytes;
	doca_error_t status = DOCA_SUCCESS;
	enum control_verdict verdict = attach_check(&cma->attachment);

	while (verdict == CONTROL_ALIVE && status == DOCA_SUCCESS && left_bytes > 0) {
		ssize_t got = transfer(cma->attachment.pid, io);
		bool is_dead;

		if (got <= 0)
			status = status_of(got < 0 ? errno : EFAULT);
		else
			left_bytes -= (size_t)got;
		verdict = attach_check(&cma->attachment);
		is_dead = verdict == CONTROL_DEAD;
		/* Revoked meanwhile: destroy waits for what it met under way. */
		if (status == DOCA_SUCCESS && left_bytes == 0 && !is_dead)
			return DOCA_SUCCESS;
		if (status == DOCA_SUCCESS && left_bytes > 0) {
			advance(io->local, io->num_local, (size_t)got);
			advance(io->remote, io->num_remote, (size_t)got);
		}
	}
	return verdict == CONTROL_ALIVE ? status : attach_status(verdict);
}

static void cma_submit(struct peer_region *region, struct peer_io *io)
{
	const struct cma_region *cma = cma_of(region);
	doca_error_t status = peer_check(region, io);

	if (status == DOCA_SUCCESS) {
		activity_begin(io->activity, cma->attachment.answer.tag);
		status = move(cma, io);
		activity_end(io->activity);
	}
	peer_io_finish(io, status);
}

static void cma_close(struct peer_region *region)
{
	attach_close(&cma_of(region)->attachment);
	free(region);
}

static void stay_orphan(struct peer_region *region)
{
}

static const struct peer_ops cma_orphan_ops = {
	.name = "cma",
	.submit = peer_submit_orphaned,
	.orphan = stay_orphan,
	.close = cma_close,
};

static void cma_orphan(struct peer_region *region)
{
	attach_leave(&cma_of(region)->attachment);
	region->ops = &cma_orphan_ops;
}

static const struct peer_ops cma_ops = {
	.name = "cma",
	.submit = cma_submit,
	.orphan = cma_orphan,
	.close = cma_close,
};

static doca_error_t refuse_probe(int error, const char **why)
{
	switch (error) {
	case EPERM:
		*why = "the kernel does not permit it: ptrace would be refused, too";
		return DOCA_ERROR_NOT_PERMITTED;
	case ESRCH:
		*why = "the exporter is in another process namespace";
		break;
	case ENOSYS:
		*why = "the kernel has no process_vm_readv";
		break;
	default:
		*why = "the process that listens is not the one that exported";
		break;
	}
	return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t probe(const struct export_descriptor *descriptor, pid_t pid, const char **why)
{
	uint8_t cell[EXPORT_ID_BYTES] = {0};
	struct iovec local = {.iov_base = cell, .iov_len = sizeof(cell)};
	struct iovec remote = {
		.iov_base = (void *)(uintptr_t)descriptor->cell_addr,
		.iov_len = sizeof(cell),
	};
	ssize_t got;

	if ((descriptor->flags & EXPORT_CMA) == 0) {
		*why = "the exporter does not offer it";
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	if (pid <= 0)
		return refuse_probe(ESRCH, why);
	got = process_vm_readv(pid, &local, 1, &remote, 1, 0);
	if (got < 0)
		return refuse_probe(errno, why);
	if (got != sizeof(cell) || memcmp(cell, descriptor->id, sizeof(cell)) != 0)
		return refuse_probe(EFAULT, why);
	return DOCA_SUCCESS;
}

doca_error_t cma_open(const struct export_descriptor *descriptor, struct attachment *attachment,
		      struct peer_region **region, const char **why)
{
	doca_error_t result = probe(descriptor, attachment->pid, why);
	struct cma_region *cma;

	if (result != DOCA_SUCCESS)
		return result;
	cma = calloc(1, sizeof(*cma));
	if (cma == NULL) {
		*why = "no memory for the region";
		return DOCA_ERROR_NO_MEMORY;
	}
	peer_region_init(&cma->region, &cma_ops, descriptor);
	cma->attachment = *attachment;
	attach_drop_file(&cma->attachment);
	*region = &cma->region;
	return DOCA_SUCCESS;
}
