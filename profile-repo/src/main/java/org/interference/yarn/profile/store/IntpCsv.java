package org.interference.yarn.profile.store;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * The original IntP's lines: no header, one line a second, {@code netp;nets;blk;mbw;llcmr;llocc;cpu} as whole per cents from
 * 0 to 99. A field that is empty, which the original never wrote, is a signal that was not measured; {@code intpd csv}
 * writes the same.
 */
public final class IntpCsv {
    private static final List<Signal> COLUMNS =
            List.of(Signal.NETP, Signal.NETS, Signal.BLK, Signal.MBW, Signal.LLCMR, Signal.LLOCC, Signal.CPU);
    private static final int LARGEST = 99;
    private static final Pattern PER_CENT = Pattern.compile("\\d{1,2}");

    private IntpCsv() {}

    /**
     * Returns the levels of each second.
     *
     * @throws IllegalArgumentException if a line is none of IntP's, with its number
     */
    public static List<InterferenceVector> parse(String text) {
        List<InterferenceVector> seconds = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (!line.isBlank()) {
                seconds.add(vector(line.strip(), number));
            }
        }
        return seconds;
    }

    private static InterferenceVector vector(String line, int number) {
        String[] fields = line.split(";", -1);
        if (fields.length != COLUMNS.size()) {
            throw new IllegalArgumentException(
                    "line %d has %d fields but must have %d: netp;nets;blk;mbw;llcmr;llocc;cpu"
                            .formatted(number, fields.length, COLUMNS.size()));
        }
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        for (int i = 0; i < fields.length; i++) {
            String field = fields[i].strip();
            if (field.isEmpty()) {
                continue;
            }
            if (!PER_CENT.matcher(field).matches()) {
                throw new IllegalArgumentException("line %d: %s is '%s' but must be a whole number from 0 to %d"
                        .formatted(number, COLUMNS.get(i).wireName(), field, LARGEST));
            }
            levels.put(COLUMNS.get(i), Integer.parseInt(field) / 100.0);
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
