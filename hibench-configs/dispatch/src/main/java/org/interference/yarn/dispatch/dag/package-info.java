/** Workflows: a Makeflow file, the graph of its rules, and which of them may run. Pure. */
package org.interference.yarn.dispatch.dag;
