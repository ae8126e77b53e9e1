/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_mmap.h
 * @brief Memory maps: one range of memory, its access rights, and the devices that may reach it.
 *
 * A map is created, configured (range, rights, devices: in any order), started, used through
 * buffers (doca_buf_inventory.h, doca_buf_pool.h), and destroyed. Every refusal writes one line to
 * the SDK log.
 *
 * Threads: configuring, stopping and destroying a map is for one thread at a time. The functions
 * whose comment says "any" may run in several threads at once on a started map, and so may
 * inventories and pools that take buffers from it, as long as no thread stops or destroys it
 * meanwhile.
 */
#ifndef DOCA_MMAP_H_
#define DOCA_MMAP_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_devinfo;
struct doca_dpa;

/** @brief A memory map. */
struct doca_mmap;

/** @brief A map's handle on a DPA; for programs that name it, nothing here fills one. */
typedef uint32_t doca_dpa_dev_mmap_t;

/**
 * @brief What gives a map's memory back; see doca_mmap_set_free_cb(). A function type.
 *
 * @param [in] addr    First byte of the range.
 * @param [in] len     Length of the range in bytes.
 * @param [in] cookie  What was given to doca_mmap_set_free_cb().
 */
typedef void(doca_mmap_memrange_free_cb_t)(void *addr, size_t len, void *cookie);

/**
 * @brief Create a map: no range, no device, right LOCAL_READ_WRITE, not started.
 *
 * @param [out] mmap  The new map, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_SUCCESS              The map exists.
 * @retval DOCA_ERROR_INVALID_VALUE  mmap is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      It could not be allocated.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_mmap_create(struct doca_mmap **mmap);

/**
 * @brief Stop a map if it is started, let its devices go, and free it.
 *
 * If a free callback is due (doca_mmap_set_free_cb()) it runs inside this call, when nothing of
 * the map refers to the memory any more. An exported map is revoked: when this call returns no copy
 * of an importer starts on its memory, and none runs, unless one did not end within 1 s.
 *
 * @param [in] mmap  The map; gone on success, whole on error.
 *
 * @retval DOCA_SUCCESS              The map is gone.
 * @retval DOCA_ERROR_INVALID_VALUE  mmap is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  Buffers of it are out; release them with
 *                                   doca_buf_dec_refcount() first. Never with
 *                                   doca_mmap_enable_thread_safety(). Or a comch consumer was
 *                                   created with it, and is not destroyed.
 *
 * Threads: one, and no other call on the map. Source: DOCA 3.0 API reference, doca_mmap.h.
 * Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_mmap_destroy(struct doca_mmap *mmap);

/**
 * @brief Start a map: from now on buffers can be taken from it and its configuration stands still.
 *
 * It needs a range; a device is not needed. The memory is neither touched nor pinned. A stopped
 * map may be started again.
 *
 * @param [in] mmap  The map.
 *
 * @retval DOCA_SUCCESS              The map is started.
 * @retval DOCA_ERROR_INVALID_VALUE  mmap is NULL, or it has no memory range.
 * @retval DOCA_ERROR_NOT_PERMITTED  It is started already, or imported.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: NO_MEMORY never
 * happens, for nothing is registered; the sources leave the code for a missing range, for no
 * device and for a second start open.
 */
DOCA_STABLE
doca_error_t doca_mmap_start(struct doca_mmap *mmap);

/**
 * @brief Stop a map: its configuration can be changed again (the range cannot).
 *
 * Stopping a map that is not started changes nothing and is no error.
 *
 * @param [in] mmap  The map.
 *
 * @retval DOCA_SUCCESS              The map is not started.
 * @retval DOCA_ERROR_INVALID_VALUE  mmap is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  Buffers of it are out; release them with
 *                                   doca_buf_dec_refcount() first (not counted with
 *                                   doca_mmap_enable_thread_safety()). Or a comch consumer was
 *                                   created with it, and is not destroyed. Or the map is exported
 *                                   or imported: doca_mmap_destroy() ends either.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: the sources give
 * no code for a map that is not started, and disagree on one that is exported or imported.
 */
DOCA_STABLE
doca_error_t doca_mmap_stop(struct doca_mmap *mmap);

