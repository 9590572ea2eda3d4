package org.interference.yarn.dispatch.dag;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes logical lines of a Makeflow file: what a backslash continues is joined by a blank, and comments, from a {@code #} outside of
 * quotes to the end of the line, are left out. Quotes stay where they are. Pure.
 */
final class MakeflowLines {
    /** One of them, without blanks at its end; {@code number} is where it begins, from 1. Immutable. */
    record Line(int number, String text) {}

    private static final char NONE = 0;

    private final List<String> physical;
    private final List<Line> lines = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private int began;
    private char quote;
    private boolean continued;

    private MakeflowLines(List<String> physical) {
        this.physical = physical;
    }

    static List<Line> of(List<String> physical) throws WorkflowException {
        return new MakeflowLines(physical).join();
    }

    private List<Line> join() throws WorkflowException {
        for (int i = 0; i < physical.size(); i++) {
            if (!continued) {
                began = i + 1;
            }
            read(physical.get(i));
            if (!continued) {
                end();
            }
        }
        if (continued) {
            throw new WorkflowException(physical.size(), "ends in a backslash, and no line follows");
        }
        return lines;
    }

    private void read(String line) {
        continued = false;
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == '\\' && at + 1 == line.length()) {
                text.append(' ');
                continued = true;
            } else if (c == '\\' && quote != '\'') {
                at++;
                text.append(c).append(line.charAt(at));
            } else if (c == '#' && quote == NONE) {
                return;
            } else {
                if (c == quote) {
                    quote = NONE;
                } else if (quote == NONE && (c == '"' || c == '\'')) {
                    quote = c;
                }
                text.append(c);
            }
        }
    }

    private void end() throws WorkflowException {
        if (quote != NONE) {
            throw new WorkflowException(began, "has a quote that does not end");
        }
        String whole = text.toString().stripTrailing();
        text.setLength(0);
        if (!whole.isBlank()) {
            lines.add(new Line(began, whole));
        }
    }
}
