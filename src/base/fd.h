/* SPDX-License-Identifier: Apache-2.0 */
/* An eventfd as a level: readable from signal to drain. Results are 0 or negative errno. */
#ifndef BASE_FD_H_
#define BASE_FD_H_

/* A new one, not readable, or negative errno. */
int event_fd_open(void);

int event_fd_signal(int fd);

/* Makes the descriptor unreadable; a descriptor that is not readable is no error. */
int event_fd_drain(int fd);

void event_fd_close(int fd);

#endif /* BASE_FD_H_ */
