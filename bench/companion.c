/* SPDX-License-Identifier: Apache-2.0 */
/* A fresh start of this program as a process that exports memory, and its parent's side. */
#include "companion.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#define SEED 7
#define MAX_DESCRIPTOR 1024

struct announcement {
	uint8_t *addr;
	size_t descriptor_len;
	uint8_t descriptor[MAX_DESCRIPTOR];
};

/* Sealed against shrinking: an importer may map it. */
static uint8_t *file_memory(size_t len)
{
	int fd = memfd_create("goals", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	uint8_t *bytes;

	if (fd < 0 || ftruncate(fd, (off_t)len) != 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) != 0)
		give_up("companion: no memory file of %zu bytes: %m", len);
	bytes = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		give_up("companion: mmap: %m");
	random_fill(bytes, len, SEED);
	return bytes;
}

static struct doca_dev *open_exporting_device(void)
{
	struct doca_devinfo **list = NULL;
	struct doca_dev *dev = NULL;
	uint32_t num = 0;
	uint8_t can = 0;

	must(doca_devinfo_create_list(&list, &num), "list the devices");
	for (uint32_t i = 0; i < num && dev == NULL; i++) {
		if (doca_mmap_cap_is_export_pci_supported(list[i], &can) == DOCA_SUCCESS && can)
			must(doca_dev_open(list[i], &dev), "open the device");
	}
	must(doca_devinfo_destroy_list(list), "release the list of devices");
	if (dev == NULL)
		give_up("no device can export");
	return dev;
}

int companion_main(char **argv)
{
	int fd = atoi(argv[0]);
	size_t len = strtoull(argv[1], NULL, 10);
	uint8_t *bytes = atoi(argv[2]) ? file_memory(len) : random_memory(len, SEED);
	struct doca_dev *dev = open_exporting_device();
	struct announcement told = {.addr = bytes};
	const void *descriptor;
	struct doca_mmap *map;
	char end;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	must(doca_mmap_create(&map), "create a map");
	must(doca_mmap_add_dev(map, dev), "give a map its device");
	must(doca_mmap_set_memrange(map, bytes, len), "give a map its range");
	must(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE),
	     "give a map its rights");
	must(doca_mmap_start(map), "start a map");
	must(doca_mmap_export_pci(map, dev, &descriptor, &told.descriptor_len), "export a map");
	if (told.descriptor_len > sizeof(told.descriptor))
		give_up("companion: a descriptor of %zu bytes", told.descriptor_len);
	memcpy(told.descriptor, descriptor, told.descriptor_len);
	if (write(fd, &told, sizeof(told)) != (ssize_t)sizeof(told))
		give_up("companion: cannot tell what is exported: %m");
	(void)!read(fd, &end, 1);
	must(doca_mmap_destroy(map), "destroy a map");
	must(doca_dev_close(dev), "close the device");
	return 0;
}

static void become_companion(int fd, size_t len, bool is_file)
{
	char fd_text[16];
	char len_text[32];
	char file_text[] = {(char)('0' + is_file), '\0'};
	char *argv[] = {
		(char *)"goals", (char *)COMPANION_OPTION, fd_text, len_text, file_text, NULL};

	snprintf(fd_text, sizeof(fd_text), "%d", fd);
	snprintf(len_text, sizeof(len_text), "%zu", len);
	fcntl(fd, F_SETFD, 0);
	execv("/proc/self/exe", argv);
	_exit(2);
}

void companion_start(struct companion *companion, struct doca_dev *dev, size_t len, bool is_file,
		     uint8_t *twin)
{
	struct announcement told;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
		give_up("socketpair: %m");
	companion->pid = fork();
	if (companion->pid < 0)
		give_up("fork: %m");
	if (companion->pid == 0)
		become_companion(fds[1], len, is_file);
	close(fds[1]);
	companion->fd = fds[0];
	if (read(fds[0], &told, sizeof(told)) != (ssize_t)sizeof(told))
		give_up("the companion has ended");
	random_fill(twin, len, SEED);
	companion->area = (struct area){.dev = dev, .bytes = twin, .addr = told.addr};
	must(doca_mmap_create_from_export(NULL, told.descriptor, told.descriptor_len, dev,
					  &companion->area.map),
	     "import the companion's memory");
}

void companion_end(struct companion *companion)
{
	area_close(&companion->area);
	close(companion->fd);
	waitpid(companion->pid, NULL, 0);
}
