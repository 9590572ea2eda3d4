/**
 * The planner's two published cases as YARN services on the hosts of bin/testbed, each placed by three plans, and how long their requests
 * take.
 */
package org.interference.yarn.testbed.services;
