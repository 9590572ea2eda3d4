package org.interference.yarn.benchmarks.prediction;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.interference.yarn.signal.InterferenceVector;

/** What is learnt from and what is asked: no row is in both, nor another repetition of it unless the split says so. */
enum Split {
    /** The same pairs in other repetitions; profiles too are of the others. */
    SEEN_PAIRS {
        @Override
        List<Fold> folds(CorunTable table) {
            return table.repetitions().stream()
                    .map(asked -> fold(
                            table,
                            repetition -> repetition != asked,
                            row -> row.repetition() != asked,
                            row -> row.repetition() == asked && row.others().size() == 1))
                    .toList();
        }
    },
    /** Pairs of which neither a repetition nor any larger set with both in it is learnt from. */
    UNSEEN_PAIRS {
        @Override
        List<Fold> folds(CorunTable table) {
            List<String> pairs = new ArrayList<>(table.rows().stream()
                    .filter(row -> row.others().size() == 1)
                    .map(CorunTable.Row::set)
                    .distinct()
                    .sorted()
                    .toList());
            Collections.shuffle(pairs, new Random(SEED));
            List<Fold> folds = new ArrayList<>();
            for (int i = 0; i < FOLDS; i++) {
                Set<String> held = new HashSet<>();
                for (int j = i; j < pairs.size(); j += FOLDS) {
                    held.add(pairs.get(j));
                }
                folds.add(fold(
                        table,
                        repetition -> true,
                        row -> pairsIn(row).noneMatch(held::contains),
                        row -> held.contains(row.set())));
            }
            return folds;
        }
    },
    /** Kinds that were seen alone only: neither they nor what they do to others is learnt from. */
    UNSEEN_TASKS {
        @Override
        List<Fold> folds(CorunTable table) {
            return table.kinds().stream()
                    .map(kind -> fold(
                            table,
                            repetition -> true,
                            row -> !row.kind().equals(kind) && !row.others().contains(kind),
                            row -> row.kind().equals(kind) && !row.alone()))
                    .toList();
        }
    };

    private static final long SEED = 20_190_301;
    private static final int FOLDS = 7;

    /** @param profiles what is known of each kind alone */
    record Fold(List<CorunTable.Row> training, List<CorunTable.Row> asked, Map<String, InterferenceVector> profiles) {}

    abstract List<Fold> folds(CorunTable table);

    private static Fold fold(
            CorunTable table,
            IntPredicate profiled,
            Predicate<CorunTable.Row> training,
            Predicate<CorunTable.Row> asked) {
        return new Fold(
                table.rows().stream().filter(training).toList(),
                table.rows().stream().filter(asked).toList(),
                table.profiles(profiled));
    }

    private static Stream<String> pairsIn(CorunTable.Row row) {
        List<String> kinds = new ArrayList<>(row.others());
        kinds.add(row.kind());
        Collections.sort(kinds);
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < kinds.size(); i++) {
            for (int j = i + 1; j < kinds.size(); j++) {
                pairs.add(kinds.get(i) + "+" + kinds.get(j));
            }
        }
        return pairs.stream();
    }
}
