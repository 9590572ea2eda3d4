package org.interference.yarn.spark;

/** A main class's arguments, the first of which says which workload it is. Immutable. */
final class Arguments {
    private final String[] words;

    Arguments(String[] words) {
        this.words = words.clone();
    }

    String workload() {
        return text(0);
    }

    String text(int index) {
        if (index >= words.length) {
            throw new IllegalArgumentException("%d arguments were given, too few".formatted(words.length));
        }
        return words[index];
    }

    int number(int index) {
        return Integer.parseInt(text(index));
    }

    IllegalArgumentException unknown() {
        return new IllegalArgumentException("there is no workload '%s'".formatted(workload()));
    }
}
