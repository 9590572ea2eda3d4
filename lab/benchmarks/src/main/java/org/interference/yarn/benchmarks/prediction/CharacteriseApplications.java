package org.interference.yarn.benchmarks.prediction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.learn.cluster.Characteriser;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.ProfileDocument;
import org.interference.yarn.signal.InterferenceVector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which applications press on the same, by the profiles that a cluster has made of them (thesis, section 4.3, Figures 4.3 to 4.5). */
public final class CharacteriseApplications {
    private static final Logger LOG = LoggerFactory.getLogger(CharacteriseApplications.class);

    private CharacteriseApplications() {}

    /**
     * Usage: {@code CharacteriseApplications RESULT PROFILES CLUSTERS SCALE TAG ...}; puts {@code characterisation} into the results of the file RESULT, if it is there.
     * PROFILES is a document that a ResourceManager exported; CLUSTERS says how many, 0: as many as look best. An application counts that succeeded at SCALE by RESULT:
     * executors of one that did not may have a profile, too.
     */
    public static void main(String[] args) {
        int status = 1;
        try {
            Path result = Path.of(args[0]);
            Collection<TaskProfile> profiles = ProfileDocument.read(Files.readAllBytes(Path.of(args[1])));
            ObjectMapper mapper = new ObjectMapper();
            ObjectNode document = (ObjectNode) mapper.readTree(result.toFile());
            List<String> tags = succeeded(document, args[3], List.of(args).subList(4, args.length));
            of(profiles, Integer.parseInt(args[2]), tags)
                    .ifPresent(found -> document.withObject("/results").set("characterisation", found));
            mapper.writerWithDefaultPrettyPrinter().writeValue(result.toFile(), document);
            status = 0;
        } catch (IOException | RuntimeException e) {
            LOG.error("nothing was characterised", e);
        }
        // main-program:off
        System.exit(status);
        // main-program:on
    }

    /** Returns those of {@code tags} whose jobs have all succeeded. */
    static List<String> succeeded(JsonNode document, String scale, List<String> tags) {
        Map<Boolean, List<String>> by = tags.stream()
                .collect(Collectors.partitioningBy(
                        tag -> document.at("/results/by_workload/%s/%s/succeeded".formatted(tag, scale))
                                        .asInt()
                                == 1));
        if (!by.get(false).isEmpty()) {
            LOG.warn("left out, as they did not succeed at scale {}: {}", scale, by.get(false));
        }
        return by.get(true);
    }

    /** Returns what the applications with {@code tags} have in common; empty if fewer than three of them have a profile. */
    static Optional<ObjectNode> of(Collection<TaskProfile> profiles, int clusters, List<String> tags) {
        SortedMap<String, InterferenceVector> loads = new TreeMap<>();
        tags.forEach(tag -> main(profiles, tag)
                .ifPresentOrElse(profile -> loads.put(tag, profile.load()), () -> LOG.warn("{} has no profile", tag)));
        return Characteriser.of(loads, clusters).map(found -> describe(found, loads));
    }

    /** Returns the profile of those of the application's tasks that ran longest in all; its master does none of its work. */
    private static Optional<TaskProfile> main(Collection<TaskProfile> profiles, String tag) {
        return profiles.stream()
                .filter(profile -> profile.key().level() == TaskKey.Level.TAG)
                .filter(profile -> profile.key().text().contains("/" + tag + "/"))
                .filter(profile -> !profile.key().text().endsWith("/" + TaskIdentity.MASTER))
                .max(Comparator.comparingDouble(
                        profile -> profile.samples() * profile.runTimeSeconds().mean()));
    }

    private static ObjectNode describe(Characterisation found, SortedMap<String, InterferenceVector> loads) {
        ObjectNode json = new ObjectMapper().createObjectNode();
        json.put("applications", found.points().size());
        json.put("clusters", found.clusters().size());
        found.choices().stream()
                .max(Comparator.comparingDouble(Characterisation.Choice::silhouette))
                .ifPresent(best -> json.put("clusters_by_silhouette", best.clusters()));
        found.choices().stream()
                .filter(choice -> choice.clusters() == found.clusters().size())
                .forEach(choice -> PredictionFigures.put(json, "silhouette", choice.silhouette()));
        ObjectNode byApplication = json.putObject("by_application");
        for (Characterisation.Point point : found.points()) {
            ObjectNode application = byApplication.putObject(point.key());
            PredictionFigures.put(application, "pc1", point.x());
            PredictionFigures.put(application, "pc2", point.y());
            application.put("cluster", point.cluster()).put("branch", point.branch());
            found.signals()
                    .forEach(signal -> PredictionFigures.put(
                            application,
                            signal.wireName(),
                            loads.get(point.key()).level(signal).orElseThrow()));
        }
        ObjectNode named = json.putObject("by_cluster");
        for (int i = 0; i < found.clusters().size(); i++) {
            named.put(Integer.toString(i), found.clusters().get(i).name());
        }
        ArrayNode merges = json.putArray("merges");
        for (Characterisation.Merge merge : found.merges()) {
            ObjectNode one = merges.addObject().put("left", merge.left()).put("right", merge.right());
            PredictionFigures.put(one, "height", merge.height());
        }
        return json;
    }
}
