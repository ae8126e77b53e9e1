/* SPDX-License-Identifier: Apache-2.0 */
/* An open device: one object a function, shared by all who opened it. */
#ifndef COMMON_DEV_H_
#define COMMON_DEV_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_dev.h>

#include "device/card.h"

struct doca_devinfo {
	const struct card *card;
	const struct card_function *function;
};

struct doca_devinfo_rep {
	struct doca_dev *dev;		      /* borrowed: whoever uses the info keeps it open */
	const struct card_function *function; /* the represented one */
};

struct doca_dev {
	struct doca_devinfo info;  /* constant while the device is open */
	struct doca_dev *next;	   /* guarded by the device list's lock, in dev.c */
	uint32_t num_opens;	   /* same lock */
	uint32_t num_users;	   /* contexts, memory maps, representors; same lock */
	struct doca_dev_rep *reps; /* those open; guarded by the lock in dev_rep.c */
};

struct doca_dev_rep {
	struct doca_devinfo_rep info; /* constant while open; its device is held */
	uint32_t num_opens;	      /* guarded by the lock in dev_rep.c, as what follows */
	struct doca_dev_rep *next;
};

/* Whoever needs the device to stay open. Any thread. */
DOCA_STABLE
void doca__dev_hold(struct doca_dev *dev);

DOCA_STABLE
void doca__dev_put(struct doca_dev *dev);

/*
 * A getter's arguments at the API edge: the info and the place for the answer are there, and the
 * place has size_bytes of at least the wanted. Else one error line in the call's name, and false.
 */
bool getter_accepts(const char *call, const void *info, const void *answer, uint32_t size_bytes,
		    uint32_t wanted_bytes);

/* The same where the type of the answer is its size. */
bool getter_has_arguments(const char *call, const void *info, const void *answer);

/* The address of a function's data-direct one, or NOT_SUPPORTED. */
doca_error_t data_direct_get(const struct card_function *function, char *pci_addr_str);

/*
 * Whether a text stands for the address "DDDD:BB:DD.F"; when it is NULL or no address, one error
 * line in the call's name and INVALID_VALUE.
 */
doca_error_t pci_addr_compare(const char *call, const char *pci_addr, const char *text,
			      uint8_t *is_equal);

#endif /* COMMON_DEV_H_ */
