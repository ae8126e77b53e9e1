/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_comch.h
 * @brief Messages between a server on the DPU and clients on the host.
 *
 * A server is found by its name and by the host's function: it is created on a function of the DPU
 * with the representor of that function. A client is created on the host's function; one that is
 * created on the DPU's function stands in for a client on the function that this represents.
 *
 * Both need a configuration of send tasks and a receiver of messages before they start; a server
 * also needs its two connection events. A server is running when doca_ctx_start() returns. For
 * a client it returns DOCA_ERROR_IN_PROGRESS: doca_pe_progress() makes it running once the server
 * has accepted it. While there is no server it tries again, until SOFTDOCA_CONNECT_TIMEOUT is over;
 * then, or when it is refused, it is stopping, then idle.
 *
 * A message is written to the connection by doca_task_submit(); its callback comes with a later
 * doca_pe_progress(). Messages of one connection arrive in the order of their submission, each
 * once. A receiver bounds how many messages it has not yet been shown (its receive queue); a submit
 * beyond that is refused with DOCA_ERROR_AGAIN until the receiver has progressed. The largest
 * message is the smaller of both sides' maximum.
 *
 * When the other side has stopped, disconnected or died, a server is told by its disconnect event,
 * once a connection, and a client leaves the running state. Sends whose callback has not yet run
 * fail with DOCA_ERROR_CONNECTION_RESET, unless the other side has read them and then ended in
 * order.
 *
 * A forked child shares its parent's sockets: it leaves its parent's servers and clients alone,
 * destroys included, and makes its own.
 *
 * Large or many messages go by the fast path: see doca_comch_producer.h and doca_comch_consumer.h.
 */
#ifndef DOCA_COMCH_H_
#define DOCA_COMCH_H_

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;
struct doca_task;
struct doca_comch_connection;
struct doca_comch_server;
struct doca_comch_client;
struct doca_comch_task_send;
struct doca_comch_event_msg_recv;
struct doca_comch_event_connection_status_changed;
struct doca_comch_event_consumer;

/** @brief What a connection counts; see doca_comch_connection_get_counter(). */
enum doca_comch_counter {
	DOCA_COMCH_COUNTER_SENT_MESSAGES = 1, /**< messages written to it */
	DOCA_COMCH_COUNTER_SENT_BYTES = 2,    /**< their bytes */
	DOCA_COMCH_COUNTER_RECV_MESSAGES = 3, /**< messages that came */
	DOCA_COMCH_COUNTER_RECV_BYTES = 4,    /**< their bytes */
};

/**
 * @brief Told that a send is done, or has failed; see doca_task_completion_cb_t.
 *
 * @param [in] task            The task, the caller's again.
 * @param [in] task_user_data  What the task carries.
 * @param [in] ctx_user_data   What its context carries.
 */
typedef void (*doca_comch_task_send_completion_cb_t)(struct doca_comch_task_send *task,
						     union doca_data task_user_data,
						     union doca_data ctx_user_data);

/**
 * @brief Handed a message.
 *
 * @param [in] event             The event; has nothing to ask for.
 * @param [in] recv_buffer       The message; valid inside the callback alone.
 * @param [in] msg_len           Its bytes, at least 1.
 * @param [in] comch_connection  Where it came from; it may be sent to, and disconnected, here.
 */
typedef void (*doca_comch_event_msg_recv_cb_t)(struct doca_comch_event_msg_recv *event,
					       uint8_t *recv_buffer, uint32_t msg_len,
					       struct doca_comch_connection *comch_connection);

/**
 * @brief Told that a client has come or gone; of a server.
 *
 * A client that is refused, for its user or its protocol, is a connect event that is not
 * successful; its connection is dead when the callback returns. So is the connection of a
 * disconnect event.
 *
 * @param [in] event              The event; has nothing to ask for.
 * @param [in] comch_connection   The connection.
 * @param [in] change_successful  1, or 0 for a client that was refused.
 */
typedef void (*doca_comch_event_connection_status_changed_cb_t)(
	struct doca_comch_event_connection_status_changed *event,
	struct doca_comch_connection *comch_connection, uint8_t change_successful);

/**
 * @brief Told that the other side has started or stopped a consumer. The end of the connection ends
 * them without such an event.
 *
 * @param [in] event             The event; has nothing to ask for.
 * @param [in] comch_connection  The connection.
 * @param [in] id                The consumer's number on that connection.
 */
