package org.interference.yarn.sim.policy;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.sim.engine.Freedom;
import org.interference.yarn.sim.engine.Insight;
import org.interference.yarn.sim.engine.Policy;

/** The rows of the report. Another one is another entry of the list. */
public final class Policies {
    private static final List<Policy> ALL = List.of(
            stock("fair", "Hadoop's FairScheduler as it is; the baseline of every difference.", FairScheduler::new),
            stock("capacity", "Hadoop's CapacityScheduler as it is.", CapacityScheduler::new),
            node(
                    "least-cpu",
                    "CapacityScheduler; each container goes to the node with the least measured CPU.",
                    true,
                    false,
                    Policies::orderedNodes,
                    insight -> new OrderedCapacityScheduler(new LeastCpu(insight))),
            node(
                    "placebo-random",
                    "Our scheduler, warm, with random costs.",
                    true,
                    true,
                    conf -> ours(conf, RandomPredictor.class.getName()),
                    insight ->
                            SimulatedPluginScheduler.of(insight, insight.known().profiles())),
            node(
                    "placebo-shuffled",
                    "Our scheduler, warm, with the profiles shuffled between the applications.",
                    true,
                    true,
                    conf -> ours(conf, PriorPredictor.NAME),
                    insight -> SimulatedPluginScheduler.of(insight, Shuffled.profiles(insight))),
            node(
                    "ours-cold",
                    "Our scheduler (node choice) by the published prior, without profiles; it learns them in the run.",
                    true,
                    false,
                    conf -> ours(conf, PriorPredictor.NAME),
                    insight -> SimulatedPluginScheduler.of(insight, List.of())),
            node(
                    "ours-warm",
                    "Our scheduler (node choice) by the published prior, with profiles from training.",
                    true,
                    true,
                    conf -> ours(conf, PriorPredictor.NAME),
                    insight ->
                            SimulatedPluginScheduler.of(insight, insight.known().profiles())),
            node(
                    "ours-learned",
                    "As ours-warm, by the model from training where that is better than the prior.",
                    true,
                    true,
                    conf -> ours(conf, TrainedPredictor.class.getName()),
                    insight ->
                            SimulatedPluginScheduler.of(insight, insight.known().profiles())),
            fair(
                    "placebo-match",
                    "Our FairScheduler, matching by the prior, with the profiles shuffled between the applications.",
                    Freedom.MATCH,
                    conf -> plugin(conf, PriorPredictor.NAME),
                    Shuffled::profiles),
            fair(
                    "ours-fair-prior",
                    "Our FairScheduler: matching within one container of fairness, by the published prior and profiles from training.",
                    Freedom.MATCH,
                    conf -> plugin(conf, PriorPredictor.NAME),
                    insight -> insight.known().profiles()),
            fair(
                    "ours-fair",
                    "As ours-fair-prior, by the model from training where that is better than the prior.",
                    Freedom.MATCH,
                    conf -> plugin(conf, TrainedPredictor.class.getName()),
                    insight -> insight.known().profiles()),
            fair(
                    "ours-fair-delay",
                    "As ours-fair, and a node is left for up to five seconds while any task would lower its throughput, if the model's"
                            + " error is known to be small.",
                    Freedom.DELAY,
                    conf -> {
                        plugin(conf, TrainedPredictor.class.getName());
                        conf.set("yarn.interference.place.delay-ms", "5000");
                    },
                    insight -> insight.known().profiles()),
            match(
                    "placebo-delay",
                    "Reference mechanism: matching and delay with shuffled profiles.",
                    Freedom.DELAY,
                    insight -> new PredictedGains(insight, Shuffled.profiles(insight), new PriorPredictor())),
            match(
                    "match-delay",
                    "Reference mechanism: the FairScheduler gives a node to the application whose task adds more throughput there than it"
                            + " usually does, by most, as the published prior says, within one container of fairness, or leaves it as it is for up to ten heartbeats while"
                            + " that would lower its throughput.",
                    Freedom.DELAY,
                    insight -> new PredictedGains(insight, insight.known().profiles(), new PriorPredictor())),
            node(
                    "clairvoyant-node",
                    "Node choice by the world's own slowdowns.",
                    false,
                    false,
                    Policies::orderedNodes,
                    insight -> new OrderedCapacityScheduler(new TrueCosts(insight))),
            clairvoyant(
                    "clairvoyant-match", "Reference mechanism: matching by the world's own slowdowns.", Freedom.MATCH),
            clairvoyant(
                    "clairvoyant-delay",
                    "Reference mechanism: matching and delay by the world's own slowdowns.",
                    Freedom.DELAY));

