package org.interference.yarn.benchmarks.prediction;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.interference.yarn.learn.Observation;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Scale;

/**
 * Errors where nodes differ: profiles are of one host, and what is asked is a task's slowdown on the others, by what they have (ADR-0048). A
 * kind that is asked about was seen alone on that one host only; from the other kinds' company is learnt on all hosts.
 */
final class HeterogeneousPart {
    private final List<MeasuredHost> hosts;
    private final MeasuredHost first;
    /** By host: the levels that each kind would have there by its profile on the first one. */
    private final Map<String, Map<String, InterferenceVector>> profiles;

    /** How it is learnt from one host's rows. */
    @FunctionalInterface
    private interface Teacher {
        List<Observation> observations(
                MeasuredHost host, List<CorunTable.Row> rows, Map<String, InterferenceVector> profiles);
    }

    /** Who has learnt from all kinds but one. */
    @FunctionalInterface
    private interface Trained {
        SlowdownPredictor without(String kind);
    }

    private HeterogeneousPart(List<MeasuredHost> hosts) {
        this.hosts = hosts;
        this.first = MeasuredHost.first(hosts);
        Map<String, InterferenceVector> known = first.table().profiles(repetition -> true);
        this.profiles = hosts.stream().collect(Collectors.toMap(MeasuredHost::name, host -> scaled(known, host)));
    }

    /** @param folder bin/lab forecast's, with a folder for each host; if it is not there nothing is measured */
    static void measure(Path folder, ObjectNode results) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        HeterogeneousPart part = new HeterogeneousPart(MeasuredHost.readAll(folder));
        ObjectNode json = results.putObject("heterogeneous");
        json.put("hosts", part.hosts.size());
        json.put("kinds", part.kinds().size());
        part.put(json.putObject("prior"), kind -> new PriorPredictor());
        part.put(
                json.putObject("exact"),
                kind -> part.composed(
                        kind, (host, rows, profiles) -> Contestant.observations(host.table(), rows, profiles)));
        part.put(json.putObject("composed"), kind -> {
            // One scheduler's, of all nodes.
            ProductLabels labels = new ProductLabels();
            return part.composed(
                    kind,
                    (host, rows, profiles) -> Contestant.asObserved(
                            rows, profiles, labels, Scale.between(host.capacities(), part.first.capacities())));
        });
        json.set("unseen_tasks", json.at("/composed/unseen_tasks"));
    }

    private SortedSet<String> kinds() {
        return first.kinds();
    }

    private void put(ObjectNode json, Trained trained) {
        Errors errors = new Errors();
        for (String kind : kinds()) {
            SlowdownPredictor predictor = trained.without(kind);
            for (MeasuredHost host : hosts) {
                if (!host.equals(first)) {
                    ask(predictor, kind, host, errors);
                }
            }
        }
        PredictionFigures.put(json, "unseen_tasks", errors.mean());
        PredictionFigures.put(json, "unseen_tasks_median", errors.median());
        PredictionFigures.put(json, "unseen_tasks_refused", errors.refusedShare());
        json.put("unseen_tasks_asked", errors.count());
        ObjectNode byKind = json.putObject("unseen_tasks_by_kind");
        errors.meanByKind().forEach((kind, error) -> PredictionFigures.put(byKind, kind, error));
    }

    private void ask(SlowdownPredictor predictor, String kind, MeasuredHost host, Errors errors) {
        Map<String, InterferenceVector> there = profiles.get(host.name());
        rows(host, row -> row.kind().equals(kind) && !row.alone())
                .forEach(row -> errors.add(
                        kind,
                        Errors.answer(predictor, kind, there.get(kind), Contestant.neighbours(row.others(), there)),
                        host.table().slowdown(row)));
    }

    private SlowdownPredictor composed(String unseen, Teacher teacher) {
        List<Observation> observations = new ArrayList<>();
        for (MeasuredHost host : hosts) {
            List<CorunTable.Row> rows = rows(
                    host, row -> !row.kind().equals(unseen) && !row.others().contains(unseen));
            observations.addAll(teacher.observations(host, rows, profiles.get(host.name())));
        }
        observations.sort(Comparator.comparing(Observation::at));
        return Contestant.composed(observations);
    }

    /** Returns rows whose tasks all have profiles, and a rate alone on that host. */
    private List<CorunTable.Row> rows(MeasuredHost host, Predicate<CorunTable.Row> which) {
        Map<String, InterferenceVector> known = profiles.get(host.name());
        return host.table().rows().stream()
                .filter(row -> known.containsKey(row.kind())
                        && known.keySet().containsAll(row.others())
                        && !host.alone(row.kind()).isEmpty())
                .filter(which)
                .toList();
    }

    private Map<String, InterferenceVector> scaled(Map<String, InterferenceVector> known, MeasuredHost host) {
        Scale scale = Scale.between(first.capacities(), host.capacities());
        return known.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, profile -> scale.of(profile.getValue())));
    }
}
