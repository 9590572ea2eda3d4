package org.interference.yarn.place;

import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;

/**
 * What is on each node: what its newest report says, what was placed there since, and as which kind of task each of them counts. Thread-safe;
 * no lock is held across a computation.
 */
public final class Accounts {
    private final Ingest ingest;
    private final ProfileRepository profiles;
    private final SlowdownPredictor predictor;
    private final HeardWishes wishes;
    private final Ledger ledger = new Ledger();
    private final NodeLoads loads;
    private final TaskKinds kinds;

    Accounts(Ingest ingest, ProfileRepository profiles, SlowdownPredictor predictor, HeardWishes wishes) {
        this.ingest = ingest;
        this.profiles = profiles;
        this.predictor = predictor;
        this.wishes = wishes;
        this.loads = new NodeLoads(ingest, ledger, wishes);
        this.kinds = new TaskKinds(predictor);
    }

    /** Returns the name of what predicts. */
    public String predictor() {
        return predictor.name();
    }

    /** Returns the kind that {@code task} is placed as; empty if there is no profile of it. */
    public Optional<TaskKind> kind(TaskIdentity task, Instant now) {
        return known(task, now).map(TaskKinds.Known::kind);
    }

    Optional<TaskKinds.Known> known(TaskIdentity task, Instant now) {
        return kinds.of(task, profiles, now);
    }

    /** Returns whether anything is known of any task. */
    boolean knowsAnything() {
        return kinds.isAny() || profiles.size() > 0;
    }

    /**
     * Returns the load of {@code node}; empty without a fresh sample. Another call may answer otherwise: a pass asks once for each
     * node.
     */
    public Optional<NodeLoad> load(String node, Instant now) {
        return loads.of(node, now);
    }

    /** Returns the load of {@code node} as it would be without {@code container}; empty without a fresh sample. */
    Optional<NodeLoad> loadWithout(String container, String node, Instant now) {
        return loads.without(container, node, now);
    }

    /**
     * Returns who is on a node without a fresh sample.
     *
     * @param containers that YARN has there, by id; asked for only if it matters who is in them
     */
    public NodeCompany company(String node, Supplier<Collection<String>> containers, Instant now) {
        return loads.company(node, containers, now);
    }

    /** Returns when the newest sample of {@code node} was received; empty if there is none. */
    public Optional<Instant> measuredAt(String node) {
        return ingest.newest(node).map(NodeSample::receivedAt);
    }

    /** Returns how many containers are placed on {@code node} and not yet measured. */
    public long unmeasured(String node, Instant now) {
        return ledger.unmeasured(node, now, ingest::newest);
    }

    /** Returns how many containers are placed on any node and not yet measured. */
    public long unmeasured(Instant now) {
        return ledger.unmeasured(now, ingest::newest);
    }

    /** Returns what an application in {@code queue} is heard to wish of what its tags say. */
    public Wishes heard(String queue, Wishes said) {
        return wishes.heard(queue, said);
    }

    /** Returns {@code request} with what its application is heard to wish. */
    Request heard(Request request) {
        return wishes.heard(request);
    }

    /** Returns how many times the slowdown of what {@code request} asks for counts. */
    public double weight(Request request) {
        return wishes.weight(request.queue(), request.wishes());
    }

    /** Returns who asks, if it may matter to anybody's tags. */
    Optional<Applicant> applicant(Request request) {
        return wishes.any() ? Optional.of(Applicant.of(request)) : Optional.empty();
    }

    /** Returns whether an application that lives may wish for anything. */
    boolean anybodyWishes() {
        return wishes.any();
    }

    /** Takes note of what {@code request} wishes for. */
    void notice(Request request) {
        if (wishes.notice(request)) {
            loads.forgetAll();
        }
    }

    /** Looks whether an application that lives still wishes for something, if one did. */
    public void forgetWishes(BooleanSupplier anybody) {
        if (wishes.forget(anybody)) {
            loads.forgetAll();
        }
    }

    /** Counts {@code container}, or whatever names it until there is one, as on {@code node}, until it is measured there. */
    void placed(String container, String node, Request request, Optional<TaskKind> kind, Instant now) {
        if (kind.isPresent() || wishes.any()) {
            ledger.placed(node, container, kind, request::occupant, now);
        }
    }

    /** Takes back what {@link #placed} counted. */
    void dropped(String container, String node) {
        ledger.dropped(node, container);
    }

    /** Gives what was counted as {@code proposal} its name. */
    void named(String proposal, String container, String node) {
        ledger.named(node, proposal, container);
    }

    /** Counts {@code container} no more, whatever its node still reports. */
    void completed(String container, String node, Instant now) {
        if (ingest.newest(node).isPresent()) {
            ledger.completed(node, container, now);
        } else {
            ledger.dropped(node, container);
        }
    }

    /** Forgets what was worked out for {@code node}. */
    void forgetLoad(String node) {
        loads.forget(node);
    }

    /** Forgets what was worked out for any node. */
    void forgetLoads() {
        loads.forgetAll();
    }

    /** Gives up the expectations that nothing has met. */
    void sweep(Instant now) {
        ledger.sweep(now, ingest::newest);
        kinds.sweep(now);
    }

    /** Forgets a node that left the cluster. */
    void forget(String node) {
        ledger.forget(node);
        loads.forget(node);
    }
}
