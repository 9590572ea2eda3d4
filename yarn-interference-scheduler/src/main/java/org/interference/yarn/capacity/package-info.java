/**
 * How many containers a node should run (ADR-0049). What a node has, what runs there, what one more container would add and how its memory is comes in;
 * a size for the node with its reason, and which containers have to go, goes out.
 *
 * <p>{@code Governor.decide} is asked for each node every few seconds, and remembers between two calls what it decided. It is told sizes and gains and
 * knows neither how they are found nor how a size is set: who asks fills a {@link org.interference.yarn.capacity.NodeState} and does what the
 * {@link org.interference.yarn.capacity.SizeDecision} says, or only tells it.
 */
package org.interference.yarn.capacity;
