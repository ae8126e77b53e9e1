/* SPDX-License-Identifier: Apache-2.0 */
/* The exporting process of a test, and its parent's side. */
#include "support/exporter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/dma_fixture.h"
#include "support/run_again.h"
#include "support/test.h"

#define STATIC_BYTES ((size_t)1 << 20)
#define ANSWER_DEADLINE_MS 30000

static uint8_t static_memory[STATIC_BYTES];

/* What the child tells once it has exported. */
struct announcement {
	doca_error_t result;
	size_t descriptor_bytes;
	uint8_t descriptor[512];
	uint8_t *addr;
};

/* The child's own. */
struct child {
	struct exporter_options options;
	int commands;
	int answers;
	int file; /* behind the memory, or -1 */
	uint8_t *addr;
	struct doca_mmap *mmap;
};

uint64_t exporter_sum(const uint8_t *bytes, size_t len_bytes)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < len_bytes; i++)
		sum = sum * 31 + bytes[i];
	return sum;
}

static void child_fails(const char *what)
{
	fprintf(stderr, "exporter: %s: %s\n", what, strerror(errno));
	_exit(3);
}

static uint8_t *map_file(struct child *child, int flags, unsigned seals)
{
	size_t len = child->options.len_bytes;
	uint8_t *addr;

	child->file = memfd_create("exporter", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (child->file < 0 || ftruncate(child->file, (off_t)len) != 0)
		child_fails("memory file");
	if ((seals & F_SEAL_FUTURE_WRITE) == 0 && seals != 0 &&
	    fcntl(child->file, F_ADD_SEALS, seals) != 0)
		child_fails("seals");
	addr = mmap(NULL, len, PROT_READ | PROT_WRITE, flags, child->file, 0);
	if (addr == MAP_FAILED)
		child_fails("mmap");
	if ((seals & F_SEAL_FUTURE_WRITE) != 0 && fcntl(child->file, F_ADD_SEALS, seals) != 0)
		child_fails("seals");
	return addr;
}

static uint8_t *map_anonymous(size_t len_bytes, int flags)
{
	uint8_t *addr = mmap(NULL, len_bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (addr == MAP_FAILED)
		child_fails("mmap");
	return addr;
}

static uint8_t *get_memory(struct child *child, uint8_t *stack)
{
	size_t len = child->options.len_bytes;
	uint8_t *addr;

	switch (child->options.memory) {
	case EXPORTER_MALLOC:
		return malloc(len);
	case EXPORTER_STATIC:
		return static_memory;
	case EXPORTER_STACK:
		return stack;
	case EXPORTER_HUGE_PAGES:
		addr = map_anonymous(len + ((size_t)2 << 20), 0);
		addr = (uint8_t *)(((uintptr_t)addr + ((2 << 20) - 1)) &
				   ~(uintptr_t)((2 << 20) - 1));
		madvise(addr, len, MADV_HUGEPAGE);
		return addr;
	case EXPORTER_MEMFD:
		return map_file(child, MAP_SHARED, F_SEAL_SHRINK | F_SEAL_GROW);
	case EXPORTER_MEMFD_FROZEN:
		return map_file(child, MAP_SHARED,
				F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE);
	case EXPORTER_MEMFD_UNSEALED:
	case EXPORTER_FILE_SHARED:
		return map_file(child, MAP_SHARED, 0);
	case EXPORTER_FILE_PRIVATE:
		return map_file(child, MAP_PRIVATE, 0);
	case EXPORTER_READ_ONLY:
		return map_anonymous(len, 0);
	case EXPORTER_SPARSE:
		return map_anonymous(len, MAP_NORESERVE);
	}
	return NULL;
}

static void fill(struct child *child)
{
	size_t len = child->options.len_bytes;

	for (size_t i = 0; i < len; i++) {
		if (child->options.memory == EXPORTER_SPARSE && i == 4096)
			i = len - 4096;
		child->addr[i] = exporter_byte(i);
	}
	if (child->options.memory == EXPORTER_READ_ONLY &&
	    mprotect(child->addr, len, PROT_READ) != 0)
		child_fails("mprotect");
}

/* The host's function: it can export, and it is what a host has. */
static struct doca_dev *open_exporting_device(void)
{
	struct doca_devinfo **list = NULL;
	struct doca_dev *dev = NULL;
	uint32_t num_devs = 0;

	if (doca_devinfo_create_list(&list, &num_devs) != DOCA_SUCCESS || num_devs == 0 ||
	    doca_dev_open(list[num_devs - 1], &dev) != DOCA_SUCCESS)
		child_fails("device");
	doca_devinfo_destroy_list(list);
	return dev;
}

static void announce(struct child *child)
{
	struct doca_dev *dev = open_exporting_device();
	struct announcement told = {.addr = child->addr};
	const void *descriptor = NULL;

	if (doca_mmap_create(&child->mmap) != DOCA_SUCCESS ||
	    doca_mmap_set_memrange(child->mmap, child->addr, child->options.len_bytes) !=
		    DOCA_SUCCESS ||
	    doca_mmap_set_permissions(child->mmap, child->options.access) != DOCA_SUCCESS ||
	    doca_mmap_add_dev(child->mmap, dev) != DOCA_SUCCESS ||
	    doca_mmap_start(child->mmap) != DOCA_SUCCESS)
		child_fails("mmap");
	told.result = child->options.is_rdma ? doca_mmap_export_rdma(child->mmap, dev, &descriptor,
								     &told.descriptor_bytes)
					     : doca_mmap_export_pci(child->mmap, dev, &descriptor,
								    &told.descriptor_bytes);
	if (told.result == DOCA_SUCCESS)
		memcpy(told.descriptor, descriptor, told.descriptor_bytes);
	if (write(child->answers, &told, sizeof(told)) != sizeof(told))
		child_fails("announcement");
}

static uint64_t resident_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (file == NULL || fscanf(file, "%*u %lu", &pages) != 1)
		child_fails("statm");
	fclose(file);
	return pages * 4096;
}

static uint64_t fork_a_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, 0);
		for (;;)
			pause();
	}
	return (uint64_t)pid;
}

