/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_graph.h
 * @brief Graphs: tasks of contexts, callbacks and other graphs, each run once those it depends on
 * are done.
 *
 * A graph is created for a progress engine, gets its nodes, its dependencies and a configuration,
 * and is started. A started graph makes instances; each is given data for its nodes: a task for
 * a node of a context, a cookie for one of a callback, an instance of the sub-graph for one of a
 * graph. An instance that is submitted runs its nodes as their dependencies allow, in
 * doca_pe_progress() of the graph's engine, and ends with one callback of the graph. Then it can be
 * submitted again. Any number of instances run side by side.
 *
 * The callbacks of a task are not called when it ran in a graph, nor are those of a sub-graph when
 * its instance was run by a node: the node's instance is told alone.
 *
 * A node fails when its task fails or is refused at its submit, when its callback returns an error
 * or throws, when the instance of its sub-graph fails. A failed node fails its instance: no further
 * node of it starts, those that run end first, then the error callback comes. A context that is
 * full fails nothing: the node waits until it has room, behind those of its graph that wait for the
 * same context.
 *
 * Which node failed: the log names it, and doca_task_get_status() of its task is why it failed or
 * was refused. A task that was not run has the status that it had before, DOCA_SUCCESS when it was
 * allocated since. A task of a DMA context that fails stops that context: it is idle once all its
 * tasks are freed and doca_pe_progress() has told so. Then it is started, tasks are allocated and
 * set as the data of their nodes, and the instance is submitted again; the graph stays started.
 *
 * Threads: a graph, its nodes and instances belong to the thread of their progress engine.
 */
#ifndef DOCA_GRAPH_H_
#define DOCA_GRAPH_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_pe;
struct doca_task;

/** @brief Nodes, and which of them depend on which. */
struct doca_graph;

/** @brief What a graph runs once an instance; the graph's, gone with it. */
struct doca_graph_node;

/** @brief One run of a graph at a time, with the data of its nodes. */
struct doca_graph_instance;

/**
 * @brief Told that an instance ended. It may submit or destroy the instance, and stop and destroy
 * the graph when that was the last.
 *
 * @param [in] instance            The instance, the caller's again.
 * @param [in] instance_user_data  What the instance carries.
 * @param [in] graph_user_data     What its graph carries.
 */
typedef void (*doca_graph_completion_cb_t)(struct doca_graph_instance *instance,
					   union doca_data instance_user_data,
					   union doca_data graph_user_data);

/**
 * @brief A node's own code.
 *
 * @param [in] cookie  The node's data in the instance that runs.
 *
 * @return DOCA_SUCCESS, or an error, which fails the instance.
 */
typedef doca_error_t (*doca_graph_user_node_cb_t)(void *cookie);

