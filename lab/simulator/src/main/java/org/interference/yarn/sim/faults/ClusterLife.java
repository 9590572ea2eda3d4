package org.interference.yarn.sim.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.records.NodeAction;
import org.interference.yarn.sim.engine.ResourceManagerDriver;
import org.interference.yarn.sim.faults.FaultPlan.Act;
import org.interference.yarn.sim.faults.FaultPlan.Ask;
import org.interference.yarn.sim.faults.FaultPlan.Event;
import org.interference.yarn.sim.faults.FaultPlan.Happens;
import org.interference.yarn.sim.world.Seeds;

/**
 * Lives one plan with one scheduler, in virtual time: everything happens in one order, which the plan and the scheduler decide. Not
 * thread-safe.
 */
final class ClusterLife {
    /** A drain is given up after so many seconds in which nobody got anything: delays and reservations are over by then. */
    private static final int HOPELESS_SECONDS = 15;
    /** Longer no drain takes. */
    private static final int MOST_DRAIN_SECONDS = 600;
    /** So long it is quiet at the end. */
    private static final int QUIET_MINUTES = 20;

    private final FaultPlan plan;
    private final Variant variant;
    /** For what chance decides in every variant alike. */
    private final Random random;

    private final MachineClocks machine;
    private final LifeHistory history;
    private final ResourceManagers managers;
    private final List<Worker> nodes;
    private final ApplicationMasters masters;
    private final FaultInjector faults;
    private final AllocationWatch watch;
    private final Looks looks;

    private ClusterLife(
            FaultPlan plan, Variant variant, MachineClocks machine, LifeHistory history, ResourceManagers managers) {
        this.plan = plan;
        this.variant = variant;
        this.random = new Random(plan.seed());
        this.machine = machine;
        this.history = history;
        this.managers = managers;
        this.nodes = nodes(plan.slots());
        this.masters = new ApplicationMasters(plan, nodes, managers, machine, history);
        this.faults = new FaultInjector(nodes, managers, masters, machine);
        this.watch = new AllocationWatch(nodes, managers, history);
        this.looks = new Looks(plan, variant, managers, machine, history);
    }

    private static List<Worker> nodes(List<Integer> slots) {
        List<Worker> nodes = new ArrayList<>();
        for (int node = 0; node < slots.size(); node++) {
            nodes.add(new Worker(node, ResourceManagerDriver.nodeId(node), slots.get(node)));
        }
        return List.copyOf(nodes);
    }

    /** Lives the plan; {@code stock} is what the stock scheduler made of it, empty for itself. */
    static LifeHistory of(FaultPlan plan, Variant variant, Optional<LifeHistory> stock, Path directory) {
        MachineClocks machine = new MachineClocks();
        LifeHistory history = new LifeHistory();
        try (ResourceManagers managers = new ResourceManagers(plan, variant, machine, history, directory)) {
            new ClusterLife(plan, variant, machine, history, managers).live(stock);
        }
        return history;
    }

    @SuppressWarnings("CatchThrowable") // That nothing is thrown is what is to be found out.
    private void live(Optional<LifeHistory> stock) {
        try {
            managers.start();
            for (Worker node : nodes) {
                managers.active().register(node);
            }
            for (int act = 0; act < plan.acts().size(); act++) {
                play(act, stock.map(LifeHistory::drained));
            }
            looks.last(this::quiet);
        } catch (Throwable e) {
            history.threw(e);
        }
    }

    private void play(int number, Optional<List<LifeHistory.Drained>> stock) throws IOException, YarnException {
        Act act = plan.acts().get(number);
        masters.begin(number, act);
        int next = 0;
        for (int at = 0; at < act.seconds(); at++) {
            for (; next < act.events().size() && act.events().get(next).second() <= at; next++) {
                happens(act.events().get(next));
            }
            second();
        }
        drain(number, stock.filter(drains -> drains.size() > number).map(drains -> drains.get(number)));
        looks.between(masters.victims(), masters.placed(), history.second());
    }

