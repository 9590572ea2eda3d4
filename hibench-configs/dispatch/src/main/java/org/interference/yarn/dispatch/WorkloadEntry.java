package org.interference.yarn.dispatch;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A line of workloads.tsv: a workload of HiBench, or a data set ({@link #isData}). Immutable.
 *
 * @param hibench its folder below HiBench's bin/workloads, such as micro/sort/hadoop; empty if HiBench has none
 * @param program what stands in for it here; empty if nothing does
 * @param arguments of what stands in for it, by scale
 */
record WorkloadEntry(
        String family,
        String name,
        Framework framework,
        Optional<String> hibench,
        Optional<String> data,
        Optional<String> program,
        Map<ScaleProfile, List<String>> arguments) {
    private static final String DATA = "data";

    WorkloadEntry {
        arguments = Map.copyOf(arguments);
    }

    boolean isData() {
        return family.equals(DATA);
    }

    /** How options and job lists name it. */
    String path() {
        return "%s/%s/%s".formatted(family, name, framework.label());
    }

    /** The tag's part after {@code ifc:}; the frameworks of one workload are different kinds of task. */
    String kind() {
        return name + "-" + framework.label();
    }

    /** Returns what stands in for it; empty if nothing does. */
    Optional<Job> standIn(ScaleProfile scale) {
        return program.map(main -> new Job(
                kind(),
                framework,
                main,
                Optional.empty(),
                arguments.getOrDefault(scale, List.of()),
                data,
                Optional.empty()));
    }
}
