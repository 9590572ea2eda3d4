/* SPDX-License-Identifier: Apache-2.0 */
/* The commands; each returns the exit status and says on stderr what failed. */
#ifndef INTP_COMMANDS_H
#define INTP_COMMANDS_H

#include "options.h"

int intp_command_serve(const struct intp_options *options);
int intp_command_top(const struct intp_options *options);
int intp_command_csv(const struct intp_options *options);
int intp_command_calibrate(const struct intp_options *options);
int intp_command_check(const struct intp_options *options);

/* One line on stderr: "intpd: ..."; returns the exit status of a failure. */
__attribute__((format(printf, 1, 2))) int intp_fail(const char *format, ...);

/* Likewise, without anything having failed. */
__attribute__((format(printf, 1, 2))) void intp_say(const char *format, ...);

#endif
