/** What is true. Tasks that share a node come in; how fast each of them runs goes out. No scheduler may know it. */
package org.interference.yarn.sim.world;
