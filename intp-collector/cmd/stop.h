/* SPDX-License-Identifier: Apache-2.0 */
/* Ending on SIGINT and SIGTERM where it suits, so that nothing is left behind in the kernel. */
#ifndef INTP_STOP_H
#define INTP_STOP_H

#include <stdbool.h>

/* Blocks both signals; a descriptor that can be read once one has come, or -1 with errno set. */
int intp_stop_open(void);

/* Waits; false where a signal came first. */
bool intp_stop_wait(int stop, double seconds);

#endif
