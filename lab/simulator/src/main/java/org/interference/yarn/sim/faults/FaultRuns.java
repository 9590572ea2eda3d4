package org.interference.yarn.sim.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.sim.faults.FaultPlan.Kind;
import org.interference.yarn.sim.faults.Invariants.Story;

/** Lives plan after plan, and tells of those in which an invariant does not hold. */
public final class FaultRuns {
    /** Every so many lives are also lived with the plugin switched off. */
    private static final int OFF_TOO = 4;

    private final Path directory;

    /**
     * Nothing has lived yet.
     *
     * @param directory for the files that only a local disk serves
     */
    FaultRuns(Path directory) {
        this.directory = directory;
    }

    /** Returns the plan of a seed: the kinds take turns. */
    static FaultPlan plan(long seed, List<Kind> kinds) {
        return FaultPlan.of(seed, kinds.get((int) Math.floorMod(seed, (long) kinds.size())));
    }

    /** Returns what is wrong with one plan, by invariant; empty if nothing is. */
    Map<Invariants, List<String>> broken(FaultPlan plan) {
        LifeHistory stock = ClusterLife.of(plan, Variant.STOCK, Optional.empty(), directory);
        LifeHistory ours = ClusterLife.of(plan, Variant.ON, Optional.of(stock), directory);
        Optional<LifeHistory> off = plan.seed() % OFF_TOO == 0
                ? Optional.of(ClusterLife.of(plan, Variant.OFF, Optional.of(stock), directory))
                : Optional.empty();
        Story story = new Story(stock, ours, off);
        Map<Invariants, List<String>> broken = new EnumMap<>(Invariants.class);
        for (Invariants invariant : Invariants.values()) {
            List<String> wrong = invariant.broken(story);
            if (!wrong.isEmpty()) {
                broken.put(invariant, wrong);
            }
        }
        return broken;
    }

    /** Returns {@code plan} without the events that it breaks {@code invariant} without; each is tried once. */
    FaultPlan shrunk(FaultPlan plan, Invariants invariant) {
        FaultPlan smallest = plan;
        for (int act = plan.acts().size() - 1; act >= 0; act--) {
            for (int event = plan.acts().get(act).events().size() - 1; event >= 0; event--) {
                FaultPlan smaller = smallest.without(act, event);
                if (broken(smaller).containsKey(invariant)) {
                    smallest = smaller;
                }
            }
        }
        return smallest;
    }

    /** Prints a plan that breaks invariants, shrunk to what breaks the first of them. */
    void explain(FaultPlan plan, Map<Invariants, List<String>> broken, PrintStream out) {
        out.printf("Seed %d, %s:%n", plan.seed(), plan.kind());
        broken.forEach((invariant, wrong) -> out.printf("  %s: %s%n", invariant, String.join("; ", wrong)));
        Invariants first = broken.keySet().iterator().next();
        FaultPlan shrunk = shrunk(plan, first);
        out.printf("What is left of the plan, and breaks %s still:%n%s", first, shrunk.describe());
        broken(shrunk).getOrDefault(first, List.of()).forEach(wrong -> out.printf("  %s%n", wrong));
        out.printf("Once more: bin/lab faults --scheduler %s --seed %d%n", name(plan.kind()), plan.seed());
    }

    private static String name(Kind kind) {
        return kind.isFair() ? "fair" : kind == Kind.CAPACITY_BY_PASSES ? "capacity-passes" : "capacity-heartbeats";
    }

    /** What a command line asks for. */
    private record Wanted(long first, int lives, List<Kind> kinds, boolean explains, Optional<Path> output) {
        static Wanted of(String[] arguments) {
            long first = 0;
            int lives = 1000;
            boolean explains = false;
            List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
            Optional<Path> output = Optional.empty();
            for (int i = 0; i < arguments.length; i += 2) {
                if (i + 1 == arguments.length) {
                    throw new IllegalArgumentException(arguments[i] + " wants a value");
                }
                String value = arguments[i + 1];
                switch (arguments[i]) {
                    case "--lives" -> lives = Integer.parseInt(value);
                    case "--from" -> first = Long.parseLong(value);
                    case "--seed" -> {
                        first = Long.parseLong(value);
                        lives = 1;
                        explains = true;
                    }
                    case "--scheduler" -> kinds.removeIf(kind -> !name(kind).startsWith(value));
                    case "--output" -> output = Optional.of(Path.of(value));
                    default -> throw new IllegalArgumentException("nobody knows " + arguments[i]);
                }
            }
            if (kinds.isEmpty()) {
                throw new IllegalArgumentException(
                        "--scheduler is one of capacity, capacity-heartbeats, capacity-passes, fair");
            }
            return new Wanted(first, lives, kinds, explains, output);
        }
    }

    /**
     * {@code [--lives N] [--from SEED] [--seed SEED] [--scheduler capacity|fair] [--output FILE]}: one seed is explained, of others only
     * the first that fails. Ends with 1 if any did.
     */
    public static void main(String[] arguments) throws IOException {
        Wanted wanted = Wanted.of(arguments);
        Path directory = Files.createTempDirectory("faults");
        FaultRuns faults = new FaultRuns(directory);
        Map<Invariants, Integer> violations = new EnumMap<>(Invariants.class);
        int failed = 0;
        long began = System.nanoTime();
        for (long seed = wanted.first(); seed < wanted.first() + wanted.lives(); seed++) {
            FaultPlan plan = plan(seed, wanted.kinds());
            Map<Invariants, List<String>> broken = faults.broken(plan);
            if (!broken.isEmpty()) {
                failed++;
                broken.keySet().forEach(invariant -> violations.merge(invariant, 1, Integer::sum));
                System.err.printf("seed %d, %s: %s%n", seed, name(plan.kind()), summary(broken));
                if (wanted.explains() || failed == 1) {
                    faults.explain(plan, broken, System.err);
                }
            }
        }
        String json = "{\"fault_runs\": %d, \"fault_violations\": %d, \"fault_seconds\": %d, \"violations\": {%s}}%n"
                .formatted(
                        wanted.lives(),
                        failed,
                        Math.round((System.nanoTime() - began) / 1e9),
                        String.join(
                                ", ",
                                violations.entrySet().stream()
                                        .map(entry -> "\"%s\": %d".formatted(entry.getKey(), entry.getValue()))
                                        .toList()));
        System.out.print(json);
        if (wanted.output().isPresent()) {
            Files.writeString(wanted.output().get(), json, StandardCharsets.UTF_8);
        }
        // YARN leaves threads behind.
        // main-program:off
        System.exit(failed == 0 ? 0 : 1);
        // main-program:on
    }

    private static String summary(Map<Invariants, List<String>> broken) {
        StringBuilder summary = new StringBuilder();
        broken.forEach((invariant, wrong) -> summary.append(summary.isEmpty() ? "" : "; ")
                .append("%s %d times, first: %s".formatted(invariant, wrong.size(), shortened(wrong.get(0)))));
        return summary.toString();
    }

    private static String shortened(String text) {
        return text.length() <= 300 ? text : text.substring(0, 300) + "...";
    }
}