/**
 * @brief Let a device reach the map's memory once the map is started.
 *
 * The device is in use until it is removed or the map is destroyed: doca_dev_close() refuses.
 *
 * @param [in] mmap  A map that is not started.
 * @param [in] dev   An open device; borrowed.
 *
 * @retval DOCA_SUCCESS              The device is added.
 * @retval DOCA_ERROR_INVALID_VALUE  mmap or dev is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map is started, or imported.
 * @retval DOCA_ERROR_ALREADY_EXIST  The device was added before.
 * @retval DOCA_ERROR_NO_MEMORY      The map has as many devices as it may
 *                                   (doca_mmap_set_max_num_devices()), or out of memory.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: NOT_SUPPORTED
 * never happens: there are no devices on a foreign protection domain.
 */
DOCA_STABLE
doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev);

/**
 * @brief Take back doca_mmap_add_dev().
 *
 * @param [in] mmap  A map that is not started.
 * @param [in] dev   A device added before; the map no longer holds it.
 *
 * @retval DOCA_SUCCESS              The device is removed.
 * @retval DOCA_ERROR_INVALID_VALUE  mmap or dev is NULL.
 * @retval DOCA_ERROR_NOT_FOUND      The device was not added.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map is started, or imported.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev);

/**
 * @brief Describe a started map for a process on the other side of the card.
 *
 * From the first export on, a thread of this process serves the range: the importer reads and, with
 * PCI_READ_WRITE, writes it without a call of this process. The descriptor is a bearer secret:
 * whoever has it may use the range as far as the rights go. Called again, for any of the map's
 * devices, it gives the same descriptor.
 *
 * @param [in] mmap              A started map with PCI_READ_ONLY or PCI_READ_WRITE.
 * @param [in] dev               A device added to it; it can export
 *                               (doca_mmap_cap_is_export_pci_supported()).
 * @param [out] export_desc      The descriptor, the map's until it is destroyed; untouched on
 * error.
 * @param [out] export_desc_len  Its length, at most 512 bytes; untouched on error.
 *
 * @retval DOCA_SUCCESS              Both are written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map is not started, has no PCI right, or is itself
 *                                   imported; or the range is not mapped with these rights, as
 *                                   read-only pages exported for writing.
 * @retval DOCA_ERROR_NOT_FOUND      The device was not added to the map.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device cannot export.
 * @retval DOCA_ERROR_NO_MEMORY      Out of memory.
 * @retval DOCA_ERROR_DRIVER         The system gave no thread, socket or random bytes.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: the sources give no code for
 * a map that is not started.
 */
DOCA_STABLE
doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev,
				  const void **export_desc, size_t *export_desc_len);

/**
 * @brief Describe a started map for a remote process.
 *
 * From the first export on, a thread of this process serves the range: the importer reads and, with
 * RDMA_WRITE, writes it without a call of this process. The descriptor is a bearer secret: whoever
 * has it may use the range as far as the rights go. Called again, for any of the map's devices, it
 * gives the same descriptor.
 *
 * @param [in] mmap              A started map with RDMA_READ or RDMA_WRITE.
 * @param [in] dev               A device added to it.
 * @param [out] export_desc      The descriptor, the map's until it is destroyed; untouched on
 * error.
 * @param [out] export_desc_len  Its length, at most 512 bytes; untouched on error.
 *
 * @retval DOCA_SUCCESS              Both are written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map is not started, has no RDMA right, or is itself
 *                                   imported; or the range is not mapped with these rights, as
 *                                   read-only pages exported for writing.
 * @retval DOCA_ERROR_NOT_FOUND      The device was not added to the map.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device cannot export.
 * @retval DOCA_ERROR_NO_MEMORY      Out of memory.
 * @retval DOCA_ERROR_DRIVER         The system gave no thread, socket or random bytes.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: the sources give no code for
 * a map that is not started.
 */
DOCA_STABLE
doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev,
				   const void **export_desc, size_t *export_desc_len);

