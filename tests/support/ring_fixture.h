/* SPDX-License-Identifier: Apache-2.0 */
/* Both halves of a ring in one process, and messages whose bytes follow from a number. */
#ifndef TESTS_SUPPORT_RING_FIXTURE_H_
#define TESTS_SUPPORT_RING_FIXTURE_H_

#include "support/process.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "comch/ring_segment.h"
#include "support/piece.h"

struct ring_pair {
	struct ring_reader *reader;
	struct ring_writer *writer;
	size_t num_fds; /* before */
};

/* Descriptors such as come from another process. */
static inline void ring_copy_fds(const struct ring_reader *reader, int fds[RING_NUM_FDS])
{
	for (unsigned i = 0; i < RING_NUM_FDS; i++) {
		fds[i] = fcntl(ring_reader_fds(reader)[i], F_DUPFD_CLOEXEC, 0);
		assert_true(fds[i] >= 0);
	}
}

static inline struct ring_pair ring_pair_open(uint32_t num_recvs, uint32_t max_msg_bytes)
{
	const struct ring_conf conf = {num_recvs, max_msg_bytes, RING_MAX_IMM_BYTES};
	struct ring_pair pair = {.num_fds = open_fds()};
	int fds[RING_NUM_FDS];
	const char *why;

	assert_int_equal(ring_reader_create(&conf, &pair.reader), 0);
	ring_copy_fds(pair.reader, fds);
	ring_reader_sent(pair.reader);
	assert_int_equal(ring_writer_open(fds, &pair.writer, &why), 0);
	assert_null(why);
	return pair;
}

/* At one address, as the thread sanitizer does not know that two are of the same memory. */
static inline void ring_pair_join(struct ring_pair *pair)
{
	munmap(pair->writer->map.head, pair->writer->map.len_bytes);
	ring_map_place(&pair->writer->map, pair->reader->map.head);
}

static inline void ring_pair_close(struct ring_pair *pair)
{
	if (pair->writer->map.head == pair->reader->map.head)
		pair->reader->map.head = NULL;
	ring_writer_close(pair->writer);
	ring_reader_destroy(pair->reader);
	assert_int_equal(open_fds(), pair->num_fds);
}

/* Byte i of message n. */
static inline uint8_t ring_byte(uint32_t n, size_t i)
{
	return (uint8_t)((n * 2654435761u >> 13) + i * 7 + i / 251);
}

static inline void ring_fill(uint8_t *bytes, size_t len_bytes, uint32_t n)
{
	for (size_t i = 0; i < len_bytes; i++)
		bytes[i] = ring_byte(n, i);
}

static inline bool ring_is_message(const uint8_t *bytes, size_t len_bytes, uint32_t n)
{
	for (size_t i = 0; i < len_bytes; i++)
		if (bytes[i] != ring_byte(n, i))
			return false;
	return true;
}

/* Message n, of one piece, with as many bytes of immediate data; the producer's id says n, too. */
static inline enum ring_verdict ring_send_message(struct ring_writer *writer, uint32_t n,
						  uint8_t *bytes, size_t len_bytes,
						  uint32_t imm_bytes)
{
	uint8_t imm[RING_MAX_IMM_BYTES + 1];
	struct copy_piece source = piece(bytes, len_bytes, 0, len_bytes);
	const struct ring_msg msg = {
		.pieces = len_bytes == 0 ? NULL : &source,
		.len_bytes = len_bytes,
		.imm = imm_bytes == 0 ? NULL : imm,
		.imm_bytes = imm_bytes,
		.producer_id = n,
	};

	ring_fill(bytes, len_bytes, n);
	ring_fill(imm, imm_bytes, n + 1);
	return ring_send(writer, &msg);
}

/* The view is of message n. */
static inline bool ring_is_view(const struct ring_view *view, uint32_t n, size_t len_bytes,
				uint32_t imm_bytes)
{
	return view->producer_id == n && view->len_bytes == len_bytes &&
	       view->imm_bytes == imm_bytes && ring_is_message(view->imm, imm_bytes, n + 1) &&
	       ring_is_message(view->data, len_bytes, n);
}

/* Steps of a pseudorandom sequence: the same in each run. */
static inline uint32_t ring_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

#endif /* TESTS_SUPPORT_RING_FIXTURE_H_ */
