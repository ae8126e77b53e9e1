/* SPDX-License-Identifier: Apache-2.0 */
/* The models of virtual cards, and the cards of this process. */
#include "device/card.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/sink.h"
#include "copy/copy.h"
#include "device/topology.h"

#define MIB (UINT64_C(1) << 20)
#define TIB (UINT64_C(1) << 40)
#define DEFAULT_MTU_BYTES 1500
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

static const struct card_function default_functions[] = {
	{.side = CARD_SIDE_DPU,
	 .pci_addr = "0000:03:00.0",
	 .ibdev_name = "mlx5_0",
	 .iface_name = "p0",
	 .vuid = "MT0000SOFTDOCAS0D0F0",
	 .mac = {0x02, 0x00, 0x5d, 0x0c, 0xa0, 0x01},
	 .has_ipv4 = true,
	 .ipv4 = {192, 0, 2, 1},
	 .ipv6 = {0x20, 0x01, 0x0d, 0xb8, [15] = 1},
	 .vhca_id = 0,
	 .iface_index = 2},
	{.side = CARD_SIDE_HOST,
	 .pci_addr = "0000:b1:00.0",
	 .ibdev_name = "mlx5_2",
	 .iface_name = "ens1f0np0",
	 .vuid = "MT0000SOFTDOCAS1D0F0",
	 .mac = {0x02, 0x00, 0x5d, 0x0c, 0xa0, 0x02},
	 .has_ipv4 = true,
	 .ipv4 = {192, 0, 2, 2},
	 .ipv6 = {0x20, 0x01, 0x0d, 0xb8, [15] = 2},
	 .vhca_id = 1,
	 .iface_index = 3,
	 .rep_iface_name = "pf0hpf",
	 .rep_iface_index = 4,
	 .rep_ib_port = 2},
};

#define NUM_DEFAULT_FUNCTIONS (sizeof(default_functions) / sizeof(default_functions[0]))

/* What this process looked like when it first asked for its cards. */
struct machine_slot {
	bool is_read;
	doca_error_t result;
	char problem[SETTINGS_PROBLEM_SIZE]; /* when result is an error */
	struct machine machine;
};

static struct lock slot_lock = LOCK_INITIALIZER;
static struct machine_slot slot GUARDED_BY(slot_lock); /* constant once it is read */

struct card_limits card_model_limits(enum settings_device model)
{
	return models[model].limits;
}

void card_init(const struct settings *settings, const struct card_limits *limits, struct card *card)
{
	*card = (struct card){
		.model = models[settings->device].name,
		.limits = *limits,
		.errors = settings->errors,
		.num_workers = settings->num_workers,
		.policy = settings->policy,
	};
	if (settings->max_buf_size_bytes != 0)
		card->limits.max_buf_size_bytes = settings->max_buf_size_bytes;
	if (settings->max_buf_list_len != 0)
		card->limits.max_buf_list_len = settings->max_buf_list_len;
	card->limits.queue_depth = settings->queue_depth;
	if (settings->num_workers == 0)
		snprintf(card->engine_words, sizeof(card->engine_words), "inline");
	else
		snprintf(card->engine_words, sizeof(card->engine_words), "workers:%u",
			 settings->num_workers);
}

uint32_t card_capabilities(enum settings_device model, enum card_side side,
			   enum card_function_type type)
{
	uint32_t capabilities = side == CARD_SIDE_DPU ? models[model].dpu_capabilities
						      : models[model].host_capabilities;

	/* The virtual ones of a DPU copy as it does, but look at nobody else. */
	if (type != CARD_PF)
		capabilities &= ~(uint32_t)(CARD_REPRESENTORS | CARD_COMCH_SERVER);
	return capabilities;
}

void card_port_init(enum settings_device model, struct card_function *function)
{
	function->active_rate_bps = models[model].active_rate_bps;
	function->uplink_ib_port = 1;
	function->mtu_bytes = DEFAULT_MTU_BYTES;
	function->is_active = true;
}

doca_error_t machine_build(const struct settings *settings, struct machine *machine)
{
	struct card_function *functions;
	struct card *card;

	*machine = (struct machine){.num_cards = 0};
	if (settings->device == SETTINGS_DEVICE_NONE)
		return DOCA_SUCCESS;
	card = calloc(1, sizeof(*card));
	functions = calloc(NUM_DEFAULT_FUNCTIONS, sizeof(*functions));
	if (card == NULL || functions == NULL) {
		free(functions);
		free(card);
		return DOCA_ERROR_NO_MEMORY;
	}
	*machine = (struct machine){card, 1, functions, NUM_DEFAULT_FUNCTIONS};
	card_init(settings, &models[settings->device].limits, card);
	card->functions = functions;
	card->num_functions = NUM_DEFAULT_FUNCTIONS;
	for (size_t i = 0; i < NUM_DEFAULT_FUNCTIONS; i++) {
		functions[i] = default_functions[i];
		functions[i].capabilities =
			card_capabilities(settings->device, functions[i].side, CARD_PF);
		card_port_init(settings->device, &functions[i]);
		functions[i].card = card;
		functions[i].pf = &functions[i];
		functions[i].is_listed = card_side_is_listed(settings->role, functions[i].side);
		card_function_set_name(&functions[i]);
	}
	if (card_can(&functions[0], CARD_REPRESENTORS)) {
		functions[0].represents = &functions[1];
		functions[1].rep_on = &functions[0];
	}
	return DOCA_SUCCESS;
}

void machine_release(struct machine *machine)
{
	free(machine->functions);
	free(machine->cards);
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
	if (slot.result == DOCA_SUCCESS && settings.topology[0] != '\0') {
		slot.result = topology_read(&settings, &slot.machine, slot.problem);
	} else if (slot.result == DOCA_SUCCESS) {
		slot.result = machine_build(&settings, &slot.machine);
	}
	if (slot.result == DOCA_SUCCESS) {
		const struct cache_facts caches = cache_look();

		copy_choose(settings.kernel, &caches);
	}
	/* There may be memory at the next call. */
	slot.is_read = slot.result != DOCA_ERROR_NO_MEMORY;
}

doca_error_t machine_get(const struct machine **machine)
{
	doca_error_t result;

	lock_take(&slot_lock);
	if (!slot.is_read)
		slot_read();
	result = slot.result;
	lock_drop(&slot_lock);

	if (result != DOCA_SUCCESS) {
		sink_error("device enumeration refused: %s",
			   result == DOCA_ERROR_NO_MEMORY ? "out of memory" : slot.problem);
		return result;
	}
	*machine = &slot.machine;
	return DOCA_SUCCESS;
}
