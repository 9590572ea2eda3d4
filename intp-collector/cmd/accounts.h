/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Users and groups by name from /etc/passwd and /etc/group, or by number. A static program cannot ask the name
 * service, so a user of a directory service is given by number. Not thread-safe.
 */
#ifndef INTP_ACCOUNTS_H
#define INTP_ACCOUNTS_H

#include <stdbool.h>
#include <sys/types.h>

bool intp_find_user(const char *name, uid_t *user);

bool intp_find_group(const char *name, gid_t *group);

/* Whether a user is in a group, as far as the two files say. */
bool intp_user_in_group(uid_t user, gid_t group);

#endif
