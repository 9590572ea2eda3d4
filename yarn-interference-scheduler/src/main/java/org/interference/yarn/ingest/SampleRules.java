package org.interference.yarn.ingest;

import java.time.Duration;

/**
 * What the samples of all nodes are made by.
 *
 * @param maxAge of a container's measurement, and of a sample
 * @param scheduler asked of each container until it has said once that it is here
 * @param outside what is made of the load that is of no container
 * @param reference in whose shares profiles are
 */
record SampleRules(Duration maxAge, Whereabouts scheduler, OutsideUse outside, ReferenceNode reference) {}
