/**
 * Which containers should leave their node for a better one (ADR-0054). What is known of containers that may be asked comes in; a decision about each, with
 * its reason and what it would save and lose, goes out.
 *
 * <p>{@link org.interference.yarn.relocate.Relocator} judges by our own rule and keeps the limits; {@link org.interference.yarn.relocate.OltpPolicy} and {@link
 * org.interference.yarn.relocate.CpuGreedyPolicy} are published policies that are told beside it and move nothing.
 */
package org.interference.yarn.relocate;