/**
 * @brief The map's handle on a DPA. There is no DPA here.
 *
 * @param [in] mmap              The map.
 * @param [in] dev               A device added to it.
 * @param [out] dpa_mmap_handle  Untouched.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: not supported, a code that
 * the source does not list; NOT_FOUND and NOT_PERMITTED never happen.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap, const struct doca_dev *dev,
					  doca_dpa_dev_mmap_t *dpa_mmap_handle);

/**
 * @brief Make a map of another process's memory from its descriptor.
 *
 * The new map is started and needs no configuration: of the calls that change a map only
 * doca_mmap_set_user_data() and doca_mmap_destroy() are for it. Its addresses are the exporter's:
 * give them to an inventory, never dereference them. Buffers of it may be the source of a copy, the
 * destination, or both, as far as the exporter's rights go. The exporter is reached by the best way
 * that works, found by trying (SOFTDOCA_REACH forces one); the SDK log tells it at debug level.
 * Memory imported before fork() is the parent's alone.
 *
 * @param [in] user_data        User data of the new map, copied; may be NULL.
 * @param [in] export_desc      The descriptor; only read by this call.
 * @param [in] export_desc_len  Its length in bytes, or that of a longer buffer that begins with it.
 * @param [in] dev              An open device that can import
 *                              (doca_mmap_cap_is_create_from_export_pci_supported()); held until
 *                              the map is destroyed.
 * @param [out] mmap            The new map, the caller's until destroyed; untouched on error.
 *
 * @retval DOCA_SUCCESS                  The map stands.
 * @retval DOCA_ERROR_INVALID_VALUE      export_desc, dev or mmap is NULL, or the bytes are no whole
 *                                       descriptor.
 * @retval DOCA_ERROR_UNSUPPORTED_VERSION  The descriptor is of a version unknown here.
 * @retval DOCA_ERROR_NOT_SUPPORTED      The device cannot import, or no way of this build (or not
 *                                       the one forced) leads to the exporter.
 * @retval DOCA_ERROR_NOT_PERMITTED      The exporter does not admit this user; it is not of the
 *                                       descriptor's user, root, this user or one of
 *                                       SOFTDOCA_ALLOW_UIDS; or the kernel forbids.
 * @retval DOCA_ERROR_NOT_CONNECTED      The exporter is gone, or closes the connection.
 * @retval DOCA_ERROR_NOT_FOUND          The exporter has destroyed the map.
 * @retval DOCA_ERROR_AUTHENTICATION     The exporter knows another secret.
 * @retval DOCA_ERROR_TIME_OUT           The exporter did not answer within 1 s, or within another
 *                                       when it was asked again, by nbd.
 * @retval DOCA_ERROR_NO_MEMORY          Out of memory.
 * @retval DOCA_ERROR_OPERATING_SYSTEM   Out of descriptors, here or at the exporter, or another
 *                                       refusal of the system.
 * @retval DOCA_ERROR_DRIVER             With SOFTDOCA_ERRORS=hardware in place of NOT_CONNECTED,
 *                                       NOT_FOUND, AUTHENTICATION, TIME_OUT and OPERATING_SYSTEM.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: the sources have DRIVER for
 * whatever is not the caller's mistake.
 */
DOCA_STABLE
doca_error_t doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc,
					  size_t export_desc_len, struct doca_dev *dev,
					  struct doca_mmap **mmap);

/**
 * @brief Give a map its one range of memory, once and for ever.
 *
 * No alignment is asked of address or length. The memory is the caller's and must stay until the
 * map is destroyed.
 *
 * @param [in] mmap  A map that was never given a range.
 * @param [in] addr  First byte.
 * @param [in] len   Length in bytes, above 0.
 *
 * @retval DOCA_SUCCESS              The map has its range.
 * @retval DOCA_ERROR_INVALID_VALUE  mmap or addr is NULL, len is 0, or the range passes the end of
 *                                   the address space.
 * @retval DOCA_ERROR_BAD_STATE      The map is started.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map has a range already, or is imported.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len);

/**
 * @brief Give a map a range of a dma-buf. Not supported.
 *
 * A dma-buf is memory of some device, and addr its address as that device's driver gave it, which
 * the CPU need not be able to read. Copies here are the CPU's, so that such a range could not be
 * kept to what is promised.
 *
 * @param [in] mmap           The map.
 * @param [in] dmabuf_fd      File descriptor of the dma-buf.
 * @param [in] addr           Address of the range's first byte.
 * @param [in] dmabuf_offset  Of the range in the dma-buf, in bytes.
 * @param [in] len            Length in bytes, above 0.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  mmap or addr is NULL, dmabuf_fd is negative, len is 0, or the
 *                                   range passes the end of the address space.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: never supported;
 * BAD_STATE and NOT_PERMITTED never happen.
 */
