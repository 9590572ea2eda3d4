/** The time by which things are decided. What the machine says comes in; nothing here asks it. */
package org.interference.yarn.time;
