/* SPDX-License-Identifier: Apache-2.0 */
/* A C++ program under softdoca run --shared-heap. */
#include "heap_support.h"

#include <new>
#include <thread>
#include <vector>

static bool an_array_of_new_is_a_sealed_memory_file()
{
	char *bytes = new char[MIB];

	CHECK(is_shareable(bytes));
	delete[] bytes;
	return true;
}

struct alignas(8192) page_pair {
	char bytes[128 * KIB];
};

static bool an_aligned_object_is_one_too()
{
	page_pair *pair = new page_pair;

	CHECK(is_shareable(pair) && reinterpret_cast<uintptr_t>(pair) % 8192 == 0);
	delete pair;
	return true;
}

static bool a_vector_that_grows_keeps_its_elements()
{
	std::vector<size_t> numbers;

	for (size_t i = 0; i < 1000000; i++)
		numbers.push_back(i);
	CHECK(is_shareable(numbers.data()));
	for (size_t i = 0; i < 1000000; i++)
		CHECK(numbers[i] == i);
	numbers.clear();
	numbers.shrink_to_fit();
	return true;
}

static bool what_is_too_large_is_bad_alloc()
{
	/* The compiler would leave out what it sees through. */
	volatile size_t size = static_cast<size_t>(1) << 60;

	try {
		char *volatile bytes = new char[size];

		delete[] bytes;
	} catch (const std::bad_alloc &) {
		return true;
	}
	return false;
}

static bool a_thread_frees_what_another_made()
{
	char *bytes = new char[MIB];

	std::thread([bytes] { delete[] bytes; }).join();
	return true;
}

static const struct heap_test tests[] = {
	TEST(an_array_of_new_is_a_sealed_memory_file), TEST(an_aligned_object_is_one_too),
	TEST(a_vector_that_grows_keeps_its_elements),  TEST(what_is_too_large_is_bad_alloc),
	TEST(a_thread_frees_what_another_made),
};

int main()
{
	return run_tests(tests, sizeof(tests) / sizeof(tests[0]));
}
