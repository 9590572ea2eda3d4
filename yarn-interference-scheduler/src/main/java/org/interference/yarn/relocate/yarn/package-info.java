/**
 * Relocation in YARN's terms (ADR-0054): what it knows of containers that are opted in is put to {@link org.interference.yarn.relocate.Relocator}, and whom that
 * decides to move is asked to leave by YARN's own preemption message.
 */
package org.interference.yarn.relocate.yarn;
