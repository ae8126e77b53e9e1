/* SPDX-License-Identifier: Apache-2.0 */
/* Every macro of every public header, used once; compiled as C99, C11 and C++17. */
#include <doca_bitfield.h>
#include <doca_buf.h>
#include <doca_buf_array.h>
#include <doca_buf_inventory.h>
#include <doca_buf_pool.h>
#include <doca_build_config.h>
#include <doca_clock.h>
#include <doca_common_defines.h>
#include <doca_compat.h>
#include <doca_config.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_types.h>
#include <doca_version.h>

DOCA_LOG_REGISTER(TESTS::MACROS);

#if defined(DOCA_ARCH_HOST) == defined(DOCA_ARCH_DPU)
#error "a program is built for exactly one side of the card"
#endif
#if defined(DOCA_ARCH_X86) && defined(DOCA_ARCH_ARM)
#error "a program is built for one CPU"
#endif
#ifndef DOCA_COMPAT_HELPERS
#error "the helpers for versioned structs are on by default"
#endif

#ifdef __cplusplus
#define MORE_FIELDS 7
#else
#define MORE_FIELDS .number = 7
#endif

struct versioned {
	DOCA_STRUCT_START;
	int number;
};

DOCA_STABLE
int stable_function(void);
DOCA_EXPERIMENTAL
int experimental_function(void);
DOCA_DEPRECATED
int deprecated_function(void);
static DOCA_USED int kept;

size_t use_compat(void);
size_t use_compat(void)
{
	DOCA_STRUCT_DEF(versioned, defined);
	struct versioned listed = {DOCA_STRUCT_CTOR_LIST_START, MORE_FIELDS};

	DOCA_STRUCT_CTOR(defined);
	DOCA_STRUCT_PTR_CTOR(&defined);
	DOCA_STRUCT_MEMSET_CTOR(listed);
	DOCA_STRUCT_PTR_MEMSET_CTOR(&listed);
	return DOCA_STRUCT_GET_VERSION(&defined) + (size_t)listed.number + (size_t)kept;
}

doca_error_t use_error(doca_error_t first, doca_error_t next);
doca_error_t use_error(doca_error_t first, doca_error_t next)
{
	if (doca_likely(first == DOCA_SUCCESS) || doca_unlikely(next == DOCA_SUCCESS))
		DOCA_ERROR_PROPAGATE(first, next);
	return DOCA_IS_ERROR(first) ? first : next;
}

int use_version(void);
int use_version(void)
{
	const size_t numbers[] = {DOCA_VERSION_EXACT, DOCA_VERSION_CALC_EXACT(3, 3, 0),
				  DOCA_VERSION_OFFICIAL, DOCA_VERSION_CALC(3, 3, 0)};

	return DOCA_VERSION_EQ_CURRENT(3, 3, 0) && DOCA_VERSION_LTE_CURRENT(3, 0, 58) &&
	       numbers[0] == numbers[1] && DOCA_VERSION_STRING[0] == '0' + DOCA_VERSION_MAJOR &&
	       DOCA_VERSION_MINOR == 3 && DOCA_VERSION_PATCH == 0;
}

void use_log(int count);
void use_log(int count)
{
	DOCA_LOG(DOCA_LOG_LEVEL_INFO, "a text alone");
	DOCA_LOG_CRIT("%d", count);
	DOCA_LOG_ERR("%d", count);
	DOCA_LOG_WARN("%d", count);
	DOCA_LOG_INFO("a text alone");
	DOCA_LOG_DBG("%d", count);
	DOCA_LOG_TRC("%d", count);
}

size_t use_sizes(void);
size_t use_sizes(void)
{
	const uint8_t ipv4[DOCA_DEVINFO_IPV4_ADDR_SIZE] = {0};
	const uint8_t ipv6[DOCA_DEVINFO_IPV6_ADDR_SIZE] = {0};
	const uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE] = {0};
	const uint8_t gid[DOCA_GID_BYTE_LENGTH] = {0};
	const char vuid[DOCA_DEVINFO_VUID_SIZE] = "", rep_vuid[DOCA_DEVINFO_REP_VUID_SIZE] = "";
	const char iface[DOCA_DEVINFO_IFACE_NAME_SIZE] = "";
	const char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "";
	const char pci[DOCA_DEVINFO_PCI_ADDR_SIZE] = "", bdf[DOCA_DEVINFO_PCI_BDF_SIZE] = "";
	const char rep_pci[DOCA_DEVINFO_REP_PCI_ADDR_SIZE] = "";
	const char rep_bdf[DOCA_DEVINFO_REP_PCI_BDF_SIZE] = "";
	const doca_event_handle_t handle = doca_event_invalid_handle;

	return sizeof(ipv4) + sizeof(ipv6) + sizeof(mac) + sizeof(gid) + sizeof(vuid) +
	       sizeof(rep_vuid) + sizeof(iface) + sizeof(ibdev) + sizeof(pci) + sizeof(bdf) +
	       sizeof(rep_pci) + sizeof(rep_bdf) + (size_t)handle;
}

uint32_t use_bitfield(uint8_t *byte, doca_be16_t *half, doca_be32_t *word);
uint32_t use_bitfield(uint8_t *byte, doca_be16_t *half, doca_be32_t *word)
{
	DOCA_U8P_GENMASK(5, 2, byte);
	DOCA_BE16P_GENMASK(9, 4, half);
	DOCA_BE32P_GENMASK(19, 7, word);
	DOCA_U8P_SET(DOCA_U8_GENMASK(5, 2), 3, byte);
	DOCA_BE16P_SET(DOCA_BE16_GENMASK(9, 4), 3, half);
	DOCA_BE32P_SET(DOCA_BE32_GENMASK(19, 7), 3, word);
	*byte = DOCA_U8_SET(DOCA_U8_GENMASK(5, 2), 3);
	*half = DOCA_BE16_SET(DOCA_BE16_GENMASK(9, 4), 3);
	*word = DOCA_BE32_SET(DOCA_BE32_GENMASK(19, 7), 3);
	return DOCA_U8_GET(DOCA_U8_GENMASK(5, 2), *byte) +
	       DOCA_BE16_GET(DOCA_BE16_GENMASK(9, 4), *half) +
	       DOCA_BE32_GET(DOCA_BE32_GENMASK(19, 7), *word) + (uint32_t)DOCA_SHIFT(8) +
	       DOCA_BETOH16(DOCA_HTOBE16(1)) + DOCA_BETOH32(DOCA_HTOBE32(1));
}

uint64_t use_clocks(void);
uint64_t use_clocks(void)
{
	const union doca_clock_timespec_t shown = {{0, 0}};

	return (DOCA_CLOCK_NIC_FREE_RUNNING | DOCA_CLOCK_NIC_REAL_TIME | DOCA_CLOCK_NIC_DPA_TIMER |
		DOCA_CLOCK_HOST_COUNTER_CYCLES | DOCA_CLOCK_HOST_REAL_TIME |
		DOCA_CLOCK_HOST_MONOTONIC | DOCA_CLOCK_HOST_MONOTONIC_RAW) +
	       shown.counter;
}
