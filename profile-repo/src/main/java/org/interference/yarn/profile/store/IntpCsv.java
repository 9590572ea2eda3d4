package org.interference.yarn.profile.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * The original IntP's lines: one a second, {@code netp;nets;blk;mbw;llcmr;llocc;cpu} in per cents from 0 to 100, with semicolons or,
 * as its scripts print, tabs between them, and with or without a first line that names the fields. A field that is empty, which the
 * original never wrote, is a signal that was not measured; {@code intpd csv} writes the same.
 */
public final class IntpCsv {
    private static final List<Signal> COLUMNS =
            List.of(Signal.NETP, Signal.NETS, Signal.BLK, Signal.MBW, Signal.LLCMR, Signal.LLOCC, Signal.CPU);
    private static final String NAMES = COLUMNS.stream().map(Signal::wireName).collect(Collectors.joining(";"));
    /** What is written: two digits, as the original has them. */
    private static final int LARGEST = 99;

    private static final Pattern BETWEEN = Pattern.compile("[;\t]");
    private static final Pattern PER_CENT = Pattern.compile("[0-9]{1,2}(\\.[0-9]{1,9})?|100(\\.0{1,9})?");

    private IntpCsv() {}

    /**
     * Returns the levels of each second.
     *
     * @throws IllegalArgumentException if a line is none of IntP's, with its number
     */
    public static List<InterferenceVector> parse(String text) {
        List<InterferenceVector> seconds = new ArrayList<>();
        int number = 0;
        boolean first = true;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            List<String> fields = fields(line, number);
            if (!first || !NAMES.equalsIgnoreCase(String.join(";", fields))) {
                seconds.add(vector(fields, number));
            }
            first = false;
        }
        return seconds;
    }

    /** One separator more at the end ends the last field. */
    private static List<String> fields(String line, int number) {
        List<String> fields =
                Arrays.stream(BETWEEN.split(line, -1)).map(String::strip).toList();
        int count = fields.size();
        if (count == COLUMNS.size() + 1 && fields.get(COLUMNS.size()).isEmpty()) {
            return fields.subList(0, COLUMNS.size());
        }
        if (count != COLUMNS.size()) {
            throw new IllegalArgumentException(
                    "line %d has %d fields but must have %d: %s".formatted(number, count, COLUMNS.size(), NAMES));
        }
        return fields;
    }

    private static InterferenceVector vector(List<String> fields, int number) {
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        for (int i = 0; i < fields.size(); i++) {
            String field = fields.get(i);
            if (field.isEmpty()) {
                continue;
            }
            if (!PER_CENT.matcher(field).matches()) {
                throw new IllegalArgumentException("line %d: %s is '%s' but must be a number from 0 to 100"
                        .formatted(number, COLUMNS.get(i).wireName(), field));
            }
            levels.put(COLUMNS.get(i), Double.parseDouble(field) / 100);
        }
        return new InterferenceVector(levels);
    }

    /** Returns the line of one second. Signals that IntP does not have are left out. */
    public static String format(InterferenceVector levels) {
        return COLUMNS.stream().map(signal -> field(levels.level(signal))).collect(Collectors.joining(";", "", "\n"));
    }

    private static String field(OptionalDouble level) {
        return level.isEmpty() ? "" : Long.toString(Math.min(LARGEST, Math.round(level.getAsDouble() * 100)));
    }

    /** Returns the mean of {@code seconds}, of each signal over those in which it was measured. */
    public static InterferenceVector mean(List<InterferenceVector> seconds) {
        EnumMap<Signal, Double> means = new EnumMap<>(Signal.class);
        for (Signal signal : COLUMNS) {
            seconds.stream()
                    .map(second -> second.level(signal))
                    .filter(OptionalDouble::isPresent)
                    .mapToDouble(OptionalDouble::getAsDouble)
                    .average()
                    .ifPresent(mean -> means.put(signal, mean));
        }
        return new InterferenceVector(means);
    }

    /** Returns the highest level of each signal in {@code seconds}. */
    public static InterferenceVector peak(List<InterferenceVector> seconds) {
        EnumMap<Signal, Double> peaks = new EnumMap<>(Signal.class);
        seconds.forEach(second -> second.levels().forEach((signal, level) -> peaks.merge(signal, level, Math::max)));
        return new InterferenceVector(peaks);
    }
}
