/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of a memory map, its configuration, and the count of its buffers. Refusals are decided
 * under the map's lock and logged after it, for a log backend is the user's code.
 */
#include "common/mmap.h"

#include <stdlib.h>
#include <string.h>

#include "common/dev.h"
#include "common/mmap_export.h"
#include "common/sdk_log.h"
#include "peer/peer.h"

#define DEFAULT_MAX_DEVS 16
#define LARGEST_MAX_DEVS 256

#define PCI_ACCESS (DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)
#define KNOWN_ACCESS                                                                               \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |                          \
	 DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC | PCI_ACCESS |                 \
	 DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING)

#define WHY_STARTED "it is started; call doca_mmap_stop first"
#define WHY_IMPORTED "it is imported: its exporter has configured it, and it only ends, by destroy"

/*
 * Between maps and homes of buffers, which end in either order: guards the users of every map. One
 * lock for all, because a home cannot know whether a map, and a lock in it, is still there.
 */
static struct {
	struct lock lock;
	uint32_t last_mkey GUARDED_BY(lock);
} users = {.lock = LOCK_INITIALIZER};

struct mmap_range mmap_range_of(const struct doca_mmap *mmap)
{
	struct mmap_range range;

	lock_take(mmap_lock(mmap));
	range = (struct mmap_range){mmap->addr, mmap->len_bytes};
	lock_drop(mmap_lock(mmap));
	return range;
}

static uint32_t count_bufs(const struct doca_mmap *mmap) REQUIRES(users.lock)
{
	uint32_t num_bufs = 0;

	list_for_each (link, &mmap->users)
		num_bufs += mmap_user_num_bufs(CONTAINER_OF(link, struct mmap_user, link));
	return num_bufs;
}

static void let_go(struct mmap_user *user) REQUIRES(users.lock)
{
	/* Relaxed: the owner's thread is told that the record is dead, and nothing more. */
	atomic_store_explicit(&user->mmap, NULL, memory_order_relaxed);
	atomic_store_explicit(&user->plain_rights, 0, memory_order_relaxed);
	list_remove(&user->link);
}

doca_error_t mmap_add_user(struct doca_mmap *mmap, struct mmap_user *user)
{
	bool started;

	lock_take(&mmap->lock);
	started = mmap->started;
	if (started) {
		user->access = mmap->access;
		user->rights = mmap->rights;
		user->space.region = mmap->region;
		user->addr = mmap->addr;
		user->len_bytes = mmap->len_bytes;
		lock_take(&users.lock);
		list_add_tail(&mmap->users, &user->link);
		atomic_store_explicit(&user->mmap, mmap, memory_order_relaxed);
		atomic_store_explicit(&user->plain_rights, mmap->region == NULL ? mmap->rights : 0,
				      memory_order_relaxed);
		lock_drop(&users.lock);
	}
	lock_drop(&mmap->lock);
	if (started)
		return DOCA_SUCCESS;
	LOG_MMAP_REFUSAL(mmap, "a buffer: it is not started; call doca_mmap_start first");
	return DOCA_ERROR_BAD_STATE;
}

void mmap_remove_user(struct mmap_user *user)
{
	lock_take(&users.lock);
	let_go(user);
	lock_drop(&users.lock);
}

doca_error_t doca_mmap_create(struct doca_mmap **mmap)
{
	struct doca_mmap *made;

	if (mmap == NULL)
		return REFUSE_NULL("mmap");
	made = calloc(1, sizeof(*made));
	if (made == NULL) {
		LOG_ERROR("mmap create: out of memory for %zu bytes", sizeof(*made));
		return DOCA_ERROR_NO_MEMORY;
	}
	lock_init(&made->lock);
	made->access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	made->max_devs = DEFAULT_MAX_DEVS;
	list_init(&made->users);
	*mmap = made;
	return DOCA_SUCCESS;
}

/* NOT_PERMITTED, with a line in the log, while something stands in the way. */
static doca_error_t stop(struct doca_mmap *mmap, const char *call)
{
	uint32_t num_consumers;
	uint32_t num_bufs;

	lock_take(&mmap->lock);
	lock_take(&users.lock);
	num_bufs = mmap->thread_safe ? 0 : count_bufs(mmap);
	num_consumers = mmap->num_consumers;
	if (num_bufs == 0 && num_consumers == 0) {
		while (!list_is_empty(&mmap->users))
			let_go(CONTAINER_OF(mmap->users.next, struct mmap_user, link));
		mmap->started = false;
	}
	lock_drop(&users.lock);
	lock_drop(&mmap->lock);
	if (num_bufs > 0)
		LOG_MMAP_REFUSAL(mmap,
				 "%s: %u buffers of it are out; release them with "
				 "doca_buf_dec_refcount first",
				 call, num_bufs);
	else if (num_consumers > 0)
		LOG_MMAP_REFUSAL(mmap,
				 "%s: %u comch consumers receive into it; call "
				 "doca_comch_consumer_destroy first",
				 call, num_consumers);
	else
		return DOCA_SUCCESS;
	return DOCA_ERROR_NOT_PERMITTED;
}

