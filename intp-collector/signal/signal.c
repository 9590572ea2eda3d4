/* SPDX-License-Identifier: Apache-2.0 */
#include "signal.h"

#define NAME(constant, name, rate) [INTP_##constant] = name,
#define RATE(constant, name, rate) [INTP_##constant] = rate,

static const char *const names[INTP_SIGNALS] = {INTP_EACH_SIGNAL(NAME)};
static const bool rates[INTP_SIGNALS] = {INTP_EACH_SIGNAL(RATE)};

const char *intp_signal_name(enum intp_signal signal)
{
	return names[signal];
}

bool intp_signal_is_rate(enum intp_signal signal)
{
	return rates[signal];
}
