/* SPDX-License-Identifier: Apache-2.0 */
/* The command line. */
#ifndef INTP_OPTIONS_H
#define INTP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define INTP_RELEASE	    "0.2.0"
#define INTP_DEFAULT_SOCKET "/run/intpd/intpd.sock"
#define INTP_DEFAULT_PEAK   "/var/lib/intpd/peak-memory-bandwidth"
#define INTP_MAX_PIDS	    32

enum intp_command {
	INTP_SERVE,
	INTP_TOP,
	INTP_CSV,
	INTP_CALIBRATE,
	INTP_CHECK,
	INTP_SHOW_HELP,
	INTP_SHOW_RELEASE,
};

enum intp_source_choice {
	INTP_BEST,
	INTP_ONLY_EBPF,
	INTP_ONLY_PROC,
};

struct intp_options {
	enum intp_command command;
	const char *socket;
	const char *user;	 /* NULL: none */
	const char *group;	 /* NULL: the daemon's own */
	const char *nic;	 /* NULL: all that have a device */
	double nic_bits;	 /* bit/s; 0: what the interface says */
	double cpus;		 /* that all containers may use; 0: those that are online */
	double memory_bandwidth; /* byte/s; 0: as calibrated */
	const char *resctrl;	 /* NULL: where it is mounted */
	bool futex;
	bool peers;
	bool no_pmu;
	enum intp_source_choice source;
	int max_watches;
	pid_t pids[INTP_MAX_PIDS];
	int pid_count;
	const char *container; /* NULL: the only one */
	double interval;       /* seconds */
	long count;	       /* lines or tables; 0: until interrupted */
	bool all;	       /* every signal, not only those that slowdowns are predicted from */
	const char *file;      /* where the calibrated peak is kept */
};

/*
 * Reads the command line; the strings stay argv's. False with one sentence that says what was given, what is allowed
 * and what to do. Not thread-safe.
 */
bool intp_options_parse(int argc, char **argv, struct intp_options *options, char *message, size_t size);

/* The text of --help. */
extern const char intp_help[];

#endif
