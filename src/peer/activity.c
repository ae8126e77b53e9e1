/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process's activity page, which its queues and its attachments share, and what an exporter
 * does with the page of another process.
 */
#include "peer/activity.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/barrier.h"
#include "base/lock.h"
#include "base/memory_file.h"

#define WORD_BITS 64

static struct {
	struct lock lock;
	_Atomic uint64_t *words GUARDED_BY(lock);
	int fd GUARDED_BY(lock); /* of the words; -1 in a forked child that has not needed it yet */
	bool handles_forks GUARDED_BY(lock);
	bool must_fence GUARDED_BY(lock);
	size_t num_users GUARDED_BY(lock); /* slots taken, and holds */
	uint64_t taken[ACTIVITY_SLOTS / WORD_BITS] GUARDED_BY(lock);
} the_page = {
	.lock = LOCK_INITIALIZER,
	.fd = -1,
};

static void before_fork(void) ACQUIRE(the_page.lock)
{
	lock_take(&the_page.lock);
}

static void after_fork(void) RELEASE(the_page.lock)
{
	lock_drop(&the_page.lock);
}

/*
 * The parent's page stays the parent's: at its address the child has memory of its own, so that
 * what it inherited stays valid. A file for it is made when an exporter is to see it. Should there
 * be no memory, the child's first hold fails in its turn, and nothing is copied without one.
 */
static void after_fork_in_child(void) RELEASE(the_page.lock)
{
	if (the_page.words != NULL) {
		(void)mmap((void *)the_page.words, ACTIVITY_BYTES, PROT_READ | PROT_WRITE,
			   MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (the_page.fd >= 0)
			close(the_page.fd);
		the_page.fd = -1;
	}
	lock_drop(&the_page.lock);
}

static int handle_forks(void) REQUIRES(the_page.lock)
{
	if (!the_page.handles_forks)
		the_page.handles_forks =
			pthread_atfork(before_fork, after_fork, after_fork_in_child) == 0;
	return the_page.handles_forks ? 0 : -ENOMEM;
}

/*
 * A memory file mapped at that address, or anywhere when it is NULL. Sealed once it is mapped, for
 * an exporter may neither write it nor see it shrink.
 */
static int map_new_file(void *addr, void **mapped, int *fd)
{
	int file = memory_file_create("softdoca activity", ACTIVITY_BYTES, 0);
	void *words;
	int error;

	if (file < 0)
		return file;
	words = mmap(addr, ACTIVITY_BYTES, PROT_READ | PROT_WRITE,
		     MAP_SHARED | (addr != NULL ? MAP_FIXED : 0), file, 0);
	if (words == MAP_FAILED)
		goto close_file;
	if (fcntl(file, F_ADD_SEALS, MEMORY_FILE_SEALS | F_SEAL_FUTURE_WRITE) != 0)
		goto unmap_words;
	*mapped = words;
	*fd = file;
	return 0;

unmap_words:
	error = errno;
	/* What inherited slots point at stays mapped: it is memory of ours as good as before. */
	if (addr == NULL)
		munmap(words, ACTIVITY_BYTES);
	errno = error;
close_file:
	error = -errno;
	close(file);
	return error;
}

static int page_open(void) REQUIRES(the_page.lock)
{
	void *words = NULL;
	int error;

	if (the_page.fd >= 0)
		return 0;
	error = handle_forks();
	if (error == 0)
		error = map_new_file((void *)the_page.words, &words, &the_page.fd);
	if (error != 0)
		return error;
	the_page.words = words;
	/* Asked for each page: what a forked child inherits of it, nobody promises. */
	the_page.must_fence = !barrier_register();
	return 0;
}

/* One user less. */
static void page_put(void) REQUIRES(the_page.lock)
{
	assert(the_page.num_users > 0);
	if (--the_page.num_users > 0)
		return;
	munmap((void *)the_page.words, ACTIVITY_BYTES);
	the_page.words = NULL;
	if (the_page.fd >= 0)
		close(the_page.fd);
	the_page.fd = -1;
}

/* The index of a free slot, now taken, or -ENOMEM. */
static int slot_take(void) REQUIRES(the_page.lock)
{
	for (int i = 0; i < ACTIVITY_SLOTS / WORD_BITS; i++) {
		int bit;

		if (the_page.taken[i] == UINT64_MAX)
			continue;
		bit = __builtin_ctzll(~the_page.taken[i]);
		the_page.taken[i] |= 1ull << bit;
		return i * WORD_BITS + bit;
	}
	return -ENOMEM;
}

static int take_locked(struct activity *activity) REQUIRES(the_page.lock)
{
	int result = the_page.words != NULL ? 0 : page_open();
	int slot;

	if (result != 0)
		return result;
	slot = slot_take();
	if (slot < 0)
		return slot;
	the_page.num_users++;
	activity->word = &the_page.words[slot * ACTIVITY_STRIDE];
	activity->must_fence = the_page.must_fence;
	return 0;
}

int activity_take(struct activity *activity)
{
	int result;

	lock_take(&the_page.lock);
	result = take_locked(activity);
	lock_drop(&the_page.lock);
	return result;
}

void activity_drop(struct activity *activity)
{
	size_t slot;

	lock_take(&the_page.lock);
	slot = (size_t)(activity->word - the_page.words) / ACTIVITY_STRIDE;
	assert(slot < ACTIVITY_SLOTS);
	the_page.taken[slot / WORD_BITS] &= ~(1ull << slot % WORD_BITS);
	page_put();
	lock_drop(&the_page.lock);
	activity->word = NULL;
}

int activity_hold(void)
{
	int result;

	lock_take(&the_page.lock);
	result = page_open();
	if (result == 0) {
		the_page.num_users++;
		result = the_page.fd;
	}
	lock_drop(&the_page.lock);
	return result;
}

void activity_put(void)
{
	lock_take(&the_page.lock);
	page_put();
	lock_drop(&the_page.lock);
}

int activity_map(int fd, const _Atomic uint64_t **words)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat file;
	void *mapped;

	/* Without the seal whoever sent it could make our next look at it a SIGBUS. */
	if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
		return -EPROTO;
	if (fstat(fd, &file) != 0 || file.st_size != ACTIVITY_BYTES)
		return -EPROTO;
	mapped = mmap(NULL, ACTIVITY_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	if (mapped == MAP_FAILED)
		return errno == ENOMEM ? -ENOMEM : -EPROTO;
	*words = mapped;
	return 0;
}

void activity_unmap(const _Atomic uint64_t *words)
{
	munmap((void *)words, ACTIVITY_BYTES);
}

bool activity_holds(const _Atomic uint64_t *words, uint64_t tag)
{
	for (size_t i = 0; i < ACTIVITY_SLOTS; i++)
		/* Pairs with activity_end: the copy is done when its word is seen to be clear. */
		if (atomic_load_explicit(&words[i * ACTIVITY_STRIDE], memory_order_acquire) == tag)
			return true;
	return false;
}
