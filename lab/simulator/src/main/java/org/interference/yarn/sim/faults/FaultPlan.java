package org.interference.yarn.sim.faults;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * All that happens to one cluster in one short life, drawn from a seed: nodes, applications, what they ask for and when, and faults. Immutable.
 * Schedulers that live it differ in nothing but themselves.
 *
 * @param slots of each node, one GiB and one core each
 * @param acts each ends when nobody waits any more, or nobody is served
 */
record FaultPlan(
        long seed, Kind kind, List<Integer> slots, List<Integer> weights, List<Applicant> applicants, List<Act> acts) {
    /** Longest of {@link Act#seconds}. */
    private static final int LONGEST_ACT = 32;

    /** In one of so many lives containers live for longer than ten minutes, if they stay in one of its acts. */
    private static final int LONG_LIVES = 16;

    private static final int LONG_SECONDS = 650;

    static final int QUEUES = 3;
    private static final int PRIORITIES = 3;
    /** What is asked for at this one fits wherever there is anything. */
    private static final int SMALL = PRIORITIES;

    /** Which scheduler, and how it comes to look at a node. */
    enum Kind {
        CAPACITY_BY_HEARTBEATS,
        CAPACITY_BY_PASSES,
        FAIR;

        boolean isFair() {
            return this == FAIR;
        }
    }

    /** Whose application it is. */
    enum Tenant {
        /** Whose profile the enemy is after. */
        VICTIM,
        /** Chooses names, types and tags as it likes. */
        ENEMY,
        ANYBODY
    }

    /**
     * Who asks for containers.
     *
     * @param level the share of a node's CPU that each of its tasks really takes
     */
    record Applicant(
            Tenant tenant,
            int queue,
            String name,
            String type,
            SortedSet<String> tags,
            double level,
            int arrivesInAct) {
        Applicant {
            // Sorted: a set that is copied otherwise has another order in every process.
            tags = Collections.unmodifiableSortedSet(new TreeSet<>(tags));
        }
    }

    /** Something at a second of an act. */
    sealed interface Event {
        int second();
    }

    /**
     * An ask.
     *
     * @param containers to be added to what is asked for at that priority
     */
    record Ask(int second, int applicant, int priority, int containers) implements Event {}

    record Happens(int second, Fault fault) implements Event {}

    /**
     * @param holds whether containers run until the act is over, and there is room for all of them
     * @param events in the order of their seconds
     */
    record Act(int seconds, boolean holds, List<Event> events) {
        Act {
            events = List.copyOf(events);
        }
    }

    FaultPlan {
        slots = List.copyOf(slots);
        weights = List.copyOf(weights);
        applicants = List.copyOf(applicants);
        acts = List.copyOf(acts);
    }

    /** Returns the plan of {@code seed}. */
    static FaultPlan of(long seed, Kind kind) {
        Random random = new Random(seed * 31 + List.of(Kind.values()).indexOf(kind));
        random.nextInt();
        List<Integer> slots = new ArrayList<>();
        // On few nodes there is soon nowhere else to go.
        int nodes = random.nextBoolean() ? 3 + random.nextInt(3) : 4 + random.nextInt(9);
        int size = 4 + random.nextInt(7);
        for (int node = 0; node < nodes; node++) {
            slots.add(size);
        }
        int acts = 2 + random.nextInt(2);
        List<Applicant> applicants = Enemies.applicants(random, 4 + random.nextInt(9), acts);
        List<Act> drawn = new ArrayList<>();
        for (int act = 0; act < acts; act++) {
            drawn.add(act(random, act, slots, applicants));
        }
        if (Math.floorMod(seed, LONG_LIVES) == LONG_LIVES - 1) {
            drawn.replaceAll(act -> act.holds() ? new Act(act.seconds() + LONG_SECONDS, true, act.events()) : act);
        }
        return new FaultPlan(seed, kind, slots, weights(random), applicants, drawn);
    }

    private static List<Integer> weights(Random random) {
        List<Integer> weights = new ArrayList<>();
        for (int queue = 0; queue < QUEUES; queue++) {
            weights.add(1 + random.nextInt(random.nextBoolean() ? 2 : 8));
        }
        return weights;
    }

    /** Returns how many slots a container has: YARN expects that what is asked at one priority has one size. */
    static int slots(int applicant, int priority) {
        return priority == SMALL ? 1 : 1 + (applicant + priority) % 3;
    }

    private static Act act(Random random, int act, List<Integer> slots, List<Applicant> applicants) {
        int seconds = 10 + random.nextInt(LONGEST_ACT - 10);
        boolean holds = random.nextInt(3) == 0;
        List<Event> events = new ArrayList<>();
        int room = slots.stream().mapToInt(Integer::intValue).sum() / 2;
        for (int applicant = 0; applicant < applicants.size(); applicant++) {
            if (applicants.get(applicant).arrivesInAct() <= act) {
                for (int ask = random.nextInt(3); ask >= 0; ask--) {
                    boolean small = holds || random.nextInt(8) == 0;
                    int most = holds ? Math.min(2 * slots.size(), room) : small ? 60 : 5;
                    int containers = most == 0 ? 0 : 1 + random.nextInt(most);
                    room -= containers;
                    events.add(new Ask(
                            random.nextInt(seconds),
                            applicant,
                            small ? SMALL : random.nextInt(PRIORITIES),
                            containers));
                }
            }
        }
        // The first act is quiet in every other life: profiles are learnt.
        int faults = act == 0 && random.nextBoolean() ? 0 : random.nextInt(9);
        for (int fault = 0; fault < faults; fault++) {
            events.add(new Happens(random.nextInt(seconds), fault(random, slots)));
        }
        events.sort(Comparator.comparingInt(Event::second));
        return new Act(seconds, holds, events);
    }

    private static Fault fault(Random random, List<Integer> slots) {
        int node = random.nextInt(slots.size());
        return switch (random.nextInt(18)) {
            case 0, 1 -> new Fault.NodeLost(node);
            case 2, 3 -> new Fault.NodeSilent(node);
            case 4, 5 -> new Fault.NodeBack(node);
            case 6 -> new Fault.NodeRestarted(node);
            case 7 -> new Fault.NodeResized(node, 2 + random.nextInt(10));
            case 8, 9 -> new Fault.Decommissioned(node, random.nextInt(3) > 0);
            case 10 -> random.nextInt(3) == 0 ? new Fault.FailOver(random.nextBoolean()) : new Fault.NodeBack(node);
            case 11 -> new Fault.QueuesChanged(weights(random), random.nextInt(3) == 0);
            case 12, 13 -> new Fault.StoreTurns(pick(random, Fault.Disk.values()));
            case 14 ->
                new Fault.ClockStepped(
                        (random.nextBoolean() ? 1 : -1) * pick(random, new Integer[] {2, 60, 3600, 86400}));
            case 15 -> new Fault.Pause(pick(random, new Integer[] {20, 300, 2000, 60_000}), 1 + random.nextInt(8));
            case 16 -> new Fault.Lies(node, pick(random, Fault.Lie.values()));
            default ->
                random.nextInt(3) == 0
                        ? new Fault.Honest(node)
                        : new Fault.Lies(node, pick(random, Fault.Lie.values()));
        };
    }

    static <T> T pick(Random random, T[] values) {
        return values[random.nextInt(values.length)];
    }

    /** Returns this plan without one event. */
    FaultPlan without(int act, int event) {
        List<Act> fewer = new ArrayList<>(acts);
        List<Event> events = new ArrayList<>(acts.get(act).events());
        events.remove(event);
        fewer.set(act, new Act(acts.get(act).seconds(), acts.get(act).holds(), events));
        return new FaultPlan(seed, kind, slots, weights, applicants, fewer);
    }

    /** Returns whether a ResourceManager stands by. */
    boolean isHighlyAvailable() {
        return faults().stream().anyMatch(fault -> fault instanceof Fault.FailOver);
    }

    List<Fault> faults() {
        return acts.stream()
                .flatMap(act -> act.events().stream())
                .filter(Happens.class::isInstance)
                .map(event -> ((Happens) event).fault())
                .toList();
    }

    /** Returns what happens, for people: one line each. */
    String describe() {
        StringBuilder text = new StringBuilder("  nodes of %s slots, queues weigh %s%n".formatted(slots, weights));
        for (int applicant = 0; applicant < applicants.size(); applicant++) {
            int number = applicant;
            boolean asks = acts.stream()
                    .flatMap(act -> act.events().stream())
                    .anyMatch(event -> event instanceof Ask ask && ask.applicant() == number);
            if (asks) {
                Applicant who = applicants.get(applicant);
                text.append("  application %d: %s in queue %d, '%s' (%s), tags %s, from act %d%n"
                        .formatted(
                                applicant,
                                who.tenant(),
                                who.queue(),
                                who.name().length() > 40 ? who.name().length() + " characters" : who.name(),
                                who.type(),
                                who.tags(),
                                who.arrivesInAct()));
            }
        }
        for (int act = 0; act < acts.size(); act++) {
            text.append("  act %d, %d seconds%s%n"
                    .formatted(act, acts.get(act).seconds(), acts.get(act).holds() ? ", containers stay" : ""));
            for (Event event : acts.get(act).events()) {
                text.append("    %s%n".formatted(event));
            }
        }
        return text.toString();
    }
}
