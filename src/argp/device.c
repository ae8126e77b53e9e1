/* SPDX-License-Identifier: Apache-2.0 */
/* The device of a parameter: its text, and the device or representor behind it. */
#include "argp/argp.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/shape.h"

#define PREFIX "pci/"
/* Room for what a message lists. */
#define JOIN_SIZE 256

/* "pci/0000:03:00.0,pf0vf0,args" in its parts; the lengths are those up to a comma. */
struct device_text {
	char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
	const char *rep; /* NULL: none */
	size_t rep_len;
	const char *devargs; /* NULL: none */
};

/* What is wrong; NULL: nothing, and device is filled. */
static const char *device_text_split(const char *text, bool is_rep, struct device_text *device)
{
	const char *addr = text + strlen(PREFIX);
	const char *rest;
	size_t len;

	*device = (struct device_text){0};
	if (strncmp(text, PREFIX, strlen(PREFIX)) != 0)
		return "is no device: it begins with pci/, as in pci/0000:03:00.0";
	len = strcspn(addr, ",");
	if (!pci_addr_is_valid(addr, len))
		return "is no device: no PCI address as in pci/0000:03:00.0, in lower case, "
		       "follows";
	memcpy(device->pci_addr, addr, len);
	rest = addr[len] == ',' ? addr + len + 1 : NULL;
	if (is_rep) {
		if (rest == NULL || *rest == '\0' || *rest == ',')
			return "is no representor: its name is missing, as in "
			       "pci/0000:03:00.0,pf0vf0";
		device->rep = rest;
		device->rep_len = strcspn(rest, ",");
		rest = rest[device->rep_len] == ',' ? rest + device->rep_len + 1 : NULL;
	}
	device->devargs = rest == NULL || *rest == '\0' ? NULL : rest;
	return NULL;
}

const char *device_text_check(const char *text, bool is_rep)
{
	struct device_text unused;

	return device_text_split(text, is_rep, &unused);
}

/* The element of a list with that address, or NULL. */
static struct doca_devinfo *devinfo_find(struct doca_devinfo **list, uint32_t num_devs,
					 const char *pci_addr)
{
	for (uint32_t i = 0; i < num_devs; i++) {
		uint8_t is_equal = 0;

		if (doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &is_equal) == DOCA_SUCCESS &&
		    is_equal)
			return list[i];
	}
	return NULL;
}

/* The addresses of a list, as far as there is room. */
static void devinfo_join(struct doca_devinfo **list, uint32_t num_devs, char text[JOIN_SIZE])
{
	char addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
	size_t len = 0;

	snprintf(text, JOIN_SIZE, "none");
	for (uint32_t i = 0; i < num_devs && len < JOIN_SIZE; i++) {
		if (doca_devinfo_get_pci_addr_str(list[i], addr) == DOCA_SUCCESS)
			len += (size_t)snprintf(text + len, JOIN_SIZE - len, "%s%s",
						len == 0 ? "" : ", ", addr);
	}
}

static doca_error_t refuse_device(const struct parser *parser, const char *pci_addr,
				  struct doca_devinfo **list, uint32_t num_devs)
{
	char existing[JOIN_SIZE];

	devinfo_join(list, num_devs, existing);
	input_error(parser, "device %s does not exist; there are: %s", pci_addr, existing);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t open_found(struct parser *parser, struct doca_devinfo *info,
			       struct doca_dev **dev)
{
	if (parser->dev_open_cb != NULL)
		return parser->dev_open_cb(info, parser->dev_open_ctx, dev);
	return doca_dev_open(info, dev);
}

static doca_error_t open_by_addr(struct parser *parser, const char *pci_addr, struct doca_dev **dev)
{
	struct doca_devinfo **list;
	struct doca_devinfo *info;
	uint32_t num_devs;
	doca_error_t result = doca_devinfo_create_list(&list, &num_devs);

	if (result != DOCA_SUCCESS) {
		input_error(parser, "device %s: the devices cannot be listed: %s", pci_addr,
			    doca_error_get_descr(result));
		return result;
	}
	info = devinfo_find(list, num_devs, pci_addr);
	if (info == NULL) {
		result = refuse_device(parser, pci_addr, list, num_devs);
	} else {
		result = open_found(parser, info, dev);
		if (result != DOCA_SUCCESS)
			input_error(parser, "device %s cannot be opened: %s", pci_addr,
				    doca_error_get_descr(result));
	}
	doca_devinfo_destroy_list(list);
	return result;
}

doca_error_t device_open(struct parser *parser, const char *text,
			 struct doca_argp_device_ctx *device)
{
	struct device_text parts;