    /** Too new for the report, whose rows were committed before its seeds were drawn. */
    private static final List<Policy> NOT_IN_THE_REPORT = List.of(
            match(
                    "reference-match",
                    "Reference mechanism: as clairvoyant-match, by what ours-fair knows.",
                    Freedom.MATCH,
                    insight -> new PredictedGains(
                            insight, insight.known().profiles(), insight.known().model())),
            node(
                    "placebo-decline",
                    "As ours-decline by the prior, with the profiles shuffled between the applications.",
                    true,
                    true,
                    conf -> declining(conf, PriorPredictor.NAME),
                    insight -> SimulatedPluginScheduler.of(insight, Shuffled.profiles(insight))),
            node(
                    "ours-decline",
                    "Our CapacityScheduler, one node at a time: a container may be declined it for up to 90 s while another one gains more"
                            + " there, by the model from training where that is better than the prior.",
                    true,
                    true,
                    conf -> declining(conf, TrainedPredictor.class.getName()),
                    insight ->
                            SimulatedPluginScheduler.of(insight, insight.known().profiles())));

    private static final Policy LEARNER = node(
            "learner",
            "Our scheduler as released, in training.",
            true,
            true,
            conf -> ours(conf, PriorPredictor.NAME),
            SimulatedPluginScheduler::learning);

    private Policies() {}

    /** Returns every policy, in the order of the report; the first is the baseline. */
    public static List<Policy> all() {
        return ALL;
    }

    /** Returns those that the report does not run, in no order of merit. */
    public static List<Policy> notInTheReport() {
        return NOT_IN_THE_REPORT;
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
        return Stream.concat(ALL.stream(), NOT_IN_THE_REPORT.stream())
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no policy is named '" + name + "'"));
    }

    private static Policy stock(String name, String describes, Supplier<ResourceScheduler> maker) {
        return new Row(name, describes, Freedom.STOCK, false, false, conf -> {}, insight -> maker.get());
    }

    private static Policy node(
            String name,
            String describes,
            boolean readsCounters,
            boolean warm,
            Consumer<Configuration> settings,
            Function<Insight, ResourceScheduler> maker) {
        return new Row(name, describes, Freedom.NODE, readsCounters, warm, settings, maker);
    }

    private static Policy fair(
            String name,
            String describes,
            Freedom freedom,
            Consumer<Configuration> settings,
            Function<Insight, List<TaskProfile>> profiles) {
        return new Row(
                name,
                describes,
                freedom,
                true,
                true,
                conf -> {
                    conf.set("yarn.interference.place.match-containers-ahead", "1");
                    conf.set("yarn.interference.place.delay-ms", "0");
                    settings.accept(conf);
                },
                insight -> new SimulatedFairPluginScheduler(insight, profiles.apply(insight)));
    }

    private static Policy match(String name, String describes, Freedom freedom, Function<Insight, Gains> gains) {
        return new Row(
                name,
                describes,
                freedom,
                true,
                true,
                conf -> {},
                insight -> new MatchingFairScheduler(insight, gains.apply(insight), freedom));
    }

    private static Policy clairvoyant(String name, String describes, Freedom freedom) {
        return new Row(
                name,
                describes,
                freedom,
                false,
                false,
                conf -> {},
                insight -> new MatchingFairScheduler(insight, new TrueGains(insight), freedom));
    }

    private static void ours(Configuration conf, String predictor) {
        multiNode(conf);
        plugin(conf, predictor);
    }

    private static void declining(Configuration conf, String predictor) {
        plugin(conf, predictor);
        conf.set("yarn.interference.place.match-slack-ms", "90000");
        conf.set("yarn.interference.place.delay-ms", "0");
    }

    private static void plugin(Configuration conf, String predictor) {
        conf.set("yarn.interference.place.mode", "on");
        conf.set("yarn.interference.predict.predictor", predictor);
        // Not a directory that can be made: profiles and models stay in memory.
        conf.set("yarn.interference.profile.store-dir", "/dev/null/profiles");
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
