/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../source/source.h"
#include "options.h"

enum {
	SOCKET = 256,
	USER,
	GROUP,
	NIC,
	NIC_SPEED,
	CPUS,
	MEMORY_BANDWIDTH,
	RESCTRL,
	FUTEX,
	PEERS,
	NO_PMU,
	SOURCE,
	MAX_WATCHES,
	PID,
	INTERVAL,
	COUNT,
	CONTAINER,
	PEAK_FILE,
	ALL_SIGNALS
};

#define BIT(command) (1u << (command))
#define WHO_MEASURES (BIT(INTP_SERVE) | BIT(INTP_TOP) | BIT(INTP_CSV) | BIT(INTP_CHECK))
#define WHO_WATCHES  (BIT(INTP_TOP) | BIT(INTP_CSV))

static const struct option long_options[] = {
	{"socket", required_argument, NULL, SOCKET},
	{"user", required_argument, NULL, USER},
	{"group", required_argument, NULL, GROUP},
	{"nic", required_argument, NULL, NIC},
	{"nic-speed", required_argument, NULL, NIC_SPEED},
	{"cpus", required_argument, NULL, CPUS},
	{"memory-bandwidth", required_argument, NULL, MEMORY_BANDWIDTH},
	{"resctrl", required_argument, NULL, RESCTRL},
	{"futex", no_argument, NULL, FUTEX},
	{"peers", no_argument, NULL, PEERS},
	{"no-pmu", no_argument, NULL, NO_PMU},
	{"source", required_argument, NULL, SOURCE},
	{"max-watches", required_argument, NULL, MAX_WATCHES},
	{"pid", required_argument, NULL, PID},
	{"interval", required_argument, NULL, INTERVAL},
	{"count", required_argument, NULL, COUNT},
	{"container", required_argument, NULL, CONTAINER},
	{"file", required_argument, NULL, PEAK_FILE},
	{"all", no_argument, NULL, ALL_SIGNALS},
	{0},
};

static const unsigned int takers[] = {
	[SOCKET - SOCKET] = BIT(INTP_SERVE) | WHO_WATCHES,
	[USER - SOCKET] = BIT(INTP_SERVE),
	[GROUP - SOCKET] = BIT(INTP_SERVE),
	[NIC - SOCKET] = WHO_MEASURES,
	[NIC_SPEED - SOCKET] = WHO_MEASURES,
	[CPUS - SOCKET] = WHO_MEASURES,
	[MEMORY_BANDWIDTH - SOCKET] = WHO_MEASURES,
	[RESCTRL - SOCKET] = WHO_MEASURES,
	[FUTEX - SOCKET] = WHO_MEASURES,
	[PEERS - SOCKET] = BIT(INTP_SERVE) | BIT(INTP_CHECK),
	[NO_PMU - SOCKET] = WHO_MEASURES,
	[SOURCE - SOCKET] = WHO_MEASURES,
	[MAX_WATCHES - SOCKET] = BIT(INTP_SERVE),
	[PID - SOCKET] = WHO_WATCHES,
	[INTERVAL - SOCKET] = WHO_WATCHES,
	[COUNT - SOCKET] = WHO_WATCHES,
	[CONTAINER - SOCKET] = BIT(INTP_CSV),
	[PEAK_FILE - SOCKET] = BIT(INTP_CALIBRATE),
	[ALL_SIGNALS - SOCKET] = BIT(INTP_TOP),
};

static const char *const commands[] = {
	[INTP_SERVE] = "serve",
	[INTP_TOP] = "top",
	[INTP_CSV] = "csv",
	[INTP_CALIBRATE] = "calibrate",
	[INTP_CHECK] = "check",
	[INTP_SHOW_HELP] = "--help",
	[INTP_SHOW_RELEASE] = "--version",
};

struct complaint {
	char *text;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static bool complain(struct complaint *complaint, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(complaint->text, complaint->size, format, arguments);
	va_end(arguments);
	return false;
}

static bool read_command(const char *word, enum intp_command *command, struct complaint *complaint)
{
	if (strcmp(word, "--csv") == 0)
		word = "csv";
	if (strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
		word = "--help";
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(word, commands[i]) == 0) {
			*command = i;
			return true;
		}
	}
	return complain(complaint,
			"%s is not a command; the commands are serve, top, csv, calibrate and check; "
			"see intpd --help",
			word);
}

static bool read_number(const char *option, const char *text, double least, double most, double *value,
			struct complaint *complaint)
{
	double number;
	char *end;

	errno = 0;
	number = strtod(text, &end);
	if (end != text && *end == '\0' && errno == 0 && number >= least && number <= most) {
		*value = number;
		return true;
	}
	return complain(complaint, "--%s is %s, allowed is a number from %.10g to %.10g; give one", option, text,
			least, most);
}

static bool read_whole(const char *option, const char *text, double least, double most, double *value,
		       struct complaint *complaint)
{
	if (!read_number(option, text, least, most, value, complaint))
		return false;
	if (*value == floor(*value))
		return true;
	return complain(complaint, "--%s is %s, allowed is a whole number from %.10g to %.10g; give one", option,
			text, least, most);
}

