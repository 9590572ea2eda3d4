package org.interference.yarn.demo;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The plugin's REST answers as the demo reads them. A field that is not in the answer is null, or an empty collection. */
final class Answers {
    private Answers() {}

    record Nodes(List<Node> nodes) {
        Nodes {
            nodes = copy(nodes);
        }
    }

    record Node(String node, boolean fresh, Long ageMs, Long sequence, Integer containers, Map<String, Double> levels) {
        Node {
            levels = Objects.requireNonNullElse(levels, Map.of());
        }
    }

    record Containers(List<Container> containers) {
        Containers {
            containers = copy(containers);
        }
    }

    record Container(
            String container,
            String node,
            String application,
            String task,
            boolean am,
            String state,
            Long observedMs,
            Map<String, Reading> signals) {
        Container {
            signals = Objects.requireNonNullElse(signals, Map.of());
        }
    }

    /** One signal of one container; without a level, {@code reason} says why. */
    record Reading(String status, Double level, Double mean, String reason, String source) {}

    record Profiles(List<Profile> profiles) {
        Profiles {
            profiles = copy(profiles);
        }
    }

    record Profile(
            String key,
            String level,
            Long samples,
            Spread runTimeSeconds,
            Map<String, Spread> signals,
            String updated) {
        Profile {
            signals = Objects.requireNonNullElse(signals, Map.of());
        }
    }

    record Spread(Double mean, Double deviation, Long samples) {}

    record Decisions(List<Decision> decisions) {
        Decisions {
            decisions = copy(decisions);
        }
    }

    record Decision(
            long sequence,
            String application,
            String container,
            String task,
            boolean am,
            boolean profileFound,
            String reason,
            String explanation,
            String chosen,
            List<RankedNode> nodes) {
        Decision {
            nodes = copy(nodes);
        }

        /** Whether the plugin, not the parent, chose the node, and from a profile. */
        boolean rankedFromProfile() {
            return profileFound && "RANKED".equals(reason);
        }
    }

    record RankedNode(
            String node, Double gain, Double ownSlowdown, Double neighboursLose, Double localityCost, String reason) {}

    record Health(
            String status, String mode, String predictor, Breaker breaker, Store store, Map<String, Long> counters) {
        Health {
            counters = Objects.requireNonNullElse(counters, Map.of());
        }
    }

    record Breaker(boolean open, long errors) {}

    record Store(String file, long profiles) {}

    private static <T> List<T> copy(List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }
}
