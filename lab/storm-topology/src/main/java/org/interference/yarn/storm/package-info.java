/** A topology that says when it has done its work. */
package org.interference.yarn.storm;
