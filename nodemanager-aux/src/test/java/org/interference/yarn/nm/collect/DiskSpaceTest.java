package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceTest {
    @TempDir
    private Path directory;

    private long seconds = 100;
    private final List<Runnable> begun = new ArrayList<>();

    private DiskSpace space() {
        return new DiskSpace(List.of(directory), () -> TimeUnit.SECONDS.toNanos(seconds), begun::add);
    }

    @Test
    void whoAsksWaitsForNoDisk() {
        DiskSpace space = space();

        assertThat(space.fullest()).as("nobody has looked yet").isEmpty();
        seconds += 60;
        assertThat(space.fullest()).as("the disk does not answer").isEmpty();
        assertThat(begun).as("one look at a time").hasSize(1);

        begun.remove(0).run();

        assertThat(space.fullest())
                .satisfies(used -> assertThat(used.orElseThrow()).isBetween(0.0, 1.0));
    }

    @Test
    void whatWasSeenLongAgoIsNotTold() {
        DiskSpace space = space();
        space.fullest();
        begun.remove(0).run();
        seconds += DiskSpace.LOOK_SECONDS - 1;
        assertThat(space.fullest()).isPresent();
        assertThat(begun).as("it is not time yet").isEmpty();

        seconds += 1;
        assertThat(space.fullest()).as("still the one before").isPresent();
        assertThat(begun).hasSize(1);

        seconds += DiskSpace.HELD_SECONDS;
        assertThat(space.fullest()).isEmpty();
    }
}
