/* SPDX-License-Identifier: Apache-2.0 */
/* The consumer's half of a ring: it makes the segment, posts, takes. */
#include "comch/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/barrier.h"
#include "base/bell.h"
#include "base/memory_file.h"
#include "comch/ring_segment.h"
#include "copy/check.h"

static int make_segment(struct ring_reader *reader)
{
	struct ring_map *map = &reader->map;
	void *memory;
	int fd = memory_file_create("softdoca-ring", map->len_bytes, MEMORY_FILE_SEALS);

	if (fd < 0)
		return fd;
	reader->fds[RING_FD_SEGMENT] = fd;
	memory = mmap(NULL, map->len_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return -errno;
	ring_map_place(map, memory);
	reader->must_fence = !barrier_register();
	map->head->magic = RING_MAGIC;
	map->head->conf = map->conf;
	return 0;
}

static int make_bells(struct ring_reader *reader)
{
	int ends[2];

	/* A stream: it shows that the other end is closed. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
		return -errno;
	reader->bell_fd = ends[0];
	reader->fds[RING_FD_BELL] = ends[1];
	reader->fds[RING_FD_ROOM] = bell_open();
	return reader->fds[RING_FD_ROOM] < 0 ? reader->fds[RING_FD_ROOM] : 0;
}

int ring_reader_create(const struct ring_conf *conf, struct ring_reader **reader)
{
	struct ring_reader *created;
	struct ring_map map;
	int error;

	if (!ring_conf_is_sound(conf))
		return -EINVAL;
	ring_map_measure(&map, conf);
	created = calloc(1, sizeof(*created) + (map.slot_mask + 1) * sizeof(uint32_t));
	if (created == NULL)
		return -ENOMEM;
	created->map = map;
	created->map.head = NULL;
	created->bell_fd = -1;
	for (unsigned i = 0; i < RING_NUM_FDS; i++)
		created->fds[i] = -1;
	error = make_segment(created);
	if (error == 0)
		error = make_bells(created);
	if (error != 0) {
		ring_reader_destroy(created);
		return error;
	}
	*reader = created;
	return 0;
}

void ring_reader_destroy(struct ring_reader *reader)
{
	if (reader == NULL)
		return;
	ring_reader_sent(reader);
	if (reader->map.head != NULL)
		munmap(reader->map.head, reader->map.len_bytes);
	if (reader->bell_fd >= 0)
		close(reader->bell_fd);
	if (reader->fds[RING_FD_ROOM] >= 0)
		close(reader->fds[RING_FD_ROOM]);
	free(reader);
}

const int *ring_reader_fds(const struct ring_reader *reader)
{
	return reader->fds;
}

void ring_reader_sent(struct ring_reader *reader)
{
	for (unsigned i = 0; i < RING_FD_ROOM; i++) {
		if (reader->fds[i] >= 0)
			close(reader->fds[i]);
		reader->fds[i] = -1;
	}
}

int ring_reader_bell_fd(const struct ring_reader *reader)
{
	return reader->bell_fd;
}

static void tell_progress(struct ring_reader *reader)
{
	struct ring_head *head = reader->map.head;
	uint64_t progress = (uint64_t)reader->posted << 32 | reader->taken;

	/* Release, paired with refresh() of the producers: what was taken has been read. */
	if (reader->must_fence) {
		atomic_exchange(&head->progress, progress);
	} else {
		atomic_store_explicit(&head->progress, progress, memory_order_release);
		atomic_signal_fence(memory_order_seq_cst);
	}
	if ((atomic_load(&head->of_consumer) & RING_ROOM) != 0 &&
	    (atomic_fetch_and(&head->of_consumer, ~RING_ROOM) & RING_ROOM) != 0)
		bell_ring(reader->fds[RING_FD_ROOM]);
}

void ring_post(struct ring_reader *reader, uint32_t capacity_bytes)
{
	uint32_t slot = reader->posted & reader->map.slot_mask;

	assert(!reader->is_closed && reader->posted - reader->taken <= reader->map.slot_mask);
	/* A line that nobody writes stays in the producers' cache. */
	if (reader->capacities[slot] != capacity_bytes)
		atomic_store_explicit(&reader->map.capacities[slot], capacity_bytes,
				      memory_order_relaxed);
	reader->capacities[slot] = capacity_bytes;
	reader->limit = ++reader->posted;
	tell_progress(reader);
}

static bool is_published(const struct ring_reader *reader, uint32_t n)
{
	const struct ring_map *map = &reader->map;

	/* Acquire, paired with publish() of the producers. */
	return atomic_load(&map->slots[n & map->slot_mask].mark) == ring_mark_after(map, n);
}

static bool has_message(const struct ring_reader *reader)
{
	return reader->taken != reader->limit && is_published(reader, reader->taken);
}

/* What there is to say while no message is there. */
static enum ring_verdict find_silence(struct ring_reader *reader)
{
	const struct ring_map *map = &reader->map;
	const struct ring_slot *slot = &map->slots[reader->taken & map->slot_mask];
	uint32_t mark = atomic_load(&slot->mark);

	if (reader->is_closed && reader->taken == reader->limit)
		return RING_CLOSED;
	/* Or it has come just now. */
	if (mark == ring_mark_before(map, reader->taken) ||
	    (mark == ring_mark_after(map, reader->taken) && reader->taken != reader->limit))
		return RING_AGAIN;
	reader->is_broken = true;
	return RING_BROKEN;
}

/* What the producers see from now on. */
static void ask_producers(struct ring_reader *reader, uint32_t what)
{
	atomic_fetch_or(&reader->map.head->of_producers, what);
	barrier_everywhere();
}

bool ring_arm(struct ring_reader *reader)
{
	reader->is_armed = true;
	ask_producers(reader, RING_BELL);
	return reader->is_broken || has_message(reader) || find_silence(reader) != RING_AGAIN;
}

/* Read what rang, before the slot is looked at: no later ring is taken away. */
static void hear_bell(struct ring_reader *reader)
{
	_Atomic uint32_t *wants = &reader->map.head->of_producers;
	uint8_t rung[1];

	(void)recv(reader->bell_fd, rung, sizeof(rung), MSG_DONTWAIT);
	if (!has_message(reader) && ((atomic_load(wants) & RING_BELL) != 0 || !ring_arm(reader)))
		return;
	reader->is_armed = false;
	atomic_fetch_and(wants, ~RING_BELL);
}

/* Where the bytes lie; NULL when the sender says what cannot be. */
static const uint8_t *find_data(const struct ring_reader *reader, const struct ring_slot *slot,
				const struct ring_view *view)
{
	const struct ring_map *map = &reader->map;
	uint32_t place = atomic_load_explicit(&slot->place, memory_order_relaxed);

	if (view->len_bytes > reader->capacities[reader->taken & map->slot_mask] ||
	    view->len_bytes > map->conf.max_msg_bytes || view->imm_bytes > map->conf.max_imm_bytes)
		return NULL;
	if (view->imm_bytes + view->len_bytes <= RING_INLINE_BYTES)
		return slot->bytes + view->imm_bytes;
	if (place > map->data_bytes || view->len_bytes > map->data_bytes - place)
		return NULL;
	return map->data + place;
}

enum ring_verdict ring_take(struct ring_reader *reader, struct ring_view *view)
{
	const struct ring_slot *slot = &reader->map.slots[reader->taken & reader->map.slot_mask];

	if (reader->is_broken)
		return RING_BROKEN;
	if (reader->is_armed)
		hear_bell(reader);
	if (!has_message(reader))
		return find_silence(reader);
	/* Each once: the other side may change them meanwhile. */
	view->len_bytes = atomic_load_explicit(&slot->len_bytes, memory_order_relaxed);
	view->imm_bytes = atomic_load_explicit(&slot->imm_bytes, memory_order_relaxed);
	view->producer_id = atomic_load_explicit(&slot->producer_id, memory_order_relaxed);
	view->imm = slot->bytes;
	view->data = find_data(reader, slot, view);
	if (view->data != NULL)
		return RING_OK;
	reader->is_broken = true;
	return RING_BROKEN;
}

bool ring_copy_out(const struct ring_view *view, struct copy_piece *target)
{
	const uint8_t *from = view->data;
	size_t left = view->len_bytes;

	if (!copy_list_is_sound(target) || copy_room(target, left) < left)
		return false;
	for (; left != 0; target = target->next) {
		size_t room = piece_room(target);
		size_t len = room < left ? room : left;

		memcpy(piece_tail(target), from, len);
		target->data_len_bytes += len;
		from += len;
		left -= len;
	}
	return true;
}

void ring_release(struct ring_reader *reader)
{
	reader->taken++;
	tell_progress(reader);
}

void ring_close(struct ring_reader *reader)
{
	uint64_t end = RING_END_OPEN;
	uint32_t posted = reader->posted;

	if (reader->is_closed)
		return;
	reader->is_closed = true;
	ask_producers(reader, RING_CLOSE);
	reader->limit = reader->taken;
	while (reader->limit != posted && is_published(reader, reader->limit))
		reader->limit++;
	if (!atomic_compare_exchange_strong(&reader->map.head->end, &end, ring_end(reader->limit)))
		while (end != ring_end(reader->limit) && reader->limit != posted &&
		       is_published(reader, reader->limit))
			reader->limit++;
	/* A producer that says more than it has sent. */
	reader->is_broken |= end != RING_END_OPEN && end != ring_end(reader->limit);
	bell_ring(reader->fds[RING_FD_ROOM]);
}
