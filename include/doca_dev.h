/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_dev.h
 * @brief Devices and representors: find them, ask what they are, open them.
 */
#ifndef DOCA_DEV_H_
#define DOCA_DEV_H_

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief Bytes of a device's VUID with its NUL. */
#define DOCA_DEVINFO_VUID_SIZE 128
/** @brief Bytes of an IPv4 address. */
#define DOCA_DEVINFO_IPV4_ADDR_SIZE 4
/** @brief Bytes of an IPv6 address. */
#define DOCA_DEVINFO_IPV6_ADDR_SIZE 16
/** @brief Bytes of a MAC address. */
#define DOCA_DEVINFO_MAC_ADDR_SIZE 6
/** @brief Bytes of a network interface's name with its NUL. */
#define DOCA_DEVINFO_IFACE_NAME_SIZE 256
/** @brief Bytes of an IB device's name with its NUL. */
#define DOCA_DEVINFO_IBDEV_NAME_SIZE 64
/** @brief Bytes of "0000:03:00.0" with its NUL. */
#define DOCA_DEVINFO_PCI_ADDR_SIZE 13
/** @brief Bytes of "03:00.0" with its NUL. */
#define DOCA_DEVINFO_PCI_BDF_SIZE 8
/** @brief Bytes of a represented function's VUID with its NUL. */
#define DOCA_DEVINFO_REP_VUID_SIZE 128
/** @brief Bytes of a represented function's "0000:b1:00.0" with its NUL. */
#define DOCA_DEVINFO_REP_PCI_ADDR_SIZE 13
/** @brief Bytes of a represented function's "b1:00.0" with its NUL. */
#define DOCA_DEVINFO_REP_PCI_BDF_SIZE 8

/** @brief Which representors to list: ALL, or a mask of the others. */
enum doca_devinfo_rep_filter {
	DOCA_DEVINFO_REP_FILTER_ALL = 0,	   /**< of every kind */
	DOCA_DEVINFO_REP_FILTER_NET = 1 << 1,	   /**< of network functions */
	DOCA_DEVINFO_REP_FILTER_EMULATED = 1 << 2, /**< of emulated functions */
};

/** @brief What is known of a device that need not be open. */
struct doca_devinfo;
/** @brief What is known of a representor that need not be open. */
struct doca_devinfo_rep;
/** @brief An open device. */
struct doca_dev;
/** @brief An open representor. */
struct doca_dev_rep;

/**
 * @brief List the devices of this process.
 *
 * The first call of a process reads the settings (docs/configuration.md); later changes of the
 * environment do not count.
 *
 * @param [out] dev_list  An array of *nb_devs pointers, the library's until
 *                        doca_devinfo_destroy_list(), followed by a NULL; untouched on error.
 * @param [out] nb_devs   Number of devices, 0 is possible; untouched on error.
 *
 * @retval DOCA_SUCCESS              The list is there, empty where the settings ask for no device.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or a setting or the topology is wrong:
 * then each call says what.
 * @retval DOCA_ERROR_NO_MEMORY      The list could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: no device is an empty list and
 * not NOT_FOUND; a wrong setting is INVALID_VALUE; the array ends with a NULL.
 */
DOCA_STABLE
doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list, uint32_t *nb_devs);

/**
 * @brief Free a list of devices, its elements with it; open devices live on.
 *
 * @param [in] dev_list  From doca_devinfo_create_list().
 *
 * @retval DOCA_SUCCESS              It is gone.
 * @retval DOCA_ERROR_INVALID_VALUE  dev_list is NULL.
 *
 * Threads: any; nobody else may use the list. Source: DOCA 3.0 API reference, doca_dev.h. Differs:
 * never IN_USE, as an open device keeps an info of its own.
 */
DOCA_STABLE
doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list);

