/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random pairs of lists against a byte oracle: 1 to 64 pieces a side, any split, data in the
 * destinations already, too little room, nothing to copy. TEST_SEED repeats a run.
 *
 * With SOFTDOCA_DEVICE=unlimited there are fewer and larger pairs, so that copies come in parts.
 */
#include <inttypes.h>
#include <unistd.h>

#include "support/dma_fixture.h"
#include "support/test.h"

#define MAX_PIECES 64
#define MAX_SLACK 33 /* bytes between pieces, and around the data in a source */
#define MAX_KEPT 257 /* bytes of data that a destination may hold already */
#define PART_BYTES ((size_t)2 << 20)

struct piece {
	size_t head; /* offset in the area */
	size_t len_bytes;
	size_t data; /* offset in the area */
	size_t data_len_bytes;
	struct doca_buf *buf;
};

struct side {
	struct dma_area *area;
	struct piece pieces[MAX_PIECES];
	size_t num_pieces;
	size_t used_bytes; /* of the area; all pieces lie below */
	uint8_t *expected; /* the whole area as it must be */
};

struct property {
	struct dma_fixture *fixture;
	struct side source;
	struct side target;
	uint64_t random;
	size_t max_piece_bytes;
	size_t limit_bytes; /* of one copy */
	unsigned num_pairs;
	size_t num_succeeded;
	size_t num_failed;
	size_t num_refused;
	char complaint[256];
};

static uint64_t next_random(struct property *property)
{
	property->random ^= property->random >> 12;
	property->random ^= property->random << 25;
	property->random ^= property->random >> 27;
	return property->random * 0x2545f4914f6cdd1dU;
}

/* 0 to bound - 1. */
static size_t pick(struct property *property, size_t bound)
{
	return (size_t)(next_random(property) >> 16) % bound;
}

static size_t room_of(const struct piece *piece)
{
	return piece->len_bytes - (piece->data + piece->data_len_bytes - piece->head);
}

static size_t sum_of(const struct side *side, bool of_room)
{
	size_t sum = 0;

	for (size_t i = 0; i < side->num_pieces; i++)
		sum += of_room ? room_of(&side->pieces[i]) : side->pieces[i].data_len_bytes;
	return sum;
}

static void shuffle(struct property *property, struct side *side)
{
	for (size_t i = side->num_pieces - 1; i > 0; i--) {
		size_t other = pick(property, i + 1);
		struct piece moved = side->pieces[i];

		side->pieces[i] = side->pieces[other];
		side->pieces[other] = moved;
	}
}

/* Pieces one behind the other in memory, in any order in the list. */
static void make_side(struct property *property, struct side *side, size_t max_bytes)
{
	bool is_source = side == &property->source;
	size_t at = 0;

	side->num_pieces = 1 + pick(property, MAX_PIECES);
	for (size_t i = 0; i < side->num_pieces; i++) {
		struct piece *piece = &side->pieces[i];
		size_t num_bytes = pick(property, 6) == 0 ? 0 : pick(property, max_bytes + 1);
		size_t before = pick(property, MAX_SLACK);
		size_t tail = is_source ? pick(property, MAX_SLACK) : num_bytes;

		piece->data_len_bytes = is_source ? num_bytes : pick(property, MAX_KEPT);
		piece->head = at + pick(property, MAX_SLACK);
		piece->data = piece->head + before;
		piece->len_bytes = before + piece->data_len_bytes + tail;
		at = piece->head + piece->len_bytes;
	}
	side->used_bytes = at;
	shuffle(property, side);
}

/* Takes bytes out of the source until it has no more than that. */
static void shrink_source(struct property *property, size_t wanted_bytes)
{
	struct side *side = &property->source;
	size_t excess = sum_of(side, false);

	excess = excess > wanted_bytes ? excess - wanted_bytes : 0;
	for (size_t i = side->num_pieces; i-- > 0 && excess > 0;) {
		struct piece *piece = &side->pieces[i];
		size_t taken = piece->data_len_bytes < excess ? piece->data_len_bytes : excess;

		piece->data_len_bytes -= taken;
		excess -= taken;
	}
}

