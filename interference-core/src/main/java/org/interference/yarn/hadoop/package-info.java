/** Which Hadoop the plugin runs in. Pure: who asks brings the version. */
package org.interference.yarn.hadoop;
