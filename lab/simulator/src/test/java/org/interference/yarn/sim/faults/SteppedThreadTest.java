package org.interference.yarn.sim.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.sim.faults.Fault.Disk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SteppedThreadTest {
    private final FaultyDisk disk = FaultyDisk.mount("stepped-thread-test");
    private final SteppedThread thread = new SteppedThread(disk::hangs);
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void end() {
        thread.shutdownNow();
        FaultyDisk.unmount("stepped-thread-test");
    }

    @Test
    void whatIsGivenIsDoneBeforeWhoGivesItGoesOn() {
        thread.execute(() -> {
            thread.execute(() -> done.add("second"));
            done.add("first");
        });

        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void itWaitsForADiskThatHangsAndNobodyElseDoes() throws Exception {
        disk.turn(Disk.HANGS);

        thread.execute(() -> {
            write();
            done.add("written");
        });
        thread.execute(() -> done.add("next"));

        assertThat(done).isEmpty();
        thread.shutdown();
        assertThat(thread.awaitTermination(1, TimeUnit.DAYS)).isFalse();
        disk.turn(Disk.WORKS);
        thread.goOn(disk);
        assertThat(done).containsExactly("written", "next");
        assertThat(thread.awaitTermination(1, TimeUnit.DAYS)).isTrue();
    }

    @Test
    void whoIsNoThreadOfThePluginsIsTold() {
        disk.turn(Disk.HANGS);

        assertThatThrownBy(disk::list).isInstanceOf(IOException.class);
        assertThat(disk.yarnWaited()).isEqualTo(1);
    }

    @Test
    void whatIsToBeDoneEverySecondIsDoneOnceForEachAdvance() {
        Future<?> unused = thread.scheduleWithFixedDelay(() -> done.add("tick"), 1, 1, TimeUnit.SECONDS);

        thread.advance(999_999_999);
        assertThat(done).isEmpty();
        thread.advance(1_000_000_000);
        thread.advance(60_000_000_000L);

        assertThat(done).hasSize(2);
    }

    @Test
    void whatIsToBeDoneOnceIsDoneWhenItIsDue() {
        Future<?> unused = thread.schedule(
                () -> {
                    done.add("once");
                },
                5,
                TimeUnit.SECONDS);

        thread.advance(4_000_000_000L);
        assertThat(done).isEmpty();
        thread.advance(5_000_000_000L);
        thread.advance(6_000_000_000L);

        assertThat(done).containsExactly("once");
    }

    private void write() {
        try {
            disk.create("file", true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