    /** Lets every container end a second after it began, and nobody ask, until nobody waits. */
    private void drain(int act, Optional<LifeHistory.Drained> stock) throws IOException, YarnException {
        masters.drain();
        int hopeless = 0;
        int seconds = 0;
        while (isToGoOn(stock, seconds, hopeless)) {
            int before = masters.placed();
            second();
            seconds++;
            hopeless = masters.placed() == before ? hopeless + 1 : 0;
        }
        history.drained()
                .add(new LifeHistory.Drained(act, seconds - hopeless, seconds, masters.unserved(), isHeldBySilent()));
        masters.giveUp();
    }

    private boolean isHeldBySilent() {
        return nodes.stream()
                .filter(node -> node.state() == Worker.State.SILENT)
                .map(node -> managers.active().scheduler().getSchedulerNode(node.id()))
                .anyMatch(known -> known != null && known.getReservedContainer() != null);
    }

    private boolean isToGoOn(Optional<LifeHistory.Drained> stock, int seconds, int hopeless) {
        if (stock.isEmpty()) {
            return seconds < MOST_DRAIN_SECONDS && !masters.unserved().isEmpty() && hopeless < HOPELESS_SECONDS;
        }
        // Switched off it takes as long as with the stock scheduler: the next act is to begin at the same moment.
        return variant == Variant.OFF
                ? seconds < stock.get().lasted()
                : seconds < Invariants.mostSeconds(stock.get().seconds()) && !isServed(stock.get());
    }

    /** Returns whether nobody waits but who the stock scheduler could not serve either. */
    private boolean isServed(LifeHistory.Drained stock) {
        return stock.waiting().containsAll(masters.unserved());
    }

    private void happens(Event event) throws IOException, YarnException {
        if (event instanceof Happens happens) {
            faults.inject(happens.fault());
        } else if (event instanceof Ask ask) {
            masters.ask(ask);
        }
    }

    private void second() throws IOException, YarnException {
        history.nextSecond();
        machine.advance(1);
        managers.tick();
        List<Worker> inTurn = new ArrayList<>(nodes);
        Collections.shuffle(inTurn, random);
        for (Worker node : inTurn) {
            if (node.state() == Worker.State.UP) {
                heartbeat(node);
            }
        }
        managers.passes().ifPresent(driven -> {
            for (int pass = 0; pass < 2; pass++) {
                for (Worker node : inTurn) {
                    watch.visit(() -> driven.visit(node.id()));
                }
            }
        });
        masters.pull();
    }

    private void heartbeat(Worker node) throws IOException, YarnException {
        double now = machine.steady().seconds();
        List<Worker.Running> ended = new ArrayList<>();
        for (Worker.Running task : List.copyOf(node.running())) {
            if (masters.isOver(task, now)) {
                ended.add(task);
            }
        }
        node.running().removeAll(ended);
        List<Worker.Running> others = new ArrayList<>();
        nodes.stream().filter(other -> other != node).forEach(other -> others.addAll(other.running()));
        byte[] report = node.report(now, machine.now(), ended, others, random(node));
        NodeHeartbeatResponse answer = managers.active().heartbeat(node, ended, report);
        if (answer.getNodeAction() == NodeAction.NORMAL) {
            node.answered(answer.getResponseId());
        } else {
            node.running().clear();
            node.become(Worker.State.GONE);
        }
        if (managers.passes().isPresent()) {
            managers.passes().get().withoutDeciding(managers.active()::drain);
        } else {
            watch.heard(node, !ended.isEmpty(), masters.attempts());
        }
    }

    /** Not the common one: a scheduler that places otherwise would have another sequence of everything. */
    private Random random(Worker node) {
        return new Random(Seeds.of(plan.seed(), node.index(), history.second()));
    }

    /** All faults end, and nobody asks for anything. */
    private void quiet() throws IOException, YarnException {
        faults.heal();
        for (int minute = 0; minute < QUIET_MINUTES; minute++) {
            machine.advance(59);
            second();
        }
        for (int i = 0; i < 5; i++) {
            second();
        }
    }
}
