package org.interference.yarn.learn;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * Who hurts whom: by how much each container slows down each other one on its node, and what is of no container all of them, by the predictor on
 * what is measured there.
 *
 * <p>A culprit's share is what the victim's slowdown would be less without it: {@code S(v|N) - S(v|N-c)}, leave-one-out. Where the
 * shares together exceed {@code S(v|N) - 1}, which they do where a resource saturates, they are scaled down to it. The signal is the one
 * without which the culprit would hurt least. Thread-safe and bounded: who was looked at longest ago is forgotten first.
 *
 * <p>Each container is compared with each other one, so that a look at a node of many ends before all of them had their turn; the next one goes on there.
 */
public final class Attribution {
    /** The culprit that is of no container ({@link NodeSample#outside}); no container has such an id. */
    public static final String OUTSIDE = "outside";

    private static final int MOST_VICTIMS = 20_000;
    private static final int MOST_CULPRITS = 8;
    /** In one look: all of a node with 300 containers, in less than a second. */
    private static final int MOST_PAIRS = 100_000;

    /** Predictions are not known better. */
    private static final double LEAST_SLOWDOWN = 0.01;

    private static final Duration LEAST_BETWEEN_LOOKS = Duration.ofSeconds(5);
    private static final Duration LONGEST_BETWEEN_LOOKS = Duration.ofMinutes(5);
    private static final Duration KEPT = Duration.ofDays(1);

    private final SlowdownPredictor predictor;
    private final ProfileRepository profiles;
    private final Function<String, Optional<TaskIdentity>> tasks;
    /** By container id, looked at longest ago first. */
    private final Map<String, Victim> victims = new LinkedHashMap<>();
    /** The last look at each node. */
    private final Map<String, Look> looks = new ConcurrentHashMap<>();
    /** @param next the first of the node's containers at the next look, if they are the same then */
    private record Look(Instant at, int next) {}

    /** The first node of {@link #lookAtSome}'s next turn. */
    private int next;

    /** @param tasks who runs in a container, by its id; empty if nobody knows */
    public Attribution(
            SlowdownPredictor predictor, ProfileRepository profiles, Function<String, Optional<TaskIdentity>> tasks) {
        this.predictor = predictor;
        this.profiles = profiles;
        this.tasks = tasks;
    }

    /**
     * One container, and who hurts it. Immutable.
     *
     * @param slowdown at the last look, {@code >= 1}
     * @param culprits the worst first, by what the victim has lost
     * @param error of the latest predictions for its kind, in logarithms of the slowdown; empty if none was compared with what happened
     * @param spread half the width in logarithms of the interval around {@code slowdown} that nine in ten of such fall into; empty if too few were
     *     compared
     * @param at when it was last looked at
     */
    public record Victim(
            String container,
            String node,
            double slowdown,
            List<Harm> culprits,
            OptionalDouble error,
            OptionalDouble spread,
            Instant at) {
        public Victim {
            culprits = List.copyOf(culprits);
        }
    }

    /**
     * What one container does to a victim, or what is of none. Immutable.
     *
     * @param culprit a container's id, or {@link #OUTSIDE}
     * @param slowdown that it added at the last look; 0 if it is gone
     * @param signal on what most; empty if no signal alone makes a difference
     * @param seconds of the victim's run time that were lost to it so far
     */
    public record Harm(String culprit, double slowdown, Optional<Signal> signal, double seconds) {
        public boolean isFromOutside() {
            return culprit.equals(OUTSIDE);
        }
    }

    /**
     * Looks at nodes in turn, at one container of one node at least: the next call goes on with the node after the last one of this one. For one
     * thread.
     *
     * @param enough whether it took long enough
     */
    public void lookAtSome(List<NodeSample> nodes, int most, Instant now, BooleanSupplier enough) {
        for (int i = 0; i < Math.min(most, nodes.size()); i++) {
            // One that fails does not hold up the others.
            NodeSample node = nodes.get(Math.floorMod(next++, nodes.size()));
            look(node, now, enough);
            if (enough.getAsBoolean()) {
                return;
            }
        }
    }

    /** Looks at a node, unless it did some seconds ago. */
    public void look(NodeSample sample, Instant now) {
        look(sample, now, () -> false);
    }

    private void look(NodeSample sample, Instant now, BooleanSupplier enough) {
        Look last = looks.get(sample.node());
        if (last != null && now.isBefore(last.at().plus(LEAST_BETWEEN_LOOKS)) && !now.isBefore(last.at())) {
            return;
        }
        int first = last == null ? 0 : last.next();
        looks.put(sample.node(), new Look(now, first));
        Map<String, InterferenceVector> loads = new LinkedHashMap<>();
        sample.running().forEach((container, measured) -> loads.put(container, measured.demand()));
        if (!sample.outside().isEmpty()) {
            loads.put(OUTSIDE, sample.outside());
        }
        Neighbours all = Neighbours.of(loads.values());
        List<ContainerReport> own = sample.own();
        int looked = 0;
        boolean goesOn = true;
        while (goesOn && looked < own.size()) {
            String container =
                    own.get(Math.floorMod(first + looked, own.size())).container();
            if (loads.containsKey(container)) {
                look(sample, container, loads, all, now);
            }
            looked++;
            goesOn = (long) looked * loads.size() < MOST_PAIRS && !enough.getAsBoolean();
        }
        looks.put(sample.node(), new Look(now, own.isEmpty() ? 0 : (first + looked) % own.size()));
    }

