/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attribution.h"

#define SUFFIX_OF_SHARED ".slice"

static bool listed(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; list; list = strchr(list, ',')) {
		list += *list == ',';
		if (strncmp(list, word, length) == 0 && (list[length] == ',' || list[length] == '\0'))
			return true;
	}
	return false;
}

/*
 * The path of a process ("self" or a pid) in a hierarchy, as /proc/PID/cgroup has it: that of version 1 with a
 * controller, or with NULL for one that of version 2.
 */
static bool path_of(const char *proc, const char *process, const char *controller, char *path, size_t size)
{
	char name[INTP_MAX_PATH], *line = NULL;
	size_t room = 0;
	bool found = false;
	FILE *file;

	snprintf(name, sizeof(name), "%s/%s/cgroup", proc, process);
	file = fopen(name, "re");
	while (file && !found && getline(&line, &room, file) > 0) {
		char *rest = line, *number, *controllers;

		line[strcspn(line, "\n")] = '\0';
		number = strsep(&rest, ":");
		controllers = strsep(&rest, ":");
		if (!rest || strlen(rest) >= size)
			continue;
		found = controller ? listed(controllers, controller)
				   : strcmp(number, "0") == 0 && *controllers == '\0';
		if (found)
			strcpy(path, rest);
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}

static bool is_octal(const char *digits)
{
	for (int i = 0; i < 3; i++)
		if (digits[i] < '0' || digits[i] > '7')
			return false;
	return true;
}

/* mountinfo writes a blank as \040. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (*text == '\\' && is_octal(text + 1)) {
			*to++ = (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

/* A line is: id parent device root directory options [tags...] - type source super-options */
static bool read_mount(const char *line, const char *controller, struct intp_hierarchy *mount)
{
	const char *tail = strstr(line, " - ");
	char type[32], options[INTP_MAX_PATH];

	if (!tail || sscanf(tail, " - %31s %*s %511s", type, options) != 2)
		return false;
	if (strcmp(type, controller ? "cgroup" : "cgroup2") != 0 || (controller && !listed(options, controller)))
		return false;
	if (sscanf(line, "%*s %*s %*s %511s %511s", mount->root, mount->directory) != 2)
		return false;
	unescape(mount->root);
	unescape(mount->directory);
	return true;
}

void intp_hierarchies_read(const char *proc, struct intp_hierarchies *hierarchies)
{
	const struct {
		struct intp_hierarchy *hierarchy;
		const char *controller;
	} wanted[] = {{&hierarchies->v2, NULL}, {&hierarchies->v1, "cpu"}, {&hierarchies->memory, "memory"}};
	const size_t count = sizeof(wanted) / sizeof(*wanted);
	char name[INTP_MAX_PATH], *line = NULL;
	size_t room = 0;
	FILE *file;

	*hierarchies = (struct intp_hierarchies){0};
	snprintf(name, sizeof(name), "%s/self/mountinfo", proc);
	file = fopen(name, "re");
	while (file && getline(&line, &room, file) > 0)
		for (size_t i = 0; i < count; i++)
			if (!wanted[i].hierarchy->mounted)
				wanted[i].hierarchy->mounted =
					read_mount(line, wanted[i].controller, wanted[i].hierarchy);
	free(line);
	if (file)
		fclose(file);
	for (size_t i = 0; i < count; i++)
		wanted[i].hierarchy->joined = path_of(proc, "self", wanted[i].controller, wanted[i].hierarchy->ours,
						      sizeof(wanted[i].hierarchy->ours));
}

static bool word_character(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool intp_names_container(const char *text, size_t length, const char *id)
{
	size_t id_length = strlen(id);

	for (size_t i = 0; i + id_length <= length; i++) {
		if (memcmp(text + i, id, id_length) != 0)
			continue;
		if ((i == 0 || !word_character(text[i - 1])) &&
		    (i + id_length == length || !word_character(text[i + id_length])))
			return true;
	}
	return false;
}

/* Whether a component of a path is the container's. */
static bool names(const char *component, size_t length, const char *id)
{
	size_t suffix = strlen(SUFFIX_OF_SHARED);

	if (length >= suffix && memcmp(component + length - suffix, SUFFIX_OF_SHARED, suffix) == 0)
		return false;
	return intp_names_container(component, length, id);
}

/* Cuts a path behind the topmost component that names the container; false where none does. */
static bool cut_to_own(char *path, const char *id)
{
	char *component = path;

	while (*component == '/') {
		size_t length = strcspn(component + 1, "/");

		if (names(component + 1, length, id)) {
			component[1 + length] = '\0';
			return true;
		}
		component += 1 + length;
	}
	return false;
}

static bool within(const char *path, const char *ancestor)
{
	size_t length = strlen(ancestor);

	return strncmp(path, ancestor, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* The part of a hierarchy's path that is below what is mounted; NULL where it is not mounted. */
static const char *below(const char *path, const char *root)
{
	if (strcmp(root, "/") == 0)
		return path;
	return within(path, root) ? path + strlen(root) : NULL;
}

/* The directory of the container in a hierarchy, of `size` bytes; its inode, or 0 where it has none there. */
static uint64_t directory_of(const char *proc, const struct intp_hierarchy *hierarchy, const char *controller,
			     const struct intp_watch *watch, char *directory, size_t size)
{
	char process[16], path[INTP_MAX_PATH];
	const char *visible;
	struct stat status;
	int length;

	snprintf(process, sizeof(process), "%d", watch->root);
	if (!hierarchy->mounted || !path_of(proc, process, controller, path, sizeof(path)) ||
	    !cut_to_own(path, watch->id) || strstr(path, "/.."))
		return 0;
	if (hierarchy->joined && within(hierarchy->ours, path))
		return 0;
	visible = below(path, hierarchy->root);
	if (!visible || *visible == '\0')
		return 0;
	length = snprintf(directory, size, "%s%s", hierarchy->directory, visible);
	if (length >= (int)size || stat(directory, &status) < 0 || !S_ISDIR(status.st_mode))
		return 0;
	return status.st_ino;
}

static bool attribute_to(const char *proc, enum intp_attribution kind, const struct intp_hierarchy *hierarchy,
			 struct intp_watch *watch)
{
	const char *controller = kind == INTP_CGROUP_V2 ? NULL : "cpu";

	watch->attribution = kind;
	watch->cgroup = directory_of(proc, hierarchy, controller, watch, watch->directory, sizeof(watch->directory));
	return watch->cgroup != 0;
}

/* After its attribution: of version 2 a group has the controller only where its parent gives it. */
static void find_memory(const char *proc, const struct intp_hierarchies *hierarchies, struct intp_watch *watch)
{
	char file[INTP_MAX_PATH + sizeof("/memory.current")];

	snprintf(file, sizeof(file), "%s/memory.current", watch->directory);
	if (watch->attribution == INTP_CGROUP_V2 && access(file, F_OK) == 0)
		memcpy(watch->memory, watch->directory, sizeof(watch->memory));
	else if (!directory_of(proc, &hierarchies->memory, "memory", watch, watch->memory, sizeof(watch->memory)))
		watch->memory[0] = '\0';
}

void intp_attribute(const char *proc, const struct intp_hierarchies *hierarchies, struct intp_watch *watch)
{
	if (!attribute_to(proc, INTP_CGROUP_V2, &hierarchies->v2, watch) &&
	    !attribute_to(proc, INTP_CGROUP_V1, &hierarchies->v1, watch)) {
		watch->attribution = INTP_TREE;
		watch->cgroup = 0;
		watch->directory[0] = '\0';
	}
	find_memory(proc, hierarchies, watch);
}
