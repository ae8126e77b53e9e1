/* SPDX-License-Identifier: Apache-2.0 */
/* Each library is opened in a child: what it does there, it does to nobody else. */
#include "probe.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_version.h>
#include <softdoca.h>

#define SETTINGS_DEADLINE_S 20
#define MAX_SHOWN 16 /* devices */
#define EXIT_REFUSED 3
#define EXIT_FAILED 4
#define VENDOR_PREFIX "/opt/mellanox/doca/"
#define NO_FILE "cannot open shared object file"
#define WARNING_MARK '\1' /* ends what was said before the devices were asked for */

/* A function of a library that is opened, as its header declares it. */
#define FIND(handle, function) ((__typeof__(&(function)))dlsym(handle, #function))

/* Both have it, and a library of softdoca this as well. */
#define ENUMERATE "doca_devinfo_create_list"
#define OURS "softdoca_mmap_get_way"

bool probe_from_here(const char *relative, char path[PATH_MAX])
{
	char place[2 * PATH_MAX];

	path[0] = '\0';
	/* Where there is no /proc, the kernel has told the name that was executed. */
	if (realpath("/proc/self/exe", place) == NULL &&
	    realpath((const char *)getauxval(AT_EXECFN), place) == NULL)
		return false;
	snprintf(strrchr(place, '/') + 1, PATH_MAX, "%s", relative);
	if (realpath(place, path) != NULL && access(path, R_OK) == 0)
		return true;
	path[0] = '\0';
	return false;
}

bool probe_library_dir(char path[PATH_MAX])
{
	if (!probe_from_here(LIBRARIES_FROM_HERE "/" COMMON_LIBRARY, path) &&
	    !probe_from_here("../src/" COMMON_LIBRARY, path))
		return false;
	*strrchr(path, '/') = '\0';
	return true;
}

static void list_devices(void *handle, void *dma, int out, struct doca_devinfo **list, uint32_t num)
{
	static const char *const types[] = {
		[DOCA_PCI_FUNC_TYPE_PF] = "PF",
		[DOCA_PCI_FUNC_TYPE_VF] = "VF",
		[DOCA_PCI_FUNC_TYPE_SF] = "SF",
	};

	for (uint32_t i = 0; i < num && i < MAX_SHOWN; i++) {
		char address[DOCA_DEVINFO_PCI_ADDR_SIZE] = "no address";
		const char *model = "";
		const char *side = "";
		char name[DOCA_DEVINFO_IFACE_NAME_SIZE] = "";
		enum doca_pci_func_type type = DOCA_PCI_FUNC_TYPE_PF;
		bool can_copy;

		FIND(handle, doca_devinfo_get_pci_addr_str)(list[i], address);
		FIND(handle, softdoca_devinfo_get_model)(list[i], &model);
		FIND(handle, softdoca_devinfo_get_side)(list[i], &side);
		FIND(handle, doca_devinfo_get_pci_func_type)(list[i], &type);
		if (FIND(handle, doca_devinfo_get_iface_name)(list[i], name, sizeof(name)) !=
		    DOCA_SUCCESS)
			FIND(handle, doca_devinfo_get_ibdev_name)(list[i], name, sizeof(name));
		can_copy = dma == NULL || FIND(dma, doca_dma_cap_task_memcpy_is_supported)(
						  list[i]) == DOCA_SUCCESS;
		dprintf(out, "%s: %s of softdoca's, side %s, %s %s%s\n", address, model, side,
			types[type], name, can_copy ? "" : NO_DMA);
	}
	if (num > MAX_SHOWN)
		dprintf(out, "and %u more: doca_caps --list-devs\n", num - MAX_SHOWN);
}

static int ask_settings(int out, const void *arg)
{
	struct doca_log_backend *backend = NULL;
	struct doca_devinfo **list = NULL;
	uint32_t num = 0;
	char path[PATH_MAX + sizeof(COMMON_LIBRARY) + 1];
	void *handle;

	snprintf(path, sizeof(path), "%s/" COMMON_LIBRARY, (const char *)arg);
	/* A level that is none is told to stderr, while the library is opened. */
	dup2(out, STDERR_FILENO);
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	dup2(STDIN_FILENO, STDERR_FILENO);
	dprintf(out, "%c", WARNING_MARK);
	if (handle == NULL || dlsym(handle, OURS) == NULL) {
		dprintf(out, "%s\n", handle == NULL ? dlerror() : "it is no library of softdoca");
		return EXIT_FAILED;
	}
	if (FIND(handle, doca_log_backend_create_with_fd_sdk)(out, &backend) != DOCA_SUCCESS ||
	    FIND(handle, doca_log_backend_set_sdk_level)(backend, DOCA_LOG_LEVEL_ERROR) !=
		    DOCA_SUCCESS)
		return EXIT_FAILED;
	if (FIND(handle, doca_devinfo_create_list)(&list, &num) != DOCA_SUCCESS)
		return EXIT_REFUSED;
	dprintf(out, "%s\n", FIND(handle, doca_version_runtime)());
	snprintf(path, sizeof(path), "%s/libdoca_dma.so.2", (const char *)arg);
	list_devices(handle, dlopen(path, RTLD_NOW | RTLD_LOCAL), out, list, num);
	return 0;
}

char *probe_text(char *record)
{
	while (*record == '[') {
		char *end = strchr(record, ']');

		if (end == NULL)
			break;
		record = end + 1;
	}
	return record + strspn(record, " ");
}