DOCA_STABLE
doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd, void *addr,
					   size_t dmabuf_offset, size_t len);

/**
 * @brief Give a map a range of a DPA's heap. There is no DPA here.
 *
 * @param [in] mmap      The map.
 * @param [in] dpa       The DPA.
 * @param [in] dpa_addr  First byte, as the DPA addresses it.
 * @param [in] len       Length in bytes, above 0.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  mmap or dpa is NULL, dpa_addr or len is 0.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: not supported, a
 * code that the source does not list; BAD_STATE and NOT_PERMITTED never happen.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap, struct doca_dpa *dpa,
					uint64_t dpa_addr, size_t len);

/**
 * @brief The range of a map, started or not.
 *
 * @param [in] mmap   The map.
 * @param [out] addr  First byte.
 * @param [out] len   Length in bytes.
 *
 * @retval DOCA_SUCCESS              Both are written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The map has no range yet.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len);

/**
 * @brief Have the range freed when the map is destroyed.
 *
 * doca_mmap_destroy() calls free_cb with the range and opaque, if the map was started after this
 * call; a map that never was leaves its memory to the caller. A later call replaces the callback.
 *
 * @param [in] mmap     A map that is not started.
 * @param [in] free_cb  The callback.
 * @param [in] opaque   Its cookie; may be NULL.
 *
 * @retval DOCA_SUCCESS              The callback is set.
 * @retval DOCA_ERROR_INVALID_VALUE  mmap or free_cb is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The map is started.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map is imported.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb,
				   void *opaque);

/**
 * @brief The user data of a map.
 *
 * @param [in] mmap        The map.
 * @param [out] user_data  As set; 0 when never set.
 *
 * @retval DOCA_SUCCESS              user_data is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap, union doca_data *user_data);

/**
 * @brief How many devices may be added to a map.
 *
 * @param [in] mmap              The map.
 * @param [out] max_num_devices  16, or as set.
 *
 * @retval DOCA_SUCCESS              max_num_devices is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: the sources do not state the
 * default.
 */
DOCA_STABLE
doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap, uint32_t *max_num_devices);

/**
 * @brief How many buffers of a map are out of their inventories and pools.
 *
 * While other threads take and release buffers the answer may be old when it arrives.
 *
 * @param [in] mmap       The map.
 * @param [out] num_bufs  Buffers, each element of a list counted.
 *
 * @retval DOCA_SUCCESS              num_bufs is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the map has thread safety enabled and
 *                                   therefore does not count.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: the sources do not state
 * the code for a map that does not count.
 */
DOCA_STABLE
doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap, uint32_t *num_bufs);

/**
 * @brief Whether a map was exported.
 *
 * @param [in] mmap       The map.
 * @param [out] exported  1 when it was, 0 when not.
 *
 * @retval DOCA_SUCCESS              exported is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported);

/**
 * @brief Whether a map was made from an export.
 *
 * @param [in] mmap          The map.
 * @param [out] from_export  1 when it was, 0 when not.
 *
 * @retval DOCA_SUCCESS              from_export is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: nothing known.
 */
DOCA_STABLE
doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap, uint8_t *from_export);

/**
 * @brief Set how many devices may be added to a map; without this call 16.
 *
 * @param [in] mmap             A map that was never started.
 * @param [in] max_num_devices  From 1, and from the number already added, to 256.
 *
 * @retval DOCA_SUCCESS              The limit is set.
 * @retval DOCA_ERROR_INVALID_VALUE  mmap is NULL, or max_num_devices is outside those bounds.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map is or was started, or is imported.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: the sources do not
 * state the bounds.
 */
DOCA_STABLE
doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap, uint32_t max_num_devices);