/* A positive amount with K, M, G or T for powers of a thousand, as speeds are given in. */
static bool read_amount(const char *option, const char *text, double *value, struct complaint *complaint)
{
	static const char suffixes[] = "kKmMgGtT";
	double factor = 1;
	const char *suffix;
	char *end;

	errno = 0;
	*value = strtod(text, &end);
	if (end != text && *end != '\0' && (suffix = strchr(suffixes, *end)) != NULL) {
		factor = pow(1000, 1 + (suffix - suffixes) / 2);
		end++;
	}
	*value *= factor;
	if (end != text && *end == '\0' && errno == 0 && *value >= 1 && *value <= 1e15)
		return true;
	return complain(complaint,
			"--%s is %s, allowed is a number from 1 to 1e15 with K, M, G or T; give one such as 10G",
			option, text);
}

static bool read_source(const char *text, enum intp_source_choice *choice, struct complaint *complaint)
{
	if (strcmp(text, "best") == 0)
		*choice = INTP_BEST;
	else if (strcmp(text, "ebpf") == 0)
		*choice = INTP_ONLY_EBPF;
	else if (strcmp(text, "proc") == 0)
		*choice = INTP_ONLY_PROC;
	else
		return complain(complaint, "--source is %s, allowed are ebpf, proc and best; give one of them", text);
	return true;
}

static bool add_pid(const char *text, struct intp_options *options, struct complaint *complaint)
{
	double pid;

	if (!read_whole("pid", text, 1, INT_MAX, &pid, complaint))
		return false;
	if (options->pid_count == INTP_MAX_PIDS)
		return complain(complaint, "--pid is given more than %d times; give fewer", INTP_MAX_PIDS);
	options->pids[options->pid_count++] = (pid_t)pid;
	return true;
}

/* Numbers, each with its range; what is out of it leaves the option as it was. */
static bool read_figure(int option, const char *text, struct intp_options *options, struct complaint *complaint)
{
	double value = 0;
	bool good;

	switch (option) {
	case NIC_SPEED:
		return read_amount("nic-speed", text, &options->nic_bits, complaint);
	case CPUS:
		return read_number("cpus", text, 0.01, 100000, &options->cpus, complaint);
	case MEMORY_BANDWIDTH:
		return read_amount("memory-bandwidth", text, &options->memory_bandwidth, complaint);
	case INTERVAL:
		return read_number("interval", text, 0.1, 3600, &options->interval, complaint);
	case MAX_WATCHES:
		good = read_whole("max-watches", text, 1, INTP_MAX_WATCHES, &value, complaint);
		if (good)
			options->max_watches = (int)value;
		return good;
	default:
		good = read_whole("count", text, 1, 1e9, &value, complaint);
		if (good)
			options->count = (long)value;
		return good;
	}
}

static bool read_option(int option, const char *text, struct intp_options *options, struct complaint *complaint)
{
	if (text && *text == '\0')
		return complain(complaint, "--%s is empty; leave it out or give it a value",
				long_options[option - SOCKET].name);
	switch (option) {
	case SOCKET:
		options->socket = text;
		return true;
	case USER:
		options->user = text;
		return true;
	case GROUP:
		options->group = text;
		return true;
	case NIC:
		options->nic = text;
		return true;
	case RESCTRL:
		options->resctrl = text;
		return true;
	case CONTAINER:
		options->container = text;
		return true;
	case PEAK_FILE:
		options->file = text;
		return true;
	case FUTEX:
		options->futex = true;
		return true;
	case PEERS:
		options->peers = true;
		return true;
	case NO_PMU:
		options->no_pmu = true;
		return true;
	case ALL_SIGNALS:
		options->all = true;
		return true;
	case SOURCE:
		return read_source(text, &options->source, complaint);
	case PID:
		return add_pid(text, options, complaint);
	default:
		return read_figure(option, text, options, complaint);
	}
}

static bool read_options(int argc, char **argv, struct intp_options *options, struct complaint *complaint)
{
	int option;

	optind = 0; /* forgets an earlier command line */
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
		if (option == ':')
			return complain(complaint, "%s lacks its value; see intpd --help", argv[optind - 1]);
		if (option == '?')
			return complain(complaint, "%s is not an option, or not written out; see intpd --help",
					argv[optind - 1]);
		if (!(takers[option - SOCKET] & BIT(options->command)))
			return complain(complaint, "intpd %s does not take --%s; see intpd --help",
					commands[options->command], long_options[option - SOCKET].name);
		if (!read_option(option, optarg, options, complaint))
			return false;
	}
	if (optind < argc)
		return complain(complaint, "%s is one word too many; see intpd --help", argv[optind]);
	return true;
}

static bool check_together(const struct intp_options *options, struct complaint *complaint)
{
	if (options->command == INTP_CSV && options->pid_count > 1)
		return complain(complaint, "--pid is given %d times, allowed is once for csv; use top for several",
				options->pid_count);
	if (options->container && options->pid_count)
		return complain(complaint, "--container asks the daemon and --pid does not; give one of them");
	return true;
}

bool intp_options_parse(int argc, char **argv, struct intp_options *options, char *message, size_t size)
{
	struct complaint complaint = {message, size};

	*options = (struct intp_options){
		.socket = INTP_DEFAULT_SOCKET,
		.max_watches = INTP_MAX_WATCHES,
		.interval = 1,
		.file = INTP_DEFAULT_PEAK,
	};
	if (argc < 2)
		return complain(&complaint,
				"no command is given; the commands are serve, top, csv, calibrate and check; "
				"see intpd --help");
	return read_command(argv[1], &options->command, &complaint) &&
	       read_options(argc - 1, argv + 1, options, &complaint) && check_together(options, &complaint);
}
