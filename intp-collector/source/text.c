/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

#define FIRST_ROOM  8192
#define LARGEST	    (16u << 20)
#define LARGEST_CPU 65535

/* Reads until the file ends or the buffer is full: a sequential file gives at most a page at a time. */
static ssize_t read_on(int fd, char *buffer, size_t from, size_t size)
{
	while (from < size) {
		ssize_t got = read(fd, buffer + from, size - from);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		from += (size_t)got;
	}
	return (ssize_t)from;
}

ssize_t intp_read(int at, const char *path, char *buffer, size_t size)
{
	int fd = openat(at, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t got = read_on(fd, buffer, 0, size);
	close(fd);
	if (got >= 0 && (size_t)got == size)
		return -EFBIG;
	if (got >= 0)
		buffer[got] = '\0';
	return got;
}

ssize_t intp_read_start(int at, const char *path, char *buffer, size_t size)
{
	int fd = openat(at, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t got = read_on(fd, buffer, 0, size - 1);
	close(fd);
	if (got >= 0)
		buffer[got] = '\0';
	return got;
}

ssize_t intp_read_text(int at, const char *path, struct intp_text *text)
{
	int fd = openat(at, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t got = 0;
	for (;;) {
		if ((size_t)got == text->room) {
			size_t room = text->room ? 2 * text->room : FIRST_ROOM;
			char *data = room <= LARGEST ? realloc(text->data, room) : NULL;
			if (!data) {
				got = room <= LARGEST ? -ENOMEM : -EFBIG;
				break;
			}
			text->data = data;
			text->room = room;
		}
		got = read_on(fd, text->data, (size_t)got, text->room);
		if (got < 0 || (size_t)got < text->room)
			break;
	}
	close(fd);
	if (got >= 0)
		text->data[got] = '\0';
	return got;
}

void intp_text_free(struct intp_text *text)
{
	free(text->data);
	*text = (struct intp_text){0};
}

void intp_copy_text(char *to, const char *from, size_t size)
{
	size_t length = strnlen(from, size - 1);
	if (from[length] != '\0')
		while (length > 0 && ((unsigned char)from[length] & 0xc0) == 0x80)
			length--;
	memcpy(to, from, length);
	to[length] = '\0';
}

int intp_ids_add(struct intp_ids *ids, pid_t id)
{
	if (ids->count == ids->room) {
		size_t room = ids->room ? 2 * ids->room : 64;
		pid_t *grown = realloc(ids->ids, room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		ids->ids = grown;
		ids->room = room;
	}
	ids->ids[ids->count++] = id;
	return 0;
}

static int by_id(const void *left, const void *right)
{
	pid_t a = *(const pid_t *)left, b = *(const pid_t *)right;
	return (a > b) - (a < b);
}

void intp_ids_sort(struct intp_ids *ids)
{
	size_t kept = 0;
	if (ids->count)
		qsort(ids->ids, ids->count, sizeof(*ids->ids), by_id);
	for (size_t i = 0; i < ids->count; i++)
		if (!kept || ids->ids[kept - 1] != ids->ids[i])
			ids->ids[kept++] = ids->ids[i];
	ids->count = kept;
}

bool intp_ids_hold(const struct intp_ids *ids, pid_t id)
{
	return ids->count && bsearch(&id, ids->ids, ids->count, sizeof(id), by_id);
}

void intp_ids_free(struct intp_ids *ids)
{
	free(ids->ids);
	*ids = (struct intp_ids){0};
}

int intp_list_ids(int at, const char *path, struct intp_ids *ids)
{
	ids->count = 0;
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	DIR *directory = fdopendir(fd);
	if (!directory) {
		close(fd);
		return -ENOMEM;
	}
	int error = 0;
	struct dirent *entry;
	while (!error && (entry = readdir(directory))) {
		uint64_t id;
		if (isdigit((unsigned char)entry->d_name[0]) && intp_parse_number(entry->d_name, &id) &&
		    id <= INT32_MAX)
			error = intp_ids_add(ids, (pid_t)id);
	}
	closedir(directory);
	return error;
}

int intp_parse_ids(const char *text, struct intp_ids *ids)
{
	for (;;) {
		uint64_t id;
		if (intp_scan(&text, &id) && (*text == '\n' || !*text) && id > 0 && id <= INT32_MAX) {
			int error = intp_ids_add(ids, (pid_t)id);
			if (error)
				return error;
		}
		text = strchr(text, '\n');
		if (!text)
			return 0;
		text++;
	}
}

bool intp_scan(const char **at, uint64_t *number)
{
	const char *text = *at;
	while (*text == ' ' || *text == '\t')
		text++;
	if (!isdigit((unsigned char)*text))
		return false;
	uint64_t value = 0;
	for (; isdigit((unsigned char)*text); text++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			return false;
	*at = text;
	*number = value;
	return true;
}

bool intp_parse_number(const char *text, uint64_t *number)
{
	uint64_t value;
	if (!intp_scan(&text, &value) || text[strspn(text, " \t\n")])
		return false;
	*number = value;
	return true;
}

int intp_read_number(int at, const char *path, uint64_t *number)
{
	char text[64];
	ssize_t got = intp_read(at, path, text, sizeof(text));
	if (got < 0)
		return (int)got;
	return intp_parse_number(text, number) ? 0 : -EINVAL;
}

int intp_parse_cpus(const char *text, void (*each)(void *context, int cpu), void *context)
{
	int count = 0;
	uint64_t next = 0;
	for (;;) {
		uint64_t first, last;
		if (!intp_scan(&text, &first))
			return -1;
		last = first;
		if (*text == '-' && (text++, !intp_scan(&text, &last)))
			return -1;
		if (first < next || last < first || last > LARGEST_CPU)
			return -1;
		next = last + 1;
		for (uint64_t cpu = first; cpu <= last; cpu++, count++)
			if (each)
				each(context, (int)cpu);
		if (*text != ',')
			break;
		text++;
	}
	return text[strspn(text, " \t\n")] ? -1 : count;
}

int intp_online_cpus(const char *sys)
{
	char path[4096], list[4096];
	snprintf(path, sizeof(path), "%s/devices/system/cpu/online", sys);
	if (intp_read(AT_FDCWD, path, list, sizeof(list)) < 0)
		return 0;
	int count = intp_parse_cpus(list, NULL, NULL);
	return count > 0 ? count : 0;
}

long intp_machine_threads(void)
{
	FILE *file = fopen("/proc/loadavg", "re");
	long threads;
	int found, error = errno;

	if (!file)
		return -error;
	found = fscanf(file, "%*s %*s %*s %*d/%ld", &threads);
	fclose(file);
	return found == 1 && threads > 0 ? threads : -EINVAL;
}
