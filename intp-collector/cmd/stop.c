/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>

#include "measure.h"
#include "stop.h"

int intp_stop_open(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &signals, NULL) < 0)
		return -1;
	return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool intp_stop_wait(int stop, double seconds)
{
	uint64_t now = intp_now_ns(), end = now + (uint64_t)(seconds * 1e9);
	struct pollfd polled = {.fd = stop, .events = POLLIN};

	for (; now < end; now = intp_now_ns()) {
		struct timespec left = {(time_t)((end - now) / 1000000000), (long)((end - now) % 1000000000)};

		if (ppoll(&polled, 1, &left, NULL) > 0)
			return false;
	}
	return true;
}
