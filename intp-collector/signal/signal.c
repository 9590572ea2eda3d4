/* SPDX-License-Identifier: Apache-2.0 */
#include "signal.h"

#define NAME(constant, name, rate, predictor)	   [INTP_##constant] = name,
#define RATE(constant, name, rate, predictor)	   [INTP_##constant] = rate,
#define PREDICTOR(constant, name, rate, predictor) [INTP_##constant] = predictor,

static const char *const names[INTP_SIGNALS] = {INTP_EACH_SIGNAL(NAME)};
static const bool rates[INTP_SIGNALS] = {INTP_EACH_SIGNAL(RATE)};
static const bool predictors[INTP_SIGNALS] = {INTP_EACH_SIGNAL(PREDICTOR)};

const char *intp_signal_name(enum intp_signal signal)
{
	return names[signal];
}

bool intp_signal_is_rate(enum intp_signal signal)
{
	return rates[signal];
}

bool intp_signal_is_predictor(enum intp_signal signal)
{
	return predictors[signal];
}
