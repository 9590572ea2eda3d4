/** What a container's work folders tell: how much lies in them, and how far its application says it is. */
package org.interference.yarn.nm.folders;