/* Fills the destination until it has no more room than that. */
static void shrink_room(struct property *property, size_t wanted_bytes)
{
	struct side *side = &property->target;
	size_t excess = sum_of(side, true);

	excess = excess > wanted_bytes ? excess - wanted_bytes : 0;
	for (size_t i = pick(property, side->num_pieces); excess > 0;
	     i = (i + 1) % side->num_pieces) {
		struct piece *piece = &side->pieces[i];
		size_t taken = room_of(piece) < excess ? room_of(piece) : excess;

		piece->data_len_bytes += taken;
		excess -= taken;
	}
}

static void make_pair(struct property *property)
{
	static const size_t divisors[] = {8192, 1024, 64, 8, 8, 2, 1};
	size_t divisor = divisors[pick(property, sizeof(divisors) / sizeof(divisors[0]))];
	size_t max_bytes = property->max_piece_bytes / divisor;
	size_t kind = pick(property, 20);
	size_t num_bytes;
	size_t room;

	make_side(property, &property->source, max_bytes);
	make_side(property, &property->target, max_bytes);
	num_bytes = sum_of(&property->source, false);
	room = sum_of(&property->target, true);
	if (kind < 3) { /* too small, by one byte or more */
		if (room >= num_bytes)
			shrink_room(property, num_bytes == 0 ? 0 : num_bytes - 1);
	} else if (kind == 3) { /* nothing to copy */
		shrink_source(property, 0);
	} else { /* fits, in a third of the cases to the last byte */
		shrink_source(property, room);
		if (kind < 9)
			shrink_room(property, sum_of(&property->source, false));
	}
}

static void fill(struct property *property, struct side *side)
{
	for (size_t i = 0; i < side->used_bytes; i += sizeof(uint64_t)) {
		uint64_t word = next_random(property);

		memcpy(side->area->bytes + i, &word, sizeof(word));
	}
	memcpy(side->expected, side->area->bytes, side->used_bytes + sizeof(uint64_t));
}

/* The oracle: one byte at a time, each to the first place that is free. */
static void expect_copy(struct property *property)
{
	struct side *target = &property->target;
	size_t to = 0;

	for (size_t i = 0; i < property->source.num_pieces; i++) {
		const struct piece *from = &property->source.pieces[i];

		for (size_t k = 0; k < from->data_len_bytes; k++) {
			struct piece *piece = &target->pieces[to];

			while (room_of(piece) == 0)
				piece = &target->pieces[++to];
			target->expected[piece->data + piece->data_len_bytes++] =
				property->source.expected[from->data + k];
		}
	}
}

static struct doca_buf *make_list(struct property *property, struct side *side)
{
	for (size_t i = 0; i < side->num_pieces; i++) {
		struct piece *piece = &side->pieces[i];

		assert_doca(doca_buf_inventory_buf_get_by_args(
				    property->fixture->inventory, side->area->mmap,
				    side->area->bytes + piece->head, piece->len_bytes,
				    side->area->bytes + piece->data, piece->data_len_bytes,
				    &piece->buf),
			    DOCA_SUCCESS);
		if (i > 0)
			assert_doca(doca_buf_chain_list(side->pieces[0].buf, piece->buf),
				    DOCA_SUCCESS);
	}
	return side->pieces[0].buf;
}

static bool complain(struct property *property, const char *what, size_t where)
{
	(void)snprintf(property->complaint, sizeof(property->complaint), "%s, at %zu", what, where);
	return false;
}

