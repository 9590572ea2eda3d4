package org.interference.yarn.relocate;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.relocate.HerdChoice.Check;
import org.interference.yarn.relocate.HerdView.Container;
import org.interference.yarn.relocate.HerdView.Host;

/**
 * The "OLTP Policy for TPC-C Workloads" of "Distributed Resource Provisioning for Containers Using Machine Learning and Live Migration", section 5.5.2: the
 * container with the highest disk ops goes to the host with the lowest if six conditions hold; if not, the container with the next highest is looked at. A
 * function of the view alone. It is told, and moves nothing here.
 *
 * <p>The text does not say what the disk ops reward of 0.35 is a share of; it is taken to be the busiest host's disk ops. Disk activity is a share already, of which
 * the difference is taken. Which of two policies comes first is published: where this one moves nobody, {@link CpuGreedyPolicy} is asked.
 */
public final class OltpPolicy {
    /** As it is published. */
    public static final String NAME = "OLTP Policy";

    /** The parameters that it was tested with, by their published names. */
    static final double DISK_OPS_BASELINE = 8000;

    static final double DISK_OPS_BASELINE_THRESHOLD = 0.005;
    static final double DISK_OPS_REWARD_THRESHOLD = 0.35;
    static final double DISK_ACTIVE_THRESHOLD = 0.15;
    static final double DISK_ACTIVE_REWARD_THRESHOLD = 0.15;
    static final double MISSING_SAMPLES_THRESHOLD = 0.02;

    private OltpPolicy() {}

    /** Its six conditions, in the published order. */
    public enum Gate {
        /** "Candidate container has enough resource metric samples." */
        ENOUGH_SAMPLES,
        /** "Compute hosts with the minimum disk ops compared to the compute host with maximum disk ops have reached the disk ops reward threshold." */
        DISK_OPS_REWARD,
        /** "Compute host with the highest disk activity has reached the disk active threshold." */
        DISK_ACTIVE,
        /** "Compute hosts with the minimum disk activity compared to the compute host with maximum disk activity have reached the disk activity reward threshold." */
        DISK_ACTIVE_REWARD,
        /** "Candidate container has reached the disk ops baseline threshold." */
        DISK_OPS_BASELINE,
        /** "Compute host with the minimum disk ops is not the same as the candidate container's current compute host." */
        OTHER_HOST
    }

    /** Returns whom it would move. */
    public static HerdChoice choose(HerdView view) {
        Optional<Host> least = view.least(Host::diskOps);
        Optional<Host> idlest = view.least(Host::diskActive);
        List<Container> candidates = view.containers().stream()
                .filter(container -> container.diskOps().isPresent())
                .sorted(Comparator.comparingDouble(
                                (Container container) -> -container.diskOps().getAsDouble())
                        .thenComparing(Container::name))
                .toList();
        if (least.isEmpty() || idlest.isEmpty() || candidates.isEmpty()) {
            return new HerdChoice(NAME, Optional.empty(), List.of());
        }
        for (Container candidate : candidates) {
            List<Check> checks = checks(view, candidate, least.get(), idlest.get());
            if (checks.stream().allMatch(Check::passed)) {
                return new HerdChoice(
                        NAME,
                        Optional.of(new HerdChoice.Move(
                                candidate.name(), candidate.host(), least.get().name())),
                        checks);
            }
        }
        return new HerdChoice(NAME, Optional.empty(), checks(view, candidates.get(0), least.get(), idlest.get()));
    }

    private static List<Check> checks(HerdView view, Container candidate, Host least, Host idlest) {
        double mostOps = view.most(Host::diskOps).orElse(least).diskOps().getAsDouble();
        double leastOps = least.diskOps().getAsDouble();
        double mostActive =
                view.most(Host::diskActive).orElse(idlest).diskActive().getAsDouble();
        double leastActive = idlest.diskActive().getAsDouble();
        double reward = mostOps > 0 ? (mostOps - leastOps) / mostOps : 0;
        return List.of(
                new Check(
                        Gate.ENOUGH_SAMPLES,
                        candidate.missing(),
                        MISSING_SAMPLES_THRESHOLD,
                        candidate.missing() <= MISSING_SAMPLES_THRESHOLD),
                reaches(Gate.DISK_OPS_REWARD, reward, DISK_OPS_REWARD_THRESHOLD),
                reaches(Gate.DISK_ACTIVE, mostActive, DISK_ACTIVE_THRESHOLD),
                reaches(Gate.DISK_ACTIVE_REWARD, mostActive - leastActive, DISK_ACTIVE_REWARD_THRESHOLD),
                reaches(
                        Gate.DISK_OPS_BASELINE,
                        candidate.diskOps().getAsDouble() / DISK_OPS_BASELINE,
                        DISK_OPS_BASELINE_THRESHOLD),
                reaches(Gate.OTHER_HOST, least.name().equals(candidate.host()) ? 0 : 1, 1));
    }

    private static Check reaches(Gate gate, double value, double threshold) {
        return new Check(gate, value, threshold, value >= threshold);
    }
}
