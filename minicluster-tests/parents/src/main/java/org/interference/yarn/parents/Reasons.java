package org.interference.yarn.parents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The committed sentences that say why tests fail. A line: class, tab, regular expression of tests, tab, sentence. */
record Reasons(List<Reason> all) {
    /** Why tests of one class fail; the first reason that fits a test is its own. */
    record Reason(String simpleClassName, Pattern test, String sentence) {}

    static Reasons read(Path file) throws IOException {
        return new Reasons(Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split("\t", 3))
                .map(fields -> new Reason(fields[0], Pattern.compile(fields[1]), fields[2]))
                .toList());
    }

    Optional<String> of(String className, String test) {
        return all.stream()
                .filter(reason -> className.endsWith("." + reason.simpleClassName())
                        && reason.test().matcher(test).find())
                .map(Reason::sentence)
                .findFirst();
    }
}
