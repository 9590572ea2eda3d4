/** What failed of the plugin's own, and how an operator gets to know. Knows nothing of Hadoop. */
package org.interference.yarn.fault;
