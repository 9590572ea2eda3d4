package org.interference.yarn.sim.herd;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random staircase scenario: containers that compute for a while, begin at different times on random hosts, and overlap ("Distributed Resource Provisioning for Containers Using
 * Machine Learning and Live Migration", 5.1 and 5.3.2: about 400 containers). How long they run, and of how many threads, is not published. Immutable.
 *
 * @param hosts how many there are
 * @param cores of each
 */
record Staircase(int hosts, int cores, List<Container> containers) {
    private static final int CONTAINERS = 400;
    private static final int HOSTS = 8;
    private static final int CORES = 4;
    private static final int MOST_THREADS = 4;
    private static final int SECONDS = 7200;
    private static final int SHORTEST_SECONDS = 60;
    private static final int LONGEST_SECONDS = 370;

    Staircase {
        containers = List.copyOf(containers);
    }

    /**
     * A container.
     *
     * @param host where it begins, from 0 on
     * @param threads each of which would keep a core busy
     * @param begins in seconds
     * @param ends in seconds: it runs for a time, not for an amount of work
     */
    record Container(int host, int threads, int begins, int ends) {}

    static Staircase random(long seed) {
        Random random = new Random(seed);
        List<Container> containers = new ArrayList<>();
        for (int i = 0; i < CONTAINERS; i++) {
            int begins = random.nextInt(SECONDS);
            int seconds = SHORTEST_SECONDS + random.nextInt(LONGEST_SECONDS - SHORTEST_SECONDS);
            containers.add(
                    new Container(random.nextInt(HOSTS), 1 + random.nextInt(MOST_THREADS), begins, begins + seconds));
        }
        return new Staircase(HOSTS, CORES, containers);
    }

    /** Returns when the last one ends, in seconds. */
    int seconds() {
        return containers.stream().mapToInt(Container::ends).max().orElse(0);
    }
}