typedef void (*doca_comch_event_consumer_cb_t)(struct doca_comch_event_consumer *event,
					       struct doca_comch_connection *comch_connection,
					       uint32_t id);

/**
 * @brief Let a connection carry a value of the program's.
 *
 * @param [in] connection  The connection.
 * @param [in] user_data   The value; zero at first.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  connection is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: INVALID_VALUE is
 * not listed there.
 */
DOCA_STABLE
doca_error_t doca_comch_connection_set_user_data(struct doca_comch_connection *connection,
						 union doca_data user_data);

/**
 * @brief Read what doca_comch_connection_set_user_data() set.
 *
 * @param [in] connection  The connection.
 * @return The value; zero for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
union doca_data doca_comch_connection_get_user_data(const struct doca_comch_connection *connection);

/**
 * @brief The server that a connection belongs to.
 *
 * @param [in] connection  The connection.
 * @return The server; NULL on the client's side and for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
struct doca_comch_server *doca_comch_server_get_server_ctx(
	const struct doca_comch_connection *connection);

/**
 * @brief The client that a connection belongs to.
 *
 * @param [in] connection  The connection.
 * @return The client; NULL on the server's side and for NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
struct doca_comch_client *doca_comch_client_get_client_ctx(
	const struct doca_comch_connection *connection);

/**
 * @brief The longest name of a server.
 *
 * @param [in] devinfo        The device.
 * @param [out] max_name_len  Bytes, with the NUL at its end: 120.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h, which states no number. Differs:
 * NOT_SUPPORTED is not listed there.
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo,
					     uint32_t *max_name_len);

/**
 * @brief The largest message.
 *
 * @param [in] devinfo  The device.
 * @param [out] size    Bytes: 4080.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h; doca-samples 3.3.0. Differs:
 * NOT_SUPPORTED is not listed there.
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo, uint32_t *size);

/**
 * @brief The longest receive queue.
 *
 * @param [in] devinfo  The device.
 * @param [out] size    Messages: 8192.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h, which states no number. Differs:
 * NOT_SUPPORTED is not listed there.
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo,
						    uint32_t *size);

/**
 * @brief The most clients that a server has at once; one more waits until one of them has gone.
 *
 * @param [in] devinfo       The device.
 * @param [out] num_clients  Clients: 512.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no comch server.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h, which states no number. Differs:
 * NOT_SUPPORTED is not listed there; 0, which newer header text uses for no bound, never comes
 * back.
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo,
					    uint32_t *num_clients);

/**
 * @brief Create a server.
 *
 * @param [in] dev            An open device that supports servers; stays open until the server is
 *                            destroyed.
 * @param [in] repr           An open representor of that device: whose clients are served. It stays
 *                            open until the server is destroyed.
 * @param [in] name           What clients ask for, 1 to doca_comch_cap_get_max_name_len() - 1
 * bytes; copied.
 * @param [out] comch_server  The new server, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, the name is empty or too long, or the
 *                                   representor is one of another device.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no servers:
 * doca_comch_cap_server_is_supported().
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h. Differs: NOT_SUPPORTED is not listed
 * there; INITIALIZATION never comes back.
 */
DOCA_STABLE
doca_error_t doca_comch_server_create(struct doca_dev *dev, struct doca_dev_rep *repr,
				      const char *name, struct doca_comch_server **comch_server);

/**
 * @brief Destroy an idle server; its progress engine lets go of it.
 *
 * @param [in] comch_server  The server; gone on success with all its connections, untouched on
 * error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  comch_server is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle: call doca_ctx_stop(), then progress. Or a graph
 *                                   has nodes of it: call doca_graph_destroy() first.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server);

/**
 * @brief Ask whether a device can have servers: functions of a DPU can.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_SUCCESS              It can.
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Bound a message of an idle server, in both directions.
 *
 * @param [in] comch_server  The server.
 * @param [in] size          Bytes, 1 to doca_comch_cap_get_max_msg_size(), which is what it is at
 *                           first.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  comch_server is NULL, or size is out of range.
 * @retval DOCA_ERROR_BAD_STATE      The server is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_server_set_max_msg_size(struct doca_comch_server *comch_server,
						uint32_t size);

/**
 * @brief Read what doca_comch_server_set_max_msg_size() set.
 *
 * @param [in] comch_server  The server.
 * @param [out] size         Bytes; a connection's may be less, by the client's.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: BAD_STATE never
 * comes back.
 */
