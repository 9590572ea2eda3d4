/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "feed.h"
#include "stop.h"

int intp_feed_run(const struct intp_options *options, intp_feed_reader *reader)
{
	struct intp_feed *feed;
	char reason[512];
	int status, stop = intp_stop_open();

	if (stop < 0)
		return intp_fail("cannot wait for signals: %s", strerror(errno));
	if (options->pid_count)
		feed = intp_feed_measuring(options, reason, sizeof(reason));
	else
		feed = intp_feed_asking(options->socket, reason, sizeof(reason));
	status = feed ? reader(feed, options, stop) : intp_fail("%s", reason);
	if (feed)
		feed->close(feed);
	close(stop);
	return status;
}

const struct intp_row *intp_reading_find(const struct intp_reading *reading, const char *container)
{
	for (int i = 0; i < reading->count; i++)
		if (strcmp(reading->rows[i].container, container) == 0)
			return &reading->rows[i];
	return NULL;
}
