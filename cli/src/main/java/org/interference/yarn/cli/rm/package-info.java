/** How a ResourceManager is found, reached and asked. A path comes in; the plugin's JSON goes out, or one sentence that says why not. */
package org.interference.yarn.cli.rm;
