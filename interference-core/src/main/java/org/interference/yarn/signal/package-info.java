/** What is measured, and what a measurement or its absence looks like. Nothing comes in; every other stage builds on it. */
package org.interference.yarn.signal;
