/** What the plugin knows, as JSON under /ws/v1/interference. Views of the other stages come in; answers go out. */
package org.interference.yarn.rest;
