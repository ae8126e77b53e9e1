/* SPDX-License-Identifier: Apache-2.0 */
/* What programs under the shared heap share: TAP, and what the kernel says about an address. */
#ifndef TESTS_TOOLS_HEAP_SUPPORT_H_
#define TESTS_TOOLS_HEAP_SUPPORT_H_

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KIB 1024
#define MIB (1024 * 1024)

/* One test; its name is its sentence. A failed check ends it. */
struct heap_test {
	const char *name;
	bool (*run)(void);
};

#define TEST(name)                                                                                 \
	{                                                                                          \
#name, name                                                                        \
	}

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("# %s:%d: %s\n", __FILE__, __LINE__, #condition);                   \
			return false;                                                              \
		}                                                                                  \
	} while (0)

static inline int count_fds(void)
{
	DIR *directory = opendir("/proc/self/fd");
	int count = 0;

	while (directory != NULL && readdir(directory) != NULL)
		count++;
	if (directory != NULL)
		closedir(directory);
	return count;
}

static inline int run_tests(const struct heap_test *tests, size_t num_tests)
{
	int num_failed = 0;

	printf("1..%zu\n", num_tests);
	for (size_t i = 0; i < num_tests; i++) {
		int before = count_fds();
		bool passed = tests[i].run();
		int after = count_fds();

		if (passed && before != after) {
			printf("# %d descriptors before, %d after\n", before, after);
			passed = false;
		}
		num_failed += !passed;
		printf("%sok %zu - %s\n", passed ? "" : "not ", i + 1, tests[i].name);
		fflush(stdout);
	}
	return num_failed == 0 ? 0 : 1;
}

/* What /proc/self/maps says about an address: its permissions, and the inode of its file or 0. */
static inline bool find_mapping(const void *addr, char permissions[5], unsigned long *inode)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[4096];
	bool found = false;

	while (maps != NULL && !found && fgets(line, sizeof(line), maps) != NULL) {
		unsigned long start;
		unsigned long end;

		found = sscanf(line, "%lx-%lx %4s %*x %*s %lu", &start, &end, permissions, inode) ==
				4 &&
			(uintptr_t)addr >= start && (uintptr_t)addr < end;
	}
	if (maps != NULL)
		fclose(maps);
	return found;
}

/* The descriptor of the memory file that the address lies in, -1: none. */
static inline int find_fd(const void *addr)
{
	char permissions[5];
	unsigned long inode;
	struct dirent *entry;
	DIR *directory;
	int fd = -1;

	if (!find_mapping(addr, permissions, &inode) || inode == 0)
		return -1;
	directory = opendir("/proc/self/fd");
	while (directory != NULL && fd < 0 && (entry = readdir(directory)) != NULL) {
		struct stat status;
		int number = atoi(entry->d_name);

		if (entry->d_name[0] != '.' && fstat(number, &status) == 0 &&
		    status.st_ino == inode && fcntl(number, F_GET_SEALS) >= 0)
			fd = number;
	}
	if (directory != NULL)
		closedir(directory);
	return fd;
}

/* What a process that imports the memory asks for: shared, and never shorter. */
static inline bool is_shareable(const void *addr)
{
	char permissions[5];
	unsigned long inode;
	int fd = find_fd(addr);

	return fd >= 0 && find_mapping(addr, permissions, &inode) && permissions[3] == 's' &&
	       (fcntl(fd, F_GET_SEALS) & (F_SEAL_SHRINK | F_SEAL_GROW)) ==
		       (F_SEAL_SHRINK | F_SEAL_GROW) &&
	       (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0;
}

static inline bool is_filled(const void *addr, int byte, size_t len_bytes)
{
	const unsigned char *bytes = (const unsigned char *)addr;

	return len_bytes == 0 || (bytes[0] == byte && memcmp(bytes, bytes + 1, len_bytes - 1) == 0);
}

#endif /* TESTS_TOOLS_HEAP_SUPPORT_H_ */
