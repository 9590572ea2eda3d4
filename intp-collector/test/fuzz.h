/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzzers' own few lines. An input is cut into parts at the byte 0x1e, so that one input fills several files. */
#ifndef INTP_TEST_FUZZ_H
#define INTP_TEST_FUZZ_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FUZZ_PARTS 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must_hold(int condition)
{
	if (!condition)
		abort();
}

struct fuzz_part {
	const char *text;
	size_t length;
};

/* Cuts the input; parts that it does not have are empty. */
static inline void fuzz_cut(const uint8_t *data, size_t size, struct fuzz_part parts[FUZZ_PARTS])
{
	const char *at = (const char *)data, *end = at + size;

	for (int i = 0; i < FUZZ_PARTS; i++) {
		const char *cut = at < end && i < FUZZ_PARTS - 1 ? memchr(at, 0x1e, (size_t)(end - at)) : NULL;

		parts[i] = (struct fuzz_part){at, (size_t)((cut ? cut : end) - at)};
		at = cut ? cut + 1 : end;
	}
}

/* The directory that stands in for the machine's, one for each process, in memory where that is possible. */
static inline const char *fuzz_root(void)
{
	static char root[64];

	if (!root[0]) {
		snprintf(root, sizeof(root), "%s/intpd-fuzz-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
		must_hold(mkdtemp(root) != NULL);
	}
	return root;
}

static inline void fuzz_remove(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf %s", fuzz_root());
	must_hold(system(command) == 0);
}

/* Writes a file below the root, and the directories on the way to it. */
static inline void fuzz_put(const char *name, const char *text, size_t length)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", fuzz_root(), name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0) {
		for (char *at = path + strlen(fuzz_root()) + 1; (at = strchr(at, '/')); *at++ = '/') {
			*at = '\0';
			mkdir(path, 0700);
		}
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	}
	must_hold(fd >= 0 && write(fd, text, length) == (ssize_t)length);
	close(fd);
}

static inline void fuzz_put_text(const char *name, const char *text)
{
	fuzz_put(name, text, strlen(text));
}

static inline const char *fuzz_path(const char *name)
{
	static char paths[4][256];
	static int turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", fuzz_root(), name);
	return path;
}

#endif
