/* SPDX-License-Identifier: Apache-2.0 */
/* Attaching: what a right agent hands over, what each refusal means, and calls that fail. */
#include "peer/attach_case.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "peer/self.h"
#include "support/needs.h"
#include "wire/nbd.h"

/* A call of this thread that is to fail; the linker's wrappers have no other way to learn it. */
struct call {
	int error;	      /* the errno, 0 for none */
	unsigned int skipped; /* calls before it that do not fail */
};

static _Thread_local struct call connect_call;
static _Thread_local struct call getsockopt_call;
static _Thread_local struct call mmap_call;
static _Thread_local struct call ppoll_call;
static _Thread_local struct call recvmsg_call;
static _Thread_local struct call sendmsg_call;
static _Thread_local struct call socket_call;
static _Thread_local bool has_no_fd_left;
static _Thread_local uid_t fake_peer_uid = (uid_t)-1; /* of the next peer, when it is one */

static bool fails(struct call *call)
{
	if (call->error == 0 || call->skipped > 0) {
		call->skipped -= call->error == 0 ? 0 : 1;
		return false;
	}
	errno = call->error;
	call->error = 0;
	return true;
}

/* The linker sends calls to the wrapper, and knows the real one as __real_. */
#define FAILING(result_type, name, call, failed, parameters, arguments)                            \
	result_type __wrap_##name parameters;                                                      \
	result_type __real_##name parameters;                                                      \
	result_type __wrap_##name parameters                                                       \
	{                                                                                          \
		return fails(&(call)) ? (failed) : __real_##name arguments;                        \
	}

FAILING(int, connect, connect_call, -1, (int fd, const struct sockaddr *name, socklen_t len),
	(fd, name, len))
FAILING(void *, mmap64, mmap_call, MAP_FAILED,
	(void *addr, size_t len, int prot, int flags, int fd, off_t offset),
	(addr, len, prot, flags, fd, offset))
FAILING(int, ppoll, ppoll_call, -1,
	(struct pollfd * fds, nfds_t num, const struct timespec *timeout, const sigset_t *mask),
	(fds, num, timeout, mask))
FAILING(ssize_t, sendmsg, sendmsg_call, -1, (int fd, const struct msghdr *message, int flags),
	(fd, message, flags))
FAILING(int, socket, socket_call, -1, (int domain, int type, int protocol),
	(domain, type, protocol))

ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags);
ssize_t __real_recvmsg(int fd, struct msghdr *message, int flags);

ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags)
{
	if (fails(&recvmsg_call))
		return -1;
	if (has_no_fd_left)
		message->msg_controllen = 0; /* all that comes beside the bytes is cut off */
	return __real_recvmsg(fd, message, flags);
}

int __wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *len);
int __real_getsockopt(int fd, int level, int option, void *value, socklen_t *len);

int __wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *len)
{
	int result =
		fails(&getsockopt_call) ? -1 : __real_getsockopt(fd, level, option, value, len);

	if (result == 0 && option == SO_PEERCRED && fake_peer_uid != (uid_t)-1)
		((struct ucred *)value)->uid = fake_peer_uid;
	fake_peer_uid = (uid_t)-1;
	return result;
}

/* What a right agent gives. */

static void an_attachment_has_the_page_the_process_and_the_answer(void **state)
{
	struct attach_case *opened = case_start(NULL);
	struct attachment *attachment = &opened->attachment;

	assert_doca(attach(opened), DOCA_SUCCESS);
	assert_int_equal(attachment->pid, getpid());
	assert_int_equal(attachment->file_fd, -1);
	assert_int_equal(attachment->bell_fd, -1);
	assert_int_equal(attachment->answer.tag, fake_answer(opened->agent).tag);
	assert_int_equal(attachment->answer.generation, 1);
	assert_int_equal(attach_check(attachment), CONTROL_ALIVE);
	assert_true((fcntl(attachment->fd, F_GETFD) & FD_CLOEXEC) != 0);
	attach_close(attachment);
	case_end(opened);
}

