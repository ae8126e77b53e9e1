/* SPDX-License-Identifier: Apache-2.0 */
/* The producers' half of a ring: it maps what a consumer made, and sends. */
#include "comch/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/barrier.h"
#include "base/bell.h"
#include "comch/ring_segment.h"

/* Why a process that has this file, too, could hurt us with it, or NULL. */
static const char *find_danger(int fd, struct stat *file)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct statfs system;

	if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
		return "the segment is not sealed against shrinking";
	if (fstat(fd, file) != 0 || fstatfs(fd, &system) != 0)
		return "the segment cannot be looked at";
	if ((unsigned long)system.f_type == HUGETLBFS_MAGIC)
		return "the segment is in huge pages, which may run out";
	if (file->st_size < (off_t)sizeof(struct ring_head))
		return "the segment is too small";
	return NULL;
}

/* The head is read once, in a mapping of its own: how long all is follows from it. */
static const char *read_conf(int fd, struct ring_conf *conf, int *error)
{
	const struct ring_head *head =
		mmap(NULL, sizeof(*head), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	const char *why = NULL;

	if (head == MAP_FAILED) {
		*error = errno == ENOMEM ? -ENOMEM : -EPROTO;
		return "the segment cannot be mapped";
	}
	if (head->magic != RING_MAGIC)
		why = "the segment is of another version";
	*conf = head->conf;
	munmap((void *)(uintptr_t)head, sizeof(*head));
	return why;
}

static bool is_stream_socket(int fd)
{
	int domain = 0;
	int type = 0;
	socklen_t len = sizeof(int);

	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) == 0 && domain == AF_UNIX &&
	       getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_STREAM;
}

/* Measures and maps; NULL, or why not. */
static const char *map_segment(struct ring_map *map, const int *fds, int *error)
{
	struct ring_conf conf;
	struct stat file;
	const char *why = find_danger(fds[RING_FD_SEGMENT], &file);
	void *memory;

	*error = -EPROTO;
	if (why == NULL)
		why = read_conf(fds[RING_FD_SEGMENT], &conf, error);
	if (why != NULL)
		return why;
	if (!ring_conf_is_sound(&conf))
		return "the segment says what cannot be";
	ring_map_measure(map, &conf);
	if (file.st_size != (off_t)map->len_bytes)
		return "the segment has the wrong size";
	if (!is_stream_socket(fds[RING_FD_BELL]) || !bell_is_one(fds[RING_FD_ROOM]))
		return "the bells are of another kind";
	memory = mmap(NULL, map->len_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		      fds[RING_FD_SEGMENT], 0);
	if (memory == MAP_FAILED) {
		*error = errno == ENOMEM ? -ENOMEM : -EPROTO;
		return "the segment cannot be mapped";
	}
	ring_map_place(map, memory);
	*error = 0;
	return NULL;
}

static struct ring_writer *make_writer(const struct ring_map *map)
{
	struct ring_writer *writer =
		calloc(1, sizeof(*writer) + (map->slot_mask + 1) * sizeof(struct ring_held));
	uint32_t begin = 0;

	if (writer == NULL)
		return NULL;
	lock_init(&writer->lock);
	writer->must_fence = !barrier_register();
	writer->is_shared = writer->must_fence;
	writer->map = *map;
	for (unsigned i = 0; i < RING_NUM_ARENAS; i++) {
		writer->arenas[i].begin = begin;
		writer->arenas[i].len_bytes = ring_arena_bytes(map, i);
		begin += writer->arenas[i].len_bytes;
	}
	return writer;
}

int ring_writer_open(const int fds[RING_NUM_FDS], struct ring_writer **writer, const char **why)
{
	struct ring_map map;
	int error;

	*why = map_segment(&map, fds, &error);
	if (error == 0) {
		*writer = make_writer(&map);
		if (*writer == NULL) {
			munmap(map.head, map.len_bytes);
			*why = "no memory";
			error = -ENOMEM;
		}
	}
	close(fds[RING_FD_SEGMENT]);
	if (error != 0) {
		close(fds[RING_FD_BELL]);
		close(fds[RING_FD_ROOM]);
		return error;
	}
	(*writer)->bell_fd = fds[RING_FD_BELL];
	(*writer)->room_fd = fds[RING_FD_ROOM];
	return 0;
}

void ring_writer_close(struct ring_writer *writer)
{
	if (writer == NULL)
		return;
	munmap(writer->map.head, writer->map.len_bytes);
	close(writer->bell_fd);
	close(writer->room_fd);
	lock_fini(&writer->lock);
	free(writer);
}

int ring_writer_room_fd(const struct ring_writer *writer)
{
	return writer->room_fd;
}

