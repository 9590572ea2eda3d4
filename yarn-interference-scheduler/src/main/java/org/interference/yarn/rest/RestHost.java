package org.interference.yarn.rest;

import java.util.Optional;

/** The scheduler, as the REST resource sees it: the way to the plugin of the ResourceManager that was asked. */
public interface RestHost {
    /** Returns what to answer from; empty while the plugin is not running. */
    Optional<Sources> restSources();
}
