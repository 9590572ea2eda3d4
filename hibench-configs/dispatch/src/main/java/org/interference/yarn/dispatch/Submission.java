package org.interference.yarn.dispatch;

import java.time.Duration;

/**
 * A job with its time. Immutable.
 *
 * @param instance its number in the order of submission, from 0; the tag {@code inst=<k>}
 * @param at when it is to be submitted, after the run began
 */
record Submission(int instance, Duration at, Job job) {}
