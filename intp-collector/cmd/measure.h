/* SPDX-License-Identifier: Apache-2.0 */
/* Opens what this machine can count with. */
#ifndef INTP_MEASURE_H
#define INTP_MEASURE_H

#include "../publish/panel.h"
#include "../source/clock.h"
#include "options.h"

/*
 * Opens every source of this machine, best first: eBPF or /proc, then control groups, resctrl, perf and uncore. The
 * panel must be empty. False with a reason where containers cannot be measured at all, or not with the source that
 * was asked for.
 */
bool intp_measure_open(const struct intp_options *options, struct intp_panel *panel, char *reason, size_t size);

/* Why containers of other users cannot be measured, because their processes cannot be seen; NULL: they can. */
const char *intp_why_blind(void);

#endif
