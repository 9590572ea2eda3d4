package org.interference.yarn.dispatch;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Jobs made of workloads.tsv: those that are named, in turn, until there are enough. Pure. */
final class Selection {
    private final WorkloadTable table;
    private final List<String> names;
    private final Optional<Integer> count;

    /**
     * Selects workloads.
     *
     * @param names as {@link WorkloadTable#named} takes them; all if there are none
     * @param count how many jobs; one of each if empty
     */
    Selection(WorkloadTable table, List<String> names, Optional<Integer> count) {
        this.table = table;
        this.names = List.copyOf(names);
        this.count = count;
    }

    List<Job> standIns(ScaleProfile scale) throws InputException {
        return inTurn(selected().stream()
                .flatMap(workload -> workload.standIn(scale).stream())
                .toList());
    }

    List<Job> hibench() throws InputException {
        return inTurn(selected().stream()
                .flatMap(workload -> workload.hibench().stream()
                        .map(folder -> new Job(
                                workload.kind(),
                                Framework.HIBENCH,
                                folder,
                                Optional.empty(),
                                List.of(),
                                Optional.empty(),
                                Optional.empty())))
                .toList());
    }

    private Set<WorkloadEntry> selected() throws InputException {
        Set<WorkloadEntry> selected = new LinkedHashSet<>();
        for (String name : names.isEmpty() ? List.of("*") : names) {
            List<WorkloadEntry> named = table.named(name);
            if (named.isEmpty()) {
                throw new InputException(
                        "--workloads has '%s', which names nothing in workloads.tsv".formatted(Tsv.shown(name)));
            }
            selected.addAll(named);
        }
        return selected;
    }

    private List<Job> inTurn(List<Job> jobs) throws InputException {
        if (jobs.isEmpty()) {
            throw new InputException("--workloads names nothing that can be run this way: see workloads.tsv");
        }
        List<Job> all = new ArrayList<>();
        for (int i = 0; i < count.orElse(jobs.size()); i++) {
            all.add(jobs.get(i % jobs.size()));
        }
        return all;
    }
}
