/** The classes that operators name in Hadoop's configuration. YARN's calls come in; the parent scheduler's answers go out. */
package org.interference.yarn;
