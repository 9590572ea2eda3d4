// SPDX-License-Identifier: Apache-2.0
#include "ebpf_walk.h"

#include <errno.h>

#include <bpf/bpf.h>

struct intp_owner_walk *intp_owner_walk_begin(void)
{
	static struct intp_owner_walk walk;

	walk.begun = walk.over = false;
	walk.error = 0;
	return &walk;
}

bool intp_owner_walk_on(struct intpd_bpf *bpf, struct intp_owner_walk *walk)
{
	bool more;

	if (walk->over)
		return false;
	walk->count = INTP_KEYS_AT_ONCE;
	more = !bpf_map_lookup_batch(bpf_map__fd(bpf->maps.owners), walk->begun ? &walk->position : NULL,
				     &walk->position, walk->keys, walk->slots, &walk->count, NULL);
	walk->begun = true;
	walk->over = !more;
	/* At the end it says ENOENT and gives the last ones. */
	walk->error = more || errno == ENOENT ? 0 : -errno;
	return !walk->error;
}
