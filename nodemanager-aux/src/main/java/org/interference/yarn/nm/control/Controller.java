package org.interference.yarn.nm.control;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.WorkClass;

/**
 * Monitors, analyses and plans for one node (the MAPE of MAPE-K): what containers used comes in, what is to be changed comes out.
 * Who executes tells it what could not be done. Not thread-safe.
 *
 * <p>Cores change only when a class changes, a container comes or, under a rule that is guarded, goes or uses much more or less CPU, or the controller steps back.
 */
public final class Controller {
    /** A limit that would change by less stays: every change costs a write, and the next tick may take it back. */
    private static final double WORTH_CHANGING = 0.1;

    /** How fast a capacity that is not reached any more is forgotten, a tick in which the disks do what they can. */
    private static final double FADING = 0.999;

    private final ControlSettings settings;
    private NodeCores node;
    private final Map<String, Controlled> known = new LinkedHashMap<>();
    private final Volumes volumes = new Volumes();
    private final StandingCores standing = new StandingCores();
    private final StepBack coresTrial;
    private final StepBack diskTrial;
    private Optional<DiskUse> lastDisks = Optional.empty();
    private Instant lastTick = Instant.MIN;
    private Instant nextCleaning = Instant.MIN;
    private double capacity;
    /** Whether the disks did what they could from the tick before to this one. */
    private boolean saturated;

    public Controller(ControlSettings settings, CoreSet node) {
        this.settings = settings;
        this.node = NodeCores.of(node);
        coresTrial = new StepBack("allocating cores", Gain::ofEach, settings.firstHoldOff(), settings.longestHoldOff());
        diskTrial = new StepBack("sharing disks", Gain::ofAllBytes, settings.firstHoldOff(), settings.longestHoldOff());
    }

    /** These are the node's cores from now on: some may have been plugged in or out. */
    public void cores(NodeCores next) {
        node = next;
    }

    /**
     * Decides what is to be changed now.
     *
     * @param running every container that runs; who is not named has left
     * @param disks what the disks have done since some time; empty where that is not known
     */
    public ControlPlan tick(Instant now, Collection<ContainerObservation> running, Optional<DiskUse> disks) {
        follow(now, running);
        learnCapacity(now, disks);
        Map<String, Usage> windows = windows();
        List<Change> changes = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        if (known.isEmpty() || known.values().stream().anyMatch(Controlled::sampled)) {
            // A sample that is looked at twice is no second measurement.
            coresTrial.tick(now, windows).ifPresent(remarks::add);
            diskTrial.tick(now, windows).ifPresent(remarks::add);
        }
        settings.cores().ifPresent(rule -> planCores(rule, now, changes));
        settings.disk().ifPresent(shares -> planDisk(shares, now, changes));
        return new ControlPlan(changes, statuses(), remarks);
    }

    /** What was planned for {@code container} cannot be done; it is left alone from now on. */
    public void giveUp(String container, String why) {
        Controlled controlled = known.get(container);
        if (controlled != null) {
            controlled.giveUp(why);
        }
    }

    public Map<String, ControlStatus> statuses() {
        Map<String, ControlStatus> statuses = new LinkedHashMap<>();
        known.forEach((id, container) -> statuses.put(id, container.status()));
        return statuses;
    }

    /** Whether what was changed is being compared with what was before it. */
    public boolean isTrying() {
        return coresTrial.isTrying() || diskTrial.isTrying();
    }

    /** How often the controller took a policy back. */
    public long stepsBack() {
        return coresTrial.count() + diskTrial.count();
    }

    private void follow(Instant now, Collection<ContainerObservation> running) {
        Map<String, ContainerObservation> byId = running.stream()
                .collect(Collectors.toMap(
                        ContainerObservation::container, next -> next, (first, second) -> second, LinkedHashMap::new));
        known.values().removeIf(container -> {
            boolean left = !byId.containsKey(container.newest().container());
            if (left) {
                container
                        .bytes()
                        .ifPresent(bytes -> volumes.ended(container.newest().program(), bytes));
            }
            return left;
        });
        byId.forEach((id, next) -> {
            Controlled container = known.get(id);
            if (container == null) {
                known.put(id, new Controlled(next, now));
            } else {
                container.observe(next);
            }
        });
        double least =
                settings.classifier().leastOfInterval() * settings.interval().toMillis() / 1e3;
        known.values().forEach(container -> container.classify(settings.classifier(), least, now));
        if (!now.isBefore(nextCleaning)) {
            known.values().forEach(Controlled::clean);
            nextCleaning = now.plus(settings.cleaning());
        }
    }

