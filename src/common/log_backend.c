/* SPDX-License-Identifier: Apache-2.0 */
/* Backends: where records go, and which of them. Once created a backend lives until exit. */
#include "common/log_backend.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lock.h"
#include "common/log_output.h"
#include "common/sdk_log.h"

struct doca_log_backend {
	struct doca_log_backend *next; /* the one created before; never changes */
	enum log_tier tier;

	/* Changed under the_log.lock, read without: a record may meet the old or the new value. */
	_Atomic uint32_t lower;
	_Atomic uint32_t upper;
	bool is_lower_strict GUARDED_BY(the_log.lock);
	bool is_upper_strict GUARDED_BY(the_log.lock);
	bool is_pinned;	       /* the global limits do not change it */
	uint32_t least_severe; /* bounds that no setter moves: the halves of the standard pair */
	uint32_t most_severe;

	struct log_output output;
};

static struct {
	struct lock lock;
	/* Added to at the front under the lock: a release, paired with the acquire of readers. */
	_Atomic(struct doca_log_backend *) newest;
	_Atomic uint32_t global[LOG_NUM_LIMITS];
	bool has_standard GUARDED_BY(lock);
} the_log = {
	.lock = LOCK_INITIALIZER,
	.global =
		{
			[LOG_LIMIT_LOWER] = DOCA_LOG_LEVEL_INFO,
			[LOG_LIMIT_UPPER] = DOCA_LOG_LEVEL_CRIT,
			[LOG_LIMIT_SDK] = DOCA_LOG_LEVEL_INFO,
		},
};

_Atomic uint32_t log_least_severe[LOG_NUM_TIERS];

static uint32_t load(const _Atomic uint32_t *level)
{
	return atomic_load_explicit(level, memory_order_relaxed);
}

static void store(_Atomic uint32_t *level, uint32_t value)
{
	atomic_store_explicit(level, value, memory_order_relaxed);
}

static struct doca_log_backend *newest_backend(void)
{
	return atomic_load_explicit(&the_log.newest, memory_order_acquire);
}

/* The least severe level that the backend shows; a greater number is less severe. */
static uint32_t backend_lower(const struct doca_log_backend *backend)
{
	uint32_t lower = load(&backend->lower);

	return lower < backend->least_severe ? lower : backend->least_severe;
}

static bool backend_shows(const struct doca_log_backend *backend, uint32_t level)
{
	return level <= backend_lower(backend) && level >= load(&backend->upper) &&
	       level >= backend->most_severe;
}

static void update_wanted(void) REQUIRES(the_log.lock)
{
	uint32_t wanted[LOG_NUM_TIERS] = {0};

	for (struct doca_log_backend *b = newest_backend(); b != NULL; b = b->next) {
		if (backend_lower(b) > wanted[b->tier])
			wanted[b->tier] = backend_lower(b);
	}
	for (size_t tier = 0; tier < LOG_NUM_TIERS; tier++)
		store(&log_least_severe[tier], wanted[tier]);
}

bool log_backends_write(enum log_tier tier, const struct log_record *record, const char *format,
			va_list args)
{
	int saved_errno = errno;
	struct log_line line;
	bool is_written = true;

	log_line_format(&line, record, format, args);
	for (struct doca_log_backend *b = newest_backend(); b != NULL; b = b->next) {
		if (b->tier != tier || !backend_shows(b, record->level))
			continue;
		is_written = log_output_write(&b->output, record, &line) && is_written;
	}
	errno = saved_errno;
	return is_written;
}

uint32_t log_global_get(enum log_limit limit)
{
	return load(&the_log.global[limit]);
}

/* True when the backend's strict limit forbids that value: it would show more than now. */
static bool limit_is_frozen(const struct doca_log_backend *backend, enum log_limit limit,
			    uint32_t level) REQUIRES(the_log.lock)
{
	if (limit == LOG_LIMIT_LOWER)
		return backend->is_lower_strict && level > load(&backend->lower);
	if (limit == LOG_LIMIT_UPPER)
		return backend->is_upper_strict && level < load(&backend->upper);
	return false;
}

static void limit_store(struct doca_log_backend *backend, enum log_limit limit, uint32_t level)
	REQUIRES(the_log.lock)
{
	store(limit == LOG_LIMIT_UPPER ? &backend->upper : &backend->lower, level);
}

static enum log_tier limit_tier(enum log_limit limit)
{
	return limit == LOG_LIMIT_SDK ? LOG_TIER_SDK : LOG_TIER_APP;
}

void log_global_set(enum log_limit limit, uint32_t level)
{
	lock_take(&the_log.lock);
	store(&the_log.global[limit], level);
	for (struct doca_log_backend *b = newest_backend(); b != NULL; b = b->next) {
		if (b->tier == limit_tier(limit) && !b->is_pinned &&
		    !limit_is_frozen(b, limit, level))
			limit_store(b, limit, level);
	}
	update_wanted();
	lock_drop(&the_log.lock);
}

