/** Runs the rules of workflows as containers of YARN. */
package org.interference.yarn.dispatch.dag.yarn;
