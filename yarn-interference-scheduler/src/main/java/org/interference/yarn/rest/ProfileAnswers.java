package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.Mixture;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.Signal;

/** Kinds of task, and which of them are alike. */
final class ProfileAnswers {
    private final Sources sources;
    private final Viewer viewer;

    ProfileAnswers(Sources sources, Viewer viewer) {
        this.sources = sources;
        this.viewer = viewer;
    }

    /**
     * Something that is filed under a key, in the order of what is shown: that of the keys themselves would tell of names that are not.
     *
     * @param key as the viewer sees it
     */
    private record Shown<T>(String key, T of) {}

    private <T> Stream<Shown<T>> shown(Collection<T> all, Function<T, String> key) {
        // Working out what is shown takes microseconds: once for each, not at each comparison.
        return all.stream()
                .map(one -> new Shown<>(viewer.key(key.apply(one)), one))
                .sorted(Comparator.comparing(Shown::key));
    }

    /** @param contains what is in the keys that are asked for, as the viewer sees them */
    ObjectNode profiles(Page page, String contains) {
        List<Shown<TaskProfile>> wanted = shown(sources.learnt().profiles().all(), profile -> profile.key()
                        .text())
                .filter(shown -> shown.key().contains(contains))
                // The one of that very key first: the page that describes it asks so.
                .sorted(Comparator.comparing(
                                (Shown<TaskProfile> shown) -> !shown.key().equals(contains))
                        .thenComparing(shown -> shown.of().key().level()))
                .toList();
        return page.answer("profiles", wanted, this::describe);
    }

    ObjectNode clusters() {
        ObjectNode answer = Json.object();
        ArrayNode clusters = answer.putArray("clusters");
        ArrayNode points = answer.putArray("points");
        ArrayNode choices = answer.putArray("choices");
        ArrayNode merges = answer.putArray("merges");
        sources.learnt().characterisation().get().ifPresent(found -> {
            for (Characterisation.Cluster cluster : found.clusters()) {
                ObjectNode json = clusters.addObject().put("size", cluster.size());
                ObjectNode signals = json.putObject("signals");
                found.signals().forEach(signal -> signals.putObject(signal.wireName())
                        .put("mean", Json.rounded(cluster.centre().get(signal)))
                        .put("class", Json.lowerCase(cluster.classes().get(signal))));
            }
            List<Shown<Characterisation.Point>> inOrder =
                    shown(found.points(), Characterisation.Point::key).toList();
            inOrder.forEach(shown -> points.addObject()
                    .put("key", shown.key())
                    .put("x", Json.rounded(shown.of().x()))
                    .put("y", Json.rounded(shown.of().y()))
                    .put("cluster", shown.of().cluster())
                    .put("branch", shown.of().branch()));
            describe(merges, found, inOrder);
            found.choices().forEach(choice -> choices.addObject()
                    .put("clusters", choice.clusters())
                    .put("within", Json.rounded(choice.within()))
                    .put("silhouette", Json.rounded(choice.silhouette())));
        });
        return answer;
    }

    /** With the numbers that points have in the answer, which are not those that they had when the hierarchy was made. */
    private static void describe(
            ArrayNode merges, Characterisation found, List<Shown<Characterisation.Point>> inOrder) {
        Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < inOrder.size(); i++) {
            numbers.put(inOrder.get(i).of().key(), i);
        }
        int leaves = found.points().size();
        IntUnaryOperator shown = branch ->
                branch < leaves ? numbers.get(found.points().get(branch).key()) : branch;
        found.merges().forEach(merge -> merges.addObject()
                .put("left", shown.applyAsInt(merge.left()))
                .put("right", shown.applyAsInt(merge.right()))
                .put("height", Json.rounded(merge.height())));
    }

    private void describe(ObjectNode json, Shown<TaskProfile> shown) {
        TaskProfile profile = shown.of();
        json.put("key", shown.key())
                .put("visible", viewer.mayViewAll())
                .put("level", Json.lowerCase(profile.key().level()))
                .put("state", sources.learnt().profiles().state(profile).name())
                .put("samples", profile.samples());
        ObjectNode runTime = json.putObject("runTimeSeconds");
        describe(runTime, profile.runTimeSeconds());
        if (profile.runTimes().alone().count() > 0) {
            describe(runTime.putObject("alone"), profile.runTimes().alone());
        }
        if (profile.runTimes().contended().count() > 0) {
            describe(runTime.putObject("contended"), profile.runTimes().contended());
        }
        describe(json.putObject("signals"), profile.signals());
        Mixture mixture = profile.mixture();
        json.put("polluted", mixture.isPolluted());
        ObjectNode launches = json.putObject("launches");
        mixture.launches().forEach((launch, samples) -> launches.put(viewer.key(launch.toString()), samples));
        mixture.boundary().ifPresent(boundary -> json.putObject("boundary")
                .put("signal", boundary.signal().wireName())
                .put("level", Json.rounded(boundary.level())));
        json.put("updated", profile.updated().toString());
    }

    private static void describe(ObjectNode json, Map<Signal, Averages> signals) {
        signals.forEach((signal, averages) -> describe(json.putObject(signal.wireName()), averages));
    }

    private static void describe(ObjectNode json, Averages averages) {
        json.put("mean", Json.rounded(averages.mean()))
                .put("deviation", Json.rounded(averages.deviation()))
                .put("fast", Json.rounded(averages.fast()))
                .put("p95", Json.rounded(averages.p95()))
                .put("peak", Json.rounded(averages.peak()))
                .put("samples", averages.count());
    }
}
