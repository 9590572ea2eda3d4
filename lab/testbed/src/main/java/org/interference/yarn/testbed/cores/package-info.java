/** What node control's rules for cores gain: the work of YARN containers under each, on a host that has the whole machine. */
package org.interference.yarn.testbed.cores;