/**
 * @brief List the representors of an open device.
 *
 * @param [in] dev            Open, and it stays so as long as the list is used.
 * @param [in] filter         DOCA_DEVINFO_REP_FILTER_ALL, or a mask of the other values of enum
 *                            doca_devinfo_rep_filter. No function here is emulated: EMULATED alone
 *                            gives an empty list.
 * @param [out] dev_list_rep  An array of *nb_devs_rep pointers, the library's until
 *                            doca_devinfo_rep_destroy_list(), followed by a NULL; untouched on
 *                            error.
 * @param [out] nb_devs_rep   Number of representors, 0 is possible; untouched on error.
 *
 * @retval DOCA_SUCCESS              The list is there.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or filter has an unknown bit.
 * @retval DOCA_ERROR_NO_MEMORY      The list could not be allocated.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no representors, as on the host side.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never DRIVER; the array ends
 * with a NULL.
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
					  struct doca_devinfo_rep ***dev_list_rep,
					  uint32_t *nb_devs_rep);

/**
 * @brief Free a list of representors, its elements with it; open representors live on.
 *
 * @param [in] dev_list_rep  From doca_devinfo_rep_create_list().
 *
 * @retval DOCA_SUCCESS              It is gone.
 * @retval DOCA_ERROR_INVALID_VALUE  dev_list_rep is NULL.
 *
 * Threads: any; nobody else may use the list. Source: DOCA 3.0 API reference, doca_dev.h. Differs:
 * never IN_USE, as an open representor keeps an info of its own.
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep);

/**
 * @brief Open a device; one that is open already is the same object, opened once more.
 *
 * @param [in] devinfo  From a list that was not destroyed, or of an open device.
 * @param [out] dev     The device; each open wants its doca_dev_close(). Untouched on error.
 *
 * @retval DOCA_SUCCESS              It is open.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      The device could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never NOT_CONNECTED,
 * INITIALIZATION or NOT_SUPPORTED, as no driver has a say.
 */
DOCA_STABLE
doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev);

/**
 * @brief Undo one doca_dev_open(); the last one closes the device and frees it.
 *
 * @param [in] dev  The device, or NULL: nothing to do.
 *
 * @retval DOCA_SUCCESS       One open less.
 * @retval DOCA_ERROR_IN_USE  It is the last open, and contexts, memory maps or open representors
 *                            still use the device. Nothing changed.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h; NULL: doca-samples 3.3.0, dma_common.
 * Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_dev_close(struct doca_dev *dev);

/**
 * @brief Keep resources of a device for a faster open after it was closed.
 *
 * @param [in] dev  An open device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  dev is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always: a virtual device keeps no such resources.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never SUCCESS, DRIVER or
 * AGAIN.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev);

/**
 * @brief Open a representor; one that is open already is the same object, opened once more.
 *
 * Its device cannot be closed for good before the representor is.
 *
 * @param [in] devinfo   From a list that was not destroyed, and whose device was not closed, or of
 *                       an open representor.
 * @param [out] dev_rep  The representor; each open wants its doca_dev_rep_close(). Untouched on
 *                       error.
 *
 * @retval DOCA_SUCCESS              It is open.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      The representor could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep);

/**
 * @brief Undo one doca_dev_rep_open(); the last one closes the representor and frees it.
 *
 * @param [in] dev  An open representor.
 *
 * @retval DOCA_SUCCESS              One open less.
 * @retval DOCA_ERROR_INVALID_VALUE  dev is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never IN_USE, as no object of
 * this library depends on an open representor.
 */
DOCA_STABLE
doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev);

/**
 * @brief The info of an open device.
 *
 * @param [in] dev  An open device, or NULL.
 * @return Its info, valid until the device is closed, whatever became of the list it was opened
 *         from; NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: nothing known.
 */
DOCA_STABLE
struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev);

/**
 * @brief The info of an open representor.
 *
 * @param [in] dev_rep  An open representor, or NULL.
 * @return Its info, valid until the representor is closed, whatever became of the list it was
 *         opened from; NULL for NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: nothing known.
 */
DOCA_STABLE
struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep);

/**
 * @brief The PCI address of a device, such as "0000:03:00.0".
 *
 * @param [in] devinfo        The device.
 * @param [out] pci_addr_str  DOCA_DEVINFO_PCI_ADDR_SIZE bytes at least; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written, with a NUL.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never OPERATING_SYSTEM.
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo, char *pci_addr_str);

/**
 * @brief Whether a device has a PCI address.
 *
 * @param [in] devinfo       The device.
 * @param [in] pci_addr_str  "0000:03:00.0", or "03:00.0" for domain 0000; hexadecimal digits in
 *                           lower case.
 * @param [out] is_equal     1 or 0; untouched on error.
 *
 * @retval DOCA_SUCCESS              The answer is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the text is no such address.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never OPERATING_SYSTEM;
 * digits in upper case are refused.
 */
DOCA_STABLE
doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo,
					    const char *pci_addr_str, uint8_t *is_equal);

