/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops, in lines of 64 bytes at an aligned target; ranges do not overlap. Each family includes
 * this once, behind its TARGET attribute, struct line, and line_load (from any address),
 * line_store, line_stream (to an aligned one), line_prefetch, line_prefetch_once.
 */
#define LINE_BYTES 64
#define PAGE_BYTES 4096

#define LINES_AHEAD 8	     /* of pages */
#define ROW_BYTES_AHEAD 1024 /* of a row */

/* Less than a line, and nothing beside it: half lines would meet what has streamed or crossed. */
static inline TARGET void move_rest(char *to, const char *from, size_t len)
{
	if (len >= 32) {
		memcpy(to, from, 32);
		memcpy(to + len - 32, from + len - 32, 32);
	} else if (len >= 16) {
		memcpy(to, from, 16);
		memcpy(to + len - 16, from + len - 16, 16);
	} else if (len >= 8) {
		memcpy(to, from, 8);
		memcpy(to + len - 8, from + len - 8, 8);
	} else if (len >= 4) {
		memcpy(to, from, 4);
		memcpy(to + len - 4, from + len - 4, 4);
	} else if (len > 0) {
		to[0] = from[0];
		to[len / 2] = from[len / 2];
		to[len - 1] = from[len - 1];
	}
}

/* Bytes up to the first aligned line. */
static inline size_t bytes_before(const char *to)
{
	return -(uintptr_t)to % LINE_BYTES;
}

static TARGET void copy_forward(char *to, const char *from, size_t len)
{
	size_t before = bytes_before(to);

	move_rest(to, from, before);
	to += before;
	from += before;
	len -= before;
	for (; len >= 4 * LINE_BYTES; len -= 4 * LINE_BYTES) {
		struct line a = line_load(from);
		struct line b = line_load(from + LINE_BYTES);
		struct line c = line_load(from + 2 * LINE_BYTES);
		struct line d = line_load(from + 3 * LINE_BYTES);

		line_store(to, a);
		line_store(to + LINE_BYTES, b);
		line_store(to + 2 * LINE_BYTES, c);
		line_store(to + 3 * LINE_BYTES, d);
		to += 4 * LINE_BYTES;
		from += 4 * LINE_BYTES;
	}
	for (; len >= LINE_BYTES; len -= LINE_BYTES) {
		line_store(to, line_load(from));
		to += LINE_BYTES;
		from += LINE_BYTES;
	}
	move_rest(to, from, len);
}

static TARGET void copy_backward(char *to, const char *from, size_t len)
{
	char *end = to + len;
	const char *from_end = from + len;
	size_t behind = (uintptr_t)end % LINE_BYTES;

	end -= behind;
	from_end -= behind;
	len -= behind;
	move_rest(end, from_end, behind);
	for (; len >= 4 * LINE_BYTES; len -= 4 * LINE_BYTES) {
		struct line a = line_load(from_end - LINE_BYTES);
		struct line b = line_load(from_end - 2 * LINE_BYTES);
		struct line c = line_load(from_end - 3 * LINE_BYTES);
		struct line d = line_load(from_end - 4 * LINE_BYTES);

		line_store(end - LINE_BYTES, a);
		line_store(end - 2 * LINE_BYTES, b);
		line_store(end - 3 * LINE_BYTES, c);
		line_store(end - 4 * LINE_BYTES, d);
		end -= 4 * LINE_BYTES;
		from_end -= 4 * LINE_BYTES;
	}
	for (; len >= LINE_BYTES; len -= LINE_BYTES) {
		end -= LINE_BYTES;
		from_end -= LINE_BYTES;
		line_store(end, line_load(from_end));
	}
	move_rest(to, from, len);
}

/*
 * A load waits for an older store to the same place of another page. With the target a little
 * ahead, counted within a page, the loads of a walk forward come upon its stores; those of one
 * backward do not.
 */
static TARGET void copy_lines(void *to, const void *from, size_t len)
{
	size_t ahead = ((uintptr_t)to - (uintptr_t)from) % PAGE_BYTES;

	if (ahead > 0 && ahead < PAGE_BYTES / 2)
		copy_backward(to, from, len);
	else
		copy_forward(to, from, len);
}

/* From an aligned target on. */
static inline TARGET void stream_lines(char *to, const char *from, size_t len)
{
	for (; len >= 4 * LINE_BYTES; len -= 4 * LINE_BYTES) {
		struct line a;
		struct line b;
		struct line c;
		struct line d;

		for (size_t i = 0; i < 4; i++)
			line_prefetch_once(from + ROW_BYTES_AHEAD + i * LINE_BYTES);
		a = line_load(from);
		b = line_load(from + LINE_BYTES);
		c = line_load(from + 2 * LINE_BYTES);
		d = line_load(from + 3 * LINE_BYTES);
		line_stream(to, a);
		line_stream(to + LINE_BYTES, b);
		line_stream(to + 2 * LINE_BYTES, c);
		line_stream(to + 3 * LINE_BYTES, d);
		to += 4 * LINE_BYTES;
		from += 4 * LINE_BYTES;
	}
	for (; len >= LINE_BYTES; len -= LINE_BYTES) {
		line_stream(to, line_load(from));
		to += LINE_BYTES;
		from += LINE_BYTES;
	}
	move_rest(to, from, len);
}

static TARGET void stream_row(void *to, const void *from, size_t len)
{
	size_t before = bytes_before(to);

	move_rest(to, from, before);
	stream_lines((char *)to + before, (const char *)from + before, len - before);
}

#if defined(__x86_64__) /* those that Intel's are fast with */
/* Two lines of each of four pages in turn. */
static inline TARGET void stream_four_pages(char *to, const char *from)
{
	for (size_t at = 0; at < PAGE_BYTES; at += 2 * LINE_BYTES) {
		for (size_t i = at; i < 4 * PAGE_BYTES; i += PAGE_BYTES) {
			struct line a;
			struct line b;

			line_prefetch(from + i + LINES_AHEAD * LINE_BYTES);
			line_prefetch(from + i + (LINES_AHEAD + 1) * LINE_BYTES);
			a = line_load(from + i);
			b = line_load(from + i + LINE_BYTES);
			line_stream(to + i, a);
			line_stream(to + i + LINE_BYTES, b);
		}
	}
}

static TARGET void stream_pages(void *to, const void *from, size_t len)
{
	size_t before = bytes_before(to);
	size_t at = before;

	move_rest(to, from, before);
	for (; len - at >= 4 * PAGE_BYTES; at += 4 * PAGE_BYTES)
		stream_four_pages((char *)to + at, (const char *)from + at);
	stream_lines((char *)to + at, (const char *)from + at, len - at);
}

/*
 * What fits into the first-level cache the lines move faster, and from 8 KiB equally fast where
 * both ranges lie alike in their lines; the rest the CPU's own loop.
 */
#define STRING_BYTES ((size_t)32 << 10)
#define STRING_ALIKE_BYTES ((size_t)8 << 10)

static TARGET void copy_string(void *to, const void *from, size_t len)
{
	bool is_alike = ((uintptr_t)to - (uintptr_t)from) % LINE_BYTES == 0;
	size_t before = bytes_before(to);

	if (len < (is_alike ? STRING_ALIKE_BYTES : STRING_BYTES)) {
		copy_lines(to, from, len);
		return;
	}
	move_rest(to, from, before);
	to = (char *)to + before;
	from = (const char *)from + before;
	len -= before;
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(len) : : "memory");
}
#endif
