package org.interference.yarn.sim.policy;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.sim.engine.Freedom;
import org.interference.yarn.sim.engine.Insight;
import org.interference.yarn.sim.engine.Policy;

/** The rows of the report. Another one is another entry of the list. */
public final class Policies {
    private static final String SOLO_SHARE = "yarn.interference.place.solo-share";

    private static final List<Policy> ALL = List.of(
            stock(
                    "fair",
                    "Hadoop's FairScheduler as it is; the baseline of every difference.",
                    Row.Kind.USUAL,
                    FairScheduler::new),
            stock("fair-3", "The same with three slots to a node.", Row.Kind.THREE_SLOTS, FairScheduler::new),
            stock("fair-2", "The same with two slots to a node.", Row.Kind.TWO_SLOTS, FairScheduler::new),
            stock("fair-1", "The same with one slot to a node.", Row.Kind.ONE_SLOT, FairScheduler::new),
            stock("capacity", "Hadoop's CapacityScheduler as it is.", Row.Kind.USUAL, CapacityScheduler::new),
            stock("capacity-3", "The same with three slots to a node.", Row.Kind.THREE_SLOTS, CapacityScheduler::new),
            stock("capacity-2", "The same with two slots to a node.", Row.Kind.TWO_SLOTS, CapacityScheduler::new),
            stock("capacity-1", "The same with one slot to a node.", Row.Kind.ONE_SLOT, CapacityScheduler::new),
            node(
                    "least-cpu",
                    "CapacityScheduler; each container goes to the node with the least measured CPU.",
                    true,
                    false,
                    Row.Kind.USUAL,
                    Policies::orderedNodes,
                    insight -> new OrderedCapacityScheduler(new LeastCpu(insight))),
            node(
                    "placebo-shuffled",
                    "As ours-warm; takes each application for another one.",
                    true,
                    true,
                    Row.Kind.MISTAKEN,
                    conf -> ours(conf, PriorPredictor.NAME),
                    SimulatedPluginScheduler::new),
            node(
                    "ours-cold",
                    "Our scheduler (node choice) by the published prior, without profiles; it learns them in the run.",
                    true,
                    false,
                    Row.Kind.USUAL,
                    conf -> ours(conf, PriorPredictor.NAME),
                    SimulatedPluginScheduler::new),
            node(
                    "ours-warm",
                    "Our scheduler (node choice) by the published prior, with profiles from training.",
                    true,
                    true,
                    Row.Kind.USUAL,
                    conf -> ours(conf, PriorPredictor.NAME),
                    SimulatedPluginScheduler::new),
            fair(
                    "placebo-match",
                    "As ours-fair; takes each application for another one.",
                    Row.Kind.MISTAKEN,
                    TrainedPredictor.class.getName()),
            fair(
                    "ours-fair-prior",
                    "Our FairScheduler by the published prior and profiles from training: whose error nobody knows leaves no node.",
                    Row.Kind.USUAL,
                    PriorPredictor.NAME),
            fair(
                    "ours-fair",
                    "Our FairScheduler in mode on: by the model from training where that is better than the prior.",
                    Row.Kind.USUAL,
                    TrainedPredictor.class.getName()),
            new Row(
                    "ours-fair-installed",
                    "As ours-fair, exactly as installed: goes on learning, and keeps nodes for single runs.",
                    "fair",
                    Freedom.LEAVE,
                    true,
                    true,
                    Row.Kind.USUAL,
                    Policies::installed,
                    SimulatedFairPluginScheduler::learning),
            capacity(
                    "placebo-capacity", "As ours-capacity; takes each application for another one.", Row.Kind.MISTAKEN),
            capacity(
                    "ours-capacity",
                    "Our CapacityScheduler in mode on: by the model from training where that is better than the prior.",
                    Row.Kind.USUAL),
            shadow(
                    "shadow-fair",
                    "As ours-fair, in mode shadow: stock Fair, and what is said that on would save.",
                    "fair",
                    SimulatedFairPluginScheduler::new),
            shadow(
                    "shadow-capacity",
                    "As ours-capacity, in mode shadow: stock Capacity, and what is said that on would save.",
                    "capacity",
                    SimulatedPluginScheduler::new),
            node(
                    "greedy-node",
                    "Greedy node choice by the world's own slowdowns of the moment; no ceiling.",
                    false,
                    false,
                    Row.Kind.USUAL,
                    Policies::orderedNodes,
                    insight -> new OrderedCapacityScheduler(new TrueGains(insight))),
            reference(
                    "greedy-match",
                    "The same greedy decision by the world's own slowdowns of the moment, if no node may be left; no ceiling.",
                    Freedom.MATCH),
            reference(
                    "greedy-leave",
                    "The same greedy decision by the world's own slowdowns of the moment; no ceiling.",
                    Freedom.LEAVE));