/**
 * @brief The IPv4 address of a device, in network byte order.
 *
 * @param [in] devinfo     The device.
 * @param [out] ipv4_addr  size bytes, of which DOCA_DEVINFO_IPV4_ADDR_SIZE are written; untouched
 *                         on error.
 * @param [in] size        In bytes, at least DOCA_DEVINFO_IPV4_ADDR_SIZE.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or size is too small.
 * @retval DOCA_ERROR_NOT_FOUND      It has none.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never
 * OPERATING_SYSTEM.
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo, uint8_t *ipv4_addr,
					uint32_t size);

/**
 * @brief The IPv6 address of a device, in network byte order.
 *
 * @param [in] devinfo     The device.
 * @param [out] ipv6_addr  size bytes, of which DOCA_DEVINFO_IPV6_ADDR_SIZE are written; untouched
 *                         on error.
 * @param [in] size        In bytes, at least DOCA_DEVINFO_IPV6_ADDR_SIZE.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or size is too small.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never OPERATING_SYSTEM.
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo, uint8_t *ipv6_addr,
					uint32_t size);

/**
 * @brief The MAC address of a device.
 *
 * @param [in] devinfo    The device.
 * @param [out] mac_addr  size bytes, of which DOCA_DEVINFO_MAC_ADDR_SIZE are written; untouched on
 *                        error.
 * @param [in] size       In bytes, at least DOCA_DEVINFO_MAC_ADDR_SIZE.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or size is too small.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is an InfiniBand one.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo, uint8_t *mac_addr,
				       uint32_t size);

/**
 * @brief The name of a device's network interface, such as "p0".
 *
 * @param [in] devinfo      The device.
 * @param [out] iface_name  size bytes; untouched on error.
 * @param [in] size         In bytes, at least DOCA_DEVINFO_IFACE_NAME_SIZE.
 *
 * @retval DOCA_SUCCESS              It is written, with a NUL.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or size is too small.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never OPERATING_SYSTEM; the
 * kernel knows no interface of that name.
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo, char *iface_name,
					 uint32_t size);

/**
 * @brief The name of a device's IB device, such as "mlx5_0".
 *
 * @param [in] devinfo      The device.
 * @param [out] ibdev_name  size bytes; untouched on error.
 * @param [in] size         In bytes, at least DOCA_DEVINFO_IBDEV_NAME_SIZE.
 *
 * @retval DOCA_SUCCESS              It is written, with a NUL.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or size is too small.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo, char *ibdev_name,
					 uint32_t size);

/**
 * @brief The LID of an InfiniBand device.
 *
 * @param [in] devinfo  The device.
 * @param [out] lid     The LID; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is an Ethernet one.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never DRIVER.
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid);

/**
 * @brief The speed of a device's port, in bits per second.
 *
 * @param [in] devinfo       The device.
 * @param [out] active_rate  That of the model or the topology; it says nothing of how fast copies
 *                           are. Untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never DRIVER.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo,
					  uint64_t *active_rate);

/**
 * @brief The number of a device's function within its card.
 *
 * @param [in] devinfo   The device.
 * @param [out] vhca_id  The number; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never DRIVER.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo, uint16_t *vhca_id);

/**
 * @brief Whether a device can plug and unplug emulated functions.
 *
 * @param [in] devinfo              The device.
 * @param [out] is_hotplug_manager  Always 0; untouched on error.
 *
 * @retval DOCA_SUCCESS              The answer is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never DRIVER.
 */
DOCA_STABLE
doca_error_t doca_devinfo_cap_is_hotplug_manager_supported(const struct doca_devinfo *devinfo,
							   uint8_t *is_hotplug_manager);

