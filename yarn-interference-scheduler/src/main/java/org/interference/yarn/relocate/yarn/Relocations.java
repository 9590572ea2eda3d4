package org.interference.yarn.relocate.yarn;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.place.Gate;
import org.interference.yarn.place.Request;
import org.interference.yarn.place.yarn.Preempted;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.relocate.Candidate;
import org.interference.yarn.relocate.CpuGreedyPolicy;
import org.interference.yarn.relocate.HerdChoice;
import org.interference.yarn.relocate.HerdView;
import org.interference.yarn.relocate.Judgement;
import org.interference.yarn.relocate.OltpPolicy;
import org.interference.yarn.relocate.RelocationMode;
import org.interference.yarn.relocate.RelocationReport;
import org.interference.yarn.relocate.RelocationSettings;
import org.interference.yarn.relocate.Relocator;

/**
 * Relocation on one ResourceManager: has the relocator decide every few seconds who should leave its node and, in mode on, asks him to by YARN's preemption message.
 * Who is still there when the grace is over is killed as one that YARN has preempted, if another node still has room for him. Thread-safe; no method throws.
 */
public final class Relocations {
    /** Between two looks at all containers. */
    static final Duration INTERVAL = Duration.ofSeconds(5);

    private final RMContext rmContext;
    private final Ingest ingest;
    private final Gate gate;
    private final Faults faults;
    private final OptedIn optedIn;
    private final Relocator relocator;
    private final KeptAway keptAway = new KeptAway();
    private volatile RelocationReport report = RelocationReport.OFF;
    private Instant next = Instant.MIN;
    private Set<String> seen = Set.of();

    /**
     * @param asked as what a container was asked for; empty if its application is gone
     * @param began when something began, by the time that is an argument here, that YARN says began so many ms after 1970
     * @param hasQueue whether the scheduler has a queue, by its full path
     */
    public Relocations(
            RMContext rmContext,
            Ingest ingest,
            ProfileRepository profiles,
            YarnPlacement placement,
            Function<RMContainer, Optional<Request>> asked,
            LongFunction<Instant> began,
            Predicate<String> hasQueue,
            RelocationSettings settings) {
        this.rmContext = rmContext;
        this.ingest = ingest;
        this.gate = placement.stage().gate();
        this.faults = gate.faults();
        this.optedIn = new OptedIn(rmContext, ingest, placement, profiles, asked, began, hasQueue);
        this.relocator = new Relocator(settings);
    }

    /** Takes new settings: they are followed at the next tick. */
    public void refresh(RelocationSettings settings) {
        relocator.refresh(settings);
    }

    /** Returns what was made of all containers last. */
    public RelocationReport report() {
        return report;
    }

    /** Returns whether an application gets nothing on {@code node} now, because a container of its was asked to leave it. */
    public boolean keeps(ApplicationAttemptId application, NodeId node) {
        return keptAway.isKept(application, node);
    }

    /** Returns whether {@link #keeps} is true of any application. */
    public boolean keepsAnybodyFrom(NodeId node) {
        return !keptAway.of(node).isEmpty();
    }

    /** Notes that a container runs no more. */
    public void ended(RMContainer container, int exitStatus, Instant now) {
        relocator.ended(container.getContainerId().toString(), exitStatus == ContainerExitStatus.SUCCESS, now);
    }

    /** Looks at all containers, if the time has come. Called by one thread at a time. */
    public void tick(Instant now) {
        RelocationMode mode = mode();
        keptAway.sweep(now);
        if (mode != RelocationMode.ON) {
            keptAway.forgetAll();
            relocator.withdraw();
        }
        if (mode == RelocationMode.OFF) {
            seen = Set.of();
            tell(mode, List.of(), List.of(), now);
        } else if (!now.isBefore(next)) {
            next = now.plus(INTERVAL);
            look(mode, now);
        }
    }

    /** Without placement nobody knows what a container does to its node. */
    private RelocationMode mode() {
        return gate.forbidsEverything()
                ? RelocationMode.OFF
                : relocator.settings().mode();
    }

    private void look(RelocationMode mode, Instant now) {
        relocator.sweep(now);
        List<Candidate> candidates = optedIn.find(relocator.settings(), now);
        noteWhoCame(candidates, now);
        if (mode == RelocationMode.ON) {
            relocator
                    .overdue(candidates, now)
                    .forEach(container -> faults.safely(Part.RELOCATION, () -> kill(container)));
        }
        List<Judgement> judgements = relocator.judge(candidates, now);
        if (mode == RelocationMode.ON) {
            judgements.stream()
                    .filter(Judgement::goes)
                    .forEach(judgement -> faults.safely(Part.RELOCATION, () -> ask(judgement, now)));
        }
        tell(mode, judgements, published(candidates, now), now);
    }

    private void tell(RelocationMode mode, List<Judgement> judgements, List<HerdChoice> published, Instant now) {
        report = new RelocationReport(relocator.settings().mode(), mode, judgements, published, relocator.tally(now));
    }

    private void noteWhoCame(List<Candidate> candidates, Instant now) {
        Set<String> all = new HashSet<>();
        for (Candidate candidate : candidates) {
            all.add(candidate.container());
            if (!seen.contains(candidate.container())) {
                relocator.placed(candidate.container(), candidate.stage(), now);
            }
        }
        seen = all;
    }

    private List<HerdChoice> published(List<Candidate> candidates, Instant now) {
        HerdView view = HerdViews.of(
                ingest.all().stream()
                        .filter(sample -> ingest.fresh(sample.node(), now).isPresent())
                        .toList(),
                candidates.stream()
                        .filter(candidate -> !candidate.master())
                        .map(Candidate::container)
                        .collect(Collectors.toSet()));
        List<HerdChoice> published = new ArrayList<>();
        published.add(OltpPolicy.choose(view));
        published.add(CpuGreedyPolicy.choose(view));
        return published;
    }

    /** First it is kept away: what its master asks for in its place may come with the next heartbeat. */
    private void ask(Judgement judgement, Instant now) {
        RMContainer container = running(judgement.candidate().container());
        if (container == null) {
            return;
        }
        keptAway.keep(container.getApplicationAttemptId(), container.getAllocatedNode(), now);
        relocator.asked(judgement, now);
        rmContext
                .getDispatcher()
                .getEventHandler()
                .handle(new ContainerPreemptEvent(
                        container.getApplicationAttemptId(),
                        container,
                        SchedulerEventType.MARK_CONTAINER_FOR_PREEMPTION));
    }

    private void kill(String id) {
        Preempted.kill(scheduler(), id, "it gets more done on another node");
    }

    private RMContainer running(String id) {
        return scheduler().getRMContainer(ContainerId.fromString(id));
    }

    private AbstractYarnScheduler<?, ?> scheduler() {
        return (AbstractYarnScheduler<?, ?>) rmContext.getScheduler();
    }
}
