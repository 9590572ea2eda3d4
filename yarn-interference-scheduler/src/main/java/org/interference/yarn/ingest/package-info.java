/** The newest state of every node. Bytes from heartbeats come in; samples fresh enough to decide on go out. */
package org.interference.yarn.ingest;
