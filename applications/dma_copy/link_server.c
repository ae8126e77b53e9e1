/* SPDX-License-Identifier: Apache-2.0 */
/* The DPU's end of the connection: a server for the host's function, and one client. */
#include "link.h"

#include <stddef.h>

#include "common/report.h"

/* NULL when there is none, which is said. */
static struct doca_devinfo_rep *choose(struct doca_devinfo_rep **list, uint32_t num,
				       const char *pci_addr)
{
	for (uint32_t i = 0; i < num; i++) {
		uint8_t chosen = pci_addr == NULL;

		if (pci_addr != NULL &&
		    !doca_ok(doca_devinfo_rep_is_equal_pci_addr(list[i], pci_addr, &chosen),
			     "look for the host's function"))
			return NULL;
		if (chosen)
			return list[i];
	}
	if (pci_addr == NULL)
		complain("the device represents no function of the host");
	else
		complain("the device represents no function at PCI address %s", pci_addr);
	return NULL;
}

static bool rep_open(struct link *link, struct doca_dev *dev, const char *pci_addr)
{
	struct doca_devinfo_rep **list;
	struct doca_devinfo_rep *devinfo;
	uint32_t num = 0;
	bool success;

	if (!doca_ok(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &num),
		     "list the host's functions that the device represents"))
		return false;
	devinfo = choose(list, num, pci_addr);
	success = devinfo != NULL &&
		  doca_ok(doca_dev_rep_open(devinfo, &link->rep), "open the representor");
	doca_ok(doca_devinfo_rep_destroy_list(list), "release the list of representors");
	return success;
}

/* One client is served, once; who else comes is sent away. */
static void connected(struct doca_comch_event_connection_status_changed *event,
		      struct doca_comch_connection *connection, uint8_t success)
{
	struct link *link = link_of(connection);

	(void)event;
	if (!success)
		return;
	if (link->connection == NULL && !link->is_lost)
		link->connection = connection;
	else
		doca_ok(doca_comch_server_disconnect(link->server, connection),
			"send a second client away");
}

static void disconnected(struct doca_comch_event_connection_status_changed *event,
			 struct doca_comch_connection *connection, uint8_t success)
{
	struct link *link = link_of(connection);

	(void)event;
	(void)success;
	if (link->connection != connection)
		return;
	link->connection = NULL;
	link->is_lost = true;
}

bool link_open_server(struct link *link, struct doca_dev *dev, struct doca_pe *pe,
		      const char *rep_pci_addr, const char *name)
{
	*link = (struct link){.peer = "host half", .pe = pe};
	if (!rep_open(link, dev, rep_pci_addr) ||
	    !doca_ok(doca_comch_server_create(dev, link->rep, name, &link->server),
		     "create a comch server"))
		return false;
	link->ctx = doca_comch_server_as_ctx(link->server);
	return doca_ok(doca_comch_server_set_max_msg_size(link->server, sizeof(struct message)),
		       "set the size of messages") &&
	       doca_ok(doca_comch_server_task_send_set_conf(link->server, link_sent, link_sent, 1),
		       "configure send tasks") &&
	       doca_ok(doca_comch_server_event_msg_recv_register(link->server, link_received),
		       "register for messages") &&
	       doca_ok(doca_comch_server_event_connection_status_changed_register(
			       link->server, connected, disconnected),
		       "register for connections") &&
	       link_start(link);
}
