package org.interference.yarn.profile.store;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of one file of the store. Later files are greater.
 *
 * @param epoch of the writer: each opening of the store has a higher one
 * @param generation of the snapshot, and of the log that continues it
 */
record StoreFile(int epoch, int generation, Kind kind) implements Comparable<StoreFile> {
    private static final Pattern NAME = Pattern.compile("profiles-(\\d{8})-(\\d{8})\\.(snapshot|log)");
    private static final Pattern EPOCH = Pattern.compile("epoch-(\\d{8})");
    private static final String UNFINISHED = ".next";
    private static final Comparator<StoreFile> ORDER = Comparator.comparingInt(StoreFile::epoch)
            .thenComparingInt(StoreFile::generation)
            .thenComparing(StoreFile::kind);

    /** What is in it; a snapshot comes before the log that continues it. */
    enum Kind {
        SNAPSHOT,
        LOG
    }

    String name() {
        return String.format(
                Locale.ROOT,
                "profiles-%08d-%08d.%s",
                epoch,
                generation,
                kind.name().toLowerCase(Locale.ROOT));
    }

    /** Its name until it is whole. */
    String unfinishedName() {
        return name() + UNFINISHED;
    }

    static boolean isUnfinished(String name) {
        return name.endsWith(UNFINISHED) && of(name.replace(UNFINISHED, "")).isPresent();
    }

    static Optional<StoreFile> of(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches()
                ? Optional.of(new StoreFile(
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)),
                        Kind.valueOf(matcher.group(3).toUpperCase(Locale.ROOT))))
                : Optional.empty();
    }

    /** Returns the epoch that a file of this name claims or belongs to; 0 for a file of another kind. */
    static int epochOf(String name) {
        Matcher matcher = EPOCH.matcher(name);
        return matcher.matches()
                ? Integer.parseInt(matcher.group(1))
                : of(name).map(StoreFile::epoch).orElse(0);
    }

    static String claim(int epoch) {
        return String.format(Locale.ROOT, "epoch-%08d", epoch);
    }

    @Override
    public int compareTo(StoreFile other) {
        return ORDER.compare(this, other);
    }
}
