/** Heartbeats as the ResourceManager sees them. Node events come in; payloads for the ingest stage go out. */
package org.interference.yarn.ingest.yarn;
