/* SPDX-License-Identifier: Apache-2.0 */
/* A circular doubly linked list whose links live in its elements. */
#ifndef BASE_LIST_H_
#define BASE_LIST_H_

#include <stdbool.h>
#include <stddef.h>

/*
 * The link before the first element is the head, which lies in another type than the elements do:
 * gcc 12 takes it for no alias of theirs, and reads the head once for a loop that empties it.
 */
struct __attribute__((may_alias)) list {
	struct list *prev;
	struct list *next;
};

#define CONTAINER_OF(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#define list_for_each(link, head)                                                                  \
	for (struct list *link = (head)->next; link != (head); link = link->next)

static inline void list_init(struct list *head)
{
	head->prev = head;
	head->next = head;
}

static inline bool list_is_empty(const struct list *head)
{
	return head->next == head;
}

static inline void list_add_tail(struct list *head, struct list *link)
{
	link->prev = head->prev;
	link->next = head;
	head->prev->next = link;
	head->prev = link;
}

/* The link is left pointing at itself, so that removing it again is harmless. */
static inline void list_remove(struct list *link)
{
	link->prev->next = link->next;
	link->next->prev = link->prev;
	list_init(link);
}

#endif /* BASE_LIST_H_ */
