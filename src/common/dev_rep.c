/* SPDX-License-Identifier: Apache-2.0 */
/* Representors: the list of those of a device, what each tells of itself, and open ones. */
#include "common/dev.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/lock.h"
#include "common/sdk_log.h"

#define KNOWN_FILTERS (DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED)

/* What an element of a list takes: its pointer, and what that leads to. */
struct list_room {
	struct doca_devinfo_rep *pointer;
	struct doca_devinfo_rep info;
};

/* Guards the open representors of all devices; the lock of dev.c may be taken under it. */
static struct lock reps_lock = LOCK_INITIALIZER;

static doca_error_t rep_list_check(const struct doca_dev *dev, int filter)
{
	if ((filter & ~KNOWN_FILTERS) != 0) {
		LOG_ERROR("device %s refuses to list representors: filter %#x has unknown bits; "
			  "give DOCA_DEVINFO_REP_FILTER_ALL, or a mask of _NET and _EMULATED",
			  dev->info.function->name, (unsigned int)filter);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (!card_can(dev->info.function, CARD_REPRESENTORS)) {
		LOG_ERROR("device %s refuses to list representors: it has none; ask "
			  "doca_devinfo_rep_cap_is_filter_all_supported, and open a physical "
			  "function of a DPU",
			  dev->info.function->name);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
					  struct doca_devinfo_rep ***dev_list_rep,
					  uint32_t *nb_devs_rep)
{
	bool has_net = filter == DOCA_DEVINFO_REP_FILTER_ALL ||
		       (filter & DOCA_DEVINFO_REP_FILTER_NET) != 0;
	const struct card *card;
	struct doca_devinfo_rep *infos;
	struct doca_devinfo_rep **list;
	uint32_t num_infos = 0;
	void *room;
	doca_error_t result;

	if (dev == NULL || dev_list_rep == NULL || nb_devs_rep == NULL) {
		LOG_ERROR("representor list refused: %s is NULL; give an open device and two "
			  "variables",
			  dev == NULL		 ? "dev"
			  : dev_list_rep == NULL ? "dev_list_rep"
						 : "nb_devs_rep");
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = rep_list_check(dev, filter);
	if (result != DOCA_SUCCESS)
		return result;
	card = dev->info.card;
	/* The pointers, a NULL, and what they point to, in one piece of memory. */
	room = calloc(card->num_functions + 1, sizeof(struct list_room));
	list = room;
	if (list == NULL) {
		LOG_ERROR("device %s refuses to list representors: out of memory",
			  dev->info.function->name);
		return DOCA_ERROR_NO_MEMORY;
	}

	infos = (struct doca_devinfo_rep *)&list[card->num_functions + 1];
	for (uint32_t i = 0; i < card->num_functions && has_net; i++) {
		if (card->functions[i].rep_on != dev->info.function)
			continue;
		infos[i] = (struct doca_devinfo_rep){dev, &card->functions[i]};
		list[num_infos++] = &infos[i];
	}
	*dev_list_rep = list;
	*nb_devs_rep = num_infos;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep)
{
	if (dev_list_rep == NULL) {
		LOG_ERROR("representor list destroy refused: dev_list_rep is NULL; give what "
			  "doca_devinfo_rep_create_list gave");
		return DOCA_ERROR_INVALID_VALUE;
	}
	free(dev_list_rep);
	return DOCA_SUCCESS;
}

/* Where an open representor is linked; the end of its device's list where it is not open. */
static struct doca_dev_rep **rep_link(const struct doca_devinfo_rep *info) REQUIRES(reps_lock)
{
	struct doca_dev_rep **link = &info->dev->reps;

	while (*link != NULL && (*link)->info.function != info->function)
		link = &(*link)->next;
	return link;
}

static struct doca_dev_rep *rep_open_once_more(const struct doca_devinfo_rep *info)
	REQUIRES(reps_lock)
{
	struct doca_dev_rep **link = rep_link(info);

	if (*link == NULL) {
		*link = calloc(1, sizeof(**link));
		if (*link == NULL)
			return NULL;
		(*link)->info = *info;
		doca__dev_hold(info->dev);
	}
	(*link)->num_opens++;
	return *link;
}

doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep)
{
	struct doca_dev_rep *opened;

	if (devinfo == NULL || dev_rep == NULL) {
		LOG_ERROR("representor open refused: %s is NULL; give an element of the list of "
			  "doca_devinfo_rep_create_list, and a place for the representor",
			  devinfo == NULL ? "devinfo" : "dev_rep");
		return DOCA_ERROR_INVALID_VALUE;
	}

	lock_take(&reps_lock);
	opened = rep_open_once_more(devinfo);
	lock_drop(&reps_lock);

	if (opened == NULL) {
		LOG_ERROR("representor %s refuses to open: out of memory", devinfo->function->name);
		return DOCA_ERROR_NO_MEMORY;
	}
	*dev_rep = opened;
	return DOCA_SUCCESS;
}

doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev)
{
	if (dev == NULL) {
		LOG_ERROR("representor close refused: dev is NULL; give what doca_dev_rep_open "
			  "gave");
		return DOCA_ERROR_INVALID_VALUE;
	}

	lock_take(&reps_lock);
	assert(dev->num_opens > 0);
	if (--dev->num_opens == 0) {
		struct doca_dev *parent = dev->info.dev;

		*rep_link(&dev->info) = dev->next;
		doca__dev_put(parent);
		free(dev);
	}
	lock_drop(&reps_lock);
	return DOCA_SUCCESS;
}

struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep)
{
	return dev_rep == NULL ? NULL : &dev_rep->info;
}

