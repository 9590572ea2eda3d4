/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <sys/resource.h>

#include "descriptors.h"

int intp_descriptors_below(unsigned long long limit)
{
	if (limit <= INTP_DESCRIPTORS_LEFT)
		return 0;
	return limit - INTP_DESCRIPTORS_LEFT > INT_MAX ? INT_MAX : (int)(limit - INTP_DESCRIPTORS_LEFT);
}

int intp_descriptors_here(void)
{
	struct rlimit limit, raised;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return INT_MAX;
	raised = (struct rlimit){.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
	if (limit.rlim_cur != limit.rlim_max && setrlimit(RLIMIT_NOFILE, &raised) == 0)
		limit = raised;
	return intp_descriptors_below(limit.rlim_cur);
}
