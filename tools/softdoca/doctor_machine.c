/* SPDX-License-Identifier: Apache-2.0 */
/* Sections peer permission and limits: what the kernel lets processes do. */
#include "doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

#define CMA_DEADLINE_S 10
#define PROC "/proc/self"
#define NONE (-1L)
#define UNREAD (-2L)
#define CELL UINT64_C(0x5d0c5d0c5d0c5d0c)
#define MIB (UINT64_C(1) << 20)

/* The number behind a key, or at the beginning where key is empty; NONE or UNREAD. */
static long read_number(struct doctor *doctor, const char *path, const char *key)
{
	FILE *file = fopen(path, "re");
	long number = NONE;
	char line[256];

	if (file == NULL && (errno != ENOENT || access(PROC, F_OK) != 0)) {
		if (errno != EACCES && errno != ENOENT)
			doctor_untried(doctor, path, errno);
		return UNREAD;
	}
	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		if (strncmp(line, key, strlen(key)) != 0)
			continue;
		number = strtol(line + strlen(key), NULL, 10);
		break;
	}
	if (file != NULL)
		fclose(file);
	return number;
}

struct sibling {
	pid_t pid;
	uint64_t *cell;
};

/* Reads a cell of its sibling's; the exit code is an errno, as these are below 256. */
static int read_cell(int out, const void *arg)
{
	const struct sibling *sibling = arg;
	uint64_t got = 0;
	struct iovec local = {.iov_base = &got, .iov_len = sizeof(got)};
	struct iovec remote = {.iov_base = sibling->cell, .iov_len = sizeof(got)};

	if (process_vm_readv(sibling->pid, &local, 1, &remote, 1, 0) < 0)
		return errno;
	return got == CELL ? 0 : EFAULT;
}

/* Neither process descends from the other, as with programs that a shell starts. */
static void try_cma(struct child *child)
{
	struct sibling sibling = {.cell = malloc(sizeof(uint64_t))};
	pid_t parent = getpid();

	*child = (struct child){.error = ENOMEM};
	if (sibling.cell == NULL)
		return;
	*sibling.cell = CELL;
	sibling.pid = fork();
	if (sibling.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (getppid() == parent)
			pause();
		_exit(0);
	}
	if (sibling.pid < 0) {
		child->error = errno;
	} else {
		child_run(child, read_cell, &sibling, CMA_DEADLINE_S);
		kill(sibling.pid, SIGKILL);
		waitpid(sibling.pid, NULL, 0);
	}
	free(sibling.cell);
}

static void look_at_cma(struct doctor *doctor)
{
	static const char *const scopes[] = {"any process of its user", "descendants alone",
					     "root's alone", "none"};
	long scope = read_number(doctor, "/proc/sys/kernel/yama/ptrace_scope", "");
	long seccomp = read_number(doctor, "/proc/self/status", "Seccomp:");
	struct child child;
	char why[128];

	try_cma(&child);
	if (!doctor_is_answered(doctor, "process_vm_readv of another process", &child))
		return;

	snprintf(why, sizeof(why), "ptrace_scope of Yama: %s; %s",
		 scope == UNREAD ? "unknown" : scopes[scope > 0 && scope < 4 ? scope : 0],
		 seccomp < 0   ? "a seccomp filter is not known of"
		 : seccomp > 0 ? "with a seccomp filter"
			       : "no seccomp filter");
	if (child.exit_code == 0)
		doctor_found(doctor, MARK_OK, why,
			     "one process reads another's memory (process_vm_readv)");
	else
		doctor_found(doctor, MARK_WARN,
			     "sysctl kernel.yama.ptrace_scope=0; a container wants "
			     "--cap-add=SYS_PTRACE",
			     "process_vm_readv of another process is refused, %s: %s",
			     strerror(child.exit_code), why);
}

