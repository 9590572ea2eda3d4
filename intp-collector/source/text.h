/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the small text files of /proc and /sys, and the few notations in them. The parsers are pure: they read a
 * NUL-terminated text and never past it. Thread-safe.
 */
#ifndef INTP_TEXT_H
#define INTP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A text that grows; zeroed, it is empty. Reused from file to file, so that a sample allocates nothing. */
struct intp_text {
	char *data;
	size_t room; /* bytes allocated */
};

/* Process or thread ids; zeroed, it is empty. */
struct intp_ids {
	pid_t *ids;
	size_t count, room;
};

/*
 * Reads the file `path`, relative to the directory `at` (AT_FDCWD: the working directory), into `buffer` and ends it
 * with a NUL. Returns the characters read, -EFBIG if it does not fit, or another negative errno.
 */
ssize_t intp_read(int at, const char *path, char *buffer, size_t size);

/* The same of the beginning of the file, as much as fits; `size` - 1 characters may be all or not. */
ssize_t intp_read_start(int at, const char *path, char *buffer, size_t size);

/* The same into a text that grows, to 16 MiB at most. */
ssize_t intp_read_text(int at, const char *path, struct intp_text *text);

void intp_text_free(struct intp_text *text);

/* Copies UTF-8 of which `size` - 1 bytes fit; cuts before the byte at which the copy would end inside a character. */
void intp_copy_text(char *to, const char *from, size_t size);

/* Appends `id`; returns 0 or -ENOMEM. */
int intp_ids_add(struct intp_ids *ids, pid_t id);

/* Sorts ascending and drops duplicates. */
void intp_ids_sort(struct intp_ids *ids);

/* Whether sorted `ids` hold `id`. */
bool intp_ids_hold(const struct intp_ids *ids, pid_t id);

void intp_ids_free(struct intp_ids *ids);

/* Replaces `ids` by the entries of a directory whose names are numbers, unsorted. Returns 0 or a negative errno. */
int intp_list_ids(int at, const char *path, struct intp_ids *ids);

/* Appends the ids in a text of one a line, as cgroup.procs and tasks are. Returns 0 or -ENOMEM. */
int intp_parse_ids(const char *text, struct intp_ids *ids);

/*
 * Reads a decimal number after blanks and tabs and moves `*at` behind it. False, with `*at` where it was, if there is
 * none or it exceeds 64 bits.
 */
bool intp_scan(const char **at, uint64_t *number);

/* The text is one number, apart from white space around it. */
bool intp_parse_number(const char *text, uint64_t *number);

/* Reads a file that holds one number. Returns 0, -EINVAL if it holds something else, or another negative errno. */
int intp_read_number(int at, const char *path, uint64_t *number);

/*
 * Parses a CPU list such as "0-3,8": calls `each` (may be NULL) with every CPU and returns how many there are, or -1
 * if it is no list, is empty, does not ascend, or names a CPU above 65535. `each` may have been called before the
 * fault is found.
 */
int intp_parse_cpus(const char *text, void (*each)(void *context, int cpu), void *context);

/* How many CPUs are online by `sys`; 0 if that is not known. */
int intp_online_cpus(const char *sys);

/* How many threads the machine has, or a negative errno. sysinfo() has 16 bits for them. */
long intp_machine_threads(void);

#endif
