/** Node reports to bytes and back, by the rules of ADR-0002. A report comes in and bytes go out, or the other way round. */
package org.interference.yarn.wire;