/* In the one thread; false when it must lock like others. */
static bool enter_alone(struct ring_writer *writer)
{
	if (atomic_load_explicit(&writer->owner, memory_order_relaxed) != pthread_self() ||
	    atomic_load_explicit(&writer->is_shared, memory_order_relaxed))
		return false;
	/* Acquire: of a thread that was here under the same name and has ended. */
	(void)atomic_load_explicit(&writer->is_busy, memory_order_acquire);
	atomic_store_explicit(&writer->is_busy, true, memory_order_relaxed);
	/* The barrier of the second thread makes it a full fence when it matters. */
	atomic_signal_fence(memory_order_seq_cst);
	if (!atomic_load_explicit(&writer->is_shared, memory_order_relaxed))
		return true;
	atomic_store_explicit(&writer->is_busy, false, memory_order_release);
	return false;
}

/* Whether it is alone, which is what leave wants to know. */
static bool enter(struct ring_writer *writer) ACQUIRE(&writer->lock) NO_THREAD_SAFETY_ANALYSIS
{
	if (enter_alone(writer))
		return true;
	lock_take(&writer->lock);
	if (atomic_load_explicit(&writer->is_shared, memory_order_relaxed))
		return false;
	if (atomic_load_explicit(&writer->owner, memory_order_relaxed) == 0) {
		atomic_store_explicit(&writer->owner, pthread_self(), memory_order_relaxed);
		return false;
	}
	atomic_store_explicit(&writer->is_shared, true, memory_order_relaxed);
	barrier_everywhere();
	while (atomic_load_explicit(&writer->is_busy, memory_order_acquire))
		sched_yield();
	return false;
}

static void leave(struct ring_writer *writer, bool is_alone)
	RELEASE(&writer->lock) NO_THREAD_SAFETY_ANALYSIS
{
	if (is_alone)
		atomic_store_explicit(&writer->is_busy, false, memory_order_release);
	else
		lock_drop(&writer->lock);
}

/* The memory of messages that were taken since is free. */
static void free_taken(struct ring_writer *writer) REQUIRES(&writer->lock)
{
	for (; writer->num_freed != writer->num_held; writer->num_freed++) {
		const struct ring_held *held =
			&writer->held[writer->num_freed & writer->map.slot_mask];
		struct ring_arena *arena = &writer->arenas[held->arena];

		if (writer->sent - held->n <= writer->sent - writer->taken)
			return;
		arena->tail = held->end;
		arena->num_used--;
	}
}

/* Look at what the consumer has done since; false when that cannot be. */
static bool refresh(struct ring_writer *writer) REQUIRES(&writer->lock)
{
	/* Acquire: what is written next lies where it has read. */
	uint64_t progress = atomic_load(&writer->map.head->progress);
	uint32_t posted = (uint32_t)(progress >> 32);
	uint32_t taken = (uint32_t)progress;
	uint32_t num_slots = writer->map.slot_mask + 1;

	if (taken - writer->taken > writer->sent - writer->taken ||
	    posted - writer->sent > num_slots || posted - taken > num_slots) {
		writer->over = RING_BROKEN;
		return false;
	}
	writer->posted = posted;
	writer->taken = taken;
	free_taken(writer);
	return true;
}

/* A place in one ring; false: it is full. */
static bool take_room(struct ring_writer *writer, uint32_t i, uint32_t len_bytes, uint32_t *place)
	REQUIRES(&writer->lock)
{
	struct ring_arena *arena = &writer->arenas[i];
	uint32_t at;

	if (arena->num_used == 0)
		arena->head = arena->tail = 0;
	at = arena->head;
	if (at < arena->tail) {
		if (len_bytes >= arena->tail - at)
			return false;
	} else if (len_bytes > arena->len_bytes - at) {
		at = 0;
		if (len_bytes >= arena->tail)
			return false;
	}
	arena->head = at + len_bytes;
	arena->num_used++;
	writer->held[writer->num_held++ & writer->map.slot_mask] =
		(struct ring_held){.n = writer->sent, .arena = i, .end = arena->head};
	*place = arena->begin + at;
	return true;
}

/* Memory for a message's data; false: all of it is full. */
static bool allocate(struct ring_writer *writer, uint32_t len_bytes, uint32_t *place)
	REQUIRES(&writer->lock)
{
	/*
	 * No message shares lines with another, and messages of whole pages do not all begin where
	 * a page does: copies between equal offsets in pages are slow.
	 */
	len_bytes = (len_bytes + 2 * RING_LINE_BYTES - 1) & ~(uint32_t)(RING_LINE_BYTES - 1);
	if (take_room(writer, 0, len_bytes, place))
		return true;
	if (!refresh(writer))
		return false;
	for (uint32_t i = 0; i < RING_NUM_ARENAS; i++)
		if (take_room(writer, i, len_bytes, place))
			return true;
	return false;
}

/* A list that was changed meanwhile is not followed further than the message is long. */
static void gather(uint8_t *to, const struct ring_msg *msg)
{
	const struct copy_piece *piece = msg->pieces;
	size_t left = msg->len_bytes;

	for (; piece != NULL && left != 0; piece = piece->next) {
		size_t len = piece->data_len_bytes < left ? piece->data_len_bytes : left;

		if (len != 0)
			memcpy(to, piece->data, len);
		to += len;
		left -= len;
	}
}

