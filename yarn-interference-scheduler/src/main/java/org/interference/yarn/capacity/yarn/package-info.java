/**
 * The capacity stage in YARN's terms (ADR-0049): what it knows of nodes, containers and who waits is put to {@link org.interference.yarn.capacity.Governor}, and
 * what that decides is done by the event that {@code yarn rmadmin -updateNodeResource} causes.
 */
package org.interference.yarn.capacity.yarn;