	device_text_split(text, false, &parts);
	device->devargs = parts.devargs;
	return open_by_addr(parser, parts.pci_addr, &device->dev);
}

/* The name by number of what a representor stands for: pf0, pf0vf3, pf0sf88; empty: unknown. */
static void rep_number_name(const struct doca_devinfo_rep *info, char *name, size_t size)
{
	enum doca_pci_func_type type;
	uint32_t number = 0;
	uint32_t pf = 0;

	name[0] = '\0';
	if (doca_devinfo_rep_get_pci_func_type(info, &type) != DOCA_SUCCESS ||
	    doca_devinfo_rep_get_pf_index(info, &pf) != DOCA_SUCCESS)
		return;
	if (type == DOCA_PCI_FUNC_TYPE_PF)
		snprintf(name, size, "pf%" PRIu32, pf);
	else if (type == DOCA_PCI_FUNC_TYPE_VF &&
		 doca_devinfo_rep_get_vf_index(info, &number) == DOCA_SUCCESS)
		snprintf(name, size, "pf%" PRIu32 "vf%" PRIu32, pf, number);
	else if (type == DOCA_PCI_FUNC_TYPE_SF &&
		 doca_devinfo_rep_get_sf_index(info, &number) == DOCA_SUCCESS)
		snprintf(name, size, "pf%" PRIu32 "sf%" PRIu32, pf, number);
}

static bool rep_is_named(const struct doca_devinfo_rep *info, bool by_number,
			 const struct device_text *parts)
{
	char name[DOCA_DEVINFO_IFACE_NAME_SIZE] = "";

	assert(parts->rep != NULL); /* the text was checked when it was read */
	if (by_number)
		rep_number_name(info, name, sizeof(name));
	else
		(void)doca_devinfo_rep_get_iface_name(info, name, sizeof(name));
	return strlen(name) == parts->rep_len && memcmp(name, parts->rep, parts->rep_len) == 0;
}

/* The number of the one with that name, or of all: interfaces' names are one's own, numbers not. */
static uint32_t rep_find(struct doca_devinfo_rep **list, uint32_t num_reps,
			 const struct device_text *parts)
{
	uint32_t i = 0;

	while (i < num_reps && !rep_is_named(list[i], false, parts))
		i++;
	if (i < num_reps)
		return i;
	i = 0;
	while (i < num_reps && !rep_is_named(list[i], true, parts))
		i++;
	return i;
}

static doca_error_t refuse_rep(const struct parser *parser, const struct device_text *parts,
			       struct doca_devinfo_rep **list, uint32_t num_reps)
{
	char existing[JOIN_SIZE] = "none";
	char name[DOCA_DEVINFO_IFACE_NAME_SIZE];
	size_t len = 0;

	for (uint32_t i = 0; i < num_reps && len < sizeof(existing); i++) {
		rep_number_name(list[i], name, sizeof(name));
		len += (size_t)snprintf(existing + len, sizeof(existing) - len, "%s%s",
					len == 0 ? "" : ", ", name);
	}
	input_error(parser, "device %s has no representor %.*s; there are: %s", parts->pci_addr,
		    (int)parts->rep_len, parts->rep, existing);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t open_rep_of(struct parser *parser, struct doca_dev *parent,
				const struct device_text *parts, struct doca_dev_rep **rep)
{
	struct doca_devinfo_rep **list;
	uint32_t num_reps;
	uint32_t i;
	doca_error_t result =
		doca_devinfo_rep_create_list(parent, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num_reps);

	if (result != DOCA_SUCCESS) {
		input_error(parser, "device %s: its representors cannot be listed: %s",
			    parts->pci_addr, doca_error_get_descr(result));
		return result;
	}
	i = rep_find(list, num_reps, parts);
	if (i == num_reps) {
		result = refuse_rep(parser, parts, list, num_reps);
	} else {
		result = doca_dev_rep_open(list[i], rep);
		if (result != DOCA_SUCCESS)
			input_error(parser, "representor %.*s of device %s cannot be opened: %s",
				    (int)parts->rep_len, parts->rep, parts->pci_addr,
				    doca_error_get_descr(result));
	}
	doca_devinfo_rep_destroy_list(list);
	return result;
}

doca_error_t device_rep_open(struct parser *parser, struct argp_value *value,
			     struct doca_argp_device_rep_ctx *rep)
{
	struct device_text parts;
	doca_error_t result;

	device_text_split(value->as.text, true, &parts);
	result = open_by_addr(parser, parts.pci_addr, &value->parent);
	if (result != DOCA_SUCCESS)
		return result;
	rep->dev_ctx.dev = value->parent;
	rep->dev_ctx.devargs = parts.devargs;
	return open_rep_of(parser, value->parent, &parts, &rep->dev_rep);
}
