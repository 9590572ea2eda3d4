package org.interference.yarn.predict;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the examples of a model cover, figure by figure: outside, the model is not asked. Immutable.
 *
 * <p>A task's own figures must lie between the lowest and the highest seen, the neighbours' between 0, where everybody runs
 * alone, and the highest; both with a margin of a tenth of the range. A signal that hardly any example has is not looked at; a
 * level that the examples have and the task lacks is outside. How many neighbours there are is no bound: what they press is.
 *
 * <p>{@link #of(String)} is the part of it that tasks of one kind were seen in.
 */
public final class Domain {
    /** By what a model's answer may exceed the worst that was seen: it is made of sums and products that go on for ever. */
    private static final double MARGIN_OF_THE_WORST = 1.1;

    private static final double MARGIN = 0.1;
    /** A range of nothing has a margin too: less is measuring noise. */
    private static final double LEAST_MARGIN = 0.02;
    /** A signal that a larger share of the examples lacks is not learnt from. */
    private static final double MOST_ABSENT = 0.05;
    /** Whose company is kept: those with most examples. */
    private static final int MOST_KINDS = 2000;

    private final double[] lowest;
    private final double[] highest;
    private final double worst;
    private final Map<String, Domain> kinds;

    private Domain(double[] lowest, double[] highest, double worst, Map<String, Domain> kinds) {
        this.lowest = lowest;
        this.highest = highest;
        this.worst = worst;
        this.kinds = kinds;
    }

    /**
     * Returns the domain with these bounds in the order of {@link Situation#NAMES}; where one is not a number, nothing is asked
     * of that figure.
     *
     * @param worst the largest slowdown that a model may answer, at least 1
     * @param kinds the same upper bounds for the neighbours of each kind, see {@link #of(String)}
     * @throws IllegalArgumentException if there are not as many, or {@code worst} is no slowdown
     */
    public static Domain of(double[] lowest, double[] highest, double worst, Map<String, double[]> kinds) {
        if (!(worst >= 1 && worst <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException("the worst slowdown must be finite and >= 1, got " + worst);
        }
        int neighbours = Situation.COUNT - Situation.OWN;
        if (lowest.length != Situation.SIZE
                || highest.length != Situation.SIZE
                || kinds.values().stream().anyMatch(bounds -> bounds.length != neighbours)) {
            throw new IllegalArgumentException(
                    "a domain has %d bounds of each sort, got %d and %d, and %d of the neighbours of each kind"
                            .formatted(Situation.SIZE, lowest.length, highest.length, neighbours));
        }
        return new Domain(lowest.clone(), highest.clone(), worst, parts(lowest, highest, worst, kinds));
    }

    private static Map<String, Domain> parts(
            double[] lowest, double[] highest, double worst, Map<String, double[]> kinds) {
        Map<String, Domain> parts = new HashMap<>();
        kinds.forEach((kind, bounds) -> {
            double[] its = highest.clone();
            System.arraycopy(bounds, 0, its, Situation.OWN, bounds.length);
            parts.put(kind, new Domain(lowest.clone(), its, worst, Map.of()));
        });
        return Map.copyOf(parts);
    }

    /** Returns what {@code examples} cover. */
    public static Domain of(List<Example> examples) {
        double[] lowest = new double[Situation.SIZE];
        double[] highest = new double[Situation.SIZE];
        Arrays.fill(lowest, Double.POSITIVE_INFINITY);
        Arrays.fill(highest, Double.NEGATIVE_INFINITY);
        int[] absent = new int[Situation.SIZE];
        for (Example example : examples) {
            for (int i = 0; i < Situation.SIZE; i++) {
                double figure = example.situation().figure(i);
                if (Double.isNaN(figure)) {
                    absent[i]++;
                } else {
                    lowest[i] = Math.min(lowest[i], figure);
                    highest[i] = Math.max(highest[i], figure);
                }
            }
        }
        for (int i = 0; i < Situation.SIZE; i++) {
            if (absent[i] > MOST_ABSENT * examples.size()) {
                lowest[i] = Double.NaN;
                highest[i] = Double.NaN;
                continue;
            }
            boolean besideNobodyHas = i >= Situation.OWN && i < Situation.COUNT && highest[i] == 0;
            if (besideNobodyHas && Double.isNaN(highest[i - Situation.OWN])) {
                lowest[i] = Double.NaN;
                highest[i] = Double.NaN;
                continue;
            }
            lowest[i] = i >= Situation.OWN ? 0 : lowest[i];
            double margin = Math.max(LEAST_MARGIN, MARGIN * (highest[i] - lowest[i]));
            lowest[i] = i >= Situation.OWN ? 0 : lowest[i] - margin;
            highest[i] += margin;
        }
        // A node that has grown has more than any that was learnt from; who does not press is nobody's harm.
        highest[Situation.COUNT] = Double.MAX_VALUE;
        // What they press is bounded by the whole, and known where that is.
        for (int i = 0; i < Parts.SIZE; i++) {
            boolean known = !Double.isNaN(highest[Situation.OWN + Situation.place(Parts.signal(i))]);
            lowest[Situation.PARTS + i] = known ? 0 : Double.NaN;
            highest[Situation.PARTS + i] = known ? Double.MAX_VALUE : Double.NaN;
        }
        double worst = examples.stream().mapToDouble(Example::slowdown).max().orElse(1);
        return of(lowest, highest, Math.max(1, MARGIN_OF_THE_WORST * worst), kinds(examples, highest));
    }

    private static Map<String, double[]> kinds(List<Example> examples, double[] highest) {
        Map<String, List<Example>> byKind = examples.stream()
                .filter(example -> !example.kind().isEmpty())
                .collect(Collectors.groupingBy(Example::kind));
        Map<String, double[]> kinds = new HashMap<>();
        byKind.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<String, List<Example>> kind) ->
                                -kind.getValue().size())
                        .thenComparing(Map.Entry::getKey))
                .limit(MOST_KINDS)
                .forEach(kind -> kinds.put(kind.getKey(), neighbours(kind.getValue(), highest)));
        return kinds;
    }

    /** Returns the most that neighbours press in {@code examples}, with the margin, up to {@code highest}; what has no bound there has none. */
    private static double[] neighbours(List<Example> examples, double[] highest) {
        double[] bounds = new double[Situation.COUNT - Situation.OWN];
        for (int i = 0; i < bounds.length; i++) {
            int figure = Situation.OWN + i;
            double most = examples.stream()
                    .mapToDouble(example -> example.situation().figure(figure))
                    .max()
                    .orElse(0);
            bounds[i] = Math.min(highest[figure], most + Math.max(LEAST_MARGIN, MARGIN * most));
        }
        return bounds;
    }

    /**
     * Returns the part of this domain that the examples of {@code kind} cover: with neighbours who press no more, but for the margin, than theirs have. The
     * same object each time; empty where nobody knows of such examples.
     */
    public Optional<Domain> of(String kind) {
        return Optional.ofNullable(kinds.get(kind));
    }

    /** Returns whether the examples have this figure. */
    boolean has(int index) {
        return !Double.isNaN(highest[index]);
    }

    /** Returns the first figure by which the task itself is outside. */
    Optional<String> taskOutside(Situation situation) {
        return outside(situation, 0, Situation.OWN);
    }

    /** Returns the first figure by which its neighbours are. */
    Optional<String> neighboursOutside(Situation situation) {
        return outside(situation, Situation.OWN, Situation.SIZE);
    }

    private Optional<String> outside(Situation situation, int from, int to) {
        for (int i = from; i < to; i++) {
            if (isOutside(i, situation.figure(i))) {
                return Optional.of(Situation.NAMES.get(i));
            }
        }
        return Optional.empty();
    }

    /** Returns whether its neighbours are, with one more who adds {@code pressure}. */
    boolean hasNeighbours(Situation situation, Pressure pressure) {
        double[] figures = situation.array();
        double[] added = pressure.array();
        for (int i = Situation.OWN; i < Situation.SIZE; i++) {
            if (isOutside(i, figures[i] + added[i - Situation.OWN])) {
                return false;
            }
        }
        return true;
    }

    private boolean isOutside(int index, double figure) {
        return has(index) && !(figure >= lowest[index] && figure <= highest[index]);
    }

    /**
     * Returns {@code situation} with one neighbour more, who adds {@code pressure}: the neighbours moved to the border where they are beyond it, and
     * without the figures that the examples lack: nobody knows what they do.
     */
    Situation atBorder(Situation situation, Pressure pressure) {
        return situation.with(pressure, highest);
    }

    /** Returns {@code situation} without the figures that the examples lack: nobody knows what they do. */
    public Situation known(Situation situation) {
        return situation.only(this::has);
    }

    /** Returns the largest slowdown that a model may answer. */
    public double worst() {
        return worst;
    }

    /** Returns for each kind the upper bounds of what its neighbours press, by signal: not a number where there is none. */
    public Map<String, double[]> kinds() {
        Map<String, double[]> bounds = new HashMap<>();
        kinds.forEach(
                (kind, part) -> bounds.put(kind, Arrays.copyOfRange(part.highest, Situation.OWN, Situation.COUNT)));
        return bounds;
    }

    public double[] lowest() {
        return lowest.clone();
    }

    public double[] highest() {
        return highest.clone();
    }
}