/**
 * @brief Create a graph without nodes.
 *
 * @param [in] pe      The engine that runs it; it cannot be destroyed before the graph.
 * @param [out] graph  The new graph, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_SUCCESS              The graph exists.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph);

/**
 * @brief Free a graph and its nodes.
 *
 * @param [in] graph  The graph; gone on success, whole and as it was on error.
 *
 * @retval DOCA_SUCCESS              The graph is gone.
 * @retval DOCA_ERROR_INVALID_VALUE  graph is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is started, or a node of another graph runs it.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: the reference does
 * not say what holds a sub-graph.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_destroy(struct doca_graph *graph);

/**
 * @brief Set the callbacks of a graph's instances, and how many there may be. Needed before start.
 *
 * @param [in] graph                The graph, not started.
 * @param [in] graph_completion_cb  Called when an instance has run whole.
 * @param [in] graph_error_cb       Called when an instance failed.
 * @param [in] num_instances        Instances that may exist at a time, above 0.
 *
 * @retval DOCA_SUCCESS              They are set.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or num_instances is 0.
 * @retval DOCA_ERROR_BAD_STATE      The graph is started.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_set_conf(struct doca_graph *graph,
				 doca_graph_completion_cb_t graph_completion_cb,
				 doca_graph_completion_cb_t graph_error_cb, uint32_t num_instances);

/**
 * @brief Set what a graph carries for its callbacks.
 *
 * @param [in] graph      The graph, not started.
 * @param [in] user_data  Anything.
 *
 * @retval DOCA_SUCCESS              It is set.
 * @retval DOCA_ERROR_INVALID_VALUE  graph is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The graph is started.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_set_user_data(struct doca_graph *graph, union doca_data user_data);

/**
 * @brief Read what a graph carries.
 *
 * @param [in] graph       The graph.
 * @param [out] user_data  What was set last, or zeros; untouched on error.
 *
 * @retval DOCA_SUCCESS              It was read.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_get_user_data(const struct doca_graph *graph, union doca_data *user_data);

/**
 * @brief Add a node that runs a task of a context; the instance brings the task.
 *
 * @param [in] graph  The graph, not started.
 * @param [in] ctx    The context, borrowed: it is connected to the graph's engine and running
 *                    when the graph is started, and cannot be destroyed before the graph.
 * @param [out] node  The new node, the graph's; untouched on error.
 *
 * @retval DOCA_SUCCESS              The node exists; it depends on nothing.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The graph is started.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph, const struct doca_ctx *ctx,
					     struct doca_graph_node **node);

/**
 * @brief Add a node that runs a callback, in doca_pe_progress(), with the instance's cookie.
 *
 * @param [in] graph  The graph, not started.
 * @param [in] cb     The callback.
 * @param [out] node  The new node, the graph's; untouched on error.
 *
 * @retval DOCA_SUCCESS              The node exists; it depends on nothing.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The graph is started.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph,
					      doca_graph_user_node_cb_t cb,
					      struct doca_graph_node **node);

/**
 * @brief Add a node that runs another graph; the instance brings an instance of that.
 *
 * @param [in] graph      The graph, not started.
 * @param [in] sub_graph  Another graph of the same engine, started; it has to be started whenever
 *                        graph is, and cannot be destroyed before it.
 * @param [out] node      The new node, the graph's; untouched on error.
 *
 * @retval DOCA_SUCCESS              The node exists; it depends on nothing.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the graphs have different engines.
 * @retval DOCA_ERROR_BAD_STATE      graph is started, or sub_graph is not.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 * @retval DOCA_ERROR_NOT_PERMITTED  sub_graph is graph.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: longer circles of
 * graphs need one that is started and not; they end in DOCA_ERROR_BAD_STATE, here or at the start.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_graph(struct doca_graph *graph,
					       struct doca_graph *sub_graph,
					       struct doca_graph_node **node);

/**
 * @brief Make a node wait for another.
 *
 * @param [in] graph  The graph of both, not started.
 * @param [in] from   The node that ends first.
 * @param [in] to     The node that starts after it.
 *
 * @retval DOCA_SUCCESS              to depends on from.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, a node is another graph's, or to depends on
 *                                   from already.
 * @retval DOCA_ERROR_BAD_STATE      The graph is started.
 * @retval DOCA_ERROR_NO_MEMORY      The dependency could not be allocated.
 * @retval DOCA_ERROR_NOT_PERMITTED  A circle would form.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: the reference does
 * not state the code for a dependency that exists.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_add_dependency(struct doca_graph *graph, struct doca_graph_node *from,
				       struct doca_graph_node *to);

/**
 * @brief Start a graph: instances can be made, nodes and dependencies no longer. Starting a started
 * graph changes nothing.
 *
 * @param [in] graph  The graph; its contexts are running, its sub-graphs started.
 *
 * @retval DOCA_SUCCESS              The graph is started.
 * @retval DOCA_ERROR_INVALID_VALUE  graph is NULL or has no configuration, or a context is
 * connected to another engine.
 * @retval DOCA_ERROR_BAD_STATE      It has no node of a context, a context is not running, or
 *                                   a sub-graph is not started.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated what it needs to run.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: the reference has
 * both success and DOCA_ERROR_BAD_STATE for a second start, and no code for contexts.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_start(struct doca_graph *graph);

/**
 * @brief Stop a graph: it can be changed, and started again. Stopping it again changes nothing.
 *
 * @param [in] graph  The graph.
 *
 * @retval DOCA_SUCCESS              The graph is not started.
 * @retval DOCA_ERROR_INVALID_VALUE  graph is NULL.
 * @retval DOCA_ERROR_IN_USE         It has instances, or a started graph has a node that runs it.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: the reference does
 * not say what holds a sub-graph.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_stop(struct doca_graph *graph);

/**
 * @brief Make an instance, its nodes without data. Nothing is allocated after it.
 *
 * @param [in] graph            The graph, started.
 * @param [out] graph_instance  The new instance, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_SUCCESS              The instance exists.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The graph is not started.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated, or there are num_instances of
 *                                   doca_graph_set_conf() already.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_create(const struct doca_graph *graph,
					struct doca_graph_instance **graph_instance);

/**
 * @brief Free an instance. What its nodes were given stays the caller's.
 *
 * @param [in] graph_instance  The instance; gone on success, whole and as it was on error.
 *
 * @retval DOCA_SUCCESS              The instance is gone.
 * @retval DOCA_ERROR_INVALID_VALUE  graph_instance is NULL.
 * @retval DOCA_ERROR_IN_USE         It runs, or is the data of a node in another instance.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance);

/**
 * @brief Set what an instance carries for its callbacks.
 *
 * @param [in] graph_instance  The instance, not running.
 * @param [in] user_data       Anything.
 *
 * @retval DOCA_SUCCESS              It is set.
 * @retval DOCA_ERROR_INVALID_VALUE  graph_instance is NULL.
 * @retval DOCA_ERROR_IN_USE         The instance runs.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_user_data(struct doca_graph_instance *graph_instance,
					       union doca_data user_data);

/**
 * @brief Read what an instance carries.
 *
 * @param [in] graph_instance  The instance.
 * @param [out] user_data      What was set last, or zeros; untouched on error.
 *
 * @retval DOCA_SUCCESS              It was read.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_get_user_data(const struct doca_graph_instance *graph_instance,
					       union doca_data *user_data);

/**
 * @brief Give a node of a context its task. It stays until another is set: a task may be changed
 * and run again.
 *
 * @param [in] graph_instance  The instance, not running.
 * @param [in] node            The node.
 * @param [in] task            A task of the node's context, not submitted. It stays the caller's,
 *                             is the library's while the instance runs, until it has ended: it
 *                             cannot be freed, submitted or changed then. Freed before, it is no
 *                             longer the node's data, also when it was allocated again.
 *
 * @retval DOCA_SUCCESS              It is set.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The instance runs.
 * @retval DOCA_ERROR_NOT_PERMITTED  The node is another graph's or not one of a context; the task
 *                                   is another context's, freed, submitted, or in an instance
 *                                   that runs.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *graph_instance,
						   struct doca_graph_node *node,
						   struct doca_task *task);

/**
 * @brief Give a node of a callback its cookie; without it is NULL.
 *
 * @param [in] graph_instance  The instance, not running.
 * @param [in] node            The node.
 * @param [in] cookie          What the callback is called with; may be NULL.
 *
 * @retval DOCA_SUCCESS              It is set.
 * @retval DOCA_ERROR_INVALID_VALUE  graph_instance or node is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The instance runs.
 * @retval DOCA_ERROR_NOT_PERMITTED  The node is another graph's or not one of a callback.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_user_node_data(struct doca_graph_instance *graph_instance,
						    struct doca_graph_node *node, void *cookie);

/**
 * @brief Give a node of a sub-graph its instance, which cannot be destroyed before graph_instance
 * or until other data is set.
 *
 * @param [in] graph_instance      The instance, not running.
 * @param [in] node                The node.
 * @param [in] sub_graph_instance  An instance of the node's sub-graph, not running.
 *
 * @retval DOCA_SUCCESS              It is set.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_BAD_STATE      graph_instance runs.
 * @retval DOCA_ERROR_NOT_PERMITTED  The node is another graph's or not one of a graph;
 *                                   sub_graph_instance is another graph's, or runs.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_sub_graph_node_data(
	struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
	struct doca_graph_instance *sub_graph_instance);

/**
 * @brief Run an instance: the nodes that depend on nothing start, the others follow in
 * doca_pe_progress(), and one callback of the graph ends it.
 *
 * @param [in] graph_instance  The instance, with data for every node but those of callbacks. It is
 *                             the library's until its callback.
 *
 * @retval DOCA_SUCCESS              It runs, and its callback will come.
 * @retval DOCA_ERROR_INVALID_VALUE  graph_instance is NULL, a node has no data, or two have the
 *                                   same.
 * @retval DOCA_ERROR_IN_USE         It runs, or an instance of a sub-graph does.
 * @retval DOCA_ERROR_BAD_STATE      A task was freed since it was set, is submitted or in an
 *                                   instance that runs, or the context of a first task is not
 *                                   running.
 * @return Else what doca_task_submit() would return for a first task, but for DOCA_ERROR_AGAIN: a
 *         node waits for room. On any error no node has run and no callback comes.
 *
 * Threads: the engine's. Source: DOCA 3.0 API reference, doca_graph.h. Differs: when a first task
 * is one that is done by its submit (a message), and another has started, its error comes as the
 * instance's failure.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_submit(struct doca_graph_instance *graph_instance);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_GRAPH_H_ */
