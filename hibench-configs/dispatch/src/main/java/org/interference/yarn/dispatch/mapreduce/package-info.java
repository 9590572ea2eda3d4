/** MapReduce jobs of which Hadoop's examples have the parts, but no Tool. */
package org.interference.yarn.dispatch.mapreduce;