/* The memory's own end comes last: then nothing is left of the map that knows it. */
void mmap_free(struct doca_mmap *mmap)
{
	doca_mmap_memrange_free_cb_t *free_cb = mmap->free_cb_due ? mmap->free_cb : NULL;
	void *opaque = mmap->free_cb_opaque;
	const struct mmap_range range = {mmap->addr, mmap->len_bytes};

	mmap_revoke_exports(mmap);
	if (mmap->region != NULL)
		peer_close(mmap->region);
	for (uint32_t i = 0; i < mmap->num_devs; i++)
		doca__dev_put(mmap->devs[i]);
	free(mmap->devs);
	lock_fini(&mmap->lock);
	free(mmap);
	if (free_cb != NULL)
		free_cb(range.addr, range.len_bytes, opaque);
}

doca_error_t doca_mmap_destroy(struct doca_mmap *mmap)
{
	doca_error_t result;

	if (mmap == NULL)
		return REFUSE_NULL("mmap");
	result = stop(mmap, "destroy");
	if (result != DOCA_SUCCESS)
		return result;
	LOG_MMAP(DOCA_LOG_LEVEL_TRACE, mmap, "destroyed");
	mmap_free(mmap);
	return DOCA_SUCCESS;
}

uint32_t mmap_draw_mkeys(uint32_t num_devs)
{
	uint32_t first;

	lock_take(&users.lock);
	first = users.last_mkey + 1;
	users.last_mkey += num_devs;
	lock_drop(&users.lock);
	return first;
}

/* Local memory may be read whatever its permissions. */
static uint8_t local_rights(uint32_t access)
{
	return (access & DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) != 0 ? MMAP_READ | MMAP_WRITE
								 : MMAP_READ;
}

doca_error_t doca_mmap_start(struct doca_mmap *mmap)
{
	doca_error_t result = DOCA_SUCCESS;
	const char *why = NULL;

	if (mmap == NULL)
		return REFUSE_NULL("mmap");
	lock_take(&mmap->lock);
	if (mmap->is_imported) {
		why = WHY_IMPORTED;
		result = DOCA_ERROR_NOT_PERMITTED;
	} else if (mmap->started) {
		why = WHY_STARTED;
		result = DOCA_ERROR_NOT_PERMITTED;
	} else if (mmap->len_bytes == 0) {
		why = "no memory range set; call doca_mmap_set_memrange first";
		result = DOCA_ERROR_INVALID_VALUE;
	} else {
		mmap->first_mkey = mmap_draw_mkeys(mmap->num_devs);
		mmap->free_cb_due = mmap->free_cb != NULL;
		mmap->rights = local_rights(mmap->access);
		mmap->was_started = true;
		mmap->started = true;
	}
	lock_drop(&mmap->lock);
	if (why != NULL)
		LOG_MMAP_REFUSAL(mmap, "start: %s", why);
	else
		LOG_MMAP(DOCA_LOG_LEVEL_TRACE, mmap, "started");
	return result;
}

/* Why a map that is not to die may not stop either, or NULL. */
static const char *why_bound(struct doca_mmap *mmap)
{
	const char *why = NULL;

	lock_take(&mmap->lock);
	if (mmap->is_imported)
		why = WHY_IMPORTED;
	else if (mmap_is_exported_locked(mmap))
		why = "it is exported; doca_mmap_destroy ends the export";
	lock_drop(&mmap->lock);
	return why;
}

