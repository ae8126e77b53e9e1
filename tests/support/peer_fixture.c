/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests with another process's memory share. */
#include "support/peer_fixture.h"

#include <doca_log.h>

#define LOG_BYTES ((size_t)64 << 10)

static char log_line[4096];
static char log_text[LOG_BYTES];
static char log_taken[LOG_BYTES];

static void keep_line(char *line)
{
	size_t used = strlen(log_text);

	if (used + strlen(line) + 1 < sizeof(log_text))
		strcpy(log_text + used, line);
}

void peer_log_start(void)
{
	static struct doca_log_backend *backend;

	if (backend == NULL) {
		assert_doca(doca_log_backend_create_with_buf_sdk(log_line, sizeof(log_line),
								 keep_line, &backend),
			    DOCA_SUCCESS);
		assert_doca(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_DEBUG),
			    DOCA_SUCCESS);
	}
	log_text[0] = '\0';
}

const char *peer_log_take(void)
{
	strcpy(log_taken, log_text);
	log_text[0] = '\0';
	return log_taken;
}

const char *peer_reach_name(void)
{
	const char *name = getenv("SOFTDOCA_REACH");

	return name == NULL ? "auto" : name;
}

doca_error_t peer_import(struct dma_fixture *dma, const struct exporter *exporter,
			 struct doca_mmap **mmap)
{
	return doca_mmap_create_from_export(NULL, exporter->descriptor, exporter->descriptor_bytes,
					    dma->dev, mmap);
}

struct peer_fixture peer_open_with(const struct exporter_options *options,
				   const struct dma_options *dma_options)
{
	struct peer_fixture fixture = {.dma = dma_open(dma_options)};

	exporter_start(&fixture.exporter, options);
	assert_doca(fixture.exporter.result, DOCA_SUCCESS);
	assert_doca(peer_import(fixture.dma, &fixture.exporter, &fixture.mmap), DOCA_SUCCESS);
	return fixture;
}

struct peer_fixture peer_open_usual(size_t len_bytes)
{
	const struct dma_options dma_options = {.area_bytes = len_bytes};
	struct exporter_options options = {
		.memory = EXPORTER_MALLOC,
		.len_bytes = len_bytes,
		.access = DOCA_ACCESS_FLAG_PCI_READ_WRITE,
	};

	/* What can be mapped where that is forced, and cannot where another way is. */
	if (strcmp(peer_reach_name(), "mapped") == 0)
		options.memory = EXPORTER_MEMFD;
	return peer_open_with(&options, &dma_options);
}

void peer_close_all(struct peer_fixture *fixture)
{
	if (fixture->mmap != NULL)
		assert_doca(doca_mmap_destroy(fixture->mmap), DOCA_SUCCESS);
	exporter_end(&fixture->exporter);
	dma_close(fixture->dma);
}

struct doca_buf *peer_source(struct dma_fixture *dma, struct doca_mmap *mmap, size_t offset,
			     size_t len_bytes)
{
	struct doca_buf *buf = NULL;
	void *addr = NULL;
	size_t len = 0;

	assert_doca(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_data(dma->inventory, mmap,
						       (uint8_t *)addr + offset, len_bytes, &buf),
		    DOCA_SUCCESS);
	return buf;
}

struct doca_buf *peer_target(struct dma_fixture *dma, struct doca_mmap *mmap, size_t offset,
			     size_t len_bytes)
{
	struct doca_buf *buf = NULL;
	void *addr = NULL;
	size_t len = 0;

	assert_doca(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_SUCCESS);
	assert_doca(doca_buf_inventory_buf_get_by_addr(dma->inventory, mmap,
						       (uint8_t *)addr + offset, len_bytes, &buf),
		    DOCA_SUCCESS);
	return buf;
}

doca_error_t peer_copy(struct dma_fixture *dma, struct doca_buf *source, struct doca_buf *target)
{
	const size_t done = dma->num_success + dma->num_error;
	const size_t at = dma->num_events;
	struct doca_task *task = dma_task(dma, source, target, 0);

	assert_doca(doca_task_submit(task), DOCA_SUCCESS);
	dma_wait_tasks(dma, done + 1);
	for (size_t i = at; i < dma->num_events; i++)
		if (dma->events[i].kind != DMA_EVENT_STATE)
			return dma->events[i].status;
	fail_msg("the callback was not recorded");
	return DOCA_ERROR_UNKNOWN;
}
