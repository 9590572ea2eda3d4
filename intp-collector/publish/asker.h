/* SPDX-License-Identifier: Apache-2.0 */
/* Who sends a line, and how far the answer to it has come. */
#ifndef INTP_ASKER_H
#define INTP_ASKER_H

#include <stdbool.h>
#include <sys/types.h>

struct intp_asker {
	bool trusted; /* root, or this process's own user: may have any process watched */
	uid_t user;
	pid_t process; /* that connected; 0: not known */

	/* What is left to do for the line, NULL: nothing. It is the answerer's, who says how to `forget` it. */
	void *unfinished;
	void (*forget)(void *unfinished);
};

static inline void intp_asker_forget(struct intp_asker *asker)
{
	if (asker->unfinished)
		asker->forget(asker->unfinished);
	asker->unfinished = NULL;
}

#endif
