/* SPDX-License-Identifier: Apache-2.0 */
/* The list whose links live in its elements. */
#include "support/test.h"

#include "base/list.h"

struct element {
	int number;
	struct list link;
};

#define NUM_ELEMENTS 3

/* Three elements in a list. */
struct fixture {
	struct list head;
	struct element elements[NUM_ELEMENTS];
};

static void fill(struct fixture *fixture)
{
	list_init(&fixture->head);
	for (int i = 0; i < NUM_ELEMENTS; i++) {
		fixture->elements[i].number = i + 1;
		list_add_tail(&fixture->head, &fixture->elements[i].link);
	}
}

/* The numbers in order, as digits: 123. */
static int digits(const struct list *head)
{
	int sum = 0;

	list_for_each (link, head)
		sum = sum * 10 + CONTAINER_OF(link, struct element, link)->number;
	return sum;
}

static int digits_backwards(const struct list *head)
{
	int sum = 0;

	for (struct list *link = head->prev; link != head; link = link->prev)
		sum = sum * 10 + CONTAINER_OF(link, struct element, link)->number;
	return sum;
}

static void a_new_list_is_empty(void **state)
{
	struct list head;

	list_init(&head);
	assert_true(list_is_empty(&head));
	assert_int_equal(digits(&head), 0);
}

static void elements_stand_in_the_order_of_their_adding(void **state)
{
	struct fixture fixture;

	fill(&fixture);
	assert_false(list_is_empty(&fixture.head));
	assert_int_equal(digits(&fixture.head), 123);
	assert_int_equal(digits_backwards(&fixture.head), 321);
}

static void each_place_can_be_removed(void **state)
{
	static const int expected[NUM_ELEMENTS] = {23, 13, 12};
	static const int backwards[NUM_ELEMENTS] = {32, 31, 21};

	for (int i = 0; i < NUM_ELEMENTS; i++) {
		struct fixture fixture;

		fill(&fixture);
		list_remove(&fixture.elements[i].link);
		assert_int_equal(digits(&fixture.head), expected[i]);
		assert_int_equal(digits_backwards(&fixture.head), backwards[i]);
	}
}

static void a_list_is_empty_when_all_are_removed(void **state)
{
	struct fixture fixture;

	fill(&fixture);
	for (int i = 0; i < NUM_ELEMENTS; i++)
		list_remove(&fixture.elements[i].link);
	assert_true(list_is_empty(&fixture.head));
	assert_ptr_equal(fixture.head.prev, &fixture.head);
}

static void a_second_removal_is_harmless(void **state)
{
	struct fixture fixture;

	fill(&fixture);
	list_remove(&fixture.elements[1].link);
	list_remove(&fixture.elements[1].link);
	assert_int_equal(digits(&fixture.head), 13);
}

static void a_removed_element_can_be_added_again(void **state)
{
	struct fixture fixture;

	fill(&fixture);
	list_remove(&fixture.elements[0].link);
	list_add_tail(&fixture.head, &fixture.elements[0].link);
	assert_int_equal(digits(&fixture.head), 231);
}

/* What owns two lists, and a look at the elements that is not made of the head. */
struct owner {
	struct element *chosen;
	struct list todo;
	struct list done;
};

static bool is_there(const struct owner *owner, int number)
{
	if (owner->chosen->number == number)
		return true;
	list_for_each (link, &owner->done)
		if (CONTAINER_OF(link, struct element, link)->number == number)
			return true;
	list_for_each (link, &owner->todo)
		if (CONTAINER_OF(link, struct element, link)->number == number)
			return true;
	return false;
}

/* In a function that the compiler sees as a whole: gcc 12 once thought that no link is a head. */
__attribute__((noinline)) static int move_all(struct owner *owner)
{
	int num_moved = 0;

	while (!list_is_empty(&owner->todo) && num_moved < 2 * NUM_ELEMENTS) {
		struct list *link = owner->todo.next;
		struct element *element = CONTAINER_OF(link, struct element, link);

		list_remove(link);
		list_add_tail(&owner->done, link);
		num_moved++;
		if (!is_there(owner, element->number))
			return -1;
	}
	return num_moved;
}

static void each_element_is_moved_once_from_list_to_list(void **state)
{
	struct fixture fixture;
	struct owner owner = {.chosen = &fixture.elements[0]};

	fill(&fixture);
	list_init(&owner.todo);
	list_init(&owner.done);
	for (int i = 0; i < NUM_ELEMENTS; i++) {
		list_remove(&fixture.elements[i].link);
		list_add_tail(&owner.todo, &fixture.elements[i].link);
	}
	assert_int_equal(move_all(&owner), NUM_ELEMENTS);
	assert_int_equal(digits(&owner.done), 123);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_list_is_empty),
		cmocka_unit_test(elements_stand_in_the_order_of_their_adding),
		cmocka_unit_test(each_place_can_be_removed),
		cmocka_unit_test(a_list_is_empty_when_all_are_removed),
		cmocka_unit_test(a_second_removal_is_harmless),
		cmocka_unit_test(a_removed_element_can_be_added_again),
		cmocka_unit_test(each_element_is_moved_once_from_list_to_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
