/* SPDX-License-Identifier: Apache-2.0 */
/* The nominal speed of the node's network, the capacity of netp. Thread-safe. */
#ifndef INTP_NIC_H
#define INTP_NIC_H

#include <stddef.h>

/*
 * Returns bit/s: `configured` if it is above 0; else the speed by sysfs of `interface`, or with NULL of all network
 * interfaces that have a device and are not down, summed, without those that carry for another one with a device.
 * Returns 0 with why in `reason` if a speed is not known, as on most virtual machines.
 */
double intp_nic_bits(const char *sys, const char *interface, double configured, char *reason, size_t size);

#endif
