/** Profiles on disk. A collection of profiles comes in and a file that survives a crash goes out, or the other way round. */
package org.interference.yarn.profile.store;