    private static final Policy LEARNER = node(
            "learner",
            "Our scheduler as released, in training.",
            true,
            true,
            Row.Kind.USUAL,
            conf -> {
                multiNode(conf);
                installed(conf);
            },
            SimulatedPluginScheduler::learning);

    private Policies() {}

    /** Returns every policy, in the order of the report; the first is the baseline. */
    public static List<Policy> all() {
        return ALL;
    }

    /** Returns the policy that training runs: our scheduler as released, which learns profiles and models. */
    public static Policy learner() {
        return LEARNER;
    }

    /**
     * Returns the policy with {@code name}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Policy named(String name) {
        return ALL.stream()
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no policy is named '" + name + "'"));
    }

    private static Policy stock(String name, String describes, Row.Kind kind, Supplier<ResourceScheduler> maker) {
        String parent = name.startsWith("fair") ? "fair" : "capacity";
        return new Row(name, describes, parent, Freedom.STOCK, false, false, kind, conf -> {}, insight -> maker.get());
    }

    private static Policy node(
            String name,
            String describes,
            boolean readsCounters,
            boolean warm,
            Row.Kind kind,
            Consumer<Configuration> settings,
            Function<Insight, ResourceScheduler> maker) {
        return new Row(name, describes, "capacity", Freedom.NODE, readsCounters, warm, kind, settings, maker);
    }

    private static Policy fair(String name, String describes, Row.Kind kind, String predictor) {
        return new Row(
                name,
                describes,
                "fair",
                Freedom.LEAVE,
                true,
                true,
                kind,
                conf -> plugin(conf, predictor),
                SimulatedFairPluginScheduler::new);
    }

    private static Policy capacity(String name, String describes, Row.Kind kind) {
        return new Row(
                name,
                describes,
                "capacity",
                Freedom.LEAVE,
                true,
                true,
                kind,
                conf -> plugin(conf, TrainedPredictor.class.getName()),
                SimulatedPluginScheduler::new);
    }

    private static Policy shadow(
            String name, String describes, String parent, Function<Insight, ResourceScheduler> maker) {
        return new Row(
                name,
                describes,
                parent,
                Freedom.STOCK,
                true,
                true,
                Row.Kind.USUAL,
                conf -> {
                    plugin(conf, TrainedPredictor.class.getName());
                    conf.set("yarn.interference.place.mode", "shadow");
                },
                maker);
    }

    private static Policy reference(String name, String describes, Freedom freedom) {
        return new Row(
                name,
                describes,
                "fair",
                freedom,
                false,
                false,
                Row.Kind.USUAL,
                conf -> {},
                insight -> new MatchingFairScheduler(insight, freedom));
    }

    private static void ours(Configuration conf, String predictor) {
        multiNode(conf);
        plugin(conf, predictor);
    }

    private static void plugin(Configuration conf, String predictor) {
        conf.set("yarn.interference.place.mode", "on");
        conf.set("yarn.interference.predict.predictor", predictor);
        // A kind is run by itself once in its cluster's life: that is in training. A compared life is minutes, of which
        // it would take its share (ADR-0060).
        conf.set(SOLO_SHARE, "0");
        // Not a directory that can be made: profiles and models stay in memory.
        conf.set("yarn.interference.profile.store-dir", "/dev/null/profiles");
    }

    private static void installed(Configuration conf) {
        plugin(conf, PriorPredictor.NAME);
        conf.unset(SOLO_SHARE);
    }

    private static void orderedNodes(Configuration conf) {
        multiNode(conf);
        conf.set(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS, OrderedAllocator.class.getName());
    }

    private static void multiNode(Configuration conf) {
        conf.setBoolean("yarn.scheduler.capacity.multi-node-placement-enabled", true);
        conf.set("yarn.scheduler.capacity.multi-node-sorting.policy.names", "default");
        conf.set("yarn.scheduler.capacity.multi-node-sorting.policy", "default");
        conf.set(
                "yarn.scheduler.capacity.multi-node-sorting.policy.default.class",
                ResourceUsageMultiNodeLookupPolicy.class.getName());
        // Sorted at every call, not every second of this machine's clock.
        conf.setLong("yarn.scheduler.capacity.multi-node-sorting.policy.default.sorting-interval.ms", 0);
    }
}
