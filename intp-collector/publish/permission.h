/* SPDX-License-Identifier: Apache-2.0 */
/* Who may have which process watched; docs/adr/0031-who-may-watch-what.md says why. Thread-safe. */
#ifndef INTP_PERMISSION_H
#define INTP_PERMISSION_H

#include "../source/source.h"
#include "asker.h"

/*
 * Whether `asker` may have watch->root watched as watch->id, by the attribution that was found for it. NULL may
 * everything, and so may one that is trusted; anybody else a process that is his user's, or that descends from the
 * process that asks, or that is YARN's container of that name by its cgroup or its command line. `proc` is where proc
 * is mounted.
 */
bool intp_may_watch(const char *proc, const struct intp_asker *asker, const struct intp_watch *watch);

/* The same of texts alone: whether the Uid line of /proc/PID/status names `user` alone. */
bool intp_status_is_of(const char *status, uid_t user);

/* Whether an id is of the form that YARN gives containers: container_[eEPOCH_]CLUSTER_APPLICATION_ATTEMPT_NUMBER. */
bool intp_is_yarns(const char *id);

#endif