    /** From ticks in which the disks did what they could: in any other one they did what was asked of them, which says nothing of what they can do. */
    private void learnCapacity(Instant now, Optional<DiskUse> disks) {
        double seconds = lastTick.equals(Instant.MIN)
                ? 0
                : Duration.between(lastTick, now).toMillis() / 1e3;
        saturated = disks.isPresent()
                && lastDisks.isPresent()
                && seconds > 0
                && disks.get().isSaturatedSince(lastDisks.get(), seconds);
        if (saturated) {
            double rate = (disks.get().bytes() - lastDisks.get().bytes()) / seconds;
            capacity = Math.max(rate, FADING * capacity);
        }
        lastDisks = disks;
        lastTick = now;
    }

    private Map<String, Usage> windows() {
        Map<String, Usage> windows = new LinkedHashMap<>();
        known.forEach((id, container) -> {
            if (container.hasBaseline()) {
                windows.put(id, container.window());
            }
        });
        return windows;
    }

    private void planCores(CoreRule rule, Instant now, List<Change> changes) {
        Map<String, WorkClass> classes = new LinkedHashMap<>();
        Map<String, Usage> use = new LinkedHashMap<>();
        known.forEach((id, container) -> {
            use.put(id, container.sinceCleaning());
            if (container.mayBeConfined(rule.guarded())) {
                classes.put(id, container.classified().workClass());
            }
        });
        boolean off = coresTrial.holdsOff(now);
        Map<String, CoreSet> target = off ? Map.of() : standing.of(rule, node, classes, use);
        List<Change> planned = new ArrayList<>();
        known.forEach((id, container) -> {
            Optional<CoreSet> next = Optional.ofNullable(target.get(id));
            if (!next.equals(container.cores())) {
                container.cores(next, now);
                planned.add(new Change.Cores(id, next, coresReason(container, next, off)));
            }
        });
        if (!planned.isEmpty() && !off && rule.guarded()) {
            coresTrial.changed();
        }
        changes.addAll(planned);
    }

    private static String coresReason(Controlled container, Optional<CoreSet> next, boolean off) {
        if (off) {
            return "stepped back";
        }
        String why = container.classified().workClass().title() + ": "
                + container.classified().reason();
        return next.isPresent() ? why : why + "; to keep it apart would help nobody";
    }

    private void planDisk(DiskShares shares, Instant now, List<Change> changes) {
        List<DiskShares.User> users = new ArrayList<>();
        known.forEach((id, container) -> {
            OptionalDouble rate = container.window().diskRate();
            OptionalDouble bytes = container.bytes();
            if (container.mayBeLimited() && rate.isPresent() && bytes.isPresent()) {
                double left = volumes.left(container.newest().program(), bytes.getAsDouble());
                users.add(new DiskShares.User(id, rate.getAsDouble(), left, container.disk()));
            }
        });
        double bytesPerSecond = settings.diskCapacity().orElse(capacity);
        // Who is held back by his limit keeps the disks from being busy.
        boolean roomIsKnown = settings.diskCapacity().isPresent()
                || saturated
                || users.stream().anyMatch(DiskShares.User::heldBack);
        boolean off = diskTrial.holdsOff(now) || !roomIsKnown || bytesPerSecond < 2 * DiskShares.LEAST_RATE;
        Map<String, Long> target = off ? Map.of() : shares.limits(bytesPerSecond, users);
        boolean limited =
                known.values().stream().anyMatch(container -> container.disk().isPresent());
        known.forEach((id, container) -> {
            OptionalLong next = target.containsKey(id) ? OptionalLong.of(target.get(id)) : OptionalLong.empty();
            if (isWorthChanging(container.disk(), next)) {
                container.disk(next, now);
                changes.add(new Change.Disk(id, next, diskReason(next, diskTrial.holdsOff(now))));
            }
        });
        if (!limited && !target.isEmpty()) {
            diskTrial.changed();
        }
    }

    private static String diskReason(OptionalLong next, boolean off) {
        if (next.isPresent()) {
            return "others have less left to read and write";
        }
        return off ? "stepped back" : "nobody shorter is known to wait for the disks";
    }

    private static boolean isWorthChanging(OptionalLong now, OptionalLong next) {
        if (now.isEmpty() || next.isEmpty()) {
            return now.isPresent() != next.isPresent();
        }
        return Math.abs(next.getAsLong() - now.getAsLong()) > WORTH_CHANGING * now.getAsLong();
    }
}
