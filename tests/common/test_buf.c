/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers: windows, references and lists. */
#include "support/test.h"

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>

#define NUM_BUFS 8
#define BUF_BYTES 64

static uint8_t memory[NUM_BUFS * BUF_BYTES];

struct fixture {
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory; /* of NUM_BUFS, all of them out */
	struct doca_buf *bufs[NUM_BUFS];
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	*state = fixture;
	if (fixture == NULL || doca_mmap_create(&fixture->mmap) != DOCA_SUCCESS ||
	    doca_mmap_set_memrange(fixture->mmap, memory, sizeof(memory)) != DOCA_SUCCESS ||
	    doca_mmap_start(fixture->mmap) != DOCA_SUCCESS ||
	    doca_buf_inventory_create(NUM_BUFS, &fixture->inventory) != DOCA_SUCCESS ||
	    doca_buf_inventory_start(fixture->inventory) != DOCA_SUCCESS)
		return -1;
	for (int i = 0; i < NUM_BUFS; i++)
		if (doca_buf_inventory_buf_get_by_args(
			    fixture->inventory, fixture->mmap, memory + i * BUF_BYTES, BUF_BYTES,
			    memory + i * BUF_BYTES + 4, 8, &fixture->bufs[i]) != DOCA_SUCCESS)
			return -1;
	return 0;
}

/* Whatever is still out goes back, heads by their references, so that a test may end anywhere. */
static int teardown(void **state)
{
	struct fixture *fixture = *state;
	uint32_t num_free;

	for (int i = 0; i < NUM_BUFS; i++)
		while (doca_buf_dec_refcount(fixture->bufs[i], NULL) == DOCA_SUCCESS)
			;
	if (doca_buf_inventory_get_num_free_elements(fixture->inventory, &num_free) !=
		    DOCA_SUCCESS ||
	    num_free != NUM_BUFS)
		return -1;
	if (doca_buf_inventory_destroy(fixture->inventory) != DOCA_SUCCESS ||
	    doca_mmap_destroy(fixture->mmap) != DOCA_SUCCESS)
		return -1;
	free(fixture);
	return 0;
}

static struct doca_buf **bufs_in(void **state)
{
	return ((struct fixture *)*state)->bufs;
}

static uint32_t num_free_in(void **state)
{
	uint32_t num_free;

	assert_doca(doca_buf_inventory_get_num_free_elements(((struct fixture *)*state)->inventory,
							     &num_free),
		    DOCA_SUCCESS);
	return num_free;
}

static uint16_t refcount_of(const struct doca_buf *buf)
{
	uint16_t refcount;

	assert_doca(doca_buf_get_refcount(buf, &refcount), DOCA_SUCCESS);
	return refcount;
}

/* Chain bufs[0] to bufs[num - 1] in their order. */
static void chain_all(struct doca_buf **bufs, int num)
{
	for (int i = 1; i < num; i++)
		assert_doca(doca_buf_chain_list(bufs[0], bufs[i]), DOCA_SUCCESS);
}

/* A list has these elements in this order, and every getter of lists says so of each. */
static void assert_list(struct doca_buf *const *bufs, int num)
{
	struct doca_buf *other;
	uint32_t len = 0;
	uint8_t answer;

	assert_doca(doca_buf_get_list_len(bufs[0], &len), DOCA_SUCCESS);
	assert_int_equal(len, num);
	for (int i = 0; i < num; i++) {
		assert_doca(doca_buf_get_next_in_list(bufs[i], &other), DOCA_SUCCESS);
		assert_ptr_equal(other, i + 1 < num ? bufs[i + 1] : NULL);
		assert_doca(doca_buf_get_last_in_list(bufs[i], &other), DOCA_SUCCESS);
		assert_ptr_equal(other, bufs[num - 1]);
		assert_doca(doca_buf_is_first_in_list(bufs[i], &answer), DOCA_SUCCESS);
		assert_int_equal(answer, i == 0);
		assert_doca(doca_buf_is_last_in_list(bufs[i], &answer), DOCA_SUCCESS);
		assert_int_equal(answer, i + 1 == num);
		assert_doca(doca_buf_is_in_list(bufs[i], &answer), DOCA_SUCCESS);
		assert_int_equal(answer, num > 1);
	}
}