    private void look(
            NodeSample sample, String container, Map<String, InterferenceVector> loads, Neighbours all, Instant now) {
        InterferenceVector load = loads.get(container);
        Optional<TaskProfile> profile = tasks.apply(container).flatMap(profiles::find);
        SlowdownPredictor asked =
                predictor.of(profile.map(known -> known.key().text()).orElse(""));
        InterferenceVector own =
                profile.map(TaskProfile::load).map(sample.scale().inverse()::of).orElse(load);
        Neighbours others = all.without(load);
        double slowdown = slowdown(asked, own, others);
        Map<String, Harm> harms =
                slowdown < 1 + LEAST_SLOWDOWN ? Map.of() : harms(asked, own, others, slowdown, loads, container);
        note(sample.node(), container, slowdown, harms, asked, now);
    }

    private static Map<String, Harm> harms(
            SlowdownPredictor asked,
            InterferenceVector own,
            Neighbours others,
            double slowdown,
            Map<String, InterferenceVector> loads,
            String victim) {
        Map<String, Double> shares = new HashMap<>();
        double sum = 0;
        for (Map.Entry<String, InterferenceVector> other : loads.entrySet()) {
            if (!other.getKey().equals(victim)) {
                double share = slowdown - slowdown(asked, own, others.without(other.getValue()));
                if (share >= LEAST_SLOWDOWN) {
                    shares.put(other.getKey(), share);
                    sum += share;
                }
            }
        }
        double scale = Math.min(1, (slowdown - 1) / sum);
        Map<String, Harm> harms = new HashMap<>();
        shares.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_CULPRITS)
                .forEach(share -> harms.put(
                        share.getKey(),
                        new Harm(
                                share.getKey(),
                                scale * share.getValue(),
                                signal(asked, own, others, slowdown, loads.get(share.getKey())),
                                0)));
        return harms;
    }

    private static Optional<Signal> signal(
            SlowdownPredictor asked,
            InterferenceVector own,
            Neighbours others,
            double slowdown,
            InterferenceVector culprit) {
        Neighbours without = others.without(culprit);
        Optional<Signal> worst = Optional.empty();
        double most = 0;
        for (Signal signal : culprit.levels().keySet()) {
            EnumMap<Signal, Double> rest = new EnumMap<>(culprit.levels());
            rest.remove(signal);
            double difference = slowdown - slowdown(asked, own, without.with(new InterferenceVector(rest)));
            if (difference > most) {
                most = difference;
                worst = Optional.of(signal);
            }
        }
        return worst;
    }

    /** Who does not know is taken to expect no harm. */
    private static double slowdown(SlowdownPredictor asked, InterferenceVector own, Neighbours others) {
        return asked.predict(Situation.of(own, others)) instanceof Prediction.Slowdown known ? known.factor() : 1;
    }

    private synchronized void note(
            String node,
            String container,
            double slowdown,
            Map<String, Harm> harms,
            SlowdownPredictor asked,
            Instant now) {
        Victim before = victims.remove(container);
        if (before == null && harms.isEmpty()) {
            return;
        }
        Map<String, Harm> next = new HashMap<>();
        double seconds = 0;
        if (before != null) {
            Duration since = Duration.between(before.at(), now);
            seconds = Math.max(0, Math.min(since.toMillis(), LONGEST_BETWEEN_LOOKS.toMillis())) / 1000.0;
            before.culprits()
                    .forEach(harm ->
                            next.put(harm.culprit(), new Harm(harm.culprit(), 0, harm.signal(), harm.seconds())));
        }
        for (Harm harm : harms.values()) {
            Harm known = next.get(harm.culprit());
            double lost = seconds * harm.slowdown() / slowdown + (known == null ? 0 : known.seconds());
            next.put(harm.culprit(), new Harm(harm.culprit(), harm.slowdown(), harm.signal(), lost));
        }
        List<Harm> worst = next.values().stream()
                .sorted(Comparator.comparingDouble(Harm::seconds)
                        .thenComparingDouble(Harm::slowdown)
                        .reversed()
                        .thenComparing(Harm::culprit))
                .limit(MOST_CULPRITS)
                .toList();
        victims.put(container, new Victim(container, node, slowdown, worst, asked.error(), asked.spread(), now));
        if (victims.size() > MOST_VICTIMS) {
            Iterator<String> eldest = victims.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    /** Returns what is known of one container; empty if nobody has hurt it, or if that is too long ago. */
    public synchronized Optional<Victim> victim(String container) {
        return Optional.ofNullable(victims.get(container));
    }

    /** Returns everybody whom somebody has hurt. */
    public synchronized List<Victim> victims() {
        return new ArrayList<>(victims.values());
    }

    /** Forgets who was last looked at a day ago. */
    public synchronized void sweep(Instant now) {
        looks.values().removeIf(look -> look.at().isBefore(now.minus(KEPT)));
        victims.values().removeIf(victim -> victim.at().isBefore(now.minus(KEPT)));
    }
}
