/* SPDX-License-Identifier: Apache-2.0 */
/* Looking into what is sorted. Thread-safe. */
#ifndef INTP_SORTED_H
#define INTP_SORTED_H

#include <stddef.h>

/*
 * The index of the first element that is not below `key`, or `count`; of elements of `size` bytes that begin with an
 * int and are sorted by it.
 */
static inline size_t intp_sorted_at(const void *elements, size_t count, size_t size, int key)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (*(const int *)((const char *)elements + middle * size) < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