static void a_memory_file_comes_along(void **state)
{
	struct attach_case *opened = case_new();
	struct stat given;
	struct stat got;

	opened->options.file_fd = memfd_create("test", MFD_CLOEXEC);
	opened->options.file_offset = 77;
	opened->options.has_file = true;
	opened->agent = fake_agent_start(&opened->options, &opened->descriptor);
	assert_doca(attach(opened), DOCA_SUCCESS);

	assert_true(opened->attachment.answer.has_file);
	assert_int_equal(opened->attachment.answer.file_offset, 77);
	assert_int_equal(fstat(opened->options.file_fd, &given), 0);
	assert_int_equal(fstat(opened->attachment.file_fd, &got), 0);
	assert_int_equal(got.st_ino, given.st_ino);
	assert_true((fcntl(opened->attachment.file_fd, F_GETFD) & FD_CLOEXEC) != 0);
	attach_drop_file(&opened->attachment);
	assert_int_equal(opened->attachment.file_fd, -1);
	attach_close(&opened->attachment);
	close(opened->options.file_fd);
	case_end(opened);
}

/* With a memory file before it, and without. */
static void a_bell_comes_along(void **state)
{
	for (int has_file = 0; has_file < 2; has_file++) {
		struct attach_case *opened = case_new();
		uint64_t count = 0;

		opened->options.file_fd = memfd_create("test", MFD_CLOEXEC);
		opened->options.has_file = has_file != 0;
		opened->options.bell_fd = eventfd(5, EFD_CLOEXEC);
		opened->options.has_bell = true;
		opened->agent = fake_agent_start(&opened->options, &opened->descriptor);
		assert_doca(attach(opened), DOCA_SUCCESS);

		assert_int_equal(opened->attachment.file_fd >= 0, has_file);
		assert_int_equal(read(opened->attachment.bell_fd, &count, 8), 8);
		assert_int_equal(count, 5);
		assert_true((fcntl(opened->attachment.bell_fd, F_GETFD) & FD_CLOEXEC) != 0);
		attach_close(&opened->attachment);
		close(opened->options.file_fd);
		close(opened->options.bell_fd);
		case_end(opened);
	}
}

static void a_pathname_socket_does_as_well(void **state)
{
	struct attach_case *opened = case_new();
	char folder[] = "/tmp/attach-XXXXXX";
	char path[64];

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/socket", folder);
	opened->options.path = path;
	opened->agent = fake_agent_start(&opened->options, &opened->descriptor);
	assert_doca(attach(opened), DOCA_SUCCESS);
	attach_close(&opened->attachment);
	case_end(opened);
	assert_int_equal(rmdir(folder), 0);
}

static void the_next_endpoint_is_tried_when_nobody_listens_at_the_first(void **state)
{
	struct attach_case *opened = case_start(NULL);

	opened->descriptor.endpoints[2] = opened->descriptor.endpoints[0];
	opened->descriptor.endpoints[0].bytes[1] ^= 1;
	opened->descriptor.endpoints[1].type = EXPORT_IPV4;
	opened->descriptor.num_endpoints = 3;
	assert_doca(attach(opened), DOCA_SUCCESS);
	attach_close(&opened->attachment);
	case_end(opened);
}

static void the_exporter_sees_the_connection_end_with_the_attachment(void **state)
{
	struct attach_case *opened = case_start(NULL);
	struct attachment *attachment = &opened->attachment;
	uint8_t byte;

	assert_doca(attach(opened), DOCA_SUCCESS);
	/* From here the other end cannot be seen; what is sent into it can. */
	assert_int_equal(recv(attachment->fd, &byte, 1, MSG_DONTWAIT), -1);
	assert_int_equal(errno, EAGAIN);
	fake_agent_stop(opened->agent);
	opened->agent = NULL;
	assert_int_equal(recv(attachment->fd, &byte, 1, MSG_DONTWAIT), 0);
	attach_close(attachment);
	case_end(opened);
}

static void the_statuses_of_verdicts_are_reset_and_shutdown(void **state)
{
	assert_doca(attach_status(CONTROL_DEAD), DOCA_ERROR_CONNECTION_RESET);
	assert_doca(attach_status(CONTROL_REVOKED), DOCA_ERROR_SHUTDOWN);
}

