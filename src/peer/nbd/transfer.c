/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts ios into NBD commands, keeps so many of them under way, and finishes what was answered. */
#include "peer/nbd/region.h"

#include <assert.h>
#include <errno.h>

#include <libnbd.h>

static void fifo_push(struct net_region *region, struct peer_io *io)
{
	io->next = NULL;
	if (region->first_io == NULL)
		region->first_io = io;
	else
		region->last_io->next = io;
	region->last_io = io;
	if (region->next_io == NULL)
		region->next_io = io;
}

/* What ends is among the first, as many as there may be commands. */
static void fifo_remove(struct net_region *region, struct peer_io *io)
{
	struct peer_io *before = NULL;

	for (struct peer_io *at = region->first_io; at != io; at = at->next)
		before = at;
	if (before == NULL)
		region->first_io = io->next;
	else
		before->next = io->next;
	if (region->last_io == io)
		region->last_io = before;
}

/* Whoever waits may free the io as soon as it is done, and its waker once that is not held. */
static void finish(struct peer_io *io, doca_error_t status)
{
	struct waker *waker = io->waker;

	waker_hold(waker);
	peer_io_finish(io, status);
	waker_wake(waker);
	waker_put(waker);
}

/* The lowest bit that is set, as a mask. */
static uint64_t lowest(uint64_t mask)
{
	return mask & (0 - mask);
}

static struct net_command *command_of(struct net_region *region, uint64_t bit)
{
	return &region->commands[__builtin_ctzll(bit)];
}

static uint64_t bit_of(const struct net_command *command)
{
	return UINT64_C(1) << (command - command->region->commands);
}

void transfer_add(struct net_region *region, struct peer_io *io)
{
	io->status = DOCA_SUCCESS;
	/* An idle peer was not asked for anything yet. */
	if (region->first_io == NULL)
		region->progress_ns = net_now_ns();
	fifo_push(region, io);
}

static bool is_under_way(struct net_region *region, const struct peer_io *io)
{
	if (region->walk.io == io)
		return true;
	for (uint64_t left = region->flying | region->landed; left != 0; left &= left - 1)
		if (command_of(region, lowest(left))->io == io)
			return true;
	return false;
}

static void finish_if_over(struct net_region *region, struct peer_io *io)
{
	if (is_under_way(region, io))
		return;
	fifo_remove(region, io);
	finish(io, io->status);
}

/* The first error is the io's. */
static void note(struct peer_io *io, doca_error_t status)
{
	if (io->status == DOCA_SUCCESS)
		io->status = status;
}

static doca_error_t status_of_answer(int error)
{
	switch (error) {
	case 0:
		return DOCA_SUCCESS;
	case EPERM:
		return DOCA_ERROR_NOT_PERMITTED;
	case ESHUTDOWN:
		return DOCA_ERROR_SHUTDOWN;
	default:
		return DOCA_ERROR_IO_FAILED;
	}
}

static bool is_oldest(struct net_region *region, const struct net_command *command)
{
	for (uint64_t left = region->flying; left != 0; left &= left - 1)
		if (command_of(region, lowest(left))->number < command->number)
			return false;
	return true;
}

/*
 * libnbd calls it in the middle of its own work: only note. A command that ends with the
 * connection is not answered and goes on flying, until transfer_fail_all; nor may it be retired,
 * for the call that issues it may be under way and still reads it (libnbd 1.14).
 */
static int note_answer(void *user_data, int *error)
{
	struct net_command *command = user_data;
	struct net_region *region = command->region;

	if (*error == ENOTCONN)
		return 0;
	region->num_overtaken = is_oldest(region, command) ? 0 : region->num_overtaken + 1;
	command->error = *error;
	region->flying &= ~bit_of(command);
	region->landed |= bit_of(command);
	return 1;
}

void transfer_settle(struct net_region *region)
{
	while (region->landed != 0) {
		uint64_t bit = lowest(region->landed);
		struct net_command *command = command_of(region, bit);

		region->landed &= ~bit;
		note(command->io, status_of_answer(command->error));
		finish_if_over(region, command->io);
	}
}

