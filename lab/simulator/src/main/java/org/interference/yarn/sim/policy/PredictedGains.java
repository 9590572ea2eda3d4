package org.interference.yarn.sim.policy;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.place.NodeLoad;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Request;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.sim.engine.Insight;

/**
 * Gains by the plugin's own measurements and profiles, and one of its predictors.
 *
 * <p>{@code 1/S(t|N) + sum over j in N of (1/S(j|N-j+t) - 1/S(j|N-j))}, with {@code S} the predictor, {@code t} the newcomer and
 * {@code N} the node's tasks, measured or expected.
 */
final class PredictedGains implements Gains {
    private final Insight insight;
    private final SlowdownPredictor predictor;
    private final ProfileRepository profiles = new ProfileRepository(1);
    private final Ingest ingest = MeasuredNodes.ingest();
    private final Placement placement;

    PredictedGains(Insight insight, List<TaskProfile> known, SlowdownPredictor predictor) {
        this.insight = insight;
        this.predictor = predictor;
        profiles.restore(known);
        this.placement =
                new Placement(ingest, profiles, predictor, PlaceSettings.from((key, defaultValue) -> defaultValue));
    }

    @Override
    public void attach(RMContext context) {
        MeasuredNodes.tap(context, ingest, insight);
    }

    @Override
    public OptionalDouble gain(SchedulerNode node, ApplicationAttemptId attempt) {
        Optional<TaskProfile> profile = insight.next().apply(attempt).flatMap(profiles::find);
        Optional<List<InterferenceVector>> load = placement
                .accounts()
                .load(node.getNodeID().toString(), insight.clock().instant())
                .map(NodeLoad::containers);
        if (profile.isEmpty() || load.isEmpty()) {
            return OptionalDouble.empty();
        }
        InterferenceVector task = profile.get().load();
        Neighbours neighbours = Neighbours.of(load.get());
        double gain = rate(predictor.of(profile.get().key().text()), task, neighbours);
        for (InterferenceVector neighbour : load.get()) {
            Neighbours others = neighbours.without(neighbour);
            gain += rate(predictor, neighbour, others.with(task)) - rate(predictor, neighbour, others);
        }
        return OptionalDouble.of(gain);
    }

    @Override
    public void assigned(NodeId node, ApplicationAttemptId attempt, ContainerId container) {
        Optional<TaskIdentity> next = insight.next().apply(attempt);
        next.ifPresent(task -> placement.proposed(
                container.toString(),
                node.toString(),
                new Request(attempt.toString(), "", task, false),
                insight.clock().instant()));
    }

    @Override
    public void completed(NodeId node, ContainerId container) {
        placement.completed(
                container.toString(), node.toString(), insight.clock().instant());
    }

    private static double rate(SlowdownPredictor predictor, InterferenceVector task, Neighbours neighbours) {
        return predictor.predict(task, neighbours) instanceof Prediction.Slowdown slowdown ? 1 / slowdown.factor() : 1;
    }
}
