/* SPDX-License-Identifier: Apache-2.0 */
#include "signal.h"

static const char *const names[INTP_SIGNALS] = {
	[INTP_NETP] = "netp",	    [INTP_NETS] = "nets",   [INTP_BLK] = "blk", [INTP_MBW] = "mbw",
	[INTP_LLCMR] = "llcmr",	    [INTP_LLOCC] = "llocc", [INTP_CPU] = "cpu", [INTP_CPUWAIT] = "cpuwait",
	[INTP_BLKWAIT] = "blkwait", [INTP_FUTEX] = "futex",
};

const char *intp_signal_name(enum intp_signal signal)
{
	return names[signal];
}