/* What each refusal means. */

static void a_wrong_secret_is_authentication(void **state)
{
	struct attach_case *opened = case_start(NULL);

	opened->descriptor.secret[31] ^= 1;
	assert_refused(opened, DOCA_ERROR_AUTHENTICATION);
}

static void an_unknown_region_is_not_found(void **state)
{
	struct attach_case *opened = case_start(NULL);

	opened->descriptor.id[0] ^= 1;
	assert_refused(opened, DOCA_ERROR_NOT_FOUND);
}

static void a_revoked_region_is_not_found(void **state)
{
	struct attach_case *opened = case_start(NULL);

	fake_agent_revoke(opened->agent);
	assert_refused(opened, DOCA_ERROR_NOT_FOUND);
}

static void describe_self(struct export_descriptor *descriptor)
{
	descriptor->pid = (uint32_t)getpid();
	assert_int_equal(self_boot_id(descriptor->boot_id), 0);
	assert_int_equal(self_start_time(&descriptor->start_time), 0);
}

static void no_listener_of_a_process_that_lives_is_not_found(void **state)
{
	struct attach_case *opened = case_start(NULL);

	describe_self(&opened->descriptor);
	fake_agent_stop(opened->agent);
	opened->agent = NULL;
	assert_refused(opened, DOCA_ERROR_NOT_FOUND);
}

static void no_listener_is_not_connected(void **state)
{
	struct attach_case *opened = case_start(NULL);

	opened->descriptor.start_time++; /* of a process that had our id */
	fake_agent_stop(opened->agent);
	opened->agent = NULL;
	assert_refused(opened, DOCA_ERROR_NOT_CONNECTED);
}

static void no_endpoint_on_this_machine_is_not_supported(void **state)
{
	struct attach_case *opened = case_start(NULL);

	opened->descriptor.endpoints[0].type = EXPORT_VSOCK;
	assert_refused(opened, DOCA_ERROR_NOT_SUPPORTED);
}

/* Seen as a listener of that user. */
static void assert_result_with_a_listener_of(uid_t uid, struct attach_case *opened,
					     doca_error_t wanted)
{
	fake_peer_uid = uid;
	if (wanted != DOCA_SUCCESS)
		return assert_refused(opened, wanted);
	assert_doca(attach(opened), DOCA_SUCCESS);
	attach_close(&opened->attachment);
	case_end(opened);
}

#define ANOTHER_UID (geteuid() + 1000)

static void fail_when_asked(struct fake_agent *agent, int fd)
{
	struct attach_request request;
	int activity_fd;

	fake_greet(fd);
	/* The importer hangs up without a word. */
	assert_false(fake_hear(fd, &request, &activity_fd));
}

static void a_listener_of_another_user_is_told_nothing(void **state)
{
	struct attach_case *opened = case_start(fail_when_asked);

	assert_result_with_a_listener_of(ANOTHER_UID, opened, DOCA_ERROR_NOT_PERMITTED);
}

static void a_listener_of_the_descriptors_user_is_the_exporter(void **state)
{
	struct attach_case *opened = case_start(NULL);

	opened->descriptor.uid = ANOTHER_UID;
	assert_result_with_a_listener_of(ANOTHER_UID, opened, DOCA_SUCCESS);
}

static void a_listener_of_root_is_trusted(void **state)
{
	struct attach_case *opened = case_start(NULL);

	opened->descriptor.uid = ANOTHER_UID;
	assert_result_with_a_listener_of(0, opened, DOCA_SUCCESS);
}

static void a_listener_of_an_admitted_user_is_trusted(void **state)
{
	struct attach_case *opened = case_start(NULL);

	opened->policy.num_uids = 1;
	opened->policy.uids[0] = ANOTHER_UID;
	assert_result_with_a_listener_of(ANOTHER_UID, opened, DOCA_SUCCESS);
}

/* Calls of ours that fail. */

static void assert_call_fails(struct call *call, int error, doca_error_t wanted)
{
	struct attach_case *opened = case_start(NULL);

	call->error = error;
	assert_refused(opened, wanted);
	assert_int_equal(call->error, 0);
}