static void assert_window(const struct doca_buf *buf, const void *data, size_t data_len)
{
	void *got_data;
	size_t got_len;

	assert_doca(doca_buf_get_data(buf, &got_data), DOCA_SUCCESS);
	assert_ptr_equal(got_data, data);
	assert_doca(doca_buf_get_data_len(buf, &got_len), DOCA_SUCCESS);
	assert_int_equal(got_len, data_len);
}

static void getters_tell_region_and_window(void **state)
{
	struct doca_buf *buf = bufs_in(state)[1];
	void *head = NULL;
	size_t len = 0;

	assert_doca(doca_buf_get_head(buf, &head), DOCA_SUCCESS);
	assert_ptr_equal(head, memory + BUF_BYTES);
	assert_doca(doca_buf_get_len(buf, &len), DOCA_SUCCESS);
	assert_int_equal(len, BUF_BYTES);
	assert_window(buf, memory + BUF_BYTES + 4, 8);
}

static void set_data_moves_the_window(void **state)
{
	struct doca_buf *buf = bufs_in(state)[0];

	assert_doca(doca_buf_set_data(buf, memory + 10, 20), DOCA_SUCCESS);
	assert_window(buf, memory + 10, 20);
}

static void set_data_len_keeps_the_first_byte(void **state)
{
	struct doca_buf *buf = bufs_in(state)[0];

	assert_doca(doca_buf_set_data_len(buf, 30), DOCA_SUCCESS);
	assert_window(buf, memory + 4, 30);
}

static void reset_data_len_keeps_the_first_byte(void **state)
{
	struct doca_buf *buf = bufs_in(state)[0];

	assert_doca(doca_buf_reset_data_len(buf), DOCA_SUCCESS);
	assert_window(buf, memory + 4, 0);
}

static void a_window_outside_the_region_is_taken_as_it_comes(void **state)
{
	struct doca_buf *buf = bufs_in(state)[0];

	assert_doca(doca_buf_set_data(buf, memory + BUF_BYTES, BUF_BYTES), DOCA_SUCCESS);
	assert_window(buf, memory + BUF_BYTES, BUF_BYTES);
	assert_doca(doca_buf_set_data_len(buf, SIZE_MAX), DOCA_SUCCESS);
	assert_window(buf, memory + BUF_BYTES, SIZE_MAX);
}

