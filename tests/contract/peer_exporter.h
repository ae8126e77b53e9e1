/* SPDX-License-Identifier: Apache-2.0 */
/* The exporter's process of the peer suite, for the suite alone. */
#ifndef TESTS_CONTRACT_PEER_EXPORTER_H_
#define TESTS_CONTRACT_PEER_EXPORTER_H_

#include "contract/peer_suite.h"

enum peer_exporter_command {
	PEER_EXPORTER_REVOKE = 'r',
	PEER_EXPORTER_UNMAP = 'u',
	PEER_EXPORTER_FETCH = 'f',
	PEER_EXPORTER_EXEC = 'x',
};

pid_t peer_exporter_start(const struct peer_suite *suite, uint32_t rights, int *control,
			  struct export_descriptor *descriptor);

/* Returns when it is done, with what it answers. */
void peer_exporter_tell(int control, enum peer_exporter_command command, void *answer,
			size_t len_bytes);

void peer_exporter_receive(int fd, void *bytes, size_t len_bytes);

#endif /* TESTS_CONTRACT_PEER_EXPORTER_H_ */
