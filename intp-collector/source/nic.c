/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nic.h"
#include "text.h"

#define BITS_PER_MBIT 1e6

/* 0 if it is not known: the kernel says -1, or 4294967295 in older drivers, or refuses the reading. */
static double speed_of(const char *sys, const char *interface)
{
	char path[4096];
	uint64_t mbits;
	snprintf(path, sizeof(path), "%s/class/net/%s/speed", sys, interface);
	if (intp_read_number(AT_FDCWD, path, &mbits) < 0 || mbits >= INT32_MAX)
		return 0;
	return (double)mbits * BITS_PER_MBIT;
}

static bool has_device(const char *sys, const char *interface)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/class/net/%s/device", sys, interface);
	return access(path, F_OK) == 0;
}

static bool is_down(const char *sys, const char *interface)
{
	char path[4096], state[32];
	snprintf(path, sizeof(path), "%s/class/net/%s/operstate", sys, interface);
	return intp_read(AT_FDCWD, path, state, sizeof(state)) > 0 && strncmp(state, "down", 4) == 0;
}

/* One of a bond of which one at a time carries everything, and it is another one. */
static bool stands_by(const char *sys, const char *interface)
{
	char path[4096], mode[64], active[64];
	snprintf(path, sizeof(path), "%s/class/net/%s/master/bonding/mode", sys, interface);
	if (intp_read(AT_FDCWD, path, mode, sizeof(mode)) <= 0 || strncmp(mode, "active-backup", 13) != 0)
		return false;
	snprintf(path, sizeof(path), "%s/class/net/%s/master/bonding/active_slave", sys, interface);
	if (intp_read(AT_FDCWD, path, active, sizeof(active)) <= 0)
		return false;
	active[strcspn(active, "\n")] = '\0';
	return strcmp(active, interface) != 0;
}

/*
 * Of another one with a device, which has its packets to carry and says the same speed: a virtual function below the
 * interface that a hypervisor gave the machine (netvsc, net_failover). A bond or a bridge has no device.
 */
static bool serves_another(const char *sys, const char *interface)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/class/net/%s/master/device", sys, interface);
	return access(path, F_OK) == 0;
}

static double unknown(const char *interface, char *reason, size_t size)
{
	snprintf(reason, size, "the speed of %s is not known: give it with --nic-speed", interface);
	return 0;
}

double intp_nic_bits(const char *sys, const char *interface, double configured, char *reason, size_t size)
{
	if (configured > 0)
		return configured;
	if (interface) {
		double bits = speed_of(sys, interface);
		return bits > 0 ? bits : unknown(interface, reason, size);
	}
	char path[4096];
	snprintf(path, sizeof(path), "%s/class/net", sys);
	DIR *directory = opendir(path);
	double sum = 0;
	bool known = true;
	struct dirent *entry;
	while (directory && known && (entry = readdir(directory))) {
		if (entry->d_name[0] == '.' || !has_device(sys, entry->d_name) || is_down(sys, entry->d_name) ||
		    stands_by(sys, entry->d_name) || serves_another(sys, entry->d_name))
			continue;
		double bits = speed_of(sys, entry->d_name);
		known = bits > 0;
		if (!known)
			unknown(entry->d_name, reason, size);
		sum += bits;
	}
	if (directory)
		closedir(directory);
	if (known && sum <= 0)
		snprintf(reason, size, "no network interface with a device is up: give the speed with --nic-speed");
	return known ? sum : 0;
}
