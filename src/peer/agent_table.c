/* SPDX-License-Identifier: Apache-2.0 */
/* A list: it is searched once an import, and a region's slot in the control page is its only index.
 */
#include "peer/agent_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

void agent_table_init(struct agent_table *table)
{
	lock_init(&table->lock);
	list_init(&table->regions);
	list_init(&table->files);
}

void agent_table_fini(struct agent_table *table)
{
	lock_fini(&table->lock);
}

/* -1: none is left. */
static int64_t slot_take(struct agent_table *table) REQUIRES(table->lock)
{
	for (uint32_t i = 0; i < AGENT_SLOT_WORDS; i++) {
		uint32_t slot;

		if (table->taken[i] == UINT64_MAX)
			continue;
		slot = i * 64 + (uint32_t)__builtin_ctzll(~table->taken[i]);
		if (slot >= CONTROL_SLOTS)
			return -1;
		table->taken[i] |= UINT64_C(1) << (slot % 64);
		return slot;
	}
	return -1;
}

static void slot_put(struct agent_table *table, uint32_t slot) REQUIRES(table->lock)
{
	table->taken[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
}

/* The file that is there already, its descriptor as good as the new one, or NULL. */
static struct agent_file *find_file(struct agent_table *table, const struct shared_file *found,
				    bool is_writable) REQUIRES(table->lock)
{
	list_for_each (link, &table->files) {
		struct agent_file *file = CONTAINER_OF(link, struct agent_file, link);

		if (file->file.dev == found->dev && file->file.ino == found->ino &&
		    file->is_writable == is_writable)
			return file;
	}
	return NULL;
}

static struct agent_file *hold_file(struct agent_table *table, const struct shared_file *found,
				    bool is_writable) REQUIRES(table->lock)
{
	struct agent_file *file = find_file(table, found, is_writable);

	if (file != NULL) {
		close(found->fd);
	} else {
		file = calloc(1, sizeof(*file));
		if (file == NULL) {
			close(found->fd);
			return NULL;
		}
		file->file = *found;
		file->is_writable = is_writable;
		list_add_tail(&table->files, &file->link);
	}
	file->num_users++;
	return file;
}

/* What the region has of its own from here on. */
static bool hold_bell(struct agent_region *region, const struct agent_range *range)
{
	region->range = *range;
	if (range->has_bell)
		region->range.bell_fd = fcntl(range->bell_fd, F_DUPFD_CLOEXEC, 3);
	return !range->has_bell || region->range.bell_fd >= 0;
}

static void free_region(struct agent_region *region)
{
	if (region->range.has_bell)
		close(region->range.bell_fd);
	explicit_bzero(region->secret, sizeof(region->secret));
	free(region);
}

static void put_file(struct agent_file *file)
{
	if (file == NULL || --file->num_users > 0)
		return;
	list_remove(&file->link);
	close(file->file.fd);
	free(file);
}

static bool fill_random(struct agent_region *region)
{
	return getrandom(region->id, sizeof(region->id), 0) == sizeof(region->id) &&
	       getrandom(region->secret, sizeof(region->secret), 0) == sizeof(region->secret);
}

/* Of the id's bytes, and never 0, which is an idle queue's. */
static uint64_t tag_of(const uint8_t id[EXPORT_ID_BYTES])
{
	uint64_t tag;

	memcpy(&tag, id, sizeof(tag));
	return tag != 0 ? tag : 1;
}

/* The generation goes on from where the slot's last region left it. */
static void publish(struct agent_table *table, struct agent_region *region, uint32_t slot)
	REQUIRES(table->lock)
{
	region->slot = slot;
	region->generation =
		1 + atomic_load_explicit(&table->control->generation[slot], memory_order_relaxed);
	/* Whoever learns of the generation does so from a message that is sent later. */
	atomic_store_explicit(&table->control->generation[slot], region->generation,
			      memory_order_release);
	list_add_tail(&table->regions, &region->link);
}

doca_error_t agent_table_add(struct agent_table *table, const struct agent_range *range,
			     struct agent_region **region, const char **why)
{
	struct agent_region *added = calloc(1, sizeof(*added));
	struct shared_file found;
	int64_t slot;

	if (added == NULL) {
		*why = "no memory for a region";
		return DOCA_ERROR_NO_MEMORY;
	}
	if (!fill_random(added)) {
		free(added);
		*why = "the kernel gives no random bytes";
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	if (!hold_bell(added, range)) {
		free(added);
		*why = "no descriptor is left for its bell";
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	added->tag = tag_of(added->id);
	/* Without a descriptor to hand over there are other ways. */
	found.fd = -1;
	(void)shared_file_find(range->addr, range->len_bytes, agent_region_is_writable(added),
			       &found);

	lock_take(&table->lock);
	slot = slot_take(table);
	if (slot >= 0) {
		if (found.fd >= 0)
			added->file = hold_file(table, &found, agent_region_is_writable(added));
		added->file_offset = found.fd >= 0 ? found.offset : 0;
		publish(table, added, (uint32_t)slot);
	}
	lock_drop(&table->lock);
	if (slot < 0) {
		if (found.fd >= 0)
			close(found.fd);
		free_region(added);
		*why = "as many regions are exported as the control page has slots";
		return DOCA_ERROR_NO_MEMORY;
	}
	*region = added;
	return DOCA_SUCCESS;
}

void agent_table_revoke(struct agent_table *table, struct agent_region *region)
{
	atomic_store_explicit(&region->is_revoked, true, memory_order_release);
	/* A barrier_everywhere() follows. */
	atomic_store_explicit(&table->control->generation[region->slot], region->generation + 1,
			      memory_order_release);
}

bool agent_table_remove(struct agent_table *table, struct agent_region *region)
{
	bool is_empty;

	lock_take(&table->lock);
	list_remove(&region->link);
	slot_put(table, region->slot);
	put_file(region->file);
	is_empty = list_is_empty(&table->regions);
	free_region(region);
	lock_drop(&table->lock);
	return is_empty;
}

bool agent_table_is_empty(struct agent_table *table)
{
	bool is_empty;

	lock_take(&table->lock);
	is_empty = list_is_empty(&table->regions);
	lock_drop(&table->lock);
	return is_empty;
}

struct agent_region *agent_table_find(struct agent_table *table, const uint8_t id[EXPORT_ID_BYTES])
{
	struct agent_region *found = NULL;

	lock_take(&table->lock);
	list_for_each (link, &table->regions) {
		struct agent_region *region = CONTAINER_OF(link, struct agent_region, link);

		if (memcmp(region->id, id, EXPORT_ID_BYTES) == 0) {
			found = region;
			break;
		}
	}
	lock_drop(&table->lock);
	return found;
}

bool agent_region_has_secret(const struct agent_region *region,
			     const uint8_t secret[EXPORT_SECRET_BYTES])
{
	unsigned int differs = 0;

	for (size_t i = 0; i < EXPORT_SECRET_BYTES; i++)
		differs |= (unsigned int)(region->secret[i] ^ secret[i]);
	return differs == 0;
}
