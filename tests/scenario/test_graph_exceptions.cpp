/* SPDX-License-Identifier: Apache-2.0 */
/* C++ exceptions thrown through the callbacks of a graph: it is whole, and usable, after each. */
#define DOCA_ALLOW_EXPERIMENTAL_API

#include "support/dma_fixture.h"
#include "support/test.h"

#include <doca_graph.h>

namespace
{

struct thrown {
};

/* A graph of a copy and a user node that throws when it is told to. */
struct story {
	struct dma_fixture *dma;
	struct doca_graph *graph;
	struct doca_graph_instance *instance;
	struct doca_task *task;
	bool node_throws;
	bool end_throws;
	unsigned num_calls;
	unsigned num_success;
	unsigned num_error;
};

doca_error_t on_node(void *cookie)
{
	auto *story = static_cast<struct story *>(cookie);

	story->num_calls++;
	if (story->node_throws)
		throw thrown{};
	return DOCA_SUCCESS;
}

void on_success(struct doca_graph_instance *, union doca_data, union doca_data graph_user_data)
{
	auto *story = static_cast<struct story *>(graph_user_data.ptr);

	story->num_success++;
	if (story->end_throws)
		throw thrown{};
}

void on_error(struct doca_graph_instance *, union doca_data, union doca_data graph_user_data)
{
	auto *story = static_cast<struct story *>(graph_user_data.ptr);

	story->num_error++;
	if (story->end_throws)
		throw thrown{};
}

void story_open(struct story *story)
{
	struct dma_options options = {};
	struct doca_graph_node *copy = nullptr;
	struct doca_graph_node *node = nullptr;
	union doca_data user_data = {};

	*story = {};
	user_data.ptr = story;
	options.keeps_tasks = true;
	story->dma = dma_open(&options);
	assert_doca(doca_graph_create(story->dma->pe, &story->graph), DOCA_SUCCESS);
	assert_doca(doca_graph_set_conf(story->graph, on_success, on_error, 1), DOCA_SUCCESS);
	assert_doca(doca_graph_set_user_data(story->graph, user_data), DOCA_SUCCESS);
	assert_doca(doca_graph_node_create_from_ctx(story->graph, story->dma->ctx, &copy),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_node_create_from_user(story->graph, on_node, &node), DOCA_SUCCESS);
	assert_doca(doca_graph_add_dependency(story->graph, node, copy), DOCA_SUCCESS);
	assert_doca(doca_graph_start(story->graph), DOCA_SUCCESS);
	assert_doca(doca_graph_instance_create(story->graph, &story->instance), DOCA_SUCCESS);
	story->task = dma_copy_task(story->dma, 0, 64, 0);
	assert_doca(doca_graph_instance_set_ctx_node_data(story->instance, copy, story->task),
		    DOCA_SUCCESS);
	assert_doca(doca_graph_instance_set_user_node_data(story->instance, node, story),
		    DOCA_SUCCESS);
}

/* Outside of callbacks a context without tasks stops at once. */
void story_close(struct story *story)
{
	assert_doca(doca_graph_instance_destroy(story->instance), DOCA_SUCCESS);
	assert_doca(doca_graph_stop(story->graph), DOCA_SUCCESS);
	assert_doca(doca_graph_destroy(story->graph), DOCA_SUCCESS);
	dma_task_release(story->task);
	assert_doca(doca_ctx_stop(story->dma->ctx), DOCA_SUCCESS);
	dma_close(story->dma);
}

/* Run the instance once; how many exceptions came through. */
unsigned run(struct story *story)
{
	unsigned num_ended = story->num_success + story->num_error;
	unsigned num_thrown = 0;

	assert_doca(doca_graph_instance_submit(story->instance), DOCA_SUCCESS);
	while (story->num_success + story->num_error == num_ended) {
		try {
			(void)doca_pe_progress(story->dma->pe);
		} catch (const thrown &) {
			num_thrown++;
		}
	}
	return num_thrown;
}

void a_node_that_throws_fails_its_instance(void **)
{
	struct story story;

	story_open(&story);
	story.node_throws = true;
	for (unsigned i = 1; i <= 100; i++) {
		assert_int_equal(run(&story), 1);
		assert_int_equal(story.num_calls, i);
		assert_int_equal(story.num_error, i);
	}
	assert_true(dma_is_untouched(story.dma, 0, 64));
	story.node_throws = false;
	assert_int_equal(run(&story), 0);
	assert_int_equal(story.num_success, 1);
	assert_true(dma_was_copied(story.dma, 0, 64));
	story_close(&story);
}

void a_throw_at_the_end_of_an_instance_leaves_it_idle(void **)
{
	struct story story;

	story_open(&story);
	story.end_throws = true;
	assert_int_equal(run(&story), 1);
	assert_int_equal(story.num_success, 1);
	story.node_throws = true;
	assert_int_equal(run(&story), 2);
	assert_int_equal(story.num_error, 1);
	story_close(&story);
}

} /* namespace */

int main()
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_that_throws_fails_its_instance),
		cmocka_unit_test(a_throw_at_the_end_of_an_instance_leaves_it_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
