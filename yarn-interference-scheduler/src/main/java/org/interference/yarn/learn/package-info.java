/** What finished tasks teach. Completed containers and their last reports come in; samples for the profiles go out. */
package org.interference.yarn.learn;
