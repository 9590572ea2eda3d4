/** Between YARN's scheduler and the place stage. Hadoop's nodes and asks come in; the same nodes in our order go out. */
package org.interference.yarn.place.yarn;
