package org.interference.yarn.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Weights by paired comparison, after Zheng 2019, section 8.4.2: each attribute is compared with each other one, {@code a(i, j)} says how many times as
 * important {@code i} is as {@code j}, {@code a(j, i)} is its inverse and {@code a(i, i)} is 1; the weight of {@code i} is the sum of its row over
 * the sum of all. So are the weights of its Table 8.1, where 0.3 stands for a third. Pure.
 */
final class PairedComparisons {
    private static final int MOST = 100;
    private static final double LARGEST = 1000;
    private static final Pattern NAME = Pattern.compile("[^=,\\s#]+");
    private static final Pattern FACTOR = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(?:/(\\d{1,9}(?:\\.\\d{1,9})?))?");

    /** What cannot be used; the message is a sentence for whoever wrote it. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private Refused(String sentence) {
            super(sentence);
        }
    }

    /** How many times as important the first is as the second. */
    private record Pair(String first, String second) {}

    private PairedComparisons() {}

    /**
     * Returns the weights, whose sum is 1, in the order in which their names first appear.
     *
     * @param lines two names and how many times as important the first is, as a number or a fraction, between blanks; {@code #} begins a comment
     * @throws Refused if a line cannot be read, two are not compared or twice, or comparisons contradict each other
     */
    static Map<String, Double> weights(List<String> lines) throws Refused {
        Map<Pair, Double> factors = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i).replaceFirst("#.*", "").strip();
            if (!text.isEmpty()) {
                add(text, i + 1, names, factors);
            }
        }
        if (names.isEmpty() || names.size() > MOST) {
            throw new Refused("It compares %d attributes but must compare from 2 to %d".formatted(names.size(), MOST));
        }
        checkThatAllAreCompared(names, factors);
        checkThatNoneContradict(names, factors);
        Map<String, Double> sums = new LinkedHashMap<>();
        names.forEach(name -> sums.put(
                name,
                names.stream()
                        .mapToDouble(other -> factors.getOrDefault(new Pair(name, other), 1.0))
                        .sum()));
        double all = sums.values().stream().mapToDouble(sum -> sum).sum();
        sums.replaceAll((name, sum) -> sum / all);
        return sums;
    }

    private static void add(String text, int line, List<String> names, Map<Pair, Double> factors) throws Refused {
        String[] words = text.split("\\s+", -1);
        if (words.length != 3
                || !NAME.matcher(words[0]).matches()
                || !NAME.matcher(words[1]).matches()) {
            throw new Refused(
                    "Line %d is '%s' but must be two names without '=' and ',', and how many times as important the first is"
                            .formatted(line, text));
        }
        if (words[0].equals(words[1])) {
            throw new Refused("Line %d compares %s with itself".formatted(line, words[0]));
        }
        double factor = factor(words[2]);
        if (!(factor >= 1 / LARGEST && factor <= LARGEST)) {
            throw new Refused("Line %d has '%s' but must have a number or a fraction from 1/%.0f to %.0f"
                    .formatted(line, words[2], LARGEST, LARGEST));
        }
        if (factors.put(new Pair(words[0], words[1]), factor) != null) {
            throw new Refused("Line %d compares %s and %s once more".formatted(line, words[0], words[1]));
        }
        factors.put(new Pair(words[1], words[0]), 1 / factor);
        for (String name : List.of(words[0], words[1])) {
            if (!names.contains(name)) {
                names.add(name);
            }
        }
    }

    private static double factor(String text) {
        Matcher matcher = FACTOR.matcher(text);
        if (!matcher.matches()) {
            return Double.NaN;
        }
        double numerator = Double.parseDouble(matcher.group(1));
        return matcher.group(2) == null ? numerator : numerator / Double.parseDouble(matcher.group(2));
    }

    private static void checkThatAllAreCompared(List<String> names, Map<Pair, Double> factors) throws Refused {
        for (String one : names) {
            for (String other : names) {
                if (!one.equals(other) && !factors.containsKey(new Pair(one, other))) {
                    throw new Refused("%s and %s are not compared, and every pair must be".formatted(one, other));
                }
            }
        }
    }

    /** As all are compared, what contradicts itself does so among three. */
    private static void checkThatNoneContradict(List<String> names, Map<Pair, Double> factors) throws Refused {
        for (String one : names) {
            for (String other : names) {
                for (String third : names) {
                    if (factors.getOrDefault(new Pair(one, other), 0.0) >= 1
                            && factors.getOrDefault(new Pair(other, third), 0.0) >= 1
                            && factors.getOrDefault(new Pair(third, one), 0.0) > 1) {
                        throw new Refused(
                                "%s is at least as important as %s and that as %s, which is said to be more important than %s"
                                        .formatted(one, other, third, one));
                    }
                }
            }
        }
    }
}
