/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>

#include "../source/nic.h"
#include "tree.h"

static char reason[200];

static void nic(const char *name, bool device, const char *state, const char *speed)
{
	char path[128];
	snprintf(path, sizeof(path), "sys/class/net/%s/operstate", name);
	tree_put(path, "%s\n", state);
	snprintf(path, sizeof(path), "sys/class/net/%s/speed", name);
	tree_put(path, "%s\n", speed);
	snprintf(path, sizeof(path), "sys/class/net/%s/device", name);
	if (device)
		tree_put(path, NULL);
}

static double bits(const char *interface, double configured)
{
	reason[0] = '\0';
	return intp_nic_bits(tree_path("sys"), interface, configured, reason, sizeof(reason));
}

static void physical_interfaces_that_are_up_are_summed(void)
{
	tree_begin();
	nic("eth0", true, "up", "10000");
	nic("eth1", true, "up", "1000");
	nic("eth2", true, "down", "-1");
	nic("bond0", false, "up", "11000");
	CHECK_NEAR(bits(NULL, 0), 11e9, 0);
	tree_end();
}

static void of_a_bond_that_is_a_spare_the_active_one_counts(void)
{
	tree_begin();
	nic("eth0", true, "up", "10000");
	nic("eth1", true, "up", "10000");
	tree_put("sys/class/net/eth0/master/bonding/mode", "active-backup 1\n");
	tree_put("sys/class/net/eth1/master/bonding/mode", "active-backup 1\n");
	tree_put("sys/class/net/eth0/master/bonding/active_slave", "eth1\n");
	tree_put("sys/class/net/eth1/master/bonding/active_slave", "eth1\n");
	CHECK_NEAR(bits(NULL, 0), 10e9, 0);
	tree_put("sys/class/net/eth0/master/bonding/mode", "802.3ad 4\n");
	tree_put("sys/class/net/eth1/master/bonding/mode", "802.3ad 4\n");
	CHECK_NEAR(bits(NULL, 0), 20e9, 0);
	tree_end();
}

/* As on Hyper-V with accelerated networking, whose eth0 hands all to a virtual function. */
static void what_carries_for_another_interface_with_a_device_is_not_counted_again(void)
{
	tree_begin();
	nic("eth0", true, "up", "50000");
	nic("enP1s1", true, "up", "50000");
	tree_put("sys/class/net/enP1s1/master/device", NULL);
	tree_put("sys/class/net/enP1s1/master/speed", "50000\n");
	CHECK_NEAR(bits(NULL, 0), 50e9, 0);
	CHECK_NEAR(bits("enP1s1", 0), 50e9, 0);
	tree_end();
}

static void a_named_interface_counts_alone(void)
{
	tree_begin();
	nic("eth0", true, "up", "10000");
	nic("bond0", false, "up", "20000");
	CHECK_NEAR(bits("bond0", 0), 20e9, 0);
	tree_end();
}

static void a_configured_speed_wins_over_sysfs(void)
{
	tree_begin();
	nic("eth0", true, "up", "10000");
	CHECK_NEAR(bits(NULL, 25e9), 25e9, 0);
	tree_end();
}

static void an_unknown_speed_names_the_interface_and_the_option(void)
{
	tree_begin();
	nic("eth0", true, "up", "1000");
	nic("ens5", true, "up", "-1");
	CHECK_NEAR(bits(NULL, 0), 0, 0);
	CHECK(strstr(reason, "ens5") && strstr(reason, "--nic-speed"));
	nic("ens5", true, "up", "4294967295");
	CHECK_NEAR(bits("ens5", 0), 0, 0);
	CHECK(strstr(reason, "ens5"));
	CHECK_NEAR(bits("nowhere", 0), 0, 0);
	CHECK(strstr(reason, "nowhere"));
	tree_end();
}

static void a_machine_without_physical_interface_says_so(void)
{
	tree_begin();
	nic("lo", false, "unknown", "-1");
	CHECK_NEAR(bits(NULL, 0), 0, 0);
	CHECK(strstr(reason, "--nic-speed"));
	tree_end();
}

int main(void)
{
	CLAIM(physical_interfaces_that_are_up_are_summed);
	CLAIM(of_a_bond_that_is_a_spare_the_active_one_counts);
	CLAIM(what_carries_for_another_interface_with_a_device_is_not_counted_again);
	CLAIM(a_named_interface_counts_alone);
	CLAIM(a_configured_speed_wins_over_sysfs);
	CLAIM(an_unknown_speed_names_the_interface_and_the_option);
	CLAIM(a_machine_without_physical_interface_says_so);
	return 0;
}
