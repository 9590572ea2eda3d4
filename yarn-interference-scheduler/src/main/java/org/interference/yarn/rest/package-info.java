/** What the plugin knows, as JSON under /ws/v1/interference and as Hadoop metrics. Views of the other stages come in; answers go out. */
package org.interference.yarn.rest;
