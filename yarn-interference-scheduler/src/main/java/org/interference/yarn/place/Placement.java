package org.interference.yarn.place;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.ProfileRepository;

/**
 * The placement stage: its parts, and what happens to a container that concerns several of them. From top to bottom: {@link #gate} says
 * whether anything may be decided; {@link #freeNodes} gives a node to who suits it, or {@link #ranking} a request its nodes in order; both by what
 * {@link #accounts} knows to be on the nodes; {@link #decisions} keeps what was decided; {@link #groups} who gets nothing yet
 * because its containers are to start together. Thread-safe.
 */
public final class Placement {
    private final Gate gate;
    private final Accounts accounts;
    private final FreeNodes freeNodes;
    private final NodeRanking ranking;
    private final Decisions decisions = new Decisions();
    private final Groups groups = new Groups();

    /** A placement that knows nothing of containers but what it has placed, and no time. */
    public Placement(Ingest ingest, ProfileRepository profiles, SlowdownPredictor predictor, PlaceSettings settings) {
        this(ingest, profiles, predictor, settings, container -> Optional.empty(), () -> 0);
    }

    /** One that tells nobody of its errors, and counts them. */
    public Placement(
            Ingest ingest,
            ProfileRepository profiles,
            SlowdownPredictor predictor,
            PlaceSettings settings,
            Function<String, Optional<Occupant>> running,
            LongSupplier ticker) {
        this(ingest, profiles, predictor, settings, running, ticker, Faults.unlogged());
    }

    /**
     * @param running who is in a container, by its id; empty if the scheduler does not know it. Must take no lock of the scheduler's
     * @param ticker nanoseconds, by which decisions are timed
     * @param faults told of every error
     */
    public Placement(
            Ingest ingest,
            ProfileRepository profiles,
            SlowdownPredictor predictor,
            PlaceSettings settings,
            Function<String, Optional<Occupant>> running,
            LongSupplier ticker,
            Faults faults) {
        this.gate = new Gate(settings, ticker, faults);
        this.accounts = new Accounts(ingest, profiles, predictor, new HeardWishes(running, gate::settings));
        this.freeNodes = new FreeNodes(gate, accounts);
        this.ranking = new NodeRanking(gate, accounts);
    }

    public Gate gate() {
        return gate;
    }

    public Accounts accounts() {
        return accounts;
    }

    public FreeNodes freeNodes() {
        return freeNodes;
    }

    public NodeRanking ranking() {
        return ranking;
    }

    public Decisions decisions() {
        return decisions;
    }

    public Groups groups() {
        return groups;
    }

    /** Takes new settings; the breaker closes and counts anew, and what is known of loads is forgotten. */
    public void refresh(PlaceSettings settings) {
        gate.refresh(settings);
        accounts.forgetLoads();
    }

    /**
     * Accounts for a placement from the moment it is proposed, before anybody has committed or measured it.
     *
     * @param container the container id, or whatever names the placement until there is one
     */
    public void proposed(String container, String node, Request asked, Instant now) {
        Request request = accounts.heard(asked);
        accounts.notice(request);
        Optional<TaskKind> kind = accounts.kind(request.task(), now);
        freeNodes.placed(container, request, kind, node, now);
        accounts.placed(container, node, request, kind, now);
    }

    /** Takes back what {@link #proposed} accounted for. */
    public void dropped(String container, String node) {
        freeNodes.dropped(container, node);
        accounts.dropped(container, node);
        decisions.dropped();
    }

    /** Notes that what was accounted for as {@code proposal} has been committed as {@code container}. */
    public void confirmed(String proposal, String container, String node) {
        freeNodes.named(proposal, container, node);
        accounts.named(proposal, container, node);
    }

    /** Records a placement that YARN has committed, unless its queue was off. */
    public void committed(String container, String node, Ranking decided, Instant now) {
        if (decided.mode() != Mode.OFF) {
            decisions.committed(container, node, decided, gate.settings().decisionsKept(), now);
        }
    }

    /** Notes that a container is gone, whatever its node still reports. */
    public void completed(String container, String node, Instant now) {
        freeNodes.completed(container, node, now);
        if (gate.isOff()) {
            accounts.dropped(container, node);
        } else {
            accounts.completed(container, node, now);
        }
    }

    /** Notes that YARN has killed a container on {@code node} to make space for somebody. */
    public void preempted(String node, Instant now) {
        freeNodes.preempted(node, now);
    }

    /** Gives up the expectations that nothing has met. */
    public void sweep(Instant now) {
        accounts.sweep(now);
        freeNodes.sweep(now);
    }

    /** Forgets a node that left the cluster. */
    public void forget(String node) {
        accounts.forget(node);
        freeNodes.forget(node);
    }
}