doca_error_t doca_mmap_stop(struct doca_mmap *mmap)
{
	doca_error_t result;
	const char *why;

	if (mmap == NULL)
		return REFUSE_NULL("mmap");
	why = why_bound(mmap);
	if (why != NULL) {
		LOG_MMAP_REFUSAL(mmap, "stop: %s", why);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	result = stop(mmap, "stop");
	if (result == DOCA_SUCCESS)
		LOG_MMAP(DOCA_LOG_LEVEL_TRACE, mmap, "stopped");
	return result;
}

uint32_t mmap_dev_index_locked(const struct doca_mmap *mmap, const struct doca_dev *dev)
{
	for (uint32_t i = 0; i < mmap->num_devs; i++)
		if (mmap->devs[i] == dev)
			return i;
	return mmap->num_devs;
}

/* False when out of memory. */
static bool append_dev(struct doca_mmap *mmap, struct doca_dev *dev) REQUIRES(mmap->lock)
{
	struct doca_dev **devs = calloc(mmap->num_devs + 1, sizeof(struct doca_dev *));

	if (devs == NULL)
		return false;
	for (uint32_t i = 0; i < mmap->num_devs; i++)
		devs[i] = mmap->devs[i];
	devs[mmap->num_devs++] = dev;
	free(mmap->devs);
	mmap->devs = devs;
	return true;
}

doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
	doca_error_t result = DOCA_SUCCESS;
	const char *why = NULL;

	if (mmap == NULL || dev == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "dev");
	doca__dev_hold(dev); /* before the map shows it to anyone */
	lock_take(&mmap->lock);
	if (mmap->is_imported) {
		why = WHY_IMPORTED;
		result = DOCA_ERROR_NOT_PERMITTED;
	} else if (mmap->started) {
		why = WHY_STARTED;
		result = DOCA_ERROR_NOT_PERMITTED;
	} else if (mmap_dev_index_locked(mmap, dev) < mmap->num_devs) {
		why = "it was added before; add each device once";
		result = DOCA_ERROR_ALREADY_EXIST;
	} else if (mmap->num_devs == mmap->max_devs) {
		why = "it has as many devices as it may; call doca_mmap_set_max_num_devices first";
		result = DOCA_ERROR_NO_MEMORY;
	} else if (!append_dev(mmap, dev)) {
		why = "out of memory";
		result = DOCA_ERROR_NO_MEMORY;
	}
	lock_drop(&mmap->lock);
	if (why != NULL) {
		LOG_MMAP_REFUSAL(mmap, "device %s: %s", dev->info.function->name, why);
		doca__dev_put(dev);
	}
	return result;
}

doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
	doca_error_t result = DOCA_SUCCESS;
	const char *why = NULL;
	uint32_t index;

	if (mmap == NULL || dev == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "dev");
	lock_take(&mmap->lock);
	index = mmap_dev_index_locked(mmap, dev);
	if (mmap->is_imported) {
		why = WHY_IMPORTED;
		result = DOCA_ERROR_NOT_PERMITTED;
	} else if (mmap->started) {
		why = WHY_STARTED;
		result = DOCA_ERROR_NOT_PERMITTED;
	} else if (index == mmap->num_devs) {
		why = "it was not added; remove only what doca_mmap_add_dev added";
		result = DOCA_ERROR_NOT_FOUND;
	} else {
		mmap->num_devs--;
		for (uint32_t i = index; i < mmap->num_devs; i++)
			mmap->devs[i] = mmap->devs[i + 1];
	}
	lock_drop(&mmap->lock);
	if (why == NULL)
		doca__dev_put(dev);
	else
		LOG_MMAP_REFUSAL(mmap, "to remove device %s: %s", dev->info.function->name, why);
	return result;
}

doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap, uint32_t max_num_devices)
{
	doca_error_t result = DOCA_SUCCESS;
	const char *why = NULL;

	if (mmap == NULL)
		return REFUSE_NULL("mmap");
	lock_take(&mmap->lock);
	if (mmap->is_imported) {
		why = WHY_IMPORTED;
		result = DOCA_ERROR_NOT_PERMITTED;
	} else if (mmap->was_started) {
		why = "it is or was started; set the limit before the first doca_mmap_start";
		result = DOCA_ERROR_NOT_PERMITTED;
	} else if (max_num_devices == 0 || max_num_devices > LARGEST_MAX_DEVS) {
		why = "out of bounds";
		result = DOCA_ERROR_INVALID_VALUE;
	} else if (max_num_devices < mmap->num_devs) {
		why = "more devices were added; call doca_mmap_rm_dev first";
		result = DOCA_ERROR_INVALID_VALUE;
	} else {
		mmap->max_devs = max_num_devices;
	}
	lock_drop(&mmap->lock);
	if (why != NULL)
		LOG_MMAP_REFUSAL(mmap, "a limit of %u devices, of 1 to %u: %s", max_num_devices,
				 LARGEST_MAX_DEVS, why);
	return result;
}

doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap, uint32_t *max_num_devices)
{
	if (mmap == NULL || max_num_devices == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "max_num_devices");
	lock_take(mmap_lock(mmap));
	*max_num_devices = mmap->max_devs;
	lock_drop(mmap_lock(mmap));
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len)
{
	doca_error_t result = DOCA_SUCCESS;
	const char *why = NULL;

	if (mmap == NULL || addr == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "addr");
	lock_take(&mmap->lock);
	if (mmap->is_imported) {
		why = WHY_IMPORTED;
		result = DOCA_ERROR_NOT_PERMITTED;
	} else if (len == 0 || (uintptr_t)addr > UINTPTR_MAX - len) {
		why = "a range has at least one byte and ends inside the address space";
		result = DOCA_ERROR_INVALID_VALUE;
	} else if (mmap->started) {
		why = WHY_STARTED;
		result = DOCA_ERROR_BAD_STATE;
	} else if (mmap->len_bytes != 0) {
		why = "it has a range already, for ever; make another mmap";
		result = DOCA_ERROR_NOT_PERMITTED;
	} else {
		mmap->addr = addr;
		mmap->len_bytes = len;
	}
	lock_drop(&mmap->lock);
	if (why != NULL)
		LOG_MMAP_REFUSAL(mmap, "range [%p, +%zu): %s", addr, len, why);
	return result;
}

doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len)
{
	struct mmap_range range;

	if (mmap == NULL || addr == NULL || len == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : addr == NULL ? "addr" : "len");
	range = mmap_range_of(mmap);
	if (range.len_bytes == 0) {
		LOG_MMAP_REFUSAL(mmap,
				 "to tell its range: none is set; call doca_mmap_set_memrange "
				 "first");
		return DOCA_ERROR_BAD_STATE;
	}
	*addr = range.addr;
	*len = range.len_bytes;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask)
{
	doca_error_t result = DOCA_ERROR_INVALID_VALUE;
	const char *why = NULL;

	if (mmap == NULL)
		return REFUSE_NULL("mmap");
	lock_take(&mmap->lock);
	if (mmap->is_imported) {
		why = WHY_IMPORTED;
		result = DOCA_ERROR_NOT_PERMITTED;
	} else if ((access_mask & ~(uint32_t)KNOWN_ACCESS) != 0) {
		why = "it has bits that enum doca_access_flag does not know";
	} else if ((access_mask & PCI_ACCESS) == PCI_ACCESS) {
		why = "PCI_READ_ONLY and PCI_READ_WRITE exclude each other";
	} else if ((access_mask & PCI_ACCESS) != 0 &&
		   (access_mask & DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING) != 0) {
		why = "a PCI right cannot have PCI_RELAXED_ORDERING";
	} else if (mmap->started) {
		why = WHY_STARTED;
		result = DOCA_ERROR_BAD_STATE;
	} else {
		mmap->access = access_mask;
		result = DOCA_SUCCESS;
	}
	lock_drop(&mmap->lock);
	if (why != NULL)
		LOG_MMAP_REFUSAL(mmap, "permissions 0x%x: %s", access_mask, why);
	return result;
}

doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb,
				   void *opaque)
{
	bool started;

	if (mmap == NULL || free_cb == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "free_cb");
	if (mmap->is_imported) {
		LOG_MMAP_REFUSAL(mmap, "a free callback: %s", WHY_IMPORTED);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	lock_take(&mmap->lock);
	started = mmap->started;
	if (!started) {
		mmap->free_cb = free_cb;
		mmap->free_cb_opaque = opaque;
		mmap->free_cb_due = false;
	}
	lock_drop(&mmap->lock);
	if (!started)
		return DOCA_SUCCESS;
	LOG_MMAP_REFUSAL(mmap, "a free callback: %s", WHY_STARTED);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap)
{
	bool started;

	if (mmap == NULL)
		return REFUSE_NULL("mmap");
	lock_take(&mmap->lock);
	started = mmap->started;
	if (!started)
		mmap->thread_safe = true;
	lock_drop(&mmap->lock);
	if (!started)
		return DOCA_SUCCESS;
	LOG_MMAP_REFUSAL(mmap, "thread safety: %s", mmap->is_imported ? WHY_IMPORTED : WHY_STARTED);
	return DOCA_ERROR_NOT_PERMITTED;
}

doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap, uint32_t *num_bufs)
{
	bool counts;

	if (mmap == NULL || num_bufs == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "num_bufs");
	lock_take(mmap_lock(mmap));
	counts = !mmap->thread_safe;
	lock_drop(mmap_lock(mmap));
	if (!counts) {
		LOG_MMAP_REFUSAL(mmap,
				 "to tell its number of buffers: it does not count them since "
				 "doca_mmap_enable_thread_safety");
		return DOCA_ERROR_INVALID_VALUE;
	}
	lock_take(&users.lock);
	*num_bufs = count_bufs(mmap);
	lock_drop(&users.lock);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap, union doca_data user_data)
{
	if (mmap == NULL)
		return REFUSE_NULL("mmap");
	lock_take(&mmap->lock);
	mmap->user_data = user_data;
	lock_drop(&mmap->lock);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap, union doca_data *user_data)
{
	if (mmap == NULL || user_data == NULL)
		return REFUSE_NULL(mmap == NULL ? "mmap" : "user_data");
	lock_take(mmap_lock(mmap));
	*user_data = mmap->user_data;
	lock_drop(mmap_lock(mmap));
	return DOCA_SUCCESS;
}
