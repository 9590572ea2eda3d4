/** YARN's own tests of its schedulers, run with ours in their place: {@code bin/run-parents-tests}. */
package org.interference.yarn.parents;