/*
 * As the kernel has it. What an importer's copy wrote came by the agent's thread, as by a device:
 * that it has ended is known from the other process alone.
 */
static uint64_t sum_from_outside(uint8_t *addr, size_t len_bytes)
{
	uint8_t *copy = malloc(len_bytes);
	struct iovec here = {copy, len_bytes};
	struct iovec there = {addr, len_bytes};
	uint64_t sum;

	if (copy == NULL ||
	    process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)len_bytes)
		child_fails("process_vm_readv");
	sum = exporter_sum(copy, len_bytes);
	free(copy);
	return sum;
}

static uint64_t obey(struct child *child, enum exporter_command command)
{
	size_t len = child->options.len_bytes;

	switch (command) {
	case EXPORTER_DESTROY:
		if (doca_mmap_destroy(child->mmap) != DOCA_SUCCESS)
			child_fails("destroy");
		memset(child->addr, 0x11, len);
		return 0;
	case EXPORTER_UNMAP: {
		uint8_t *from = child->addr + len / 2 - (uintptr_t)child->addr % 4096;

		return (uint64_t)munmap(from, len / 4);
	}
	case EXPORTER_TRUNCATE:
		return (uint64_t)ftruncate(child->file, 4096);
	case EXPORTER_EXEC:
		/* The pipe to the parent closes; the one from it keeps the new program waiting. */
		dup2(child->commands, STDIN_FILENO);
		execlp("cat", "cat", (char *)NULL);
		child_fails("exec");
		break;
	case EXPORTER_FORK:
		return fork_a_child();
	case EXPORTER_RSS:
		return resident_bytes();
	case EXPORTER_SUM:
		return sum_from_outside(child->addr, len);
	}
	return UINT64_MAX;
}

static void run(struct child *child)
{
	static const size_t stack_bytes = 1 << 20;
	uint8_t stack[1 << 20];
	char command;

	if (child->options.memory == EXPORTER_STACK && child->options.len_bytes > stack_bytes)
		child_fails("stack");
	child->file = -1;
	child->addr = get_memory(child, stack);
	fill(child);
	announce(child);
	while (read(child->commands, &command, 1) == 1) {
		uint64_t answer = obey(child, (enum exporter_command)command);

		if (write(child->answers, &answer, sizeof(answer)) != sizeof(answer))
			_exit(4);
	}
	_exit(0);
}