static void a_socket_that_may_not_be_connected_to_is_not_permitted(void **state)
{
	assert_call_fails(&connect_call, EACCES, DOCA_ERROR_NOT_PERMITTED);
	assert_call_fails(&connect_call, EPERM, DOCA_ERROR_NOT_PERMITTED);
}

static void want_of_memory_is_no_memory(void **state)
{
	assert_call_fails(&socket_call, ENOMEM, DOCA_ERROR_NO_MEMORY);
	assert_call_fails(&connect_call, ENOBUFS, DOCA_ERROR_NO_MEMORY);
	assert_call_fails(&sendmsg_call, ENOMEM, DOCA_ERROR_NO_MEMORY);
	assert_call_fails(&recvmsg_call, ENOMEM, DOCA_ERROR_NO_MEMORY);
	assert_call_fails(&ppoll_call, ENOMEM, DOCA_ERROR_NO_MEMORY);
	assert_call_fails(&mmap_call, ENOMEM, DOCA_ERROR_NO_MEMORY); /* the activity page's */
	mmap_call.skipped = 1;
	assert_call_fails(&mmap_call, ENOMEM, DOCA_ERROR_NO_MEMORY); /* the control page's */
}

static void other_failures_of_ours_are_the_operating_systems(void **state)
{
	assert_call_fails(&socket_call, EMFILE, DOCA_ERROR_OPERATING_SYSTEM);
	assert_call_fails(&getsockopt_call, EPERM, DOCA_ERROR_OPERATING_SYSTEM);
	assert_call_fails(&sendmsg_call, EPERM, DOCA_ERROR_OPERATING_SYSTEM);
	assert_call_fails(&ppoll_call, EPERM, DOCA_ERROR_OPERATING_SYSTEM);
}

static void hang_up(struct fake_agent *agent, int fd)
{
	shutdown(fd, SHUT_RDWR);
}

static void a_lost_connection_is_not_connected(void **state)
{
	struct attach_case *opened = case_start(hang_up);

	/* Also of a process that lives: it is there, and has not said that it knows no region. */
	describe_self(&opened->descriptor);
	assert_doca(attach(opened), DOCA_ERROR_NOT_CONNECTED);
	assert_int_equal(fake_num_connections(opened->agent), 2);
	case_end(opened);
}

static void a_connection_that_is_lost_before_the_answer_is_made_again(void **state)
{
	const struct {
		struct call *call;
		int error;
		unsigned int skipped;
	} losses[] = {
		{&sendmsg_call, EPIPE, 0},
		{&sendmsg_call, ECONNRESET, 1},
		{&recvmsg_call, ECONNRESET, 0},
	};

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
		struct attach_case *opened = case_start(NULL);

		losses[i].call->error = losses[i].error;
		losses[i].call->skipped = losses[i].skipped;
		assert_doca(attach(opened), DOCA_SUCCESS);
		assert_int_equal(losses[i].call->error, 0);
		assert_int_equal(fake_num_connections(opened->agent), 2);
		attach_close(&opened->attachment);
		case_end(opened);
	}
}

static void reply_invalid(struct fake_agent *agent, int fd)
{
	struct attach_request request;
	int activity_fd;

	if (fake_greet(fd) && fake_hear(fd, &request, &activity_fd)) {
		fake_reply(fd, NBD_REP_ERR_INVALID, NULL, 0, NULL, 0);
		close(activity_fd);
	}
}

static void an_exporter_that_our_page_does_not_reach_is_the_operating_systems(void **state)
{
	struct attach_case *opened = case_start(reply_invalid);

	assert_doca(attach(opened), DOCA_ERROR_OPERATING_SYSTEM);
	assert_string_equal(opened->why, "the exporter is out of descriptors or memory");
	case_end(opened);
}

static void an_interrupted_call_is_made_again(void **state)
{
	struct call *const calls[] = {&connect_call, &sendmsg_call, &recvmsg_call, &ppoll_call};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		struct attach_case *opened = case_start(NULL);

		calls[i]->error = EINTR;
		assert_doca(attach(opened), DOCA_SUCCESS);
		assert_int_equal(calls[i]->error, 0);
		attach_close(&opened->attachment);
		case_end(opened);
	}
}