/* The list as it must be: windows by the oracle's pieces, all else as it was made. */
static bool list_is_right(struct property *property, const struct side *side, const char *what)
{
	struct doca_buf *buf = side->pieces[0].buf;

	for (size_t i = 0; i < side->num_pieces; i++) {
		const struct piece *piece = &side->pieces[i];
		void *head = NULL;
		void *data = NULL;
		size_t len_bytes = 0;

		if (buf != piece->buf)
			return complain(property, what, i);
		(void)doca_buf_get_head(buf, &head);
		(void)doca_buf_get_data(buf, &data);
		(void)doca_buf_get_len(buf, &len_bytes);
		if (head != side->area->bytes + piece->head || len_bytes != piece->len_bytes ||
		    data != side->area->bytes + piece->data ||
		    dma_data_len(buf) != piece->data_len_bytes)
			return complain(property, what, i);
		(void)doca_buf_get_next_in_list(buf, &buf);
	}
	return buf == NULL ? true : complain(property, what, side->num_pieces);
}

static bool memory_is_right(struct property *property, const struct side *side, size_t len_bytes,
			    const char *what)
{
	for (size_t i = 0; i < len_bytes; i++) {
		if (memcmp(side->area->bytes + i, side->expected + i, len_bytes - i) == 0)
			return true;
		if (side->area->bytes[i] != side->expected[i])
			return complain(property, what, i);
	}
	return true;
}

/* Nobody but progress copies. */
static bool is_inline(void)
{
	const char *engine = getenv("SOFTDOCA_ENGINE");

	return engine == NULL || strcmp(engine, "inline") == 0;
}

/* Progress until the task is back; a copy of more than one part takes as many calls at least. */
static bool run_task(struct property *property, struct doca_task *task, size_t num_bytes)
{
	struct dma_fixture *fixture = property->fixture;
	size_t num_before = fixture->num_success + fixture->num_error;
	size_t num_calls = 0;

	if (doca_task_submit(task) != DOCA_SUCCESS)
		return complain(property, "submit was refused", 0);
	if (is_inline() && !memory_is_right(property, &property->target,
					    property->target.used_bytes, "bytes moved in submit"))
		return false;
	while (fixture->num_success + fixture->num_error == num_before) {
		num_calls++;
		if (doca_pe_progress(fixture->pe) != 1 && is_inline())
			return complain(property, "progress had nothing to do", num_calls);
	}
	if (is_inline() && doca_task_get_status(task) == DOCA_SUCCESS &&
	    num_calls * PART_BYTES < num_bytes)
		return complain(property, "one call copied more than a part", num_calls);
	return true;
}

static bool outcome_is_right(struct property *property, struct doca_dma_task_memcpy *memcpy_task)
{
	size_t num_bytes = sum_of(&property->source, false);
	bool fits = num_bytes > 0 && num_bytes <= sum_of(&property->target, true);
	struct doca_task *task = doca_dma_task_memcpy_as_task(memcpy_task);
	doca_error_t wanted = fits ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;

	if (!run_task(property, task, num_bytes))
		return false;
	if (doca_task_get_status(task) != wanted)
		return complain(property, doca_error_get_name(doca_task_get_status(task)),
				num_bytes);
	if (fits) {
		expect_copy(property);
		property->num_succeeded++;
	} else {
		property->num_failed++;
	}
	return true;
}

