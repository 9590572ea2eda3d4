package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.interference.yarn.advice.HostForecast;
import org.interference.yarn.advice.KindAdvice;
import org.interference.yarn.advice.KindAdvisor;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.Capacities;

/** What could be asked of YARN instead. */
final class AdviceAnswers {
    private final Sources sources;
    private final Viewer viewer;

    AdviceAnswers(Sources sources, Viewer viewer) {
        this.sources = sources;
        this.viewer = viewer;
    }

    /** @param key as the viewer sees it */
    private record Shown(String key, TaskProfile profile, KindAdvice of) {
        double wastedHours() {
            return of.wasted().map(KindAdvice.Wasted::memoryHours).orElse(-1.0);
        }
    }

    /**
     * The size of containers, by kind of task, those that waste most first.
     *
     * @param contains what is in the keys that are asked for, as the viewer sees them
     */
    ObjectNode kinds(Page page, String contains) {
        KindAdvisor advisor = new KindAdvisor(cluster());
        List<Shown> wanted = sources.learnt().profiles().all().stream()
                .filter(profile -> !profile.key().level().isCoarse())
                .map(profile -> new Shown(viewer.key(profile.key().text()), profile, advisor.of(profile)))
                .filter(shown -> shown.key().contains(contains))
                .sorted(Comparator.comparingDouble(Shown::wastedHours)
                        .reversed()
                        .thenComparing(Shown::key)
                        .thenComparing(shown -> shown.of().key().level()))
                .toList();
        List<Capacities> sizes = sizes();
        return page.answer("kinds", wanted, (json, shown) -> {
            describe(json, shown);
            describe(json, shown.profile(), sizes);
        });
    }

    private KindAdvisor.Cluster cluster() {
        Sources.Scheduling scheduling = sources.cluster().scheduling();
        Sources.ContainerSizes sizes = scheduling.sizes();
        Map<String, Boolean> asked = new HashMap<>();
        return new KindAdvisor.Cluster(
                Math.max(1, sizes.smallestMb()),
                sizes.largestMb(),
                machines(),
                queue -> asked.computeIfAbsent(queue, scheduling::hasQueue));
    }

    /** Returns how much memory the machines have that told so. */
    private Set<Double> machines() {
        return sources.ingest().all().stream()
                .map(NodeSample::capacities)
                .map(capacities -> capacities.memoryBytes())
                .filter(bytes -> !Double.isNaN(bytes))
                .collect(Collectors.toSet());
    }

    /** Returns what nodes of each size have. */
    private List<Capacities> sizes() {
        List<Capacities> sizes = new ArrayList<>();
        sources.ingest().all().stream()
                .map(NodeSample::capacities)
                .filter(node -> sizes.stream().noneMatch(size -> HostForecast.areAlike(size, node)))
                .forEach(sizes::add);
        sizes.sort(Comparator.comparingDouble(Capacities::cpus)
                .thenComparingDouble(Capacities::diskBytesPerSecond)
                .thenComparingDouble(Capacities::networkBitsPerSecond));
        return sizes;
    }

    /** Where all nodes are alike there is nothing to forecast. */
    private void describe(ObjectNode json, TaskProfile profile, List<Capacities> sizes) {
        if (sizes.size() < 2) {
            return;
        }
        Capacities reference = sources.ingest().reference().capacities();
        ArrayNode hosts = json.putArray("hosts");
        for (Capacities size : sizes) {
            ObjectNode host = hosts.addObject();
            size.told().forEach((name, value) -> host.put(name, Json.rounded(value)));
            HostForecast.timeFactor(profile, reference, size)
                    .ifPresent(factor -> host.put("timeFactor", Json.rounded(factor)));
        }
    }

    private void describe(ObjectNode json, Shown shown) {
        KindAdvice advice = shown.of();
        json.put("key", shown.key())
                .put("visible", viewer.mayViewAll())
                .put("level", Json.lowerCase(advice.key().level()))
                .put("tasks", advice.tasks())
                .put("exhausted", advice.exhausted());
        advice.given().ifPresent(given -> json.putObject("given")
                .put("memoryMb", given.memoryMb())
                .put("vcores", given.vcores()));
        advice.used().ifPresent(used -> describe(json.putObject("used"), used));
        advice.wasted().ifPresent(wasted -> {
            ObjectNode hours = json.putObject("wasted").put("memoryHours", Json.rounded(wasted.memoryHours()));
            wasted.coreHours().ifPresent(cores -> hours.put("coreHours", Json.rounded(cores)));
        });
        if (advice.advice() instanceof KindAdvice.Sizes sizes) {
            describe(json, sizes);
        } else if (advice.advice() instanceof KindAdvice.Withheld withheld) {
            json.put("reason", withheld.reason().name())
                    .put("why", withheld.reason().sentence());
        }
    }

    private static void describe(ObjectNode json, KindAdvice.Used used) {
        used.cores().ifPresent(cores -> json.put("cores", Json.rounded(cores)));
        json.put("peakMb", used.peakMb()).put("p99Mb", used.p99Mb()).put("workingSetMb", used.workingSetMb());
        used.diskShare().ifPresent(share -> json.put("diskShare", Json.rounded(share)));
    }

    private static void describe(ObjectNode json, KindAdvice.Sizes sizes) {
        describe(json.putObject("advised"), sizes.advised());
        describe(json.putObject("minimumWaste"), sizes.minimumWaste());
        describe(json.putObject("maximumThroughput"), sizes.maximumThroughput());
        json.put("savedShare", Json.rounded(sizes.savedShare()));
        ObjectNode settings = json.putObject("settings");
        new TreeMap<>(sizes.settings()).forEach(settings::put);
    }

    private static void describe(ObjectNode json, KindAdvice.Size size) {
        json.put("memoryMb", size.memoryMb()).put("riskAtMost", Json.rounded(size.riskAtMost()));
    }
}
