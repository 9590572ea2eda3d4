/* SPDX-License-Identifier: Apache-2.0 */
/* How many files this process may have open. */
#ifndef INTP_DESCRIPTORS_H
#define INTP_DESCRIPTORS_H

/* What is left to clients and to what is read of /proc and /sys, however many events there are. */
#define INTP_DESCRIPTORS_LEFT 64

/*
 * The first number that one of many descriptors must not have under a limit of so many open files: the kernel gives
 * the lowest that is free, so those below it are in use. Pure.
 */
int intp_descriptors_below(unsigned long long limit);

/* The same of this process, whose soft limit it raises to the hard one. */
int intp_descriptors_here(void);

#endif
