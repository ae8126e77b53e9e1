/* SPDX-License-Identifier: Apache-2.0 */
/* The regions that the agent serves, and the memory files that they lie in. */
#ifndef PEER_AGENT_TABLE_H_
#define PEER_AGENT_TABLE_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/lock.h"
#include "peer/agent.h"
#include "peer/control.h"
#include "peer/shared_file.h"

struct agent;

/* A memory file, once for all regions that lie in it. */
struct agent_file {
	struct list link;
	struct shared_file file; /* its offset is the first region's */
	bool is_writable;	 /* its descriptor writes */
	uint32_t num_users;
};

struct agent_region {
	struct list link;
	uint8_t id[EXPORT_ID_BYTES]; /* the cell that importers look at from outside */
	uint8_t secret[EXPORT_SECRET_BYTES];
	struct agent *agent;	  /* borrowed; NULL in a forked child, which serves nothing */
	struct agent_range range; /* its bell is owned */
	struct agent_file *file;  /* counted; NULL when importers cannot map it */
	uint64_t file_offset;
	uint64_t tag;
	uint64_t generation;
	uint32_t slot;
	_Atomic bool is_revoked;	    /* no operation starts */
	bool is_ending GUARDED_BY(lock);    /* the agent is asked to end what runs */
	bool is_ended GUARDED_BY(lock);	    /* nothing of the agent's knows it any more */
	bool is_abandoned GUARDED_BY(lock); /* nobody waits: the agent frees it */
	uint64_t end_ns;		    /* until then what runs may go on */
};

#define AGENT_SLOT_WORDS ((CONTROL_SLOTS + 63) / 64)

struct agent_table {
	struct lock lock;
	struct control *control; /* borrowed */
	struct list regions GUARDED_BY(lock);
	struct list files GUARDED_BY(lock);
	uint64_t taken[AGENT_SLOT_WORDS] GUARDED_BY(lock); /* slots of the control page */
	uint32_t num_ending GUARDED_BY(lock);
};

void agent_table_init(struct agent_table *table);

/* Empty. */
void agent_table_fini(struct agent_table *table);

/*
 * A region with an id and a secret of its own, which can be found from here on. On an error *why is
 * set, and errno for OPERATING_SYSTEM.
 */
doca_error_t agent_table_add(struct agent_table *table, const struct agent_range *range,
			     struct agent_region **region, const char **why);

/* It can still be found, and every importer sees that it may not be used. */
void agent_table_revoke(struct agent_table *table, struct agent_region *region);

/* Frees it; true when the table is empty then. */
bool agent_table_remove(struct agent_table *table, struct agent_region *region);

bool agent_table_is_empty(struct agent_table *table);

/* NULL when there is none of that id. The agent's thread, without which no region ends. */
struct agent_region *agent_table_find(struct agent_table *table, const uint8_t id[EXPORT_ID_BYTES]);

/* Takes the same time whichever bytes differ. */
bool agent_region_has_secret(const struct agent_region *region,
			     const uint8_t secret[EXPORT_SECRET_BYTES]);

static inline bool agent_region_is_readable(const struct agent_region *region)
{
	return (region->range.flags & EXPORT_MAY_READ) != 0;
}

static inline bool agent_region_is_writable(const struct agent_region *region)
{
	return (region->range.flags & EXPORT_MAY_WRITE) != 0;
}

#endif /* PEER_AGENT_TABLE_H_ */
