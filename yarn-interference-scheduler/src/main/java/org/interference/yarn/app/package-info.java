/** Wiring and life cycle. Hadoop's configuration and the system clock come in; running stages go out. */
package org.interference.yarn.app;