/**
 * @brief Whether a device can moderate its notifications.
 *
 * @param [in] devinfo                                The device.
 * @param [out] is_notification_moderation_supported  Always 0; untouched on error.
 *
 * @retval DOCA_SUCCESS              The answer is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never DRIVER.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_cap_is_notification_moderation_supported(
	const struct doca_devinfo *devinfo, uint8_t *is_notification_moderation_supported);

/**
 * @brief Whether doca_devinfo_rep_create_list() takes DOCA_DEVINFO_REP_FILTER_ALL.
 *
 * @param [in] devinfo                The device.
 * @param [out] filter_all_supported  1 on a device with representors, else 0; untouched on error.
 *
 * @retval DOCA_SUCCESS              The answer is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never DRIVER; a device without
 * representors is 0 and not NOT_SUPPORTED.
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_cap_is_filter_all_supported(const struct doca_devinfo *devinfo,
							  uint8_t *filter_all_supported);

/**
 * @brief Whether doca_devinfo_rep_create_list() takes DOCA_DEVINFO_REP_FILTER_NET.
 *
 * @param [in] devinfo                The device.
 * @param [out] filter_net_supported  1 on a device with representors, else 0; untouched on error.
 *
 * @retval DOCA_SUCCESS              The answer is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never DRIVER; a device without
 * representors is 0 and not NOT_SUPPORTED.
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_cap_is_filter_net_supported(const struct doca_devinfo *devinfo,
							  uint8_t *filter_net_supported);

/**
 * @brief Whether doca_devinfo_rep_create_list() takes DOCA_DEVINFO_REP_FILTER_EMULATED.
 *
 * @param [in] devinfo                     The device.
 * @param [out] filter_emulated_supported  1 on a device with representors, though it has none of
 *                                         that kind, else 0; untouched on error.
 *
 * @retval DOCA_SUCCESS              The answer is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never DRIVER; a device without
 * representors is 0 and not NOT_SUPPORTED.
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(const struct doca_devinfo *devinfo,
							       uint8_t *filter_emulated_supported);

/**
 * @brief Whether doca_dev_accelerate_resource_reclaim() works on a device.
 *
 * @param [in] devinfo                         The device.
 * @param [out] is_accelerate_resource_reclaim  Always 0; untouched on error.
 *
 * @retval DOCA_SUCCESS              The answer is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never DRIVER.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_cap_is_accelerate_resource_reclaim_supported(
	const struct doca_devinfo *devinfo, uint8_t *is_accelerate_resource_reclaim);

/**
 * @brief The VUID of a represented function: what ties it to the function that the host sees.
 *
 * @param [in] devinfo_rep  The representor.
 * @param [out] rep_vuid    size bytes; untouched on error.
 * @param [in] size         In bytes, at least DOCA_DEVINFO_REP_VUID_SIZE.
 *
 * @retval DOCA_SUCCESS              It is written, with a NUL.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or size is too small.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep, char *rep_vuid,
				       uint32_t size);

/**
 * @brief The PCI address of a represented function, as the host sees it.
 *
 * @param [in] devinfo_rep    The representor.
 * @param [out] pci_addr_str  DOCA_DEVINFO_REP_PCI_ADDR_SIZE bytes at least; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written, with a NUL.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never NO_MEMORY or UNEXPECTED.
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep,
					       char *pci_addr_str);

/**
 * @brief The kind of a represented function.
 *
 * @param [in] devinfo_rep     The representor.
 * @param [out] pci_func_type  The kind; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_get_pci_func_type(const struct doca_devinfo_rep *devinfo_rep,
						enum doca_pci_func_type *pci_func_type);

/**
 * @brief Whether a represented function was plugged in at run time.
 *
 * @param [in] devinfo_rep  The representor.
 * @param [out] is_hotplug  1 or 0; untouched on error.
 *
 * @retval DOCA_SUCCESS              The answer is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_get_is_hotplug(const struct doca_devinfo_rep *devinfo_rep,
					     uint8_t *is_hotplug);

/**
 * @brief The name of a representor's own network interface, such as "pf0hpf".
 *
 * @param [in] devinfo_rep  The representor.
 * @param [out] iface_name  size bytes; untouched on error.
 * @param [in] size         In bytes, at least DOCA_DEVINFO_IFACE_NAME_SIZE.
 *
 * @retval DOCA_SUCCESS              It is written, with a NUL.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or size is too small.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never OPERATING_SYSTEM; the
 * kernel knows no interface of that name.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_iface_name(const struct doca_devinfo_rep *devinfo_rep,
					     char *iface_name, uint32_t size);

/**
 * @brief The number of a represented function within its card.
 *
 * @param [in] devinfo_rep  The representor.
 * @param [out] vhca_id     The number that the host's doca_devinfo_get_vhca_id() gives; untouched
 *                          on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_vhca_id(const struct doca_devinfo_rep *devinfo_rep,
					  uint16_t *vhca_id);

/**
 * @brief Whether a represented function has a PCI address, as the host sees it.
 *
 * @param [in] devinfo_rep   The representor.
 * @param [in] pci_addr_str  "0000:b1:00.0", or "b1:00.0" for domain 0000; hexadecimal digits in
 *                           lower case.
 * @param [out] is_equal     1 or 0; untouched on error.
 *
 * @retval DOCA_SUCCESS              The answer is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the text is no such address.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_dev.h. Differs: never NO_MEMORY or UNEXPECTED;
 * digits in upper case are refused.
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_is_equal_pci_addr(const struct doca_devinfo_rep *devinfo_rep,
						const char *pci_addr_str, uint8_t *is_equal);

/**
 * @brief The kind of a device's function.
 *
 * @param [in] devinfo         The device.
 * @param [out] pci_func_type  The kind; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_pci_func_type(const struct doca_devinfo *devinfo,
					    enum doca_pci_func_type *pci_func_type);

/**
 * @brief The index of a sub-function on the auxiliary bus.
 *
 * @param [in] devinfo    The device.
 * @param [out] sf_index  The index, which is the number that it was created with; untouched on
 *                        error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no sub-function.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: never DRIVER;
 * on a card the two numbers need not be the same.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo, uint32_t *sf_index);

/**
 * @brief The number of a device's port among those of its IB device.
 *
 * @param [in] devinfo   The device.
 * @param [out] ib_port  The number, of a virtual or sub-function 1; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: never DRIVER.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_uplink_ib_port(const struct doca_devinfo *devinfo, uint16_t *ib_port);

/**
 * @brief The index of a device's network interface.
 *
 * @param [in] devinfo       The device.
 * @param [out] iface_index  The index; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: the kernel knows no such
 * interface.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_iface_index(const struct doca_devinfo *devinfo,
					  uint32_t *iface_index);

/**
 * @brief The PCI address of the function through which a device reaches memory directly.
 *
 * @param [in] devinfo        The device.
 * @param [out] pci_addr_str  DOCA_DEVINFO_PCI_ADDR_SIZE bytes at least; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written, with a NUL.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  There is no such function.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: never NOT_FOUND.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_data_direct_pci_dev(struct doca_devinfo *devinfo, char *pci_addr_str);

/**
 * @brief The index of a representor's own network interface.
 *
 * @param [in] devinfo_rep   The representor.
 * @param [out] iface_index  The index; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: the kernel knows no such
 * interface.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_iface_index(const struct doca_devinfo_rep *devinfo_rep,
					      uint32_t *iface_index);

/**
 * @brief The number of a representor's port among those of its device's IB device.
 *
 * @param [in] devinfo_rep  The representor.
 * @param [out] ib_port     The number, above that of the uplink; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_ib_port(const struct doca_devinfo_rep *devinfo_rep,
					  uint16_t *ib_port);

/**
 * @brief The number of the host that a represented function belongs to.
 *
 * @param [in] devinfo_rep  The representor.
 * @param [out] host_index  The number; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: never DRIVER.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_host_index(const struct doca_devinfo_rep *devinfo_rep,
					     uint32_t *host_index);

/**
 * @brief The number of the physical function that a represented function is, or belongs to.
 *
 * @param [in] devinfo_rep  The representor.
 * @param [out] pf_index    The number; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: never DRIVER.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_pf_index(const struct doca_devinfo_rep *devinfo_rep,
					   uint32_t *pf_index);

/**
 * @brief The number of a represented virtual function.
 *
 * @param [in] devinfo_rep  The representor.
 * @param [out] vf_index    The number; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the represented function is not a
 *                                   virtual one.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: never DRIVER; which code
 * another function gives on a card is not known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_vf_index(const struct doca_devinfo_rep *devinfo_rep,
					   uint32_t *vf_index);

/**
 * @brief The number that a represented sub-function was created with.
 *
 * @param [in] devinfo_rep  The representor.
 * @param [out] sf_index    The number; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the represented function is not a
 *                                   sub-function.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: never DRIVER; which code
 * another function gives on a card is not known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_sf_index(const struct doca_devinfo_rep *devinfo_rep,
					   uint32_t *sf_index);

/**
 * @brief How many virtual functions a represented physical function can have.
 *
 * @param [in] devinfo_rep  The representor.
 * @param [out] total_vfs   The number; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The represented function is not a physical one.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_total_vfs(const struct doca_devinfo_rep *devinfo_rep,
					    uint32_t *total_vfs);

/**
 * @brief The VUID of the physical function that a represented function is, or belongs to.
 *
 * @param [in] devinfo_rep  The representor.
 * @param [out] pf_vuid     size bytes; untouched on error.
 * @param [in] size         In bytes, at least DOCA_DEVINFO_REP_VUID_SIZE.
 *
 * @retval DOCA_SUCCESS              It is written, with a NUL.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or size is too small.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_pf_vuid(struct doca_devinfo_rep *devinfo_rep, char *pf_vuid,
					  uint32_t size);

/**
 * @brief The PCI address of the function through which a represented one reaches memory directly.
 *
 * @param [in] devinfo_rep    The representor.
 * @param [out] pci_addr_str  DOCA_DEVINFO_REP_PCI_ADDR_SIZE bytes at least; untouched on error.
 *
 * @retval DOCA_SUCCESS              It is written, with a NUL.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  There is no such function.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: never NOT_FOUND.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_data_direct_pci_dev(struct doca_devinfo_rep *devinfo_rep,
						      char *pci_addr_str);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_DEV_H_ */
