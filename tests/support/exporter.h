/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that exports memory and does nothing else but what its parent tells it: a fresh start
 * of the test program (exec), so that it shares nothing with its parent. A program that uses it
 * calls exporter_main() first in main().
 */
#ifndef TESTS_SUPPORT_EXPORTER_H_
#define TESTS_SUPPORT_EXPORTER_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <doca_mmap.h>

enum exporter_memory {
	EXPORTER_MALLOC,
	EXPORTER_STATIC,
	EXPORTER_STACK,
	EXPORTER_HUGE_PAGES,   /* transparent ones */
	EXPORTER_MEMFD,	       /* sealed against shrinking */
	EXPORTER_MEMFD_FROZEN, /* and against new writers */
	EXPORTER_MEMFD_UNSEALED,
	EXPORTER_FILE_SHARED,
	EXPORTER_FILE_PRIVATE,
	EXPORTER_READ_ONLY, /* its pages are */
	EXPORTER_SPARSE,    /* only the first and last page of it hold the pattern */
};

struct exporter_options {
	enum exporter_memory memory;
	size_t len_bytes;
	uint32_t access;
	int is_rdma;
	uid_t uid; /* 0: as the test */
};

struct exporter {
	pid_t pid;
	int commands;	     /* write end */
	int answers;	     /* read end */
	doca_error_t result; /* of the export */
	uint8_t descriptor[512];
	size_t descriptor_bytes;
	uint8_t *addr; /* in the exporter */
	size_t len_bytes;
};

/* The exporter's part of the program; does not return in an exporter. */
void exporter_main(int argc, char **argv);

/* Start one and wait for its export; its memory holds exporter_byte(offset). */
void exporter_start(struct exporter *exporter, const struct exporter_options *options);

/* Kill it if it lives, and reap it. */
void exporter_end(struct exporter *exporter);

enum exporter_command {
	EXPORTER_DESTROY = 'd',	 /* the map; the memory stays and is filled with 0x11 */
	EXPORTER_UNMAP = 'u',	 /* the third quarter of the memory */
	EXPORTER_TRUNCATE = 't', /* its file, to one page */
	EXPORTER_EXEC = 'e',	 /* become another program, same process */
	EXPORTER_FORK = 'f',	 /* a child that lives on; answers its pid */
	EXPORTER_RSS = 'r',	 /* answers the resident bytes */
	EXPORTER_SUM = 's',	 /* answers a sum over the whole memory */
};

/* Do it, and wait for the answer (EXEC: for the end of the pipe). */
uint64_t exporter_do(struct exporter *exporter, enum exporter_command command);

static inline uint8_t exporter_byte(size_t offset)
{
	return (uint8_t)(offset + offset / 251 + offset / 65536);
}

/* What EXPORTER_SUM answers for such bytes. */
uint64_t exporter_sum(const uint8_t *bytes, size_t len_bytes);

#endif /* TESTS_SUPPORT_EXPORTER_H_ */