/* Logs the refusal of a setter that was given no backend, or one of the other tier. */
static bool backend_is_of(const struct doca_log_backend *backend, enum log_tier tier,
			  const char *setter)
{
	if (backend == NULL) {
		LOG_ERROR("%s refuses: backend must not be NULL", setter);
		return false;
	}
	if (backend->tier == tier)
		return true;
	if (tier == LOG_TIER_APP)
		LOG_ERROR("%s refuses backend %p: it shows SDK lines, and the setter wants a "
			  "backend of the application; call doca_log_backend_set_sdk_level",
			  setter, (const void *)backend);
	else
		LOG_ERROR("%s refuses backend %p: it shows the application's records, and the "
			  "setter wants an SDK backend; call "
			  "doca_log_backend_set_level_lower_limit",
			  setter, (const void *)backend);
	return false;
}

static doca_error_t backend_set_limit(struct doca_log_backend *backend, enum log_limit limit,
				      uint32_t level, const char *setter)
{
	bool is_frozen;

	if (!backend_is_of(backend, limit_tier(limit), setter))
		return DOCA_ERROR_INVALID_VALUE;
	if (!log_level_is_known(level)) {
		LOG_ERROR("%s refuses backend %p: %u is no level; use enum doca_log_level", setter,
			  (void *)backend, level);
		return DOCA_ERROR_INVALID_VALUE;
	}

	lock_take(&the_log.lock);
	is_frozen = limit_is_frozen(backend, limit, level);
	if (!is_frozen) {
		limit_store(backend, limit, level);
		update_wanted();
	}
	lock_drop(&the_log.lock);

	if (is_frozen) {
		LOG_ERROR("%s refuses backend %p: its limit is strict, and %u would show more",
			  setter, (void *)backend, level);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend,
						    uint32_t level)
{
	return backend_set_limit(backend, LOG_LIMIT_LOWER, level, __func__);
}

doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend,
						    uint32_t upper_limit)
{
	return backend_set_limit(backend, LOG_LIMIT_UPPER, upper_limit, __func__);
}

doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level)
{
	return backend_set_limit(backend, LOG_LIMIT_SDK, level, __func__);
}

doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend)
{
	if (!backend_is_of(backend, LOG_TIER_APP, __func__))
		return DOCA_ERROR_INVALID_VALUE;
	lock_take(&the_log.lock);
	backend->is_lower_strict = true;
	lock_drop(&the_log.lock);
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend)
{
	if (!backend_is_of(backend, LOG_TIER_APP, __func__))
		return DOCA_ERROR_INVALID_VALUE;
	lock_take(&the_log.lock);
	backend->is_upper_strict = true;
	lock_drop(&the_log.lock);
	return DOCA_SUCCESS;
}

static struct doca_log_backend *backend_new(enum log_tier tier)
{
	struct doca_log_backend *backend = calloc(1, sizeof(*backend));

	if (backend == NULL) {
		LOG_ERROR("log cannot create a backend: out of memory");
		return NULL;
	}
	backend->tier = tier;
	backend->least_severe = DOCA_LOG_LEVEL_TRACE;
	backend->most_severe = DOCA_LOG_LEVEL_CRIT;
	return backend;
}

/* From here on it gets records. */
static void backend_publish(struct doca_log_backend *backend) REQUIRES(the_log.lock)
{
	if (!backend->is_pinned)
		store(&backend->lower,
		      load(&the_log.global[backend->tier == LOG_TIER_SDK ? LOG_LIMIT_SDK
									 : LOG_LIMIT_LOWER]));
	if (backend->tier == LOG_TIER_APP)
		store(&backend->upper, load(&the_log.global[LOG_LIMIT_UPPER]));
	backend->next = newest_backend();
	atomic_store_explicit(&the_log.newest, backend, memory_order_release);
	update_wanted();
}

static void backend_add(struct doca_log_backend *backend)
{
	lock_take(&the_log.lock);
	backend_publish(backend);
	lock_drop(&the_log.lock);
}

static struct doca_log_backend *backend_new_with_file(enum log_tier tier, FILE *file)
{
	struct doca_log_backend *backend = backend_new(tier);

	if (backend == NULL)
		return NULL;
	log_output_init_file(&backend->output, file);
	return backend;
}

static doca_error_t create_with_file(enum log_tier tier, FILE *fptr,
				     struct doca_log_backend **backend)
{
	struct doca_log_backend *created;

	if (fptr == NULL || backend == NULL) {
		LOG_ERROR("log refuses a backend: fptr %p and backend %p must not be NULL",
			  (void *)fptr, (void *)backend);
		return DOCA_ERROR_INVALID_VALUE;
	}
	created = backend_new_with_file(tier, fptr);
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	backend_add(created);
	*backend = created;
	return DOCA_SUCCESS;
}

