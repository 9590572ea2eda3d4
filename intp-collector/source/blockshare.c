/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blockshare.h"

#define MOST_DISKS 512

/* Dirtied bytes that a network file system or a deleted file swallowed never reach a disk and must fade. */
#define HALF_LIFE_NS 60e9

#define NS_PER_MS 1e6

static const struct intp_disk *disk_of(const struct intp_disks *disks, const char *name)
{
	for (size_t i = 0; i < disks->count; i++)
		if (strcmp(disks->known[i].name, name) == 0)
			return &disks->known[i];
	return NULL;
}

static double since(uint64_t from, uint64_t to)
{
	return to > from ? (double)(to - from) : 0;
}

static void add_growth(struct intp_disk_growth *growth, const struct intp_disk *from, const struct intp_disk *to)
{
	growth->reads += since(from->reads, to->reads);
	growth->writes += since(from->writes, to->writes);
	growth->read_bytes += since(from->read_bytes, to->read_bytes);
	growth->written_bytes += since(from->written_bytes, to->written_bytes);
	growth->read_ns += (double)intp_disk_ms_since(from->read_ms, to->read_ms) * NS_PER_MS;
	growth->write_ns += (double)intp_disk_ms_since(from->write_ms, to->write_ms) * NS_PER_MS;
}

static bool is_hardware(const char *sys, const char *name)
{
	char path[4096];
	/* sysfs writes '!' for the '/' of a name such as cciss/c0d0. */
	int prefix = snprintf(path, sizeof(path), "%s/block/", sys);
	if (prefix < 0 || (size_t)prefix + strlen(name) + sizeof("/device") > sizeof(path))
		return false;
	strcpy(path + prefix, name);
	for (char *at = path + prefix; (at = strchr(at, '/'));)
		*at = '!';
	strcat(path, "/device");
	return access(path, F_OK) == 0;
}

int intp_disks_read(struct intp_disks *disks, int proc, const char *sys, struct intp_disk_growth *growth)
{
	*growth = (struct intp_disk_growth){0};
	ssize_t got = intp_read_text(proc, "diskstats", &disks->text);
	if (got < 0)
		return (int)got;
	struct intp_disk *now = calloc(MOST_DISKS, sizeof(*now));
	if (!now)
		return -ENOMEM;
	size_t count = 0;
	for (const char *line = disks->text.data; line && count < MOST_DISKS;) {
		struct intp_disk *disk = &now[count];
		if (intp_parse_disk(line, disk) && is_hardware(sys, disk->name)) {
			const struct intp_disk *last = disk_of(disks, disk->name);
			if (last)
				add_growth(growth, last, disk);
			count++;
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	free(disks->known);
	disks->known = now;
	disks->count = count;
	return (int)count;
}

void intp_disks_free(struct intp_disks *disks)
{
	free(disks->known);
	intp_text_free(&disks->text);
	*disks = (struct intp_disks){0};
}

static double share(double own, double disks, double containers)
{
	double all = fmax(disks, containers);
	return all > 0 ? own / all : 0;
}

void intp_apportion(const struct intp_disk_growth *disks, struct intp_block_share *shares, size_t count,
		    double elapsed_ns)
{
	double fade = pow(0.5, elapsed_ns / HALF_LIFE_NS), read = 0, written = 0;
	for (size_t i = 0; i < count; i++) {
		shares[i].unwritten = shares[i].unwritten * fade + shares[i].written_bytes;
		read += shares[i].read_bytes;
		written += shares[i].unwritten;
	}
	for (size_t i = 0; i < count; i++) {
		double of_reads = share(shares[i].read_bytes, disks->read_bytes, read);
		double of_writes = share(shares[i].unwritten, disks->written_bytes, written);
		shares[i].ns = of_reads * disks->read_ns + of_writes * disks->write_ns;
		shares[i].operations = of_reads * disks->reads + of_writes * disks->writes;
		shares[i].unwritten = fmax(0, shares[i].unwritten - of_writes * disks->written_bytes);
	}
}
