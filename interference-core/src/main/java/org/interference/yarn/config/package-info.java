/** Settings: a key is defined once, read once at start, and refused in one sentence. Text comes in, values go out. */
package org.interference.yarn.config;
