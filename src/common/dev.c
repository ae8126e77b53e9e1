/* SPDX-License-Identifier: Apache-2.0 */
/* Open devices: a list of one object a function, with its opens and its users. */
#include "common/dev.h"

#include <assert.h>
#include <stdlib.h>

#include "base/lock.h"
#include "common/sdk_log.h"

static struct lock devs_lock = LOCK_INITIALIZER;
static struct doca_dev *devs GUARDED_BY(devs_lock); /* no more than there are functions */

/* Where the open device of a function is linked; the end of the list where it is not open. */
static struct doca_dev **dev_link(const struct card_function *function) REQUIRES(devs_lock)
{
	struct doca_dev **link = &devs;

	while (*link != NULL && (*link)->info.function != function)
		link = &(*link)->next;
	return link;
}

static struct doca_dev *dev_open_once_more(const struct doca_devinfo *info) REQUIRES(devs_lock)
{
	struct doca_dev **link = dev_link(info->function);

	if (*link == NULL) {
		*link = calloc(1, sizeof(**link));
		if (*link == NULL)
			return NULL;
		(*link)->info = *info;
	}
	(*link)->num_opens++;
	return *link;
}

doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev)
{
	struct doca_dev *opened;

	if (devinfo == NULL || dev == NULL) {
		LOG_ERROR("device open refused: %s is NULL; give an element of the list of "
			  "doca_devinfo_create_list, and a place for the device",
			  devinfo == NULL ? "devinfo" : "dev");
		return DOCA_ERROR_INVALID_VALUE;
	}

	lock_take(&devs_lock);
	opened = dev_open_once_more(devinfo);
	lock_drop(&devs_lock);

	if (opened == NULL) {
		LOG_ERROR("device %s refuses to open: out of memory", devinfo->function->name);
		return DOCA_ERROR_NO_MEMORY;
	}
	*dev = opened;
	return DOCA_SUCCESS;
}

doca_error_t doca_dev_close(struct doca_dev *dev)
{
	const struct card_function *function;
	uint32_t num_users = 0;

	if (dev == NULL)
		return DOCA_SUCCESS;

	lock_take(&devs_lock);
	function = dev->info.function; /* the device may be gone once the lock is dropped */
	assert(dev->num_opens > 0);
	if (dev->num_opens == 1)
		num_users = dev->num_users;
	if (num_users == 0 && --dev->num_opens == 0) {
		*dev_link(function) = dev->next;
		free(dev);
	}
	lock_drop(&devs_lock);

	if (num_users > 0) {
		LOG_ERROR("device %s refuses its last close: %u objects still use it; destroy its "
			  "contexts and memory maps and close its representors first",
			  function->name, num_users);
		return DOCA_ERROR_IN_USE;
	}
	return DOCA_SUCCESS;
}

void doca__dev_hold(struct doca_dev *dev)
{
	lock_take(&devs_lock);
	assert(dev->num_opens > 0);
	dev->num_users++;
	lock_drop(&devs_lock);
}

void doca__dev_put(struct doca_dev *dev)
{
	lock_take(&devs_lock);
	assert(dev->num_users > 0);
	dev->num_users--;
	lock_drop(&devs_lock);
}

struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev)
{
	/* The interface gives out a writable info of a constant device; nothing here writes it. */
	return dev == NULL ? NULL : (struct doca_devinfo *)&dev->info;
}

doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev)
{
	if (dev == NULL) {
		LOG_ERROR("resource reclaim refused: dev is NULL; open a device first");
		return DOCA_ERROR_INVALID_VALUE;
	}
	LOG_ERROR("device %s refuses to accelerate resource reclaim: no device here can; ask "
		  "doca_devinfo_cap_is_accelerate_resource_reclaim_supported first",
		  dev->info.function->name);
	return DOCA_ERROR_NOT_SUPPORTED;
}
