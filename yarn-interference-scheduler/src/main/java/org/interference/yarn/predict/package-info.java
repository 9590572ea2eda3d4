/** What co-location costs. A task's vector and its neighbours' come in; a slowdown, or the reason for none, goes out. */
package org.interference.yarn.predict;
