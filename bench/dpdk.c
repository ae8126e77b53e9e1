/* SPDX-License-Identifier: Apache-2.0 */
/* A peer: the dmadev skeleton of DPDK, a DMA device whose copies a thread of its own makes. */
#include "groups.h"

#if defined(HAVE_DPDK)

#include <ftw.h>
#include <stdlib.h>

#include <rte_dmadev.h>
#include <rte_eal.h>

#include "copier.h"

#define DEPTH 32
#define APART 2048 /* as in tasks.c */

/* Memory and one device, no hardware; what it leaves lying about is below the folder. */
static bool dpdk_start(char *folder)
{
	char lcore[16];
	char *args[] = {(char *)"goals",
			(char *)"--no-huge",
			(char *)"--no-pci",
			(char *)"--no-shconf",
			(char *)"--no-telemetry",
			(char *)"--log-level=*:critical",
			(char *)"--vdev=dma_skeleton",
			(char *)"-m",
			(char *)"64",
			(char *)"-l",
			lcore,
			NULL};
	struct rte_dma_conf conf = {.nb_vchans = 1};
	struct rte_dma_vchan_conf channel = {.direction = RTE_DMA_DIR_MEM_TO_MEM, .nb_desc = 1024};

	if (mkdtemp(folder) == NULL || setenv("RUNTIME_DIRECTORY", folder, 1) != 0)
		give_up("no folder for DPDK: %m");
	/* DPDK pins this thread itself, and lets its own run where this one does not. */
	snprintf(lcore, sizeof(lcore), "%d", measuring_cpu());
	unpin_thread();
	return rte_eal_init(sizeof(args) / sizeof(*args) - 1, args) >= 0 &&
	       rte_dma_count_avail() > 0 && rte_dma_configure(0, &conf) == 0 &&
	       rte_dma_vchan_setup(0, 0, &channel) == 0 && rte_dma_start(0) == 0;
}

static void enqueue(const struct copy *copy, uint64_t flags)
{
	if (rte_dma_copy(0, 0, (uintptr_t)copy->from, (uintptr_t)copy->to, (uint32_t)copy->len,
			 flags) < 0)
		give_up("DPDK takes no copy");
}

static size_t completed(void)
{
	uint16_t last;
	bool has_error = false;
	size_t num = rte_dma_completed(0, 0, DEPTH, &last, &has_error);

	if (has_error)
		give_up("a copy of DPDK failed");
	return num;
}

/* Up to 32 copies in flight, each announced by itself. */
static void run_doorbell_each(void *context, size_t times)
{
	const struct work *work = context;
	size_t total = work->num * times;
	size_t next = 0;

	for (size_t done = 0; done < total; done += completed()) {
		for (; next < total && next - done < DEPTH; next++)
			enqueue(&work->copies[next % work->num], RTE_DMA_OP_FLAG_SUBMIT);
	}
}

/* 32 copies, announced together. */
static void run_doorbell_for_all(void *context, size_t times)
{
	const struct work *work = context;

	for (; times > 0; times--) {
		for (size_t i = 0; i < work->num; i++)
			enqueue(&work->copies[i], 0);
		if (rte_dma_submit(0, 0) != 0)
			give_up("DPDK starts no copy");
		for (size_t done = 0; done < work->num;)
			done += completed();
	}
}

static void measure_dpdk(const struct report *report, size_t len, double firm_all, double goal_all,
			 double firm_each, double goal_each)
{
	struct field field = field_open(DEPTH * len + APART);
	struct work work =
		work_make(field.target.bytes + APART, field.source.bytes, len, len, DEPTH);
	struct copier copier;
	struct way ways[] = {
		{.name = "tasks", .run = copier_run, .context = &copier, .work = &work},
		{.name = "DPDK", .run = run_doorbell_for_all, .context = &work, .work = &work},
		{.name = "DPDK", .run = run_doorbell_each, .context = &work, .work = &work},
	};
	char metric[64];

	copier_open(&copier, &field.source, &field.target, &work,
		    (struct copier_options){.pieces = 1});
	measure(&report->plan, ways, 3);
	snprintf(metric, sizeof(metric), "%zu B, to DPDK's dma skeleton, 32 a doorbell", len);
	report_ratio(report, metric, firm_all, goal_all, &ways[0], &ways[1], DEPTH);
	snprintf(metric, sizeof(metric), "%zu B, to DPDK's dma skeleton, 1 a doorbell", len);
	report_ratio(report, metric, firm_each, goal_each, &ways[0], &ways[2], DEPTH);
	copier_close(&copier);
	field_close(&field);
	work_free(&work);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	(void)status;
	(void)kind;
	(void)place;
	return remove(path);
}

void group_dpdk(const struct report *report)
{
	char folder[] = "/tmp/goals-dpdk-XXXXXX";

	if (dpdk_start(folder)) {
		measure_dpdk(report, 64, 1.5, 2.2, 3, 5);
		measure_dpdk(report, 4096, 0, 0, 0, 0);
		(void)rte_dma_stop(0);
	} else {
		report_missing(report, "64 B, to DPDK's dma skeleton",
			       "DPDK does not start: is librte-dma-skeleton23 installed?");
	}
	(void)rte_eal_cleanup();
	(void)nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

#else

void group_dpdk(const struct report *report)
{
	report_missing(report, "64 B, to DPDK's dma skeleton",
		       "built without DPDK: install libdpdk-dev");
}

#endif
