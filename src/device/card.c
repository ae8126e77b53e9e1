/* SPDX-License-Identifier: Apache-2.0 */
/* The models of virtual cards, and the one card of this process. */
#include "device/card.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/sink.h"
#include "copy/copy.h"

#define MIB (UINT64_C(1) << 20)
#define TIB (UINT64_C(1) << 40)
#define GBPS UINT64_C(1000000000)

struct model {
	const char *name;
	uint64_t active_rate_bps;
	uint32_t dpu_capabilities;
	uint32_t host_capabilities;
	struct card_limits limits;
};

#define BLUEFIELD_DPU                                                                              \
	(CARD_DMA | CARD_EXPORT_PCI | CARD_IMPORT_PCI | CARD_REPRESENTORS | CARD_COMCH_SERVER |    \
	 CARD_COMCH_CLIENT | CARD_CACHE_INVALIDATE)
#define BLUEFIELD_HOST (CARD_DMA | CARD_EXPORT_PCI | CARD_COMCH_CLIENT)
#define BLUEFIELD_LIMITS                                                                           \
	{                                                                                          \
		.max_buf_size_bytes = 2 * MIB, .max_buf_list_len = 64, .max_num_tasks = 65536      \
	}

static const struct model models[] = {
	[SETTINGS_DEVICE_BLUEFIELD3] = {.name = "bluefield3",
					.active_rate_bps = 400 * GBPS,
					.dpu_capabilities = BLUEFIELD_DPU,
					.host_capabilities = BLUEFIELD_HOST,
					.limits = BLUEFIELD_LIMITS},
	[SETTINGS_DEVICE_BLUEFIELD2] = {.name = "bluefield2",
					.active_rate_bps = 200 * GBPS,
					.dpu_capabilities = BLUEFIELD_DPU,
					.host_capabilities = BLUEFIELD_HOST,
					.limits = BLUEFIELD_LIMITS},
	/* A plain NIC: both addresses are there, neither can do what a program of ours wants. */
	[SETTINGS_DEVICE_CONNECTX7] = {.name = "connectx7",
				       .active_rate_bps = 400 * GBPS,
				       .limits = BLUEFIELD_LIMITS},
	[SETTINGS_DEVICE_UNLIMITED] = {.name = "unlimited",
				       .active_rate_bps = 400 * GBPS,
				       .dpu_capabilities = BLUEFIELD_DPU,
				       .host_capabilities = BLUEFIELD_HOST,
				       .limits = {.max_buf_size_bytes = TIB,
						  .max_buf_list_len = 1024,
						  .max_num_tasks = 65536}},
};

static const struct card_function dpu_function = {
	.pci_addr = "0000:03:00.0",
	.ibdev_name = "mlx5_0",
	.iface_name = "p0",
	.vuid = "MT0000SOFTDOCAS0D0F0",
	.mac = {0x02, 0x00, 0x5d, 0x0c, 0xa0, 0x01},
	.ipv4 = {192, 0, 2, 1},
	.ipv6 = {0x20, 0x01, 0x0d, 0xb8, [15] = 1},
	.vhca_id = 0,
	.iface_index = 2,
	.mtu_bytes = 1500,
	.is_active = true,
	.side = CARD_SIDE_DPU,
};

static const struct card_function host_function = {
	.pci_addr = "0000:b1:00.0",
	.ibdev_name = "mlx5_2",
	.iface_name = "ens1f0np0",
	.vuid = "MT0000SOFTDOCAS1D0F0",
	.mac = {0x02, 0x00, 0x5d, 0x0c, 0xa0, 0x02},
	.ipv4 = {192, 0, 2, 2},
	.ipv6 = {0x20, 0x01, 0x0d, 0xb8, [15] = 2},
	.vhca_id = 1,
	.iface_index = 3,
	.mtu_bytes = 1500,
	.is_active = true,
	.side = CARD_SIDE_HOST,
	.rep_iface_name = "pf0hpf",
	.rep_iface_index = 4,
	.rep_ib_port = 2,
};

/* What this process looked like when it first asked for its card. */
struct card_slot {
	bool is_read;
	doca_error_t result;
	char problem[SETTINGS_PROBLEM_SIZE]; /* when result is an error */
	struct card card;
};

static struct lock slot_lock = LOCK_INITIALIZER;
static struct card_slot slot GUARDED_BY(slot_lock); /* constant once it is read */

static void limits_build(const struct settings *settings, struct card_limits *limits)
{
	if (settings->max_buf_size_bytes != 0)
		limits->max_buf_size_bytes = settings->max_buf_size_bytes;
	if (settings->max_buf_list_len != 0)
		limits->max_buf_list_len = settings->max_buf_list_len;
	limits->queue_depth = settings->queue_depth;
}

static void function_build(const struct card_function *base, const struct model *model,
			   uint32_t capabilities, struct card_function *function)
{
	*function = *base;
	function->capabilities = capabilities;
	function->active_rate_bps = model->active_rate_bps;
}

void card_build(const struct settings *settings, struct card *card)
{
	const struct model *model;
	struct card_function *next = card->functions;

	*card = (struct card){
		.errors = settings->errors,
		.num_workers = settings->num_workers,
		.policy = settings->policy,
	};
	if (settings->num_workers == 0)
		snprintf(card->engine_words, sizeof(card->engine_words), "inline");
	else
		snprintf(card->engine_words, sizeof(card->engine_words), "workers:%u",
			 settings->num_workers);
	if (settings->device == SETTINGS_DEVICE_NONE)
		return;

	model = &models[settings->device];
	card->model = model->name;
	card->limits = model->limits;
	limits_build(settings, &card->limits);
	if (settings->role != SETTINGS_ROLE_HOST)
		function_build(&dpu_function, model, model->dpu_capabilities, next++);
	function_build(&host_function, model, model->host_capabilities, next);
	card->num_functions = settings->role == SETTINGS_ROLE_BOTH ? 2 : 1;
	if (card_can(&card->functions[0], CARD_REPRESENTORS))
		card->functions[0].represents = next;
}

/* As secure_getenv(): who runs with rights that are not the caller's does not listen to it. */
static char *const *settings_environment(void)
{
	return getauxval(AT_SECURE) != 0 ? NULL : environ;
}

static void slot_read(void) REQUIRES(slot_lock)
{
	struct settings settings;

	slot.result = settings_read(settings_environment(), &settings, slot.problem);
	if (slot.result == DOCA_SUCCESS) {
		const struct cache_facts caches = cache_look();

		card_build(&settings, &slot.card);
		copy_choose(settings.kernel, &caches);
	}
	slot.is_read = true;
}

doca_error_t card_get(const struct card **card)
{
	lock_take(&slot_lock);
	if (!slot.is_read)
		slot_read();
	lock_drop(&slot_lock);

	if (slot.result != DOCA_SUCCESS) {
		sink_error("device enumeration refused: %s", slot.problem);
		return slot.result;
	}
	*card = &slot.card;
	return DOCA_SUCCESS;
}
