/* SPDX-License-Identifier: Apache-2.0 */
/* The comch connection between the halves: messages in their order, and the news of a death. */
#ifndef SAMPLES_APPLICATIONS_DMA_COPY_LINK_H_
#define SAMPLES_APPLICATIONS_DMA_COPY_LINK_H_

#include <stdbool.h>

#include <doca_comch.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_pe.h>

#include "message.h"

#define LINK_INBOX 80 /* more messages than a ring of windows makes at once */

struct link {
	const char *peer;   /* the other half, in words */
	struct doca_pe *pe; /* borrowed */
	struct doca_ctx *ctx;
	struct doca_comch_server *server;	  /* of the DPU half, owned */
	struct doca_dev_rep *rep;		  /* of the DPU half, owned: the host's function */
	struct doca_comch_client *client;	  /* of the host half, owned */
	struct doca_comch_connection *connection; /* NULL: not yet, or no more */
	bool is_lost;				  /* it was there, or will never be */
	bool is_loss_said;
	bool is_sending;
	doca_error_t send_status; /* of the last message */
	uint32_t first;		  /* of the inbox, which is a ring */
	uint32_t num_received;
	struct message inbox[LINK_INBOX];
};

/*
 * link_server.c and link_client.c open one end. Device and engine are borrowed until link_close(),
 * which is also due on false; the reason was said then.
 */
bool link_open_server(struct link *link, struct doca_dev *dev, struct doca_pe *pe,
		      const char *rep_pci_addr, const char *name);
bool link_open_client(struct link *link, struct doca_dev *dev, struct doca_pe *pe,
		      const char *name);

/* Wait until the other half is there. */
bool link_connect(struct link *link);

/* Each that fails has said why: the other half is gone, has failed, or a signal waits. */
bool link_send(struct link *link, struct message *message);
bool link_receive(struct link *link, struct message *message);
bool link_receive_one(struct link *link, enum message_type wanted, struct message *message);

/* Whether the next receive need not wait; asks the engine. */
bool link_has_message(struct link *link);

/* For long work between messages: false when it has lost its sense. */
bool link_check(struct link *link);

/* Say that the other half is gone, or has failed; once, and only where it is so. */
void link_say_loss(struct link *link);

/* This half gives up: tell the other one, if it is still there. */
void link_fail(struct link *link);

void link_close(struct link *link);

/* For the two kinds of ends: the callbacks that they share. */
void link_sent(struct doca_comch_task_send *task, union doca_data task_user_data,
	       union doca_data ctx_user_data);
void link_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
		   struct doca_comch_connection *connection);
struct link *link_of(struct doca_comch_connection *connection);
bool link_start(struct link *link);

/* Do what there is to do; if there is nothing, sleep until there is, or until it is time to look
 * whether a signal waits. */
void link_step(struct link *link);

#endif /* SAMPLES_APPLICATIONS_DMA_COPY_LINK_H_ */
