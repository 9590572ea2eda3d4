/** What sharing a resource was published to cost. */
package org.interference.yarn.degradation;