/* The slot is ours until it is published. */
static bool fill(struct ring_writer *writer, struct ring_slot *slot, const struct ring_msg *msg)
	REQUIRES(&writer->lock)
{
	uint32_t place = 0;

	if (msg->imm_bytes + msg->len_bytes > RING_INLINE_BYTES &&
	    !allocate(writer, (uint32_t)msg->len_bytes, &place))
		return false;
	if (msg->imm_bytes != 0)
		memcpy(slot->bytes, msg->imm, msg->imm_bytes);
	if (msg->imm_bytes + msg->len_bytes > RING_INLINE_BYTES)
		gather(writer->map.data + place, msg);
	else
		gather(slot->bytes + msg->imm_bytes, msg);
	atomic_store_explicit(&slot->len_bytes, (uint32_t)msg->len_bytes, memory_order_relaxed);
	atomic_store_explicit(&slot->imm_bytes, msg->imm_bytes, memory_order_relaxed);
	atomic_store_explicit(&slot->producer_id, msg->producer_id, memory_order_relaxed);
	atomic_store_explicit(&slot->place, place, memory_order_relaxed);
	return true;
}

/* A close was seen behind the publication of the last message: was it seen by the consumer? */
static enum ring_verdict settle(struct ring_writer *writer) REQUIRES(&writer->lock)
{
	uint64_t end = RING_END_OPEN;

	writer->over = RING_CLOSED;
	return atomic_compare_exchange_strong(&writer->map.head->end, &end,
					      ring_end(writer->sent)) ||
			       end == ring_end(writer->sent)
		       ? RING_OK
		       : RING_CLOSED;
}

static enum ring_verdict publish(struct ring_writer *writer, struct ring_slot *slot,
				 uint32_t *wants) REQUIRES(&writer->lock)
{
	uint32_t mark = ring_mark_after(&writer->map, writer->sent++);

	/* Release, paired with is_published() of the consumer. */
	if (writer->must_fence) {
		atomic_exchange(&slot->mark, mark);
	} else {
		atomic_store_explicit(&slot->mark, mark, memory_order_release);
		atomic_signal_fence(memory_order_seq_cst);
	}
	*wants = atomic_load(&writer->map.head->of_producers);
	return (*wants & RING_CLOSE) != 0 ? settle(writer) : RING_OK;
}

/* There is no room: AGAIN, or a verdict that stays. */
static enum ring_verdict refuse(struct ring_writer *writer) REQUIRES(&writer->lock)
{
	atomic_store_explicit(&writer->refused, (uint64_t)writer->posted << 32 | writer->taken,
			      memory_order_relaxed);
	if (writer->over == RING_OK &&
	    (atomic_load(&writer->map.head->of_producers) & RING_CLOSE) != 0)
		writer->over = RING_CLOSED;
	return writer->over == RING_OK ? RING_AGAIN : writer->over;
}

static enum ring_verdict send_locked(struct ring_writer *writer, const struct ring_msg *msg,
				     uint32_t *wants) REQUIRES(&writer->lock)
{
	uint32_t n = writer->sent & writer->map.slot_mask;

	if (writer->over != RING_OK)
		return writer->over;
	if (writer->sent == writer->posted && (!refresh(writer) || writer->sent == writer->posted))
		return refuse(writer);
	if (msg->len_bytes > writer->map.conf.max_msg_bytes ||
	    msg->imm_bytes > writer->map.conf.max_imm_bytes ||
	    msg->len_bytes > atomic_load_explicit(&writer->map.capacities[n], memory_order_relaxed))
		return RING_TOO_LONG;
	if (!fill(writer, &writer->map.slots[n], msg))
		return refuse(writer);
	return publish(writer, &writer->map.slots[n], wants);
}

enum ring_verdict ring_send(struct ring_writer *writer, const struct ring_msg *msg)
{
	struct ring_head *head = writer->map.head;
	enum ring_verdict verdict;
	uint32_t wants = 0;
	bool is_alone;

	is_alone = enter(writer);
	verdict = send_locked(writer, msg, &wants);
	leave(writer, is_alone);
	if ((wants & RING_BELL) != 0 &&
	    (atomic_fetch_and(&head->of_producers, ~RING_BELL) & RING_BELL) != 0)
		(void)send(writer->bell_fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	return verdict;
}

bool ring_has_changed(const struct ring_writer *writer)
{
	const struct ring_head *head = writer->map.head;

	return atomic_load(&head->progress) !=
		       atomic_load_explicit(&writer->refused, memory_order_relaxed) ||
	       (atomic_load(&head->of_producers) & RING_CLOSE) != 0;
}

bool ring_arm_room(struct ring_writer *writer)
{
	bool is_alone = enter(writer);
	bool is_over = writer->over != RING_OK;

	leave(writer, is_alone);
	/* Without the lock: a barrier may take its time, which other senders do not wait for. */
	atomic_fetch_or(&writer->map.head->of_consumer, RING_ROOM);
	barrier_everywhere();
	return is_over || ring_has_changed(writer);
}
