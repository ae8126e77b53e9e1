/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a person, or for softdoca pair, to press Enter. */
#include "enter.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "interrupt.h"
#include "report.h"

#define LOOK_MS 100 /* how often to look whether a signal waits */

bool enter_wait(void)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	char key = '\0';

	while (key != '\n') {
		bool is_ready = poll(&input, 1, LOOK_MS) > 0;

		if (interrupt_waits()) {
			complain("interrupted while waiting for Enter");
			return false;
		}
		if (!is_ready)
			continue;
		switch (read(STDIN_FILENO, &key, 1)) {
		case 1:
			break;
		case 0:
			complain("standard input ended: nobody can press Enter");
			return false;
		default:
			if (errno == EINTR)
				break;
			complain("cannot read standard input: %m");
			return false;
		}
	}
	return true;
}
