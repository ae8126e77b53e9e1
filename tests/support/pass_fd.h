/* SPDX-License-Identifier: Apache-2.0 */
/* File descriptors that travel over a socket, beside bytes. */
#ifndef TESTS_SUPPORT_PASS_FD_H_
#define TESTS_SUPPORT_PASS_FD_H_

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

#define MAX_PASSED_FDS 4

/* All bytes at once, with the descriptors beside the first; false when it cannot. */
static inline bool send_with_fds(int socket, const void *bytes, size_t len, const int *fds,
				 size_t num_fds)
{
	char control[CMSG_SPACE(MAX_PASSED_FDS * sizeof(int))] __attribute__((aligned(8))) = {0};
	struct iovec iov = {.iov_base = (void *)bytes, .iov_len = len};
	struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1};

	if (num_fds > 0) {
		struct cmsghdr *header;

		message.msg_control = control;
		message.msg_controllen = CMSG_SPACE(num_fds * sizeof(int));
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(num_fds * sizeof(int));
		memcpy(CMSG_DATA(header), fds, num_fds * sizeof(int));
	}
	return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)len;
}

/* That many bytes, and the descriptors that came beside them; how many those are, or -1. */
static inline int receive_with_fds(int socket, void *bytes, size_t len, int fds[MAX_PASSED_FDS])
{
	char control[CMSG_SPACE(MAX_PASSED_FDS * sizeof(int))] __attribute__((aligned(8)));
	struct iovec iov = {.iov_base = bytes, .iov_len = len};
	struct msghdr message = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *header;
	size_t num_fds = 0;

	if (recvmsg(socket, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC) != (ssize_t)len)
		return -1;
	header = CMSG_FIRSTHDR(&message);
	if (header != NULL && header->cmsg_type == SCM_RIGHTS) {
		num_fds = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(fds, CMSG_DATA(header), num_fds * sizeof(int));
	}
	return (int)num_fds;
}

#endif /* TESTS_SUPPORT_PASS_FD_H_ */
