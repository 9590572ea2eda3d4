/** A MapReduce job of given sizes, which replays of SWIM are made of; its classes run in tasks of the cluster. */
package org.interference.yarn.dispatch.swim;
