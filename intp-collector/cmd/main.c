/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

#include "commands.h"

static void say(const char *format, va_list arguments)
{
	char line[1024];

	vsnprintf(line, sizeof(line), format, arguments);
	fprintf(stderr, "intpd: %s\n", line);
}

int intp_fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
	return 1;
}

void intp_say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}

int main(int argc, char **argv)
{
	struct intp_options options;
	char message[512];

	/* A daemon, a terminal or a log that goes away is an error of the write, not an end without cleaning up. */
	signal(SIGPIPE, SIG_IGN);
	if (!intp_options_parse(argc, argv, &options, message, sizeof(message))) {
		intp_say("%s", message);
		return 2;
	}
	switch (options.command) {
	case INTP_SERVE:
		return intp_command_serve(&options);
	case INTP_TOP:
		return intp_command_top(&options);
	case INTP_CSV:
		return intp_command_csv(&options);
	case INTP_CALIBRATE:
		return intp_command_calibrate(&options);
	case INTP_CHECK:
		return intp_command_check(&options);
	case INTP_SHOW_HELP:
		fputs(intp_help, stdout);
		return 0;
	case INTP_SHOW_RELEASE:
		puts("intpd " INTP_RELEASE);
		return 0;
	}
	return 2;
}