static bool fd_is_writable(int fd)
{
	int saved_errno = errno;
	int flags = fcntl(fd, F_GETFL);

	errno = saved_errno;
	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

static doca_error_t create_with_fd(enum log_tier tier, int fd, struct doca_log_backend **backend)
{
	struct doca_log_backend *created;

	if (backend == NULL) {
		LOG_ERROR("log refuses a backend: backend must not be NULL");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (!fd_is_writable(fd)) {
		LOG_ERROR("log refuses a backend: fd %d is not open for writing", fd);
		return DOCA_ERROR_INVALID_VALUE;
	}
	created = backend_new(tier);
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	log_output_init_fd(&created->output, fd);
	backend_add(created);
	*backend = created;
	return DOCA_SUCCESS;
}

static doca_error_t create_with_buf(enum log_tier tier, char *buf, size_t capacity,
				    log_flush_callback handler, struct doca_log_backend **backend)
{
	struct doca_log_backend *created;

	if (buf == NULL || capacity == 0 || handler == NULL || backend == NULL) {
		LOG_ERROR("log refuses a backend: buf %p, capacity %zu, handler (%s) and backend "
			  "%p must be neither NULL nor 0",
			  (void *)buf, capacity, handler == NULL ? "NULL" : "set", (void *)backend);
		return DOCA_ERROR_INVALID_VALUE;
	}
	created = backend_new(tier);
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	log_output_init_buf(&created->output, buf, capacity, handler);
	backend_add(created);
	*backend = created;
	return DOCA_SUCCESS;
}

static doca_error_t create_with_syslog(enum log_tier tier, const char *name,
				       struct doca_log_backend **backend)
{
	struct doca_log_backend *created;
	char *owned_name;

	if (name == NULL || backend == NULL) {
		LOG_ERROR("log refuses a backend: name %p and backend %p must not be NULL",
			  (const void *)name, (void *)backend);
		return DOCA_ERROR_INVALID_VALUE;
	}
	owned_name = strdup(name);
	if (owned_name == NULL) {
		LOG_ERROR("log cannot create a backend for syslog name %s: out of memory", name);
		return DOCA_ERROR_NO_MEMORY;
	}
	created = backend_new(tier);
	if (created == NULL)
		goto free_name;
	log_output_init_syslog(&created->output, owned_name);
	backend_add(created);
	*backend = created;
	return DOCA_SUCCESS;

free_name:
	free(owned_name);
	return DOCA_ERROR_NO_MEMORY;
}

doca_error_t doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend)
{
	return create_with_file(LOG_TIER_APP, fptr, backend);
}

doca_error_t doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend)
{
	return create_with_file(LOG_TIER_SDK, fptr, backend);
}

doca_error_t doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend)
{
	return create_with_fd(LOG_TIER_APP, fd, backend);
}

doca_error_t doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend)
{
	return create_with_fd(LOG_TIER_SDK, fd, backend);
}

doca_error_t doca_log_backend_create_with_buf(char *buf, size_t capacity,
					      log_flush_callback handler,
					      struct doca_log_backend **backend)
{
	return create_with_buf(LOG_TIER_APP, buf, capacity, handler, backend);
}

doca_error_t doca_log_backend_create_with_buf_sdk(char *buf, size_t capacity,
						  log_flush_callback handler,
						  struct doca_log_backend **backend)
{
	return create_with_buf(LOG_TIER_SDK, buf, capacity, handler, backend);
}

doca_error_t doca_log_backend_create_with_syslog(const char *name,
						 struct doca_log_backend **backend)
{
	return create_with_syslog(LOG_TIER_APP, name, backend);
}

doca_error_t doca_log_backend_create_with_syslog_sdk(const char *name,
						     struct doca_log_backend **backend)
{
	return create_with_syslog(LOG_TIER_SDK, name, backend);
}

doca_error_t doca_log_backend_create_standard(void)
{
	struct doca_log_backend *out, *err;
	bool has_standard;

	out = backend_new_with_file(LOG_TIER_APP, stdout);
	if (out == NULL)
		return DOCA_ERROR_NO_MEMORY;
	err = backend_new_with_file(LOG_TIER_APP, stderr);
	if (err == NULL)
		goto free_out;
	out->most_severe = DOCA_LOG_LEVEL_INFO;
	err->least_severe = DOCA_LOG_LEVEL_WARNING;

	lock_take(&the_log.lock);
	has_standard = the_log.has_standard;
	if (!has_standard) {
		backend_publish(out);
		backend_publish(err);
		the_log.has_standard = true;
	}
	lock_drop(&the_log.lock);
	if (has_standard) {
		free(out);
		free(err);
	}
	return DOCA_SUCCESS;

free_out:
	free(out);
	return DOCA_ERROR_NO_MEMORY;
}

doca_error_t log_backend_create_for_environment(uint32_t level)
{
	struct doca_log_backend *backend = backend_new(LOG_TIER_SDK);

	if (backend == NULL)
		return DOCA_ERROR_NO_MEMORY;
	log_output_init_fd(&backend->output, STDERR_FILENO);
	backend->is_pinned = true;
	store(&backend->lower, level);
	backend_add(backend);
	return DOCA_SUCCESS;
}
