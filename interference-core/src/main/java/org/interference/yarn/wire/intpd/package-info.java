/**
 * The language of intpd, the node's collector (intp-collector/PROTOCOL.md). Requests become lines, and lines become
 * answers.
 */
package org.interference.yarn.wire.intpd;
