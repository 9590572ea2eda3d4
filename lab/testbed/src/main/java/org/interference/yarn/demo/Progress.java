package org.interference.yarn.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;

/** The demo's screen: one line per event with the time since the start; thread-safe. */
public final class Progress {
    private final PrintStream screen;
    private final InstantSource clock;
    private final long startedMillis;
    private boolean muted;

    public Progress(PrintStream screen, InstantSource clock) {
        this.screen = screen;
        this.clock = clock;
        this.startedMillis = clock.millis();
    }

    /** Prints one event with its time. */
    public synchronized void event(String text) {
        plain(String.format(Locale.ROOT, "[%6.1f s] %s", elapsed().toMillis() / 1000.0, text));
    }

    /** Prints text as it is. */
    public synchronized void plain(String text) {
        if (!muted) {
            screen.println(text);
            screen.flush();
        }
    }

    /** Drops everything that follows: what fails while the cluster is being taken down is no news. */
    public synchronized void mute() {
        muted = true;
    }

    /** Since this was made. */
    public Duration elapsed() {
        return Duration.ofMillis(clock.millis() - startedMillis);
    }
}
