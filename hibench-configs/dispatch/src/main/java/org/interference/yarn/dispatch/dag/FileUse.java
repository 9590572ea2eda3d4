package org.interference.yarn.dispatch.dag;

/**
 * A file that a rule reads or makes. Immutable.
 *
 * @param name relative to the workflow's folder, or, of a source, absolute: what every node has
 * @param inside its name where the command runs
 */
public record FileUse(String name, String inside) {
    /** Whether every node has it, so that nobody carries it there. */
    public boolean isOfTheNode() {
        return name.startsWith("/");
    }
}