static void no_descriptor_left_for_what_comes_is_the_operating_systems(void **state)
{
	struct attach_case *opened = case_start(NULL);
	doca_error_t result;

	has_no_fd_left = true;
	result = attach(opened);
	has_no_fd_left = false;
	assert_doca(result, DOCA_ERROR_OPERATING_SYSTEM);
	case_end(opened);
}

static void reply_platform(struct fake_agent *agent, int fd)
{
	struct attach_request request;
	int activity_fd;

	if (fake_greet(fd) && fake_hear(fd, &request, &activity_fd)) {
		fake_reply(fd, NBD_REP_ERR_PLATFORM, "who?", 4, NULL, 0);
		close(activity_fd);
	}
}

static void an_exporter_that_refuses_this_user_is_not_permitted(void **state)
{
	assert_refused(case_start(reply_platform), DOCA_ERROR_NOT_PERMITTED);
}

static void reply_unsupported(struct fake_agent *agent, int fd)
{
	struct attach_request request;
	int activity_fd;

	if (fake_greet(fd) && fake_hear(fd, &request, &activity_fd)) {
		fake_reply(fd, NBD_REP_ERR_UNSUP, NULL, 0, NULL, 0);
		close(activity_fd);
	}
}

static void another_nbd_server_is_not_supported(void **state)
{
	assert_refused(case_start(reply_unsupported), DOCA_ERROR_NOT_SUPPORTED);
}

static void an_exporter_that_has_died_is_not_connected(void **state)
{
	skip_unless(kernel_marks_dead_owners(), NO_ROBUST_LOCKS);

	struct attach_case *opened = case_new();

	opened->options.is_dead = true;
	opened->agent = fake_agent_start(&opened->options, &opened->descriptor);
	assert_refused(opened, DOCA_ERROR_NOT_CONNECTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_attachment_has_the_page_the_process_and_the_answer),
		cmocka_unit_test(a_memory_file_comes_along),
		cmocka_unit_test(a_bell_comes_along),
		cmocka_unit_test(a_pathname_socket_does_as_well),
		cmocka_unit_test(the_next_endpoint_is_tried_when_nobody_listens_at_the_first),
		cmocka_unit_test(the_exporter_sees_the_connection_end_with_the_attachment),
		cmocka_unit_test(the_statuses_of_verdicts_are_reset_and_shutdown),
		cmocka_unit_test(a_wrong_secret_is_authentication),
		cmocka_unit_test(an_unknown_region_is_not_found),
		cmocka_unit_test(a_revoked_region_is_not_found),
		cmocka_unit_test(no_listener_is_not_connected),
		cmocka_unit_test(no_listener_of_a_process_that_lives_is_not_found),
		cmocka_unit_test(no_endpoint_on_this_machine_is_not_supported),
		cmocka_unit_test(a_listener_of_another_user_is_told_nothing),
		cmocka_unit_test(a_listener_of_the_descriptors_user_is_the_exporter),
		cmocka_unit_test(a_listener_of_root_is_trusted),
		cmocka_unit_test(a_listener_of_an_admitted_user_is_trusted),
		cmocka_unit_test(want_of_memory_is_no_memory),
		cmocka_unit_test(other_failures_of_ours_are_the_operating_systems),
		cmocka_unit_test(a_lost_connection_is_not_connected),
		cmocka_unit_test(a_connection_that_is_lost_before_the_answer_is_made_again),
		cmocka_unit_test(an_exporter_that_our_page_does_not_reach_is_the_operating_systems),
		cmocka_unit_test(an_interrupted_call_is_made_again),
		cmocka_unit_test(no_descriptor_left_for_what_comes_is_the_operating_systems),
		cmocka_unit_test(a_socket_that_may_not_be_connected_to_is_not_permitted),
		cmocka_unit_test(an_exporter_that_refuses_this_user_is_not_permitted),
		cmocka_unit_test(another_nbd_server_is_not_supported),
		cmocka_unit_test(an_exporter_that_has_died_is_not_connected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
