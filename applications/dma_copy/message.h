/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the two halves say to each other, each message one of these, cut off behind its extra bytes.
 * The numbers are in the byte order of both, little endian: host and DPU share it.
 *
 *   host                            DPU
 *   OFFER  what it wants      -->
 *                             <--   ANSWER  what shall be
 *   MEMORY a ring of windows  -->
 *   then, from whoever sends the file, FILLED for each window that is in the ring, at last END;
 * from whoever receives it, EMPTIED for each window that it has taken, at last DONE.
 */
#ifndef SAMPLES_APPLICATIONS_DMA_COPY_MESSAGE_H_
#define SAMPLES_APPLICATIONS_DMA_COPY_MESSAGE_H_

#include <stddef.h>
#include <stdint.h>

#define MESSAGE_MAGIC 0x31504344u /* "DCP1": another protocol has another one */
#define MESSAGE_EXTRA_MAX 2048	  /* a descriptor fits, and all of it into a message of comch */

enum message_type {
	MESSAGE_OFFER = 1, /* is_sender, len of the file, window_size at most */
	MESSAGE_ANSWER,	   /* the same of the DPU half, and num_windows; what is said here holds */
	MESSAGE_MEMORY,	   /* address and len of the ring; extra: its descriptor */
	MESSAGE_FILLED,	   /* number of a window, len of what is in it */
	MESSAGE_EMPTIED,   /* number of a window */
	MESSAGE_END,	   /* that was the last window; extra: SHA-256 of the file */
	MESSAGE_DONE,	   /* the copy has its name; extra: its SHA-256 */
	MESSAGE_FAILED,	   /* whoever says this gives up, and has told its user why */
};

struct message {
	uint32_t magic;
	uint32_t type; /* enum message_type */
	uint64_t number;
	uint64_t len; /* in bytes */
	uint64_t address;
	uint32_t window_size; /* in bytes */
	uint32_t num_windows;
	uint32_t is_sender; /* 1: of a file; 0: it receives one */
	uint32_t extra_len;
	char extra[MESSAGE_EXTRA_MAX];
};

#define MESSAGE_HEAD_LEN offsetof(struct message, extra)

#endif /* SAMPLES_APPLICATIONS_DMA_COPY_MESSAGE_H_ */
