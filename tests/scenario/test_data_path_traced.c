/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data path of the installed libraries under ptrace: a child copies between two marks, its
 * parent counts system calls and looks at every instruction for an atomic read-modify-write.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/dma_fixture.h"
#include "support/test.h"

/* A system call that nothing else makes, with arguments that nobody uses. */
#define MARK 0x50f7d0ca
#define SYSCALL_STOP (SIGTRAP | 0x80)
#define NUM_WARM_UP 10
#define MAX_STEPS 200000

static void mark(void)
{
	(void)syscall(SYS_getpriority, MARK, MARK);
}

static void copy_once(struct dma_fixture *fixture)
{
	if (doca_task_submit(dma_copy_task(fixture, 0, 256, 1)) != DOCA_SUCCESS ||
	    doca_pe_progress(fixture->pe) != 1)
		_exit(3);
}

/* Exits 0 when all copies were right. With a sin it does what must be found out. */
static void be_the_child(unsigned num_copies, void (*sin)(void))
{
	struct dma_options options = {0};
	struct dma_fixture *fixture;

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		_exit(2);
	fixture = dma_open(&options);
	for (unsigned i = 0; i < NUM_WARM_UP; i++) /* also binds symbols that bind lazily */
		copy_once(fixture);
	sin();
	mark();
	raise(SIGSTOP);
	mark();
	for (unsigned i = 0; i < num_copies; i++)
		copy_once(fixture);
	sin();
	mark();
	_exit(fixture->num_success == NUM_WARM_UP + num_copies ? 0 : 3);
}

static void no_sin(void)
{
}

static void call_the_system(void)
{
	(void)syscall(SYS_getppid);
}

static void add_atomically(void)
{
	static int number;

	__atomic_fetch_add(&number, 1, __ATOMIC_SEQ_CST);
}

/* A child that stands still before the marks. */
static pid_t start_child(unsigned num_copies, void (*sin)(void))
{
	int status = 0;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0)
		be_the_child(num_copies, sin);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(WSTOPSIG(status), SIGSTOP);
	assert_int_equal(
		ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL),
		0);
	return child;
}

static void resume(pid_t child, enum __ptrace_request how, int *status)
{
	assert_int_equal(ptrace(how, child, NULL, NULL), 0);
	assert_int_equal(waitpid(child, status, 0), child);
}

