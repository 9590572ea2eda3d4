package org.interference.yarn.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rows in columns, without lines, so that other programs can cut them. Where the terminal is too narrow, texts that may be are
 * shortened, the longest first; then columns that are not needed are left out from the right, and named below; then texts are
 * shortened further.
 */
final class Table {
    /** What may happen to a column for which there is no room. */
    enum Room {
        /** Whatever the terminal's width: it is what other commands take. */
        ALWAYS,
        /** Its end is cut off. */
        CUT_END,
        /** Its beginning is cut off; what tells names apart is at their end. */
        CUT_BEGINNING,
        /** It goes. */
        OR_NONE
    }

    /** Rather than to less than this, texts are shortened once there is no other column to leave out. */
    private static final int STILL_READ = 20;

    private static final int SHORTEST = 12;
    private static final String GAP = "  ";

    private record Column(String heading, boolean right, Room room) {}

    private final List<Column> columns = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    Table text(String heading, Room room) {
        columns.add(new Column(heading, false, room));
        return this;
    }

    Table number(String heading, Room room) {
        columns.add(new Column(heading, true, room));
        return this;
    }

    /** A cell for each column. */
    void row(List<String> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException("%d cells for %d columns".formatted(cells.size(), columns.size()));
        }
        rows.add(List.copyOf(cells));
    }

    void row(String... cells) {
        row(List.of(cells));
    }

    String print(int width) {
        int[] widths = IntStream.range(0, columns.size()).map(this::needed).toArray();
        List<Integer> shown =
                new ArrayList<>(IntStream.range(0, columns.size()).boxed().toList());
        shorten(widths, shown, width, STILL_READ);
        List<String> left = new ArrayList<>();
        while (total(widths, shown) > width) {
            OptionalInt last = shown.stream()
                    .mapToInt(i -> i)
                    .filter(i -> columns.get(i).room() == Room.OR_NONE)
                    .max();
            if (last.isEmpty()) {
                break;
            }
            left.add(0, columns.get(last.getAsInt()).heading());
            shown.remove((Integer) last.getAsInt());
        }
        shorten(widths, shown, width, SHORTEST);
        grow(widths, shown, width);
        StringBuilder text = new StringBuilder();
        text.append(line(columns.stream().map(Column::heading).toList(), widths, shown));
        rows.forEach(row -> text.append(line(row, widths, shown)));
        if (!left.isEmpty()) {
            text.append(
                    "Not shown: %s (a wider terminal, a pipe or --json has it).\n".formatted(String.join(", ", left)));
        }
        return text.toString();
    }

    private int needed(int column) {
        return Math.max(
                columns.get(column).heading().length(),
                rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
    }

    private static int total(int[] widths, List<Integer> shown) {
        return shown.stream().mapToInt(i -> widths[i]).sum() + GAP.length() * (shown.size() - 1);
    }

    /** Takes from the widest column that may be shortened, until all fit or none is left to take from. */
    private void shorten(int[] widths, List<Integer> shown, int width, int shortest) {
        while (total(widths, shown) > width) {
            OptionalInt widest = shown.stream()
                    .mapToInt(i -> i)
                    .filter(i -> isShortened(i) && widths[i] > shortest)
                    .reduce((a, b) -> widths[b] > widths[a] ? b : a);
            if (widest.isEmpty()) {
                return;
            }
            widths[widest.getAsInt()]--;
        }
    }

    /** Gives back what the columns that went have left over, to the narrowest first. */
    private void grow(int[] widths, List<Integer> shown, int width) {
        while (total(widths, shown) < width) {
            OptionalInt narrowest = shown.stream()
                    .mapToInt(i -> i)
                    .filter(i -> isShortened(i) && widths[i] < needed(i))
                    .reduce((a, b) -> widths[b] < widths[a] ? b : a);
            if (narrowest.isEmpty()) {
                return;
            }
            widths[narrowest.getAsInt()]++;
        }
    }

    private boolean isShortened(int column) {
        Room room = columns.get(column).room();
        return room == Room.CUT_END || room == Room.CUT_BEGINNING;
    }

    private String line(List<String> cells, int[] widths, List<Integer> shown) {
        return shown.stream()
                        .map(i -> padded(columns.get(i), cells.get(i), widths[i]))
                        .collect(Collectors.joining(GAP))
                        .stripTrailing()
                + "\n";
    }

    private static String padded(Column column, String cell, int width) {
        String text = cell;
        if (cell.length() > width) {
            text = column.room() == Room.CUT_BEGINNING
                    ? "…" + cell.substring(cell.length() - width + 1)
                    : cell.substring(0, width - 1) + "…";
        }
        String padding = " ".repeat(width - text.length());
        return column.right() ? padding + text : text + padding;
    }
}
