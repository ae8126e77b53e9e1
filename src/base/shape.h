/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of a fixed shape: addresses of PCI functions and the like. */
#ifndef BASE_SHAPE_H_
#define BASE_SHAPE_H_

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * In the shape a letter or digit stands for a hexadecimal digit that is not above it ('1' for the
 * first digit of one of 32 devices), in lower case, all else for itself.
 */
static inline bool text_has_shape(const char *text, size_t len, const char *shape)
{
	if (len != strlen(shape))
		return false;
	for (size_t i = 0; i < len; i++) {
		bool is_digit =
			(text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');

		if (isalnum((unsigned char)shape[i]) ? !is_digit || text[i] > shape[i]
						     : text[i] != shape[i])
			return false;
	}
	return true;
}

#define SHAPE_PCI_ADDR "ffff:ff:1f.7"

/* With its domain, as "0000:03:00.0", or without. */
static inline bool pci_addr_is_valid(const char *text, size_t len)
{
	return text_has_shape(text, len, SHAPE_PCI_ADDR) || text_has_shape(text, len, "ff:1f.7");
}

#endif /* BASE_SHAPE_H_ */
