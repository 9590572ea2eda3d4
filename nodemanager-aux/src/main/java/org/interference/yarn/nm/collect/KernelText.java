package org.interference.yarn.nm.collect;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.interference.yarn.nm.attribute.Fields;

/** Numbers in the texts of the kernel's files. What is not as the kernel writes it is not there. */
final class KernelText {
    /** The line of a pressure file that says for how long at least one task was stalled. */
    static final String SOME = "some ";

    /** The line that says for how long all tasks were. */
    static final String FULL = "full ";

    private static final String TOTAL = "total=";

    private KernelText() {}

    /** Returns the number behind {@code word} where that begins a line, as in {@code memory.stat} and {@code meminfo}. */
    static OptionalLong named(String text, String word) {
        return text.lines()
                .filter(line -> line.startsWith(word))
                .mapToLong(line -> Fields.number(line.substring(word.length()).strip(), 0, 0))
                .filter(number -> number >= 0)
                .findFirst();
    }

    /** Returns the number that a file consists of. */
    static OptionalLong only(String text) {
        return named(text, "");
    }

    /** Returns the microseconds that tasks were stalled by a pressure file; {@code kind} is {@link #SOME} or {@link #FULL}. */
    static OptionalLong stalledMicros(String text, String kind) {
        return text.lines()
                .filter(line -> line.startsWith(kind) && line.contains(TOTAL))
                .mapToLong(line -> Fields.number(line, line.indexOf(TOTAL) + TOTAL.length(), 0))
                .filter(micros -> micros >= 0)
                .findFirst();
    }

    /**
     * Returns bytes by device, of those among {@code disks}: {@code MAJOR:MINOR}. Empty where a number of one of these is none.
     *
     * @param text of {@code io.stat} of version 2, {@code 8:0 rbytes=1 wbytes=2}, or of version 1, {@code 8:0 Read 1}
     * @param word before the number, with the blank before it
     */
    static Optional<Map<String, Long>> deviceBytes(String text, String word, Collection<String> disks) {
        Map<String, Long> bytes = new HashMap<>();
        for (String line : text.lines().toList()) {
            int at = line.indexOf(word);
            String device = line.substring(0, Math.max(0, line.indexOf(' ')));
            if (at >= 0 && disks.contains(device)) {
                long number = Fields.number(line, at + word.length(), 0);
                if (number < 0) {
                    return Optional.empty();
                }
                bytes.put(device, number);
            }
        }
        return Optional.of(bytes);
    }
}