doca_error_t doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep, char *rep_vuid,
				       uint32_t size)
{
	if (!getter_accepts(__func__, devinfo_rep, rep_vuid, size, DOCA_DEVINFO_REP_VUID_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(rep_vuid, devinfo_rep->function->vuid, strlen(devinfo_rep->function->vuid) + 1);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep,
					       char *pci_addr_str)
{
	if (!getter_has_arguments(__func__, devinfo_rep, pci_addr_str))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(pci_addr_str, devinfo_rep->function->pci_addr,
	       strlen(devinfo_rep->function->pci_addr) + 1);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_is_equal_pci_addr(const struct doca_devinfo_rep *devinfo_rep,
						const char *pci_addr_str, uint8_t *is_equal)
{
	if (!getter_has_arguments(__func__, devinfo_rep, is_equal))
		return DOCA_ERROR_INVALID_VALUE;
	return pci_addr_compare(__func__, devinfo_rep->function->pci_addr, pci_addr_str, is_equal);
}

doca_error_t doca_devinfo_rep_get_iface_name(const struct doca_devinfo_rep *devinfo_rep,
					     char *iface_name, uint32_t size)
{
	if (!getter_accepts(__func__, devinfo_rep, iface_name, size, DOCA_DEVINFO_IFACE_NAME_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(iface_name, devinfo_rep->function->rep_iface_name,
	       strlen(devinfo_rep->function->rep_iface_name) + 1);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_get_pf_vuid(struct doca_devinfo_rep *devinfo_rep, char *pf_vuid,
					  uint32_t size)
{
	if (!getter_accepts(__func__, devinfo_rep, pf_vuid, size, DOCA_DEVINFO_REP_VUID_SIZE))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(pf_vuid, devinfo_rep->function->pf->vuid,
	       strlen(devinfo_rep->function->pf->vuid) + 1);
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_get_data_direct_pci_dev(struct doca_devinfo_rep *devinfo_rep,
						      char *pci_addr_str)
{
	if (!getter_has_arguments(__func__, devinfo_rep, pci_addr_str))
		return DOCA_ERROR_INVALID_VALUE;
	return data_direct_get(devinfo_rep->function, pci_addr_str);
}

/* doca_devinfo_rep_<name>: the type of the answer, and what it is, by info. */
#define DEFINE_GETTER(name, type, value)                                                           \
	doca_error_t doca_devinfo_rep_##name(const struct doca_devinfo_rep *info, type *answer)    \
	{                                                                                          \
		if (!getter_has_arguments(__func__, info, answer))                                 \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		*answer = (value);                                                                 \
		return DOCA_SUCCESS;                                                               \
	}

DEFINE_GETTER(get_pci_func_type, enum doca_pci_func_type,
	      (enum doca_pci_func_type)info->function->type)
DEFINE_GETTER(get_is_hotplug, uint8_t, info->function->is_hotplug)
DEFINE_GETTER(get_iface_index, uint32_t, info->function->rep_iface_index)
DEFINE_GETTER(get_vhca_id, uint16_t, info->function->vhca_id)
DEFINE_GETTER(get_ib_port, uint16_t, info->function->rep_ib_port)
DEFINE_GETTER(get_host_index, uint32_t, info->function->host_index)
DEFINE_GETTER(get_pf_index, uint32_t, info->function->pf_index)

/* A number that functions of one type have. */
static doca_error_t get_number_of(const char *call, const struct doca_devinfo_rep *info,
				  enum card_function_type type, doca_error_t refusal,
				  const uint32_t *number, uint32_t *answer)
{
	static const char *const types[] = {"physical ", "virtual ", "sub-"};

	if (info->function->type != type) {
		LOG_DEBUG("%s: representor %s stands for no %sfunction", call, info->function->name,
			  types[type]);
		return refusal;
	}
	*answer = *number;
	return DOCA_SUCCESS;
}

#define DEFINE_NUMBER(name, type, refusal)                                                         \
	doca_error_t doca_devinfo_rep_get_##name(const struct doca_devinfo_rep *info,              \
						 uint32_t *answer)                                 \
	{                                                                                          \
		if (!getter_has_arguments(__func__, info, answer))                                 \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		return get_number_of(__func__, info, type, refusal, &info->function->name,         \
				     answer);                                                      \
	}

DEFINE_NUMBER(vf_index, CARD_VF, DOCA_ERROR_INVALID_VALUE)
DEFINE_NUMBER(sf_index, CARD_SF, DOCA_ERROR_INVALID_VALUE)
DEFINE_NUMBER(total_vfs, CARD_PF, DOCA_ERROR_NOT_PERMITTED)
