package org.interference.yarn.dispatch;

import java.util.ArrayList;
import java.util.List;

/** Splits a program's arguments at blanks; double quotes hold together what has some, and have no other meaning. Pure. */
final class Words {
    private Words() {}

    static List<String> of(Tsv.Row row, String text) throws InputException {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean begun = false;
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
                begun = true;
            } else if (c == ' ' && !quoted) {
                if (begun) {
                    words.add(word.toString());
                    word.setLength(0);
                    begun = false;
                }
            } else {
                word.append(c);
                begun = true;
            }
        }
        if (quoted) {
            throw row.problem("has a quote that does not end");
        }
        if (begun) {
            words.add(word.toString());
        }
        return words;
    }
}
