/* SPDX-License-Identifier: Apache-2.0 */
/* What of a context is set and read, and what a virtual card cannot offer it. */
#include "common/library.h"

/* Setters want an idle context. */
static doca_error_t check_idle(struct log_place place, const struct doca_ctx *ctx)
{
	return ctx == NULL ? doca__refuse_null(place, "ctx") : doca__ctx_check_setter(place, ctx);
}

/* A setter of something that a virtual card has not got. */
static doca_error_t refuse_unsupported(struct log_place place, const struct doca_ctx *ctx,
				       const char *missing)
{
	doca_error_t result = check_idle(place, ctx);

	return result == DOCA_SUCCESS ? doca__refuse_lacking(place, NULL, missing) : result;
}

doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx, size_t *num_inflight_tasks)
{
	if (ctx == NULL || num_inflight_tasks == NULL)
		return REFUSE_NULL(ctx == NULL ? "ctx" : "num_inflight_tasks");
	*num_inflight_tasks = ctx->num_inflight;
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data)
{
	if (ctx == NULL)
		return REFUSE_NULL("ctx");
	ctx->user_data = user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx, union doca_data *user_data)
{
	if (ctx == NULL || user_data == NULL)
		return REFUSE_NULL(ctx == NULL ? "ctx" : "user_data");
	*user_data = ctx->user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_set_state_changed_cb(struct doca_ctx *ctx,
					   doca_ctx_state_changed_callback_t cb)
{
	doca_error_t result = check_idle(LOG_HERE, ctx);

	if (result != DOCA_SUCCESS)
		return result;
	if (cb == NULL)
		return REFUSE_NULL("cb");
	ctx->state_changed_cb = cb;
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx, enum doca_ctx_states *state)
{
	if (ctx == NULL || state == NULL)
		return REFUSE_NULL(ctx == NULL ? "ctx" : "state");
	*state = ctx->state;
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx, struct doca_gpu *gpu_dev)
{
	if (gpu_dev == NULL)
		return REFUSE_NULL("gpu_dev");
	return refuse_unsupported(LOG_HERE, ctx, "GPU");
}

doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa_dev)
{
	if (dpa_dev == NULL)
		return REFUSE_NULL("dpa_dev");
	return refuse_unsupported(LOG_HERE, ctx, "DPA");
}

doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx, uint32_t comp_vector)
{
	return refuse_unsupported(LOG_HERE, ctx, "completion vectors");
}

doca_error_t doca_ctx_cap_get_num_completion_vectors(const struct doca_devinfo *devinfo,
						     uint32_t *num_comp_vectors)
{
	if (devinfo == NULL || num_comp_vectors == NULL)
		return REFUSE_NULL(devinfo == NULL ? "devinfo" : "num_comp_vectors");
	*num_comp_vectors = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_profiler_set_max_nranges(struct doca_ctx *ctx, uint8_t num_ranges)
{
	return refuse_unsupported(LOG_HERE, ctx, "profiler");
}
