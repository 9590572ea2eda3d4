package org.interference.yarn.nm.attribute;

import java.util.ArrayList;
import java.util.List;

/** Splits a shell command line into its simple commands, and these into words without their quotes. Expands nothing. */
final class ShellWords {
    private static final int LONGEST_LINE = 1 << 17;

    private final String line;
    private final List<List<String>> commands = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private List<String> command = new ArrayList<>();
    private boolean inWord;
    private int at;

    private ShellWords(String line) {
        this.line = line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE);
    }

    /** Returns the words of each simple command that has any, in their order; a quote that never ends goes to the end. */
    static List<List<String>> commands(String line) {
        return new ShellWords(line).split();
    }

    private List<List<String>> split() {
        while (at < line.length()) {
            char c = line.charAt(at);
            at++;
            switch (c) {
                case '\'' -> quoted('\'');
                case '"' -> quoted('"');
                case '\\' -> escaped();
                case ' ', '\t', '\r' -> endWord();
                case '&' -> background();
                case ';', '|', '\n', '(', ')' -> endCommand();
                default -> add(c);
            }
        }
        endCommand();
        return commands;
    }

    private void quoted(char quote) {
        inWord = true;
        while (at < line.length() && line.charAt(at) != quote) {
            if (quote == '"' && line.charAt(at) == '\\' && at + 1 < line.length()) {
                at++;
            }
            word.append(line.charAt(at));
            at++;
        }
        at++;
    }

    private void escaped() {
        if (at < line.length()) {
            add(line.charAt(at));
            at++;
        }
    }

    /** An ampersand ends a command, unless it belongs to a redirection such as {@code 2>&1}. */
    private void background() {
        boolean redirected = inWord && word.length() > 0 && "<>".indexOf(word.charAt(word.length() - 1)) >= 0;
        if (redirected || (at < line.length() && line.charAt(at) == '>')) {
            add('&');
        } else {
            endCommand();
        }
    }

    private void add(char c) {
        inWord = true;
        word.append(c);
    }

    private void endWord() {
        if (inWord) {
            command.add(word.toString());
            word.setLength(0);
            inWord = false;
        }
    }

    private void endCommand() {
        endWord();
        if (!command.isEmpty()) {
            commands.add(command);
            command = new ArrayList<>();
        }
    }
}
