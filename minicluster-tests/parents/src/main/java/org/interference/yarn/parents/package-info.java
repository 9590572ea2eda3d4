/** YARN's own tests of its schedulers, run with ours in their place: {@code bin/lab parents-tests}. */
package org.interference.yarn.parents;