void exporter_main(int argc, char **argv)
{
	struct child child = {0};
	unsigned long memory;

	if (argc != 8 || strcmp(argv[1], "--exporter") != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	memory = strtoul(argv[2], NULL, 10);
	child.options.memory = (enum exporter_memory)memory;
	child.options.len_bytes = strtoull(argv[3], NULL, 10);
	child.options.access = (uint32_t)strtoul(argv[4], NULL, 10);
	child.options.is_rdma = atoi(argv[5]);
	child.commands = atoi(argv[6]);
	child.answers = atoi(argv[7]);
	fcntl(child.commands, F_SETFD, FD_CLOEXEC);
	fcntl(child.answers, F_SETFD, FD_CLOEXEC);
	run(&child);
}

static void become_exporter(const struct exporter_options *options, int commands, int answers)
{
	char text[6][32];
	const char *const words[] = {"--exporter", text[0], text[1], text[2],
				     text[3],	   text[4], text[5], NULL};

	snprintf(text[0], sizeof(text[0]), "%u", (unsigned)options->memory);
	snprintf(text[1], sizeof(text[1]), "%zu", options->len_bytes);
	snprintf(text[2], sizeof(text[2]), "%u", options->access);
	snprintf(text[3], sizeof(text[3]), "%d", options->is_rdma);
	snprintf(text[4], sizeof(text[4]), "%d", commands);
	snprintf(text[5], sizeof(text[5]), "%d", answers);
	if (options->uid != 0 && setresuid(options->uid, options->uid, options->uid) != 0)
		child_fails("setresuid");
	run_again(words);
	child_fails("exec");
}

static void read_whole(int fd, void *bytes, size_t len_bytes)
{
	uint8_t *at = bytes;

	while (len_bytes > 0) {
		struct pollfd entry = {.fd = fd, .events = POLLIN};
		ssize_t got;

		assert_int_equal(poll(&entry, 1, ANSWER_DEADLINE_MS), 1);
		got = read(fd, at, len_bytes);
		if (got <= 0)
			fail_msg("the exporter ended");
		at += got;
		len_bytes -= (size_t)got;
	}
}

void exporter_start(struct exporter *exporter, const struct exporter_options *options)
{
	struct announcement told;
	int commands[2];
	int answers[2];

	assert_int_equal(pipe2(commands, O_CLOEXEC), 0);
	assert_int_equal(pipe2(answers, O_CLOEXEC), 0);
	exporter->pid = fork();
	assert_true(exporter->pid >= 0);
	if (exporter->pid == 0) {
		fcntl(commands[0], F_SETFD, 0);
		fcntl(answers[1], F_SETFD, 0);
		become_exporter(options, commands[0], answers[1]);
	}
	close(commands[0]);
	close(answers[1]);
	exporter->commands = commands[1];
	exporter->answers = answers[0];
	read_whole(answers[0], &told, sizeof(told));
	exporter->result = told.result;
	exporter->descriptor_bytes = told.descriptor_bytes;
	memcpy(exporter->descriptor, told.descriptor, sizeof(told.descriptor));
	exporter->addr = told.addr;
	exporter->len_bytes = options->len_bytes;
}

uint64_t exporter_do(struct exporter *exporter, enum exporter_command command)
{
	char byte = (char)command;
	uint64_t answer = 0;

	assert_int_equal(write(exporter->commands, &byte, 1), 1);
	if (command == EXPORTER_EXEC) {
		struct pollfd entry = {.fd = exporter->answers};

		assert_int_equal(poll(&entry, 1, ANSWER_DEADLINE_MS), 1);
		assert_true((entry.revents & POLLHUP) != 0);
		return 0;
	}
	read_whole(exporter->answers, &answer, sizeof(answer));
	return answer;
}

void exporter_end(struct exporter *exporter)
{
	kill(exporter->pid, SIGKILL);
	assert_int_equal(waitpid(exporter->pid, NULL, 0), exporter->pid);
	close(exporter->commands);
	close(exporter->answers);
}
