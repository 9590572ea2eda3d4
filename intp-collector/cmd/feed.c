/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "feed.h"

struct intp_feed *intp_feed_open(const struct intp_options *options, char *reason, size_t size)
{
	if (options->pid_count)
		return intp_feed_measuring(options, reason, size);
	return intp_feed_asking(options->socket, reason, size);
}

const struct intp_row *intp_reading_find(const struct intp_reading *reading, const char *container)
{
	for (int i = 0; i < reading->count; i++)
		if (strcmp(reading->rows[i].container, container) == 0)
			return &reading->rows[i];
	return NULL;
}
