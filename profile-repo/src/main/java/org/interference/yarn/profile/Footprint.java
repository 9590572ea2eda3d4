package org.interference.yarn.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * What tasks of one kind were given and used, and how their memory peaks are distributed. Immutable; of bounded size.
 *
 * <p>Peaks are counted in buckets that are {@value #BUCKETS_A_DOUBLING} to a doubling, so that a bucket's upper bound, for which a peak in it is
 * taken, is at most 4.5 % too high. Of more than {@value #MOST_BUCKETS} buckets the lowest two become one, as what is small is seldom what decides.
 * Once {@value #MOST_REMEMBERED} tasks are counted, each bucket is halved, and what was seen once only is forgotten: an old peak does not
 * stay for ever.
 *
 * @param tasks all that were counted, also those that were forgotten since
 * @param exhausted of these, those that YARN ended because they took more memory than they were given; each counts with a peak above that
 * @param requestedBytes memory that the newest was given
 * @param requestedVcores that the newest was given
 * @param machineBytes memory of the machine on which the newest ran
 * @param totals of all tasks
 * @param peaks by rising bucket
 */
public record Footprint(
        long tasks,
        long exhausted,
        double requestedBytes,
        int requestedVcores,
        double machineBytes,
        Totals totals,
        List<Bucket> peaks) {
    /** Nothing was seen. */
    public static final Footprint NONE = new Footprint(0, 0, 0, 0, 0, Totals.NONE, List.of());

    public static final int MOST_BUCKETS = 32;

    private static final int BUCKETS_A_DOUBLING = 16;
    private static final double LOWEST_BYTES = 1 << 20;
    /** 16 TiB: more than a container can have. */
    private static final int HIGHEST_BUCKET = 24 * BUCKETS_A_DOUBLING;

    private static final int MOST_REMEMBERED = 512;
    /** An exhausted task's peak is above what it was given. */
    private static final double ABOVE = 1.001;

    /**
     * Sums over tasks.
     *
     * @param seconds of run time
     * @param requested byte seconds that they were given
     * @param peak their highest working sets, times their run times
     * @param working byte seconds of their working sets
     * @param requestedCores vcore seconds that those were given whose CPUs are known
     * @param usedCores CPU seconds that these used
     */
    public record Totals(
            double seconds, double requested, double peak, double working, double requestedCores, double usedCores) {
        static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0);

        public Totals {
            for (double sum : new double[] {seconds, requested, peak, working, requestedCores, usedCores}) {
                if (!(sum >= 0 && sum <= Double.MAX_VALUE)) {
                    throw new IllegalArgumentException("a sum must be finite and >= 0, got " + sum);
                }
            }
        }

        private Totals with(ResourceUse use) {
            boolean coresKnown = use.cores().isPresent();
            return new Totals(
                    thousandths(seconds + use.seconds()),
                    Math.rint(requested + use.requestedBytes() * use.seconds()),
                    Math.rint(peak + use.peakBytes() * use.seconds()),
                    Math.rint(working + use.meanBytes() * use.seconds()),
                    thousandths(requestedCores + (coresKnown ? use.requestedVcores() * use.seconds() : 0)),
                    thousandths(usedCores + use.cores().orElse(0) * use.seconds()));
        }
    }

    /**
     * Tasks whose memory peaks are alike.
     *
     * @param number from 0 for up to a MiB
     * @param seconds of run time of these tasks
     */
    public record Bucket(int number, long tasks, double seconds) {
        public Bucket {
            if (number < 0 || number > HIGHEST_BUCKET || tasks < 1 || !(seconds >= 0 && seconds <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException(
                        "no tasks have bucket %d, number %d and run time %s".formatted(number, tasks, seconds));
            }
        }

        /** Returns the most that such a task took. */
        public double bytes() {
            return LOWEST_BYTES * Math.pow(2, (double) number / BUCKETS_A_DOUBLING);
        }

        private Bucket and(Bucket other) {
            return new Bucket(
                    Math.max(number, other.number), tasks + other.tasks, thousandths(seconds + other.seconds));
        }
    }

    public Footprint {
        peaks = List.copyOf(peaks);
        if (tasks < 0 || exhausted < 0 || exhausted > tasks || requestedVcores < 0 || peaks.size() > MOST_BUCKETS) {
            throw new IllegalArgumentException(
                    "no footprint has %d tasks, of which %d exhausted, %d vcores and %d buckets"
                            .formatted(tasks, exhausted, requestedVcores, peaks.size()));
        }
        for (int i = 1; i < peaks.size(); i++) {
            if (peaks.get(i - 1).number() >= peaks.get(i).number()) {
                throw new IllegalArgumentException("buckets are not in their order: " + peaks);
            }
        }
        for (double bytes : new double[] {requestedBytes, machineBytes}) {
            if (!(bytes >= 0 && bytes <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException("memory must be finite and >= 0, got " + bytes);
            }
        }
    }

    /** Returns this with one more task. */
    public Footprint with(ResourceUse use) {
        return new Footprint(
                tasks + 1,
                exhausted + (use.exhausted() ? 1 : 0),
                use.requestedBytes(),
                use.requestedVcores(),
                use.machineBytes(),
                totals.with(use),
                bounded(added(new Bucket(bucket(use), 1, thousandths(use.seconds())))));
    }

    private static int bucket(ResourceUse use) {
        double bytes = use.neededBytes() * (use.exhausted() ? ABOVE : 1);
        double doublings = Math.log(Math.max(1, bytes / LOWEST_BYTES)) / Math.log(2);
        return (int) Math.min(HIGHEST_BUCKET, Math.ceil(doublings * BUCKETS_A_DOUBLING));
    }

    private List<Bucket> added(Bucket one) {
        List<Bucket> next = new ArrayList<>(peaks.size() + 1);
        Bucket waiting = one;
        for (Bucket held : peaks) {
            if (waiting != null && held.number() == waiting.number()) {
                next.add(held.and(waiting));
                waiting = null;
                continue;
            }
            if (waiting != null && held.number() > waiting.number()) {
                next.add(waiting);
                waiting = null;
            }
            next.add(held);
        }
        if (waiting != null) {
            next.add(waiting);
        }
        return next;
    }

    private static List<Bucket> bounded(List<Bucket> buckets) {
        if (buckets.size() > MOST_BUCKETS) {
            buckets.set(1, buckets.get(0).and(buckets.get(1)));
            buckets.remove(0);
        }
        if (remembered(buckets) < MOST_REMEMBERED) {
            return buckets;
        }
        List<Bucket> halves = buckets.stream()
                .filter(bucket -> bucket.tasks() > 1)
                .map(bucket -> new Bucket(bucket.number(), bucket.tasks() / 2, thousandths(bucket.seconds() / 2)))
                .toList();
        return halves.isEmpty() ? buckets : halves;
    }

    private static long remembered(List<Bucket> buckets) {
        return buckets.stream().mapToLong(Bucket::tasks).sum();
    }

    private static double thousandths(double value) {
        return Math.rint(value * 1000) / 1000;
    }

    /** Returns how many tasks the distribution of peaks stands on. */
    public long remembered() {
        return remembered(peaks);
    }

    /** Returns the highest peak; 0 if nothing was seen. */
    public double peakBytes() {
        return peaks.isEmpty() ? 0 : peaks.get(peaks.size() - 1).bytes();
    }

    /**
     * Returns the memory that a share of the tasks did not exceed; 0 if nothing was seen.
     *
     * @param share from 0 to 1
     */
    public double quantileBytes(double share) {
        double wanted = share * remembered();
        long below = 0;
        for (Bucket bucket : peaks) {
            below += bucket.tasks();
            if (below >= wanted) {
                return bucket.bytes();
            }
        }
        return peakBytes();
    }

    /** Returns how many tasks took more than {@code bytes}. */
    public long above(double bytes) {
        return peaks.stream()
                .filter(bucket -> bucket.bytes() > bytes)
                .mapToLong(Bucket::tasks)
                .sum();
    }

    /** Returns how long these ran, in seconds. */
    public double secondsAbove(double bytes) {
        return peaks.stream()
                .filter(bucket -> bucket.bytes() > bytes)
                .mapToDouble(Bucket::seconds)
                .sum();
    }
}