/* Whether the child stands at the entry of a system call, and which. */
static bool enters_syscall(pid_t child, int status, uint64_t *number, uint64_t *argument)
{
	struct __ptrace_syscall_info info = {0};

	if (!WIFSTOPPED(status) || WSTOPSIG(status) != SYSCALL_STOP)
		return false;
	assert_true(ptrace(PTRACE_GET_SYSCALL_INFO, child, (void *)sizeof(info), &info) > 0);
	if (info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return false;
	*number = info.entry.nr;
	*argument = info.entry.args[0];
	return true;
}

static bool is_mark(uint64_t number, uint64_t argument)
{
	return number == SYS_getpriority && (uint32_t)argument == MARK;
}

static void run_to_mark(pid_t child)
{
	uint64_t number = 0;
	uint64_t argument = 0;
	int status = 0;

	do {
		resume(child, PTRACE_SYSCALL, &status);
		assert_true(WIFSTOPPED(status));
	} while (!enters_syscall(child, status, &number, &argument) || !is_mark(number, argument));
	resume(child, PTRACE_SYSCALL, &status); /* its exit */
}

static void run_to_end(pid_t child)
{
	int status = 0;

	do {
		resume(child, PTRACE_CONT, &status);
	} while (WIFSTOPPED(status));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static size_t count_syscalls(unsigned num_copies, void (*sin)(void))
{
	pid_t child = start_child(num_copies, sin);
	uint64_t number = 0;
	uint64_t argument = 0;
	size_t num_syscalls = 0;
	int status = 0;

	run_to_mark(child);
	for (;;) {
		resume(child, PTRACE_SYSCALL, &status);
		assert_true(WIFSTOPPED(status));
		if (!enters_syscall(child, status, &number, &argument))
			continue;
		if (is_mark(number, argument))
			break;
		num_syscalls++;
		print_message("# system call %lu\n", (unsigned long)number);
	}
	run_to_end(child);
	return num_syscalls;
}

static void a_thousand_copies_make_no_system_call(void **state)
{
	assert_int_equal(count_syscalls(1000, no_sin), 0);
}

static void a_system_call_would_be_counted(void **state)
{
	assert_int_equal(count_syscalls(1, call_the_system), 1);
}

/* Where the child stands: the next instruction, and what a system call there would be. */
struct stand {
	uint64_t at;
	uint64_t number;
	uint64_t argument;
	uint8_t code[16];
};

#if defined(__x86_64__)

/* An instruction that reads, modifies and writes memory in one: a lock prefix, or xchg. */
static bool is_atomic(const struct stand *stand)
{
	static const uint8_t prefixes[] = {0x66, 0x67, 0xf2, 0xf3, 0x2e,
					   0x36, 0x3e, 0x26, 0x64, 0x65};
	const uint8_t *code = stand->code;

	while (memchr(prefixes, *code, sizeof(prefixes)) != NULL &&
	       code < stand->code + sizeof(stand->code) - 4)
		code++;
	if (*code == 0xf0)
		return true;
	if ((*code & 0xf0) == 0x40)
		code++;
	return (code[0] == 0x86 || code[0] == 0x87) && (code[1] & 0xc0) != 0xc0;
}

static bool is_syscall(const struct stand *stand)
{
	return stand->code[0] == 0x0f && stand->code[1] == 0x05;
}

static void read_registers(pid_t child, struct stand *stand)
{
	struct user_regs_struct registers = {0};
	struct iovec part = {.iov_base = &registers, .iov_len = sizeof(registers)};

	assert_int_equal(ptrace(PTRACE_GETREGSET, child, (void *)NT_PRSTATUS, &part), 0);
	stand->at = registers.rip;
	stand->number = registers.rax;
	stand->argument = registers.rdi;
}

#elif defined(__aarch64__)

/* Exclusive loads and stores, compare-and-swap, and the atomics of ARMv8.1. */
static bool is_atomic(const struct stand *stand)
{
	uint32_t word;

	memcpy(&word, stand->code, sizeof(word));
	return (word & 0x3f800000U) == 0x08000000U || (word & 0x3fa07c00U) == 0x08a07c00U ||
	       (word & 0x3b200c00U) == 0x38200000U;
}

static bool is_syscall(const struct stand *stand)
{
	static const uint8_t svc[] = {0x01, 0x00, 0x00, 0xd4};

	return memcmp(stand->code, svc, sizeof(svc)) == 0;
}

static void read_registers(pid_t child, struct stand *stand)
{
	struct user_regs_struct registers = {0};
	struct iovec part = {.iov_base = &registers, .iov_len = sizeof(registers)};

	assert_int_equal(ptrace(PTRACE_GETREGSET, child, (void *)NT_PRSTATUS, &part), 0);
	stand->at = registers.pc;
	stand->number = registers.regs[8];
	stand->argument = registers.regs[0];
}

#endif

static void look(pid_t child, struct stand *stand)
{
	read_registers(child, stand);
	memset(stand->code, 0, sizeof(stand->code));
	for (size_t i = 0; i < sizeof(stand->code); i += sizeof(long)) {
		long word;

		errno = 0;
		word = ptrace(PTRACE_PEEKTEXT, child, (void *)(uintptr_t)(stand->at + i), NULL);
		if (errno == 0)
			memcpy(stand->code + i, &word, sizeof(word));
	}
}

static size_t count_atomics(unsigned num_copies, void (*sin)(void))
{
	pid_t child = start_child(num_copies, sin);
	size_t num_atomics = 0;
	size_t num_steps = 0;
	int status = 0;

	run_to_mark(child);
	for (; num_steps < MAX_STEPS; num_steps++) {
		struct stand stand;

		look(child, &stand);
		if (is_syscall(&stand) && is_mark(stand.number, stand.argument))
			break;
		if (is_atomic(&stand)) {
			num_atomics++;
			print_message("# atomic at %#lx\n", (unsigned long)stand.at);
		}
		resume(child, PTRACE_SINGLESTEP, &status);
		assert_true(WIFSTOPPED(status));
	}
	assert_in_range(num_steps, num_copies * 100, MAX_STEPS - 1);
	run_to_end(child);
	return num_atomics;
}

static void ten_copies_execute_no_atomic_read_modify_write(void **state)
{
	assert_int_equal(count_atomics(10, no_sin), 0);
}

static void an_atomic_would_be_found(void **state)
{
	assert_int_equal(count_atomics(1, add_atomically), 1);
}

/* Why this program proves nothing here, or NULL. */
static const char *find_obstacle(void)
{
	const char *preload = getenv("LD_PRELOAD");
	int status = 0;
	pid_t child;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return "a sanitizer's own instructions would be counted";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
	return "a sanitizer's own instructions would be counted";
#endif
#endif
#if !defined(__x86_64__) && !defined(__aarch64__)
	return "the instructions of this CPU are not known";
#endif
	if (preload != NULL && strstr(preload, "vgpreload") != NULL)
		return "valgrind traces this program already";
	child = fork();
	if (child == 0)
		_exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : 2);
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		return "ptrace is not permitted";
	return NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thousand_copies_make_no_system_call),
		cmocka_unit_test(a_system_call_would_be_counted),
		cmocka_unit_test(ten_copies_execute_no_atomic_read_modify_write),
		cmocka_unit_test(an_atomic_would_be_found),
	};
	const char *obstacle = find_obstacle();

	if (obstacle != NULL) {
		printf("1..0 # SKIP %s\n", obstacle);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
