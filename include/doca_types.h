/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_types.h
 * @brief Types that the other headers share.
 */
#ifndef DOCA_TYPES_H_
#define DOCA_TYPES_H_

#include <stdint.h>

#include <linux/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief Something to wait on: a file descriptor for poll(), select() and epoll. */
typedef int doca_event_handle_t;

/** @brief The handle of a progress engine. */
typedef doca_event_handle_t doca_notification_handle_t;

/** @brief A handle that stands for none. */
#define doca_event_invalid_handle -1

/** @brief 16 bits in big-endian order, as they travel. */
typedef __be16 doca_be16_t;
/** @brief 32 bits in big-endian order. */
typedef __be32 doca_be32_t;
/** @brief 64 bits in big-endian order. */
typedef __be64 doca_be64_t;

/** @brief Bytes of a GID. */
#define DOCA_GID_BYTE_LENGTH 16

/** @brief What the caller attaches to an object and gets back from it. */
union doca_data {
	void *ptr;    /**< as a pointer */
	uint64_t u64; /**< as a number */
};

/** @brief Who may do what with a memory map's range; a mask of these. */
enum doca_access_flag {
	DOCA_ACCESS_FLAG_LOCAL_READ_ONLY = 0,	    /**< this process's devices may read */
	DOCA_ACCESS_FLAG_LOCAL_READ_WRITE = 1 << 0, /**< this process's devices may read, write */
	DOCA_ACCESS_FLAG_RDMA_READ = 1 << 1,	    /**< a remote device may read */
	DOCA_ACCESS_FLAG_RDMA_WRITE = 1 << 2,	    /**< a remote device may write */
	DOCA_ACCESS_FLAG_RDMA_ATOMIC = 1 << 3,	    /**< a remote device may do atomics */
	DOCA_ACCESS_FLAG_PCI_READ_ONLY = 1 << 4,    /**< the other side of the card may read */
	DOCA_ACCESS_FLAG_PCI_READ_WRITE = 1 << 5,   /**< the other side may read and write */
	DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING = 1 << 6, /**< its accesses may be reordered */
};

/** @brief Kind of a PCI function. */
enum doca_pci_func_type {
	DOCA_PCI_FUNC_TYPE_PF = 0, /**< physical function */
	DOCA_PCI_FUNC_TYPE_VF,	   /**< virtual function */
	DOCA_PCI_FUNC_TYPE_SF,	   /**< sub-function */
};

/** @brief Where GPU memory lives; for programs that name it, no function here uses it. */
enum doca_gpu_mem_type {
	DOCA_GPU_MEM_TYPE_GPU = 0,     /**< on the GPU */
	DOCA_GPU_MEM_TYPE_GPU_CPU = 1, /**< on the GPU, the CPU may access it */
	DOCA_GPU_MEM_TYPE_CPU_GPU = 2, /**< on the CPU, the GPU may access it */
};

/** @brief How Ethernet waits on time; for programs that name it. */
enum doca_eth_wait_on_time_type {
	DOCA_ETH_WAIT_ON_TIME_TYPE_NONE = 0,   /**< not at all */
	DOCA_ETH_WAIT_ON_TIME_TYPE_NATIVE = 1, /**< by the device */
	DOCA_ETH_WAIT_ON_TIME_TYPE_DPDK = 2,   /**< through DPDK */
};

/** @brief Path MTU of an RDMA connection. */
enum doca_mtu_size {
	DOCA_MTU_SIZE_256_BYTES = 0,	/**< 256 bytes */
	DOCA_MTU_SIZE_512_BYTES = 1,	/**< 512 bytes */
	DOCA_MTU_SIZE_1K_BYTES = 2,	/**< 1024 bytes */
	DOCA_MTU_SIZE_2K_BYTES = 3,	/**< 2048 bytes */
	DOCA_MTU_SIZE_4K_BYTES = 4,	/**< 4096 bytes */
	DOCA_MTU_SIZE_RAW_ETHERNET = 5, /**< that of the Ethernet port */
};

/** @brief A node of a list of memory pieces. */
struct doca_gather_list {
	void *addr;		       /**< first byte */
	uint64_t len;		       /**< in bytes */
	struct doca_gather_list *next; /**< NULL at the end */
};

/** @brief An IP address in network byte order: IPv4 in ip[3], IPv6 in all four words. */
struct doca_ip {
	uint32_t ip[4];	 /**< the address */
	uint8_t is_ipv4; /**< 1 for IPv4, 0 for IPv6 */
};

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_TYPES_H_ */