DOCA_STABLE
doca_error_t doca_comch_server_get_max_msg_size(const struct doca_comch_server *comch_server,
						uint32_t *size);

/**
 * @brief Bound how many messages a client may have sent that an idle server has not yet been shown.
 *
 * @param [in] comch_server  The server.
 * @param [in] size          Messages a client, 1 to doca_comch_cap_get_max_recv_queue_size(), which
 *                           is what it is at first.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  comch_server is NULL, or size is out of range.
 * @retval DOCA_ERROR_BAD_STATE      The server is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_server_set_recv_queue_size(struct doca_comch_server *comch_server,
						   uint32_t size);

/**
 * @brief Read what doca_comch_server_set_recv_queue_size() set.
 *
 * @param [in] comch_server  The server.
 * @param [out] size         Messages.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_server_get_recv_queue_size(const struct doca_comch_server *comch_server,
						   uint32_t *size);

/**
 * @brief The device that a server was created on.
 *
 * @param [in] comch_server  The server.
 * @param [out] dev          The device, still its opener's to close.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h. Differs: BAD_STATE never comes back.
 */
DOCA_STABLE
doca_error_t doca_comch_server_get_device(const struct doca_comch_server *comch_server,
					  struct doca_dev **dev);

/**
 * @brief The representor that a server was created with.
 *
 * @param [in] comch_server  The server.
 * @param [out] rep          The representor, still its opener's to close.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h. Differs: BAD_STATE never comes back.
 */
DOCA_STABLE
doca_error_t doca_comch_server_get_device_rep(const struct doca_comch_server *comch_server,
					      struct doca_dev_rep **rep);

/**
 * @brief The generic context of a server, the same object.
 *
 * @param [in] comch_server  The server.
 * @return Its context, NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
struct doca_ctx *doca_comch_server_as_ctx(struct doca_comch_server *comch_server);

/**
 * @brief Drop a client and tell it. There is no disconnect event for it.
 *
 * What was sent to it before it can still receive; what it has sent and the server was not shown is
 * lost. The connection is dead: a send that is submitted on it fails.
 *
 * @param [in] comch_server  The server.
 * @param [in] connection    A connection of it that has not ended.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the connection is not one of the
 * server's, or has ended.
 * @retval DOCA_ERROR_IN_USE         Producers or consumers on it are not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h; public measurement on a
 * BlueField-3 with DOCA 3.1: no event. Differs: AGAIN never comes back.
 */
DOCA_STABLE
doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server,
					  struct doca_comch_connection *connection);

/**
 * @brief Create a client.
 *
 * @param [in] dev            An open device that supports clients; stays open until the client is
 *                            destroyed.
 * @param [in] name           The server's, 1 to doca_comch_cap_get_max_name_len() - 1 bytes;
 * copied.
 * @param [out] comch_client  The new client, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the name is empty or too long.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no clients:
 * doca_comch_cap_client_is_supported().
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h. Differs: NOT_SUPPORTED is not listed
 * there; INITIALIZATION never comes back.
 */
DOCA_STABLE
doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name,
				      struct doca_comch_client **comch_client);

/**
 * @brief Destroy an idle client; its progress engine lets go of it.
 *
 * @param [in] comch_client  The client; gone on success with its connection, untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  comch_client is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle: call doca_ctx_stop(), then progress. Or a graph
 *                                   has nodes of it: call doca_graph_destroy() first.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client);

/**
 * @brief Ask whether a device can have clients.
 *
 * @param [in] devinfo  The device.
 *
 * @retval DOCA_SUCCESS              It can.
 * @retval DOCA_ERROR_INVALID_VALUE  devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Bound a message of an idle client, in both directions.
 *
 * @param [in] comch_client  The client.
 * @param [in] size          As for doca_comch_server_set_max_msg_size().
 *
 * @retval DOCA_ERROR_INVALID_VALUE  comch_client is NULL, or size is out of range.
 * @retval DOCA_ERROR_BAD_STATE      The client is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_client_set_max_msg_size(struct doca_comch_client *comch_client,
						uint32_t size);

/**
 * @brief Read what doca_comch_client_set_max_msg_size() set.
 *
 * @param [in] comch_client  The client.
 * @param [out] size         Bytes; the connection's may be less, by the server's.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: BAD_STATE never
 * comes back.
 */
DOCA_STABLE
doca_error_t doca_comch_client_get_max_msg_size(const struct doca_comch_client *comch_client,
						uint32_t *size);