bool probe_settings(const char *library_dir, struct answer *answer)
{
	struct child *child = &answer->child;
	bool is_right = child_run(child, ask_settings, library_dir, SETTINGS_DEADLINE_S);
	char *mark = strchr(child->text, WARNING_MARK);
	size_t len;

	answer->warning = NULL;
	answer->is_refusal = child->exit_code == EXIT_REFUSED;
	if (mark != NULL && (is_right || mark[1] != '\0')) {
		*mark = '\0';
		if (mark != child->text)
			answer->warning = probe_text(child->text);
		child->text[strcspn(child->text, "\n")] = '\0';
		answer->text = is_right ? mark + 1 : probe_text(mark + 1);
	} else {
		answer->text = child->text;
		len = (size_t)snprintf(answer->text, PATH_MAX, "%s/%s ", library_dir,
				       COMMON_LIBRARY);
		child_describe(child, answer->text + len, sizeof(child->text) - len);
	}
	if (!is_right)
		answer->text[strcspn(answer->text, "\n")] = '\0';
	return is_right;
}

/* Opens it unless it is softdoca's; what cannot be opened though it is there is told to out. A path
 * without a slash is looked up as the loader does it. */
static void *open_vendor(int out, const char *path)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const char *error = handle == NULL ? dlerror() : NULL;
	size_t len = strlen(path);

	if (error != NULL && (child_shortage(error) != 0 || strncmp(error, path, len) != 0 ||
			      strstr(error, NO_FILE) == NULL))
		dprintf(out, "Ecannot be opened: %s\n", error);
	if (handle == NULL || dlsym(handle, OURS) != NULL || dlsym(handle, ENUMERATE) == NULL)
		return NULL;
	return handle;
}

static void *find_vendor(int out)
{
	const char *dir = getenv("LD_LIBRARY_PATH");
	void *handle = open_vendor(out, COMMON_LIBRARY);
	char path[PATH_MAX];
	struct utsname system;

	/* The loader stops at softdoca's, where that stands in front. */
	while (handle == NULL && dir != NULL && *dir != '\0') {
		int len = (int)strcspn(dir, ":;");

		snprintf(path, sizeof(path), "%.*s/" COMMON_LIBRARY, len, dir);
		if (len > 0)
			handle = open_vendor(out, path);
		dir += dir[len] == '\0' ? len : len + 1;
	}
	uname(&system);
	snprintf(path, sizeof(path), VENDOR_PREFIX "lib/%s-linux-gnu/" COMMON_LIBRARY,
		 system.machine);
	if (handle == NULL)
		handle = open_vendor(out, path);
	return handle != NULL ? handle : open_vendor(out, VENDOR_PREFIX "lib64/" COMMON_LIBRARY);
}

/* Its directory, absolute; not that to which a link may lead. */
static bool find_dir(void *handle, char dir[PATH_MAX])
{
	char path[PATH_MAX];
	Dl_info info;

	if (dladdr(dlsym(handle, ENUMERATE), &info) == 0)
		return false;
	snprintf(path, sizeof(path), "%s", info.dli_fname);
	*strrchr(path, '/') = '\0';
	return realpath(path, dir) != NULL;
}

/* Tells out, a line each: D its directory, V its version, N how many devices, E what failed. */
static void look_at_vendor(int out)
{
	void *handle = find_vendor(out);
	struct doca_devinfo **list = NULL;
	char dir[PATH_MAX];
	doca_error_t result;
	uint32_t num = 0;

	if (handle == NULL || !find_dir(handle, dir))
		return;
	dprintf(out, "D%s\n", dir);
	if (dlsym(handle, "doca_version_runtime") != NULL)
		dprintf(out, "V%s\n", FIND(handle, doca_version_runtime)());
	result = FIND(handle, doca_devinfo_create_list)(&list, &num);
	if (result == DOCA_SUCCESS || result == DOCA_ERROR_NOT_FOUND)
		dprintf(out, "N%u\n", result == DOCA_SUCCESS ? num : 0);
	else
		dprintf(out, "E" ENUMERATE " gives %d\n", (int)result);
}

/* The last line is Q: a library may end the process, or close what it did not open. */
static int ask_vendor(int out, const void *arg)
{
	look_at_vendor(out);
	dprintf(out, "Q\n");
	return 0;
}

/* The last line of a kind; false: there is none. */
static bool read_line(const char *text, char kind, char *value, size_t size)
{
	bool is_there = false;

	while (*text != '\0') {
		size_t len = strcspn(text, "\n");

		if (*text == kind) {
			snprintf(value, size, "%.*s", (int)len - 1, text + 1);
			is_there = true;
		}
		text += text[len] == '\0' ? len : len + 1;
	}
	return is_there;
}

void probe_vendor(struct vendor *vendor)
{
	struct child child;
	bool is_done = child_run(&child, ask_vendor, NULL, VENDOR_DEADLINE_S);
	char number[16];

	*vendor = (struct vendor){.verdict = VENDOR_MISSING};
	read_line(child.text, 'D', vendor->dir, sizeof(vendor->dir));
	read_line(child.text, 'V', vendor->version, sizeof(vendor->version));
	if (!is_done) {
		vendor->verdict = VENDOR_FAILED;
		vendor->child_error = child.error;
		child_describe(&child, vendor->why, sizeof(vendor->why));
	} else if (!read_line(child.text, 'Q', number, sizeof(number))) {
		vendor->verdict = VENDOR_FAILED;
		snprintf(vendor->why, sizeof(vendor->why),
			 "ended the process, or closed what it did not open");
	} else if (read_line(child.text, 'N', number, sizeof(number))) {
		vendor->num_devices = (unsigned)strtoul(number, NULL, 10);
		vendor->verdict = vendor->num_devices > 0 ? VENDOR_SEES : VENDOR_BLIND;
	} else if (read_line(child.text, 'E', vendor->why, sizeof(vendor->why))) {
		vendor->verdict = VENDOR_FAILED;
	}
	if (vendor->child_error == 0)
		vendor->child_error = child_shortage(vendor->why);
}
