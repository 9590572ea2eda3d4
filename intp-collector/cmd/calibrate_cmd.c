/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "../source/cache.h"
#include "../source/calibrate.h"
#include "commands.h"

int intp_command_calibrate(const struct intp_options *options)
{
	struct intp_calibration calibration = {0};
	struct intp_l3 l3;
	double peak;
	int error;

	if (intp_l3_read("/sys", &l3) == 0)
		calibration.l3_bytes = l3.bytes;
	error = intp_calibrate(&calibration, &peak);
	if (error)
		return intp_fail("cannot measure the peak memory bandwidth: %s", strerror(-error));
	error = intp_peak_store(options->file, peak);
	if (error)
		return intp_fail("cannot keep the peak in %s: %s; give another --file", options->file,
				 strerror(-error));
	printf("%.0f byte/s at peak, kept in %s; other load during the measurement lowers it\n", peak, options->file);
	if (!strcmp(options->file, INTP_DEFAULT_PEAK))
		puts("a daemon that runs reads it when it is restarted");
	else
		printf("only --memory-bandwidth %.0f tells others of it: they read " INTP_DEFAULT_PEAK "\n", peak);
	return 0;
}