/**
 * @brief Bound how many messages the server may have sent that an idle client has not yet been
 * shown.
 *
 * @param [in] comch_client  The client.
 * @param [in] size          As for doca_comch_server_set_recv_queue_size().
 *
 * @retval DOCA_ERROR_INVALID_VALUE  comch_client is NULL, or size is out of range.
 * @retval DOCA_ERROR_BAD_STATE      The client is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_client_set_recv_queue_size(struct doca_comch_client *comch_client,
						   uint32_t size);

/**
 * @brief Read what doca_comch_client_set_recv_queue_size() set.
 *
 * @param [in] comch_client  The client.
 * @param [out] size         Messages.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_client_get_recv_queue_size(const struct doca_comch_client *comch_client,
						   uint32_t *size);

/**
 * @brief The device that a client was created on.
 *
 * @param [in] comch_client  The client.
 * @param [out] dev          The device, still its opener's to close.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h. Differs: BAD_STATE never comes back.
 */
DOCA_STABLE
doca_error_t doca_comch_client_get_device(const struct doca_comch_client *comch_client,
					  struct doca_dev **dev);

/**
 * @brief The generic context of a client, the same object.
 *
 * @param [in] comch_client  The client.
 * @return Its context, NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
struct doca_ctx *doca_comch_client_as_ctx(struct doca_comch_client *comch_client);

/**
 * @brief The connection of a running client.
 *
 * @param [in] comch_client  The client.
 * @param [out] connection   Its connection, the client's until it is started again or destroyed.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The client is not running.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_client_get_connection(const struct doca_comch_client *comch_client,
					      struct doca_comch_connection **connection);

/**
 * @brief The largest number of send tasks that a server or a client can be configured for.
 *
 * @param [in] devinfo          The device.
 * @param [out] max_send_tasks  Tasks: 8192.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no comch.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h, which states no number. Differs:
 * NOT_SUPPORTED is not listed there.
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo,
					       uint32_t *max_send_tasks);

/**
 * @brief Configure the send tasks of an idle server; a later call replaces an earlier one.
 *
 * @param [in] comch_server        The server.
 * @param [in] task_completion_cb  Runs when a message was sent.
 * @param [in] task_error_cb       Runs when it was not; may be the same function.
 * @param [in] num_send_tasks      Tasks that can be allocated at once, for all connections
 * together, 1 to doca_comch_cap_get_max_send_tasks().
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the number is out of range.
 * @retval DOCA_ERROR_BAD_STATE      The server is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_server_task_send_set_conf(
	struct doca_comch_server *comch_server,
	doca_comch_task_send_completion_cb_t task_completion_cb,
	doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);

/**
 * @brief Configure the send tasks of an idle client; a later call replaces an earlier one.
 *
 * @param [in] comch_client        The client.
 * @param [in] task_completion_cb  Runs when a message was sent.
 * @param [in] task_error_cb       Runs when it was not; may be the same function.
 * @param [in] num_send_tasks      Tasks that can be allocated at once, 1 to
 *                                 doca_comch_cap_get_max_send_tasks().
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the number is out of range.
 * @retval DOCA_ERROR_BAD_STATE      The client is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_client_task_send_set_conf(
	struct doca_comch_client *comch_client,
	doca_comch_task_send_completion_cb_t task_completion_cb,
	doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);

/**
 * @brief Take a send task from a running server's pool.
 *
 * A connection that has ended is accepted: the send fails with DOCA_ERROR_CONNECTION_RESET.
 *
 * @param [in] comch_server  The server.
 * @param [in] peer          A connection of the server: whom to send to.
 * @param [in] msg           The message; it stays as it is until the task's callback.
 * @param [in] len           Its bytes, 1 to the smaller of both sides' largest message.
 * @param [out] task         The task, the caller's until submitted or freed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, len is out of range, or the connection is
 * not one of the server's.
 * @retval DOCA_ERROR_BAD_STATE      The server is not running.
 * @retval DOCA_ERROR_NO_MEMORY      Every task of the pool is out.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: BAD_STATE is not
 * listed there.
 */
DOCA_STABLE
doca_error_t doca_comch_server_task_send_alloc_init(struct doca_comch_server *comch_server,
						    struct doca_comch_connection *peer,
						    const void *msg, uint32_t len,
						    struct doca_comch_task_send **task);