static bool pair_is_right(struct property *property)
{
	struct dma_fixture *fixture = property->fixture;
	struct doca_dma_task_memcpy *task = NULL;
	union doca_data none = {0};
	struct doca_buf *source = make_list(property, &property->source);
	struct doca_buf *target = make_list(property, &property->target);
	bool is_right = true;
	doca_error_t result =
		doca_dma_task_memcpy_alloc_init(fixture->dma, source, target, none, &task);

	if (sum_of(&property->source, false) > property->limit_bytes) {
		if (result != DOCA_ERROR_INVALID_VALUE)
			is_right = complain(property, "a copy above the limit was accepted", 0);
		property->num_refused++;
	} else if (result != DOCA_SUCCESS) {
		is_right = complain(property, doca_error_get_name(result), 0);
	} else {
		is_right = outcome_is_right(property, task);
	}
	is_right = is_right &&
		   memory_is_right(property, &property->source,
				   property->source.used_bytes + sizeof(uint64_t), "source") &&
		   memory_is_right(property, &property->target,
				   property->target.used_bytes + sizeof(uint64_t), "destination") &&
		   list_is_right(property, &property->source, "descriptor of the source") &&
		   list_is_right(property, &property->target, "descriptor of the destination");
	if (task != NULL)
		doca_task_free(doca_dma_task_memcpy_as_task(task));
	assert_doca(doca_buf_dec_refcount(source, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(target, NULL), DOCA_SUCCESS);
	return is_right;
}

static void restart_when_faulted(struct dma_fixture *fixture)
{
	if (dma_state(fixture->ctx) == DOCA_CTX_STATE_RUNNING)
		return;
	dma_wait_state(fixture, fixture->ctx, DOCA_CTX_STATE_IDLE);
	assert_doca(doca_ctx_start(fixture->ctx), DOCA_SUCCESS);
}

static uint64_t choose_seed(void)
{
	const char *text = getenv("TEST_SEED");
	uint64_t seed = text != NULL ? strtoull(text, NULL, 0)
				     : test_clock_ns() ^ ((uint64_t)getpid() << 32);

	return seed != 0 ? seed : 1;
}

static void open_property(struct property *property)
{
	const char *device = getenv("SOFTDOCA_DEVICE");
	bool is_unlimited = device != NULL && strcmp(device, "unlimited") == 0;
	struct dma_options options = {.num_tasks = 1, .num_bufs = 2 * MAX_PIECES};

	options.keeps_tasks = true;
	property->num_pairs = is_unlimited ? 60 : 5000;
	property->max_piece_bytes = is_unlimited ? 512 * 1024 : 64 * 1024;
	property->limit_bytes = is_unlimited ? SIZE_MAX : PART_BYTES;
	options.area_bytes =
		MAX_PIECES * (property->max_piece_bytes + MAX_KEPT + 3 * (size_t)MAX_SLACK) + 64;
	property->fixture = dma_open(&options);
	property->source.area = &property->fixture->source;
	property->target.area = &property->fixture->target;
	property->source.expected = malloc(options.area_bytes);
	property->target.expected = malloc(options.area_bytes);
	assert_non_null(property->source.expected);
	assert_non_null(property->target.expected);
	memcpy(property->source.expected, property->source.area->bytes, options.area_bytes);
	memcpy(property->target.expected, property->target.area->bytes, options.area_bytes);
}

static void random_lists_copy_as_the_oracle_does(void **state)
{
	static struct property property; /* too large for a stack */
	uint64_t seed = choose_seed();
	size_t area_bytes;
	bool is_right = true;

	property = (struct property){.random = seed};
	open_property(&property);
	area_bytes = property.source.area->len_bytes;
	/* A pair beyond the device's limit is refused, and is one more. */
	for (unsigned i = 0;
	     property.num_succeeded + property.num_failed < property.num_pairs && is_right; i++) {
		make_pair(&property);
		fill(&property, &property.source);
		fill(&property, &property.target);
		is_right = pair_is_right(&property);
		if (is_right && i % 100 == 99)
			is_right = memory_is_right(&property, &property.source, area_bytes,
						   "source area") &&
				   memory_is_right(&property, &property.target, area_bytes,
						   "destination area");
		if (!is_right)
			print_error("TEST_SEED=%" PRIu64 ", pair %u: %s\n", seed, i,
				    property.complaint);
		restart_when_faulted(property.fixture);
	}
	assert_true(is_right);
	assert_true(property.num_succeeded > property.num_pairs / 2);
	assert_true(property.num_failed > 0);
	free(property.source.expected);
	free(property.target.expected);
	dma_close(property.fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_lists_copy_as_the_oracle_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
