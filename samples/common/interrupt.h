/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C without a half-done file: signals wait while there is something to clean up. */
#ifndef SAMPLES_COMMON_INTERRUPT_H_
#define SAMPLES_COMMON_INTERRUPT_H_

#include <stdbool.h>

/* From here on SIGINT, SIGTERM and SIGHUP wait; too large a file is an error, not a signal. */
void interrupt_hold(void);

/* One of them waits: give up soon. */
bool interrupt_waits(void);

/* Let them through: one that waited ends the program, as whoever sent it expects. */
void interrupt_release(void);

#endif /* SAMPLES_COMMON_INTERRUPT_H_ */