/**
 * @brief Take a send task from a running client's pool.
 *
 * @param [in] comch_client  The client.
 * @param [in] peer          Its connection.
 * @param [in] msg           The message; it stays as it is until the task's callback.
 * @param [in] len           Its bytes, 1 to the smaller of both sides' largest message.
 * @param [out] task         The task, the caller's until submitted or freed; untouched on error.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, len is out of range, or the connection is
 * not the client's.
 * @retval DOCA_ERROR_BAD_STATE      The client is not running.
 * @retval DOCA_ERROR_NO_MEMORY      Every task of the pool is out.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: BAD_STATE is not
 * listed there.
 */
DOCA_STABLE
doca_error_t doca_comch_client_task_send_alloc_init(struct doca_comch_client *comch_client,
						    struct doca_comch_connection *peer,
						    const void *msg, uint32_t len,
						    struct doca_comch_task_send **task);

/**
 * @brief The generic task of a send task, the same object.
 *
 * Its submit writes the message. DOCA_ERROR_AGAIN: the receiver's queue or the way to it is full;
 * the task is as before: progress, then submit again. Every submit is flushed and reported.
 *
 * @param [in] task  The send task.
 * @return Its task, NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
struct doca_task *doca_comch_task_send_as_task(struct doca_comch_task_send *task);

/**
 * @brief Set who is handed the messages of an idle server; a later call replaces an earlier one.
 *
 * @param [in] comch_server   The server.
 * @param [in] recv_event_cb  Runs once a message.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The server is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_server_event_msg_recv_register(
	struct doca_comch_server *comch_server, doca_comch_event_msg_recv_cb_t recv_event_cb);

/**
 * @brief Set who is handed the messages of an idle client; a later call replaces an earlier one.
 *
 * @param [in] comch_client   The client.
 * @param [in] recv_event_cb  Runs once a message.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The client is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_client_event_msg_recv_register(
	struct doca_comch_client *comch_client, doca_comch_event_msg_recv_cb_t recv_event_cb);

/**
 * @brief Set who is told of clients that come and go; of an idle server.
 *
 * @param [in] comch_server         The server.
 * @param [in] connect_event_cb     Runs once a client that was accepted, or refused.
 * @param [in] disconnect_event_cb  Runs once a client that was accepted and has gone, but for one
 * that doca_comch_server_disconnect() dropped.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The server is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_server_event_connection_status_changed_register(
	struct doca_comch_server *comch_server,
	doca_comch_event_connection_status_changed_cb_t connect_event_cb,
	doca_comch_event_connection_status_changed_cb_t disconnect_event_cb);

/**
 * @brief Bring the counters of a connection up to date.
 *
 * @param [in] comch_connection  The connection.
 *
 * @retval DOCA_ERROR_INVALID_VALUE          comch_connection is NULL.
 * @retval DOCA_ERROR_CONNECTION_INPROGRESS  It is not yet established.
 * @retval DOCA_ERROR_CONNECTION_ABORTED     It has ended; the counters stay as they were.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_connection_update_info(struct doca_comch_connection *comch_connection);

/**
 * @brief Read a counter as doca_comch_connection_update_info() left it.
 *
 * @param [in] comch_connection  The connection.
 * @param [in] counter_type      Which counter.
 * @param [out] counter_value    Its value, 0 before the first update.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or there is no such counter.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_connection_get_counter(const struct doca_comch_connection *comch_connection,
					       enum doca_comch_counter counter_type,
					       uint64_t *counter_value);

/**
 * @brief Set who is told of the clients' consumers; of an idle server. Without it nobody is.
 *
 * @param [in] comch_server               The server.
 * @param [in] new_consumer_event_cb      Runs once a consumer that has started.
 * @param [in] expired_consumer_event_cb  Runs once a consumer that has stopped.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The server is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_server_event_consumer_register(
	struct doca_comch_server *comch_server,
	doca_comch_event_consumer_cb_t new_consumer_event_cb,
	doca_comch_event_consumer_cb_t expired_consumer_event_cb);

/**
 * @brief Set who is told of the server's consumers; of an idle client. Without it nobody is.
 *
 * @param [in] comch_client               The client.
 * @param [in] new_consumer_event_cb      Runs once a consumer that has started.
 * @param [in] expired_consumer_event_cb  Runs once a consumer that has stopped.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The client is not idle.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_comch.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_comch_client_event_consumer_register(
	struct doca_comch_client *comch_client,
	doca_comch_event_consumer_cb_t new_consumer_event_cb,
	doca_comch_event_consumer_cb_t expired_consumer_event_cb);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_COMCH_H_ */
