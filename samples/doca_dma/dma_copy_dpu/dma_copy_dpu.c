/* SPDX-License-Identifier: Apache-2.0 */
/* The DPU half of a copy over files: imports the host half's buffer, and copies it by DMA. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_argp.h>

#include "common/dma_session.h"
#include "common/file.h"
#include "common/handoff.h"
#include "common/interrupt.h"
#include "common/pair_options.h"
#include "common/report.h"

#define WINDOW_SIZE ((size_t)2 * 1024 * 1024) /* less where the device takes less */
#define NUM_WINDOWS 16			      /* in flight */
#define TEXT_MAX 256			      /* a longer one is not printed */

struct dpu {
	struct pair_options options;
	struct handoff handoff;
	struct dma_session session;
	struct target_file target; /* open where options ask for one */
	struct sha256 sha256;	   /* of what arrived */
	struct sha256_text digest;
	uint64_t num_windows;
	char text[TEXT_MAX]; /* the first bytes that arrived */
};

static bool session_start(struct dpu *dpu)
{
	struct dma_session *session = &dpu->session;
	const struct handoff *handoff = &dpu->handoff;

	/* Memory of no bytes was exported with one that nobody asks for. */
	return dma_memory_import(&session->source, session->dev, handoff->descriptor,
				 handoff->descriptor_len, (void *)(uintptr_t)handoff->address,
				 handoff->len == 0 ? 1 : handoff->len) &&
	       dma_memory_open(&session->target, session->dev,
			       session->num_windows * session->window_size,
			       DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) &&
	       dma_session_start(session);
}

static bool take(void *context, const void *bytes, size_t len)
{
	struct dpu *dpu = context;

	if (dpu->num_windows++ == 0)
		memcpy(dpu->text, bytes, len < TEXT_MAX ? len : TEXT_MAX);
	return sha256_add(&dpu->sha256, bytes, len) &&
	       (dpu->options.output == NULL || target_write(&dpu->target, bytes, len));
}

static bool copy_and_prove(struct dpu *dpu)
{
	bool success;

	if (!sha256_start(&dpu->sha256))
		return false;
	success = dma_stream(&dpu->session, dpu->handoff.len, take, dpu);
	dpu->digest = sha256_end(&dpu->sha256);
	if (!success)
		return false;
	if (strcmp(dpu->digest.chars, dpu->handoff.digest.chars) != 0) {
		complain("the copy differs from what the host half exported: sha256 %s, not %s",
			 dpu->digest.chars, dpu->handoff.digest.chars);
		return false;
	}
	return dpu->options.output == NULL || target_commit(&dpu->target);
}

static bool is_text(const char *bytes, uint64_t len)
{
	for (uint64_t i = 0; i < len && i < TEXT_MAX; i++) {
		if (!isprint((unsigned char)bytes[i]))
			return false;
	}
	return len > 0 && len <= TEXT_MAX;
}

static bool print(const struct dpu *dpu)
{
	uint64_t len = dpu->handoff.len;

	printf("copied %s of the host half in %s of %s by %s, sha256 %s of both\n",
	       text_of_bytes(len).chars, text_of_windows(dpu->num_windows).chars,
	       text_of_size(dpu->session.window_size).chars, dpu->session.pci_addr,
	       dpu->digest.chars);
	if (is_text(dpu->text, len))
		printf("text: %.*s\n", (int)len, dpu->text);
	return stdout_ok();
}

static bool dpu_run(struct dpu *dpu)
{
	bool success = false;

	dpu->handoff.descriptor_path = dpu->options.descriptor_path;
	dpu->handoff.info_path = dpu->options.info_path;
	if (!handoff_read(&dpu->handoff) ||
	    (dpu->options.output != NULL && !target_open(&dpu->target, dpu->options.output, NULL)))
		return false;
	if (dma_session_open(&dpu->session, dpu->options.device, WINDOW_SIZE, NUM_WINDOWS)) {
		dma_session_limit(&dpu->session, dpu->handoff.len);
		success = session_start(dpu) && copy_and_prove(dpu) && print(dpu);
		dma_session_close(&dpu->session);
	}
	if (dpu->options.output != NULL)
		target_discard(&dpu->target);
	return success;
}

int main(int argc, char **argv)
{
	struct dpu dpu = {.num_windows = 0};
	int exit_code = pair_options_of_dpu(&dpu.options, argc, argv);

	if (exit_code >= 0)
		return exit_code;
	interrupt_hold();
	exit_code = dpu_run(&dpu) ? EXIT_SUCCESS : EXIT_FAILURE;
	doca_argp_destroy();
	interrupt_release();
	return exit_code;
}
