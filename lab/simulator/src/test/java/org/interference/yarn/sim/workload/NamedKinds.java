package org.interference.yarn.sim.workload;

/** The built-in kinds by name. */
public final class NamedKinds {
    private NamedKinds() {}

    public static SimTaskKind kind(String name) {
        return SimTaskKinds.all().stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
