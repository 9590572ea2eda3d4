package org.interference.yarn.testbed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * What a run is made of. A container of any kind takes 10 to 20 s where it is alone on a host of docs/testbed.md; the same mix, seed
 * and length give the same jobs.
 */
enum Mix {
    /** Each disk and network job alone wants all that a host has; small random reads and large ones beside them ruin each other. */
    CONTENDED(
            4,
            new Share(6, Kind.of("read", "disk-read", "750")),
            new Share(4, Kind.of("write", "disk-write", "750")),
            new Share(3, Kind.of("lookup", "disk-random", "24000")),
            new Share(7, Kind.of("transfer", "network", "300")),
            new Share(4, Kind.of("compute", "cpu", "15000")),
            new Share(2, Kind.of("compute-and-transfer", "cpu", "5000", "network", "150")),
            new Share(2, Kind.of("pause", "sleep", "15")),
            new Share(1, Kind.example("pi")),
            new Share(1, Kind.example("wordcount"))),

    /** Whichever of these share a host, it has enough of everything. */
    UNCONTENDED(
            4,
            new Share(6, Kind.of("slow-read", "disk-read", "180@12")),
            new Share(6, Kind.of("slow-transfer", "network", "75@5")),
            new Share(6, Kind.of("slow-compute", "cpu", "3600@10")),
            new Share(10, Kind.of("pause", "sleep", "15")),
            new Share(1, Kind.example("pi")),
            new Share(1, Kind.example("wordcount"))),

    /** As little contention, and tasks that use a third to two thirds of the memory that they request: hosts would bear more of them. */
    OVERREQUESTED(
            4,
            new Share(6, Kind.of("spare-read", "memory", "170", "disk-read", "180@12")),
            new Share(6, Kind.of("spare-transfer", "memory", "260", "network", "75@5")),
            new Share(6, Kind.of("spare-compute", "memory", "220", "cpu", "3600@10")),
            new Share(10, Kind.of("spare-pause", "memory", "340", "sleep", "15")),
            new Share(1, Kind.example("pi")),
            new Share(1, Kind.example("wordcount"))),

    /** MapReduce's and Spark's jobs of HiBench and a Storm topology, beside what contends with them for each resource. */
    HIBENCH(
            4,
            new Share(1, Kind.hibench("wordcount-mapreduce", "micro/wordcount/hadoop")),
            new Share(1, Kind.hibench("sort-mapreduce", "micro/sort/hadoop")),
            new Share(1, Kind.hibench("wordcount-spark", "micro/wordcount/spark")),
            new Share(1, Kind.hibench("kmeans-spark", "ml/kmeans/spark")),
            new Share(1, Kind.hibench("sort-spark", "micro/sort/spark")),
            new Share(1, Kind.hibench("rf-spark", "ml/rf/spark")),
            new Share(1, Kind.of("topology", "storm", "2000000")),
            new Share(6, Kind.of("read", "disk-read", "750")),
            new Share(4, Kind.of("write", "disk-write", "750")),
            new Share(6, Kind.of("transfer", "network", "300")),
            new Share(3, Kind.of("compute", "cpu", "15000"))),

    /** Three tiny jobs, to see whether the bed works. */
    SMOKE(
            1,
            new Share(1, Kind.of("read", "disk-read", "30")),
            new Share(1, Kind.of("transfer", "network", "10", "cpu", "500")),
            new Share(1, Kind.of("pause", "sleep", "1")));

    private static final List<String> QUEUES = List.of("a", "b", "default");
    /** The published pattern: ten at a time, every five seconds, without waiting. */
    private static final int AT_A_TIME = 10;

    private static final Duration EVERY = Duration.ofSeconds(5);

    private final int mostContainers;

    @SuppressWarnings("ImmutableEnumChecker") // A list that is made by List.of.
    private final List<Share> shares;

    Mix(int mostContainers, Share... shares) {
        this.mostContainers = mostContainers;
        this.shares = List.of(shares);
    }

    private record Share(int jobs, Kind kind) {}

    /** Returns the policy that it is there to show, knowing what it has learnt. */
    String shows() {
        return this == OVERREQUESTED ? "ours-elastic" : "ours-warm";
    }

    /** Returns the kinds of fixed work. */
    List<Kind> kinds() {
        return shares.stream().map(Share::kind).filter(Kind::isFixedWork).toList();
    }

    /** Returns the jobs of one run: always as many of each kind, in an order and of sizes by the seed. */
    List<MixJob> jobs(long seed) {
        // Seeds that follow one another would begin alike.
        Random random = new Random(new SplittableRandom(seed).nextLong());
        List<Kind> order = new ArrayList<>();
        shares.forEach(share -> order.addAll(Collections.nCopies(share.jobs(), share.kind())));
        Collections.shuffle(order, random);
        List<MixJob> jobs = new ArrayList<>();
        for (int i = 0; i < order.size(); i++) {
            Kind kind = order.get(i);
            String queue = QUEUES.get(random.nextInt(QUEUES.size()));
            int containers = 1 + random.nextInt(mostContainers);
            jobs.add(new MixJob(
                    i + 1,
                    kind,
                    queue,
                    kind.isFixedWork() ? containers : 0,
                    List.of(),
                    EVERY.multipliedBy(i / AT_A_TIME)));
        }
        return jobs;
    }

    /** Returns a job of each kind with one container on each host. */
    List<MixJob> alone(List<String> hosts) {
        List<MixJob> jobs = new ArrayList<>();
        for (Kind kind : kinds()) {
            jobs.add(new MixJob(jobs.size() + 1, kind, "default", hosts.size(), hosts, Duration.ZERO));
        }
        return jobs;
    }

    /** Returns the mix that is called {@code name} in lower case. */
    static Mix named(String name) {
        return Arrays.stream(values())
                .filter(mix -> mix.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--mix is '%s' but must be one of %s".formatted(name, Arrays.toString(values()))));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