void doctor_peer(struct doctor *doctor)
{
	static const char *const ways[] = {"mapped", "cma", "nbd"};
	size_t num_working = 0;
	size_t num_untried = 0;
	char path[PATH_MAX];

	puts("peer permission");
	look_at_cma(doctor);
	if (!probe_from_here("doca_bench", path)) {
		doctor_found(doctor, MARK_WARN, "add the package softdoca-tools",
			     "the ways to another process are not tried: no doca_bench");
		return;
	}
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]) && !doctor_is_ending(doctor); i++) {
		struct child child;

		if (doctor_bench(doctor, ways[i], &child)) {
			num_working++;
			doctor_found(doctor, MARK_OK, NULL, "way %s: copies another's memory",
				     ways[i]);
		} else if (child.error != 0) {
			num_untried++;
			snprintf(path, sizeof(path), "way %s", ways[i]);
			doctor_untried(doctor, path, child.error);
		} else {
			doctor_found(doctor, MARK_WARN, "another way is taken, where one works",
				     "way %s: %s", ways[i], doctor_reason(&child));
		}
	}
	if (num_working == 0 && num_untried == 0)
		doctor_found(doctor, MARK_FAIL, "a host's and a DPU's half need one of them",
			     "no way to another process's memory");
}

static void look_at_limit(struct doctor *doctor, int which, const char *name, const char *unit,
			  rlim_t wanted, const char *remedy, const char *what)
{
	struct rlimit limit;
	char text[2][32];

	if (getrlimit((__rlimit_resource_t)which, &limit) != 0)
		return;
	for (int i = 0; i < 2; i++) {
		rlim_t value = i == 0 ? limit.rlim_cur : limit.rlim_max;

		snprintf(text[i], sizeof(text[i]), value == RLIM_INFINITY ? "unlimited" : "%llu%s",
			 (unsigned long long)value / (unit[0] == '\0' ? 1 : 1024), unit);
	}
	doctor_found(doctor, limit.rlim_max < wanted ? MARK_WARN : MARK_OK,
		     limit.rlim_max < wanted ? remedy : NULL, "%s %s, at most %s: %s", name,
		     text[0], text[1], what);
}

static void look_at_memory(struct doctor *doctor)
{
	long free_kib = read_number(doctor, "/proc/meminfo", "MemAvailable:");
	long overcommit = read_number(doctor, "/proc/sys/vm/overcommit_memory", "");
	long num_huge = read_number(doctor, "/proc/meminfo", "HugePages_Total:");
	int fd = memfd_create("softdoca-doctor", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct statvfs shm;

	if (access(PROC, F_OK) != 0)
		doctor_found(doctor, MARK_WARN, "mount it, to be told what it has",
			     "/proc is not there");
	if (free_kib >= 0)
		doctor_found(doctor, free_kib < 256 * 1024 ? MARK_WARN : MARK_OK,
			     free_kib < 256 * 1024 ? "end what needs it not" : NULL,
			     "memory available: %ld MiB", free_kib / 1024);
	if (fd >= 0 && ftruncate(fd, 4096) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0)
		doctor_found(doctor, MARK_OK, NULL, "memory files can be made and sealed");
	else
		doctor_found(doctor, MARK_WARN, "the way mapped and --shared-heap need them",
			     "no sealed memory file: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	if (statvfs("/dev/shm", &shm) == 0)
		doctor_found(doctor, MARK_OK, NULL, "/dev/shm: %llu MiB free; softdoca needs none",
			     (unsigned long long)(shm.f_bavail * shm.f_frsize / MIB));
	if (num_huge != UNREAD)
		doctor_found(doctor, MARK_OK, NULL, "hugepages: %ld; softdoca needs none",
			     num_huge < 0 ? 0 : num_huge);
	if (overcommit >= 0)
		doctor_found(doctor, overcommit == 2 ? MARK_WARN : MARK_OK,
			     overcommit == 2
				     ? "--shared-heap can end a program by SIGBUS: softdoca(1)"
				     : NULL,
			     "vm.overcommit_memory %ld", overcommit);
}

void doctor_limits(struct doctor *doctor)
{
	puts("limits");
	look_at_limit(doctor, RLIMIT_NOFILE, "open files", "", 4096,
		      "raise it (ulimit -n) for --shared-heap",
		      "a block of the shared heap is one");
	look_at_limit(doctor, RLIMIT_MEMLOCK, "locked memory", " KiB", 0, NULL,
		      "softdoca locks none");
	look_at_memory(doctor);
}