/**
 * @brief Set who may do what with the range; without this call LOCAL_READ_WRITE.
 *
 * Devices of this process may always read. They write with LOCAL_READ_WRITE alone: no PCI or RDMA
 * flag implies it.
 *
 * @param [in] mmap         A map that is not started.
 * @param [in] access_mask  Mask of enum doca_access_flag; 0 is LOCAL_READ_ONLY.
 *
 * @retval DOCA_SUCCESS              The rights are set.
 * @retval DOCA_ERROR_INVALID_VALUE  mmap is NULL; the mask has an unknown bit, PCI_READ_ONLY
 *                                   together with PCI_READ_WRITE, or one of these together with
 *                                   PCI_RELAXED_ORDERING.
 * @retval DOCA_ERROR_BAD_STATE      The map is started.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map is imported.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: the default and
 * the refusal of relaxed ordering are not in the reference.
 */
DOCA_STABLE
doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask);

/**
 * @brief Attach the caller's data to a map, started or not.
 *
 * @param [in] mmap       The map.
 * @param [in] user_data  Anything.
 *
 * @retval DOCA_SUCCESS              The data is attached.
 * @retval DOCA_ERROR_INVALID_VALUE  mmap is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: BAD_STATE never happens.
 */
DOCA_STABLE
doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap, union doca_data user_data);

/**
 * @brief Whether a device can export maps over PCI.
 *
 * @param [in] devinfo       The device.
 * @param [out] mmap_export  1 when it can, 0 when not.
 *
 * @retval DOCA_SUCCESS              mmap_export is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: DRIVER never
 * happens.
 */
DOCA_STABLE
doca_error_t doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo,
						   uint8_t *mmap_export);

/**
 * @brief Whether a device can import maps that were exported over PCI.
 *
 * @param [in] devinfo       The device.
 * @param [out] from_export  1 when it can, 0 when not.
 *
 * @retval DOCA_SUCCESS              from_export is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: DRIVER never
 * happens.
 */
DOCA_STABLE
doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(const struct doca_devinfo *devinfo,
							       uint8_t *from_export);

/**
 * @brief Give up counting a map's buffers, so that it can be shared with fewer rules.
 *
 * doca_mmap_stop() and doca_mmap_destroy() no longer notice buffers that are out, and
 * doca_mmap_get_num_bufs() refuses. Several inventories may share a started map without this call
 * as well.
 *
 * @param [in] mmap  A map that is not started.
 *
 * @retval DOCA_SUCCESS              Buffers are not counted from now on.
 * @retval DOCA_ERROR_INVALID_VALUE  mmap is NULL.
 * @retval DOCA_ERROR_NOT_PERMITTED  The map is started, or imported.
 *
 * Threads: one at a time. Source: DOCA 3.0 API reference, doca_mmap.h. Differs: nothing known.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap);

/**
 * @brief The memory key of a started map for one of its devices.
 *
 * The number is made up: no other key of this process that is in use equals it, and it stays the
 * same until the map stops. Nothing here takes one.
 *
 * @param [in] mmap   A started map.
 * @param [in] dev    A device added to it.
 * @param [out] mkey  The key.
 *
 * @retval DOCA_SUCCESS              mkey is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, the map is not started, or the device was
 *                                   not added to it.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: NO_MEMORY never happens.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_get_mkey(const struct doca_mmap *mmap, const struct doca_dev *dev,
				uint32_t *mkey);

/**
 * @brief Choose the secret that exports for a device carry. Not in this release.
 *
 * The largest token is doca_mmap_cap_get_max_export_access_token_size(), 0 bytes for every device:
 * each token is too long.
 *
 * @param [in] mmap      The map.
 * @param [in] dev       A device added to it.
 * @param [in] token     The token.
 * @param [in] token_sz  Its size in bytes.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  Always: an argument is NULL, or the token is empty or larger
 *                                   than the device's largest.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: no token is accepted; BAD_STATE,
 * NOT_FOUND and NOT_PERMITTED never happen.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_set_export_access_token(struct doca_mmap *mmap, const struct doca_dev *dev,
					       const uint8_t *token, size_t token_sz);

/**
 * @brief The largest access token of an export.
 *
 * @param [in] devinfo  The device.
 * @param [out] max_sz  0 bytes: no token is accepted in this release.
 *
 * @retval DOCA_SUCCESS              max_sz is written.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Threads: any. Source: newer header text (3.1 to 3.3). Differs: always 0.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_cap_get_max_export_access_token_size(const struct doca_devinfo *devinfo,
							    size_t *max_sz);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_MMAP_H_ */
