/* SPDX-License-Identifier: Apache-2.0 */
/* What tells this process and its kernel from others. Results are 0 or negative errno. */
#ifndef PEER_SELF_H_
#define PEER_SELF_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define SELF_BOOT_ID_BYTES 16
#define SELF_NAME_BYTES 16

/* Of the running kernel: equal in every process of the machine, and new at each boot. */
int self_boot_id(uint8_t boot_id[SELF_BOOT_ID_BYTES]);

/* When this process started, in the kernel's ticks: with the pid it names one process. */
int self_start_time(uint64_t *start_time);

/* The same of another process, as this one's /proc has it; -ESRCH of one that has ended. */
int self_start_time_of(pid_t pid, uint64_t *start_time);

/* Whether that process of that boot is there, and visible from here. */
bool self_sees(const uint8_t boot_id[SELF_BOOT_ID_BYTES], pid_t pid, uint64_t start_time);

/* What becomes another when the process or its program does; an exec of its own name is not seen.
 */
struct self_program {
	uint64_t start_time;
	char name[SELF_NAME_BYTES]; /* as long as the kernel keeps it */
};

/* -ESRCH of a process that has ended, or is about to. */
int self_program_of(pid_t pid, struct self_program *program);

#endif /* PEER_SELF_H_ */