/* The next bytes of the walk that lie together on both sides; moves the walk behind them. */
static size_t next_run(struct net_walk *walk, struct iovec *local, struct iovec *remote)
{
	const struct peer_io *io = walk->io;
	size_t len = REGION_MAX_COMMAND_BYTES;

	while (walk->local_bytes == io->local[walk->local].iov_len) {
		walk->local++;
		walk->local_bytes = 0;
	}
	while (walk->remote_bytes == io->remote[walk->remote].iov_len) {
		walk->remote++;
		walk->remote_bytes = 0;
	}
	assert(walk->local < io->num_local && walk->remote < io->num_remote);
	*local = io->local[walk->local];
	*remote = io->remote[walk->remote];
	local->iov_base = (uint8_t *)local->iov_base + walk->local_bytes;
	remote->iov_base = (uint8_t *)remote->iov_base + walk->remote_bytes;
	if (len > local->iov_len - walk->local_bytes)
		len = local->iov_len - walk->local_bytes;
	if (len > remote->iov_len - walk->remote_bytes)
		len = remote->iov_len - walk->remote_bytes;
	walk->local_bytes += len;
	walk->remote_bytes += len;
	walk->left_bytes -= len;
	return len;
}

/* Stand before the next io, if there is one. */
static bool begin_next(struct net_region *region)
{
	struct peer_io *io = region->next_io;

	if (io == NULL)
		return false;
	region->next_io = io->next;
	region->walk = (struct net_walk){.io = io, .left_bytes = io->len_bytes};
	return true;
}

static void issue(struct net_region *region)
{
	uint64_t bit = lowest(~(region->flying | region->landed));
	struct net_command *command = command_of(region, bit);
	nbd_completion_callback on_answer = {.callback = note_answer, .user_data = command};
	struct peer_io *io = region->walk.io;
	struct iovec local, remote;
	size_t len = next_run(&region->walk, &local, &remote);
	uint64_t offset = (uintptr_t)remote.iov_base - (uintptr_t)region->base.addr;
	int64_t cookie;

	command->region = region;
	command->io = io;
	command->number = region->num_issued++;
	/* Before the call, which may already end it. */
	region->flying |= bit;
	if (io->is_write)
		cookie = nbd_aio_pwrite(region->handle, local.iov_base, len, offset, on_answer, 0);
	else
		cookie = nbd_aio_pread(region->handle, local.iov_base, len, offset, on_answer, 0);
	if (cookie >= 0)
		return;
	region->flying &= ~bit;
	note(io,
	     nbd_get_errno() == ENOMEM ? DOCA_ERROR_NO_MEMORY : status_of_answer(nbd_get_errno()));
}

static bool has_spare(const struct net_region *region)
{
	return (region->flying | region->landed) != UINT64_MAX;
}

doca_error_t transfer_step(struct net_region *region)
{
	transfer_settle(region);
	while (has_spare(region) && (region->walk.io != NULL || begin_next(region))) {
		struct peer_io *io = region->walk.io;

		if (region->walk.left_bytes > 0 && io->status == DOCA_SUCCESS) {
			issue(region);
			if (session_is_dead(region))
				return session_death();
			continue;
		}
		region->walk.io = NULL;
		finish_if_over(region, io);
	}
	transfer_settle(region);
	/* A peer that never comes to the oldest command makes no progress with it. */
	return region->num_overtaken > REGION_MAX_OVERTAKEN ? DOCA_ERROR_TIME_OUT : DOCA_SUCCESS;
}

/* All of them, linked through next: nobody has any more. */
static struct peer_io *take_all(struct net_region *region)
{
	struct peer_io *first = region->first_io;

	region->flying = 0;
	region->landed = 0;
	region->first_io = NULL;
	region->last_io = NULL;
	region->next_io = NULL;
	region->walk.io = NULL;
	region->num_overtaken = 0;
	return first;
}

void transfer_fail_all(struct net_region *region, doca_error_t status)
{
	struct peer_io *next = take_all(region);

	while (next != NULL) {
		struct peer_io *io = next;

		next = io->next;
		note(io, status);
		finish(io, io->status);
	}
}

void transfer_abandon_all(struct net_region *region)
{
	struct peer_io *next = take_all(region);

	while (next != NULL) {
		struct peer_io *io = next;

		next = io->next;
		peer_io_finish(io, DOCA_ERROR_CONNECTION_RESET);
	}
}
