package org.interference.yarn.nm.collect;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The last totals of a container's threads and processes, so that its counters only grow although threads end.
 *
 * <p>A thread that appears after the container's first sample counts from 0; one whose totals went backwards is another
 * thread with the same id, and its window is left out.
 */
final class ContainerLedger {
    private Map<Long, ProcessSample> last = Map.of();
    private boolean sampled;

    /** Returns the growth since the last sample; empty for the first one, which is the baseline. */
    Optional<Growth> add(Collection<ProcessSample> processes, long elapsedNanos) {
        Map<Long, ProcessSample> next = new HashMap<>();
        Totals totals = new Totals(elapsedNanos);
        for (ProcessSample process : processes) {
            next.put(process.pid(), process);
            totals.add(process, lastOf(process));
        }
        boolean baseline = !sampled;
        last = next;
        sampled = true;
        return baseline ? Optional.empty() : Optional.of(totals.growth());
    }

    private Optional<ProcessSample> lastOf(ProcessSample process) {
        return Optional.ofNullable(last.get(process.pid())).filter(known -> known.startTicks() == process.startTicks());
    }

    private static final class Totals {
        private final long elapsedNanos;
        private long onCpuNanos;
        private long waitNanos;
        private long blockDelayNanos;
        private boolean blockDelayKnown;
        private long threads;
        private long readBytes;
        private long writtenBytes;

        Totals(long elapsedNanos) {
            this.elapsedNanos = elapsedNanos;
        }

        void add(ProcessSample process, Optional<ProcessSample> last) {
            Map<Long, ThreadCounts> lastThreads =
                    last.map(ProcessSample::threads).orElse(Map.of());
            process.threads().forEach((tid, thread) -> {
                threads++;
                ThreadCounts known = lastThreads.get(tid);
                if (known == null) {
                    addNew(thread);
                } else {
                    addKnown(thread, known);
                }
            });
            process.io().ifPresent(io -> addIo(io, last));
        }

        private void addNew(ThreadCounts thread) {
            // One that has more than the window holds is older than the window: it joined the container, with a past.
            if (thread.onCpuNanos() + thread.waitNanos() > elapsedNanos) {
                return;
            }
            onCpuNanos += thread.onCpuNanos();
            waitNanos += thread.waitNanos();
            thread.blockDelayNanos().ifPresent(this::addBlockDelay);
        }

        private void addKnown(ThreadCounts thread, ThreadCounts known) {
            long onCpu = thread.onCpuNanos() - known.onCpuNanos();
            long wait = thread.waitNanos() - known.waitNanos();
            if (onCpu < 0 || wait < 0) {
                return;
            }
            onCpuNanos += onCpu;
            waitNanos += wait;
            if (thread.blockDelayNanos().isPresent() && known.blockDelayNanos().isPresent()) {
                addBlockDelay(Math.max(
                        0,
                        thread.blockDelayNanos().getAsLong()
                                - known.blockDelayNanos().getAsLong()));
            }
        }

        private void addBlockDelay(long nanos) {
            blockDelayKnown = true;
            blockDelayNanos += nanos;
        }

        private void addIo(IoCounts io, Optional<ProcessSample> last) {
            Optional<IoCounts> known = last.flatMap(ProcessSample::io);
            if (last.isPresent() && known.isEmpty()) {
                return;
            }
            IoCounts from = known.orElse(new IoCounts(0, 0));
            readBytes += Math.max(0, io.readBytes() - from.readBytes());
            // Negative when the process truncated what it or another one had written.
            writtenBytes += io.writtenBytes() - from.writtenBytes();
        }

        Growth growth() {
            boolean known = blockDelayKnown || threads == 0;
            boolean plausible = known && blockDelayNanos <= elapsedNanos * threads;
            return new Growth(
                    onCpuNanos,
                    waitNanos,
                    plausible ? OptionalLong.of(blockDelayNanos) : OptionalLong.empty(),
                    readBytes,
                    Math.max(0, writtenBytes));
        }
    }
}
