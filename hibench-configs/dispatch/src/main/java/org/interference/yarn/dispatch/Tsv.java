package org.interference.yarn.dispatch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tables of tab-separated fields: the first line names the columns, in any order; blank lines and those that begin with {@code #}
 * are left out, and a field that is missing, empty or {@code -} is absent. Pure.
 */
final class Tsv {
    private static final int SHOWN = 40;

    private Tsv() {}

    /** One line. Immutable. */
    record Row(String file, long line, Map<String, String> fields) {
        Row {
            fields = Map.copyOf(fields);
        }

        Optional<String> field(String column) {
            return Optional.ofNullable(fields.get(column));
        }

        String required(String column) throws InputException {
            return field(column).orElseThrow(() -> problem("has no " + column));
        }

        InputException problem(String sentence) {
            return InputException.at(file, line, sentence);
        }
    }

    /**
     * Reads a table.
     *
     * @param columns every column that there may be
     * @param required those that must be named in the first line
     */
    static List<Row> read(List<String> lines, String file, Set<String> columns, Set<String> required)
            throws InputException {
        List<Row> rows = new ArrayList<>();
        Optional<List<String>> header = Optional.empty();
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i);
            if (text.isBlank() || text.startsWith("#")) {
                continue;
            }
            List<String> fields = Arrays.asList(text.split("\t", -1));
            if (header.isEmpty()) {
                header = Optional.of(header(fields, file, i + 1, columns, required));
            } else {
                rows.add(row(header.get(), fields, file, i + 1));
            }
        }
        if (header.isEmpty()) {
            throw new InputException("%s: is empty but must begin with a line that names its columns".formatted(file));
        }
        return rows;
    }

    private static List<String> header(
            List<String> fields, String file, long line, Set<String> columns, Set<String> required)
            throws InputException {
        List<String> names = fields.stream().map(String::strip).toList();
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!columns.contains(name)) {
                throw InputException.at(
                        file,
                        line,
                        "names the column '%s' but columns are %s"
                                .formatted(
                                        shown(name),
                                        String.join(
                                                ", ", columns.stream().sorted().toList())));
            }
            if (!seen.add(name)) {
                throw InputException.at(file, line, "names the column '%s' twice".formatted(name));
            }
        }
        for (String name : required.stream().sorted().toList()) {
            if (!seen.contains(name)) {
                throw InputException.at(file, line, "does not name the column '%s'".formatted(name));
            }
        }
        return names;
    }

    private static Row row(List<String> header, List<String> fields, String file, long line) throws InputException {
        if (fields.size() > header.size()) {
            throw InputException.at(
                    file,
                    line,
                    "has %d fields between tabs but the first line names %d columns"
                            .formatted(fields.size(), header.size()));
        }
        Map<String, String> byName = new LinkedHashMap<>();
        for (int i = 0; i < fields.size(); i++) {
            String field = fields.get(i).strip();
            if (!field.isEmpty() && !field.equals("-")) {
                byName.put(header.get(i), field);
            }
        }
        return new Row(file, line, byName);
    }

    /** Returns a field as a sentence shows it. */
    static String shown(String field) {
        String printable = field.replaceAll("[^\\x20-\\x7e]", "?");
        return printable.length() > SHOWN ? printable.substring(0, SHOWN) + "..." : printable;
    }
}
