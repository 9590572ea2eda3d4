/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accounts.h"

/* The largest number means "none" to the kernel and is nobody's. */
static bool read_id(const char *text, unsigned int *number)
{
	unsigned long value;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoul(text, &end, 10);
	*number = (unsigned int)value;
	return *end == '\0' && errno == 0 && value < 0xffffffff;
}

bool intp_find_user(const char *name, uid_t *user)
{
	const struct passwd *entry;
	bool found = false;
	FILE *file;

	if (read_id(name, user))
		return true;
	file = fopen("/etc/passwd", "re");
	while (file && !found && (entry = fgetpwent(file))) {
		found = strcmp(entry->pw_name, name) == 0;
		*user = entry->pw_uid;
	}
	if (file)
		fclose(file);
	return found;
}

bool intp_find_group(const char *name, gid_t *group)
{
	const struct group *entry;
	bool found = false;
	FILE *file;

	if (read_id(name, group))
		return true;
	file = fopen("/etc/group", "re");
	while (file && !found && (entry = fgetgrent(file))) {
		found = strcmp(entry->gr_name, name) == 0;
		*group = entry->gr_gid;
	}
	if (file)
		fclose(file);
	return found;
}

static bool lists(const struct group *group, const char *name)
{
	for (char **member = group->gr_mem; *member; member++)
		if (strcmp(*member, name) == 0)
			return true;
	return false;
}

bool intp_user_in_group(uid_t user, gid_t group)
{
	const struct passwd *account;
	const struct group *entry;
	char name[256] = "";
	bool in = false;
	FILE *file = fopen("/etc/passwd", "re");

	while (file && !*name && (account = fgetpwent(file))) {
		if (account->pw_uid != user)
			continue;
		snprintf(name, sizeof(name), "%s", account->pw_name);
		in = account->pw_gid == group;
	}
	if (file)
		fclose(file);
	file = in ? NULL : fopen("/etc/group", "re");
	while (file && !in && (entry = fgetgrent(file)))
		in = entry->gr_gid == group && lists(entry, name);
	if (file)
		fclose(file);
	return in;
}