static void every_call_on_null_is_refused(void **state)
{
	struct doca_buf *buf = bufs_in(state)[0];
	struct doca_buf *other;
	uint16_t refcount;
	uint32_t num;
	uint8_t answer;
	size_t len;
	void *addr;

	assert_doca(doca_buf_inc_refcount(NULL, &refcount), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_dec_refcount(NULL, &refcount), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_refcount(NULL, &refcount), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_len(NULL, &len), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_head(NULL, &addr), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_data_len(NULL, &len), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_data(NULL, &addr), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_set_data(NULL, memory, 1), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_set_data_len(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_reset_data_len(NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_next_in_list(NULL, &other), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_last_in_list(NULL, &other), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_is_last_in_list(NULL, &answer), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_is_first_in_list(NULL, &answer), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_is_in_list(NULL, &answer), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_list_len(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_chain_list(NULL, buf), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_chain_list_tail(NULL, buf, buf), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_unchain_list(NULL, buf), DOCA_ERROR_INVALID_VALUE);
}

static void every_null_argument_is_refused(void **state)
{
	struct doca_buf *buf = bufs_in(state)[0];

	assert_doca(doca_buf_get_refcount(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_len(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_head(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_data_len(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_data(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_next_in_list(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_last_in_list(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_is_last_in_list(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_is_first_in_list(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_is_in_list(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_get_list_len(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_chain_list(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_chain_list_tail(buf, NULL, buf), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_chain_list_tail(buf, buf, NULL), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_unchain_list(buf, NULL), DOCA_ERROR_INVALID_VALUE);
}

static void references_report_the_count_before(void **state)
{
	struct doca_buf *buf = bufs_in(state)[0];
	uint16_t before = 0;

	assert_int_equal(refcount_of(buf), 1);
	assert_doca(doca_buf_inc_refcount(buf, &before), DOCA_SUCCESS);
	assert_int_equal(before, 1);
	assert_doca(doca_buf_inc_refcount(buf, NULL), DOCA_SUCCESS);
	assert_int_equal(refcount_of(buf), 3);
	assert_doca(doca_buf_dec_refcount(buf, &before), DOCA_SUCCESS);
	assert_int_equal(before, 3);
	assert_int_equal(refcount_of(buf), 2);
	assert_int_equal(num_free_in(state), 0);
}

static void the_last_reference_sends_the_buffer_home(void **state)
{
	struct doca_buf *buf = bufs_in(state)[0];
	uint16_t before = 0;

	assert_doca(doca_buf_dec_refcount(buf, &before), DOCA_SUCCESS);
	assert_int_equal(before, 1);
	assert_int_equal(num_free_in(state), 1);
}

static void a_released_buffer_gives_and_takes_no_reference(void **state)
{
	struct doca_buf *buf = bufs_in(state)[0];
	uint16_t before = 9;

	assert_doca(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(buf, &before), DOCA_ERROR_BAD_STATE);
	assert_doca(doca_buf_inc_refcount(buf, &before), DOCA_ERROR_NOT_PERMITTED);
	assert_int_equal(before, 9);
	assert_int_equal(num_free_in(state), 1);
}

static void references_end_at_65535(void **state)
{
	struct doca_buf *buf = bufs_in(state)[0];
	uint16_t before = 9;

	for (int i = 1; i < UINT16_MAX; i++)
		assert_doca(doca_buf_inc_refcount(buf, NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_inc_refcount(buf, &before), DOCA_ERROR_TOO_BIG);
	assert_int_equal(before, 9);
	assert_int_equal(refcount_of(buf), UINT16_MAX);
}

static void an_inner_element_has_no_references_of_its_own(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	chain_all(bufs, 3);
	for (int i = 1; i < 3; i++) {
		assert_doca(doca_buf_inc_refcount(bufs[i], NULL), DOCA_ERROR_NOT_PERMITTED);
		assert_doca(doca_buf_dec_refcount(bufs[i], NULL), DOCA_ERROR_NOT_PERMITTED);
	}
	assert_list(bufs, 3);
}

static void a_buffer_alone_is_a_list_of_one(void **state)
{
	assert_list(bufs_in(state), 1);
}

static void chain_appends_whole_lists(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	chain_all(bufs, 3);
	chain_all(bufs + 3, 2);
	assert_doca(doca_buf_chain_list(bufs[0], bufs[3]), DOCA_SUCCESS);
	assert_list(bufs, 5);
}

static void chain_keeps_references_and_windows(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	assert_doca(doca_buf_inc_refcount(bufs[0], NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_chain_list(bufs[0], bufs[1]), DOCA_SUCCESS);
	assert_int_equal(refcount_of(bufs[0]), 2);
	assert_window(bufs[1], memory + BUF_BYTES + 4, 8);
}

static void releasing_the_head_sends_the_whole_list_home(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	chain_all(bufs, 5);
	assert_doca(doca_buf_inc_refcount(bufs[0], NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_dec_refcount(bufs[0], NULL), DOCA_SUCCESS);
	assert_int_equal(num_free_in(state), 0);
	assert_doca(doca_buf_dec_refcount(bufs[0], NULL), DOCA_SUCCESS);
	assert_int_equal(num_free_in(state), 5);
	for (int i = 0; i < 5; i++)
		assert_doca(doca_buf_dec_refcount(bufs[i], NULL), DOCA_ERROR_BAD_STATE);
}

static void a_released_element_comes_back_alone(void **state)
{
	struct fixture *fixture = *state;
	struct doca_buf **bufs = fixture->bufs;

	chain_all(bufs, 2);
	assert_doca(doca_buf_dec_refcount(bufs[0], NULL), DOCA_SUCCESS);
	for (int i = 0; i < 2; i++) {
		assert_doca(doca_buf_inventory_buf_get_by_addr(fixture->inventory, fixture->mmap,
							       memory, 8, &bufs[i]),
			    DOCA_SUCCESS);
		assert_int_equal(refcount_of(bufs[i]), 1);
		assert_list(&bufs[i], 1);
	}
}

static void chain_refuses_a_list_to_itself(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	assert_doca(doca_buf_chain_list(bufs[0], bufs[0]), DOCA_ERROR_NOT_PERMITTED);
	assert_list(bufs, 1);
	chain_all(bufs, 2);
	assert_doca(doca_buf_chain_list(bufs[0], bufs[0]), DOCA_ERROR_NOT_PERMITTED);
	assert_list(bufs, 2);
}

static void chain_refuses_inner_elements(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	chain_all(bufs, 2);
	assert_doca(doca_buf_chain_list(bufs[1], bufs[2]), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_buf_chain_list(bufs[2], bufs[1]), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_buf_chain_list(bufs[0], bufs[1]), DOCA_ERROR_NOT_PERMITTED);
	assert_list(bufs, 2);
	assert_list(bufs + 2, 1);
}

static void chain_refuses_to_append_what_others_refer_to(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	assert_doca(doca_buf_inc_refcount(bufs[1], NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_chain_list(bufs[0], bufs[1]), DOCA_ERROR_NOT_PERMITTED);
	assert_list(bufs, 1);
}

static void chain_refuses_released_buffers(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	assert_doca(doca_buf_dec_refcount(bufs[0], NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_chain_list(bufs[0], bufs[1]), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_buf_chain_list(bufs[1], bufs[0]), DOCA_ERROR_NOT_PERMITTED);
	assert_list(bufs + 1, 1);
}

static void chain_list_tail_appends_behind_the_tail(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	assert_doca(doca_buf_chain_list_tail(bufs[0], bufs[0], bufs[1]), DOCA_SUCCESS);
	assert_doca(doca_buf_chain_list_tail(bufs[0], bufs[1], bufs[2]), DOCA_SUCCESS);
	assert_list(bufs, 3);
}

static void chain_list_tail_refuses_any_other_element(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	chain_all(bufs, 3);
	chain_all(bufs + 3, 2);
	assert_doca(doca_buf_chain_list_tail(bufs[0], bufs[0], bufs[5]), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_buf_chain_list_tail(bufs[0], bufs[1], bufs[5]), DOCA_ERROR_NOT_PERMITTED);
	/* The last of another list, and a buffer alone. */
	assert_doca(doca_buf_chain_list_tail(bufs[0], bufs[4], bufs[5]), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_buf_chain_list_tail(bufs[0], bufs[6], bufs[5]), DOCA_ERROR_NOT_PERMITTED);
	assert_list(bufs, 3);
	assert_list(bufs + 5, 1);
}

static void chain_list_tail_refuses_what_chain_list_does(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	chain_all(bufs, 2);
	assert_doca(doca_buf_chain_list_tail(bufs[1], bufs[1], bufs[2]), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_buf_chain_list_tail(bufs[0], bufs[1], bufs[0]), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_buf_chain_list_tail(bufs[0], bufs[1], bufs[1]), DOCA_ERROR_NOT_PERMITTED);
	assert_doca(doca_buf_inc_refcount(bufs[2], NULL), DOCA_SUCCESS);
	assert_doca(doca_buf_chain_list_tail(bufs[0], bufs[1], bufs[2]), DOCA_ERROR_NOT_PERMITTED);
	assert_list(bufs, 2);
}

static void unchain_cuts_before_every_inner_element(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	for (int cut = 1; cut < 5; cut++) {
		chain_all(bufs, 5);
		assert_doca(doca_buf_unchain_list(bufs[0], bufs[cut]), DOCA_SUCCESS);
		assert_list(bufs, cut);
		assert_list(bufs + cut, 5 - cut);
		assert_int_equal(refcount_of(bufs[cut]), 1);
		/* Both can grow again at their new ends. */
		assert_doca(doca_buf_chain_list(bufs[0], bufs[cut]), DOCA_SUCCESS);
		assert_list(bufs, 5);
		for (int i = 4; i > 0; i--)
			assert_doca(doca_buf_unchain_list(bufs[0], bufs[i]), DOCA_SUCCESS);
	}
}

static void a_list_that_was_cut_off_grows_at_its_own_end(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	chain_all(bufs, 4);
	assert_doca(doca_buf_unchain_list(bufs[0], bufs[1]), DOCA_SUCCESS);
	assert_doca(doca_buf_chain_list(bufs[1], bufs[4]), DOCA_SUCCESS);
	assert_list(bufs + 1, 4);
}

static void unchain_refuses_what_is_not_an_inner_element_of_the_list(void **state)
{
	struct doca_buf **bufs = bufs_in(state);

	chain_all(bufs, 3);
	chain_all(bufs + 3, 2);
	assert_doca(doca_buf_unchain_list(bufs[0], bufs[0]), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_unchain_list(bufs[0], bufs[3]), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_unchain_list(bufs[0], bufs[4]), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_unchain_list(bufs[0], bufs[5]), DOCA_ERROR_INVALID_VALUE);
	assert_doca(doca_buf_unchain_list(bufs[1], bufs[2]), DOCA_ERROR_INVALID_VALUE);
	assert_list(bufs, 3);
	assert_list(bufs + 3, 2);
}

static void get_list_len_refuses_an_inner_element(void **state)
{
	struct doca_buf **bufs = bufs_in(state);
	uint32_t num = 9;

	chain_all(bufs, 2);
	assert_doca(doca_buf_get_list_len(bufs[1], &num), DOCA_ERROR_NOT_PERMITTED);
	assert_int_equal(num, 9);
}

#define WITH_BUFS(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_BUFS(getters_tell_region_and_window),
		WITH_BUFS(set_data_moves_the_window),
		WITH_BUFS(set_data_len_keeps_the_first_byte),
		WITH_BUFS(reset_data_len_keeps_the_first_byte),
		WITH_BUFS(a_window_outside_the_region_is_taken_as_it_comes),
		WITH_BUFS(every_call_on_null_is_refused),
		WITH_BUFS(every_null_argument_is_refused),
		WITH_BUFS(references_report_the_count_before),
		WITH_BUFS(the_last_reference_sends_the_buffer_home),
		WITH_BUFS(a_released_buffer_gives_and_takes_no_reference),
		WITH_BUFS(references_end_at_65535),
		WITH_BUFS(an_inner_element_has_no_references_of_its_own),
		WITH_BUFS(a_buffer_alone_is_a_list_of_one),
		WITH_BUFS(chain_appends_whole_lists),
		WITH_BUFS(chain_keeps_references_and_windows),
		WITH_BUFS(releasing_the_head_sends_the_whole_list_home),
		WITH_BUFS(a_released_element_comes_back_alone),
		WITH_BUFS(chain_refuses_a_list_to_itself),
		WITH_BUFS(chain_refuses_inner_elements),
		WITH_BUFS(chain_refuses_to_append_what_others_refer_to),
		WITH_BUFS(chain_refuses_released_buffers),
		WITH_BUFS(chain_list_tail_appends_behind_the_tail),
		WITH_BUFS(chain_list_tail_refuses_any_other_element),
		WITH_BUFS(chain_list_tail_refuses_what_chain_list_does),
		WITH_BUFS(unchain_cuts_before_every_inner_element),
		WITH_BUFS(a_list_that_was_cut_off_grows_at_its_own_end),
		WITH_BUFS(unchain_refuses_what_is_not_an_inner_element_of_the_list),
		WITH_BUFS(get_list_len_refuses_an_inner_element),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
