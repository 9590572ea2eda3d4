/** Which kinds of tasks are alike. Profile vectors come in; clusters and interference classes go out. The only user of Smile. */
package org.interference.yarn.learn.cluster;
