package org.interference.yarn.sim.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.records.NodeAction;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.HandDrivenPasses;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.sim.engine.ResourceManagerDriver;
import org.interference.yarn.sim.faults.FaultPlan.Act;
import org.interference.yarn.sim.faults.FaultPlan.Applicant;
import org.interference.yarn.sim.faults.FaultPlan.Ask;
import org.interference.yarn.sim.faults.FaultPlan.Event;
import org.interference.yarn.sim.faults.FaultPlan.Happens;
import org.interference.yarn.sim.faults.Variant.Threads;
import org.interference.yarn.sim.world.Seeds;

/**
 * Lives one plan with one scheduler, in virtual time: everything happens in one order, which the plan and the scheduler decide. Not
 * thread-safe.
 */
final class ClusterLife implements AutoCloseable {
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

    private final MachineClocks machine = new MachineClocks();
    private final LifeHistory history = new LifeHistory();
    private final String name;
    private final FaultyDisk disk;
    private final Path allocations;
    private final List<Worker> nodes = new ArrayList<>();
    private final Map<Integer, ApplicationAttemptId> attempts = new TreeMap<>();
    /** What is asked for and not got, by priority, of each application. */
    private final Map<Integer, Map<Integer, Integer>> waiting = new TreeMap<>();

    private final Map<String, Long> newest = new HashMap<>();
    private List<Integer> weights;
    private Threads threads;
    private Daemon daemon;
    /** Kinds of task of the victim's that have run. */
    private final Map<String, TaskIdentity> victims = new TreeMap<>();

    private Optional<HandDrivenPasses> passes = Optional.empty();
    private final List<Open> open = new ArrayList<>();
    /** How many containers were got, by application and priority. */
    private final Map<String, Integer> gotten = new HashMap<>();

    private int asked;
    private boolean draining;
    private boolean holds;
    private int submitted;
    private int second;
    private int placed;

    /**
     * An ask that is not served yet.
     *
     * @param number of the ask, in the order of the plan
     * @param until so many containers were got at its priority
     * @param waited seconds at whose end there was room for it: which containers a lost node takes along differs between schedulers
     */
    private record Open(int number, int applicant, int priority, int until, int waited) {
        Open waited(boolean room) {
            return room ? new Open(number, applicant, priority, until, waited + 1) : this;
        }

        LifeHistory.Asked asked(boolean roomy, boolean served) {
            return new LifeHistory.Asked(number, roomy, waited + 1, served);
        }
    }

    ClusterLife(FaultPlan plan, Variant variant, Path directory) {
        this.plan = plan;
        this.variant = variant;
        this.random = new Random(plan.seed());
        this.weights = plan.weights();
        this.name = "life-%s-%d-%s".formatted(plan.kind(), plan.seed(), variant).toLowerCase(java.util.Locale.ROOT);
        this.disk = FaultyDisk.mount(name);
        this.allocations = directory.resolve("allocations-%s.xml".formatted(plan.kind()));
    }

    /** Lives the plan; {@code stock} is what the stock scheduler made of it, empty for itself. */
    static LifeHistory of(FaultPlan plan, Variant variant, Optional<LifeHistory> stock, Path directory) {
        try (ClusterLife life = new ClusterLife(plan, variant, directory)) {
            life.live(stock);
            return life.history;
        }
    }

    @SuppressWarnings("CatchThrowable") // That nothing is thrown is what is to be found out.
    private void live(Optional<LifeHistory> stock) {
        try {
            boolean standsBy = plan.isHighlyAvailable();
            begin(standsBy, false);
            for (int node = 0; node < plan.slots().size(); node++) {
                nodes.add(new Worker(
                        node, ResourceManagerDriver.nodeId(node), plan.slots().get(node)));
            }
            for (Worker node : nodes) {
                daemon.register(node);
            }
            for (int act = 0; act < plan.acts().size(); act++) {
                play(act, stock.map(LifeHistory::drained));
            }
            looks().last(this::quiet);
        } catch (Throwable e) {
            thrown(e);
        }
    }

    private Looks looks() {
        return new Looks(plan, variant, daemon, machine, history);
    }

    private void thrown(Throwable e) {
        StackTraceElement[] trace = e.getStackTrace();
        StringBuilder where = new StringBuilder();
        for (int i = 0; i < Math.min(6, trace.length); i++) {
            where.append(" at ").append(trace[i]);
        }
        history.thrown().add("second %d: %s%s".formatted(second, e, where));
    }

    private void play(int number, Optional<List<LifeHistory.Drained>> stock) throws IOException, YarnException {
        Act act = plan.acts().get(number);
        draining = false;
        holds = act.holds();
        for (int applicant = 0; applicant < plan.applicants().size(); applicant++) {
            if (plan.applicants().get(applicant).arrivesInAct() == number) {
                submit(applicant);
            }
        }
        int next = 0;
        for (int at = 0; at < act.seconds(); at++) {
            for (; next < act.events().size() && act.events().get(next).second() <= at; next++) {
                happens(act.events().get(next));
            }
            second();
        }
        // With others in their way the order in which they come decides how long they wait.
        for (Open ask : open) {
            history.asked().add(ask.asked(act.holds(), false));
        }
        open.clear();
        drain(number, stock.filter(drains -> drains.size() > number).map(drains -> drains.get(number)));
        looks().between(victims.values(), placed, second);
    }

    /** Lets every container end a second after it began, and nobody ask, until nobody waits. */
    private void drain(int act, Optional<LifeHistory.Drained> stock) throws IOException, YarnException {
        draining = true;
        int hopeless = 0;
        int seconds = 0;
        while (isToGoOn(stock, seconds, hopeless)) {
            int before = placed;
            second();
            seconds++;
            hopeless = placed == before ? hopeless + 1 : 0;
        }
        history.drained().add(new LifeHistory.Drained(act, seconds - hopeless, seconds, unserved()));
        for (int applicant : waiting.keySet()) {
            for (int priority : List.copyOf(waiting.get(applicant).keySet())) {
                ask(applicant, priority, 0);
            }
            waiting.get(applicant).clear();
        }
    }

    private boolean isToGoOn(Optional<LifeHistory.Drained> stock, int seconds, int hopeless) {
        if (stock.isEmpty()) {
            return seconds < MOST_DRAIN_SECONDS && !unserved().isEmpty() && hopeless < HOPELESS_SECONDS;
        }
        // Switched off it takes as long as with the stock scheduler: the next act is to begin at the same moment.
        return variant == Variant.OFF
                ? seconds < stock.get().lasted()
                : seconds < Invariants.mostSeconds(stock.get().seconds()) && !isServed(stock.get());
    }

    /** Returns whether nobody waits but who the stock scheduler could not serve either. */
    private boolean isServed(LifeHistory.Drained stock) {
        return stock.waiting().containsAll(unserved());
    }

    /** Returns who waits and is not too large for every node: when a cluster is lost in one second, whoever is a second later gets nothing. */
    private Set<String> unserved() {
        int largest = nodes.stream()
                .filter(node -> node.state() == Worker.State.UP && !node.isDecommissioning())
                .mapToInt(Worker::slots)
                .max()
                .orElse(0);
        Set<String> unserved = new TreeSet<>();
        waiting.forEach((applicant, byPriority) -> byPriority.forEach((priority, containers) -> {
            if (containers > 0 && FaultPlan.slots(applicant, priority) <= largest) {
                unserved.add(applicant + "/" + priority);
            }
        }));
        return unserved;
    }

    private void begin(boolean standsBy, boolean wrongFile) throws IOException {
        threads = Threads.start(disk);
        Configuration settings = variant.settings(plan, name);
        SettingsFiles.queues(settings, plan, weights, allocations);
        if (standsBy || usesFiles()) {
            SettingsFiles.write(settings, plan, weights, false, allocations);
        }
        daemon = new Daemon(settings, variant.scheduler(plan, machine, threads), standsBy);
        if (standsBy) {
            SettingsFiles.write(settings, plan, weights, wrongFile, allocations);
            try {
                daemon.activate();
            } catch (IOException e) {
                history.standby().add("second %d: %s".formatted(second, root(e)));
                SettingsFiles.write(settings, plan, weights, false, allocations);
                daemon.close();
                threads.end();
                begin(true, false);
                return;
            }
        }
        passes = plan.kind() == FaultPlan.Kind.CAPACITY_BY_PASSES
                ? Optional.of(new HandDrivenPasses((CapacityScheduler) daemon.scheduler()))
                : Optional.empty();
    }

    private boolean usesFiles() {
        return plan.faults().stream().anyMatch(Fault.QueuesChanged.class::isInstance);
    }

    private static Throwable root(Throwable e) {
        return e.getCause() == null ? e : root(e.getCause());
    }

    private void submit(int applicant) throws IOException, YarnException {
        ApplicationAttemptId attempt = ResourceManagerDriver.attempt(submitted++);
        daemon.submit(attempt, plan.applicants().get(applicant));
        attempts.put(applicant, attempt);
        waiting.computeIfAbsent(applicant, none -> new TreeMap<>());
    }

    private void happens(Event event) throws IOException, YarnException {
        if (event instanceof Happens happens) {
            happens(happens.fault());
        } else if (event instanceof Ask ask && attempts.containsKey(ask.applicant())) {
            pull(ask.applicant(), List.of());
            int all = waiting.get(ask.applicant()).getOrDefault(ask.priority(), 0) + ask.containers();
            int number = asked++;
            if (mayAsk(ask.applicant(), ask.priority())) {
                ask(ask.applicant(), ask.priority(), all);
                int until = got(ask.applicant(), ask.priority()) + all;
                open.add(new Open(number, ask.applicant(), ask.priority(), until, 0));
            }
        }
    }

    private void happens(Fault fault) throws IOException, YarnException {
        if (fault instanceof Fault.NodeLost lost) {
            gone(nodes.get(lost.node()), () -> daemon.lose(nodes.get(lost.node())));
        } else if (fault instanceof Fault.NodeSilent silent) {
            silence(nodes.get(silent.node()));
        } else if (fault instanceof Fault.NodeBack back) {
            back(nodes.get(back.node()));
        } else if (fault instanceof Fault.NodeRestarted restarted) {
            restart(nodes.get(restarted.node()));
        } else if (fault instanceof Fault.NodeResized resized) {
            resize(nodes.get(resized.node()), resized.slots());
        } else if (fault instanceof Fault.Decommissioned leaves) {
            decommission(nodes.get(leaves.node()), leaves.graceful());
        } else if (fault instanceof Fault.FailOver over) {
            failOver(over.wrongFile());
        } else if (fault instanceof Fault.QueuesChanged changed) {
            changeQueues(changed);
        } else if (fault instanceof Fault.StoreTurns turns) {
            threads.turn(turns.to());
        } else if (fault instanceof Fault.ClockStepped stepped) {
            machine.set(stepped.seconds());
        } else if (fault instanceof Fault.Pause pause) {
            machine.pause(pause.millis(), pause.reading());
        } else if (fault instanceof Fault.Lies lies) {
            nodes.get(lies.node()).lies(lies.lie());
        } else if (fault instanceof Fault.Honest honest) {
            nodes.get(honest.node()).honest();
        }
    }

    private void silence(Worker node) {
        if (node.state() == Worker.State.UP) {
            node.become(Worker.State.SILENT);
            daemon.silence(node);
        }
    }

    private void resize(Worker node, int slots) {
        node.resize(slots);
        if (node.state() != Worker.State.GONE && !node.isDecommissioning()) {
            daemon.resize(node);
        }
    }

    private void gone(Worker node, Runnable how) {
        if (node.state() != Worker.State.GONE) {
            node.running().clear();
            node.become(Worker.State.GONE);
            how.run();
        }
    }

    private void back(Worker node) throws IOException, YarnException {
        switch (node.state()) {
            case UP -> {
                if (node.isDecommissioning()) {
                    daemon.recommission(node);
                    node.decommissioning(false);
                }
            }
            case SILENT -> node.become(Worker.State.UP);
            case GONE -> {
                node.restarted();
                daemon.register(node);
            }
        }
    }

    private void restart(Worker node) throws IOException, YarnException {
        if (node.state() == Worker.State.UP && !node.isDecommissioning()) {
            Map<Integer, List<ContainerId>> lost = new TreeMap<>();
            node.running().forEach(task -> lost.computeIfAbsent(task.applicant(), none -> new ArrayList<>())
                    .add(task.container().getId()));
            node.restarted();
            daemon.register(node);
            lost.forEach(this::pull);
        }
    }

    private void decommission(Worker node, boolean graceful) {
        if (!graceful) {
            gone(node, () -> daemon.decommission(node, false));
        } else if (node.state() == Worker.State.UP && !node.isDecommissioning()) {
            node.decommissioning(true);
            daemon.decommission(node, true);
        }
    }

    /** Applications are submitted anew and ask for what they had not got; what ran is lost. */
    private void failOver(boolean wrongFile) throws IOException, YarnException {
        waited();
        daemon.close();
        threads.end();
        begin(true, wrongFile);
        for (Worker node : nodes) {
            if (node.state() != Worker.State.GONE) {
                Worker.State before = node.state();
                node.restarted();
                daemon.register(node);
                if (before == Worker.State.SILENT) {
                    node.become(before);
                    daemon.silence(node);
                }
            }
        }
        // In their order: that of a copied set is another one in every process.
        for (int applicant : List.copyOf(attempts.keySet())) {
            submit(applicant);
            Map<Integer, Integer> asks = waiting.get(applicant);
            for (int priority : List.copyOf(asks.keySet())) {
                ask(applicant, priority, mayAsk(applicant, priority) ? asks.get(priority) : 0);
            }
        }
        waited();
    }

    private void waited() {
        if (disk.yarnWaited() > history.waitedForStore().size()) {
            history.waitedForStore().add("second " + second);
        }
    }

    private void changeQueues(Fault.QueuesChanged changed) throws YarnException {
        // What is refused changes nothing: the queues stay.
        weights = changed.wrongFile() ? weights : changed.weights();
        Configuration settings = variant.settings(plan, name);
        SettingsFiles.write(settings, plan, weights, changed.wrongFile(), allocations);
        try {
            daemon.refreshQueues();
        } catch (IOException e) {
            // A wrong setting of ours is refused when an administrator reads it; stock does not know it.
            if (!changed.wrongFile() || variant == Variant.STOCK) {
                thrown(e);
            }
        }
    }

    /**
     * Returns whether YARN's service for ApplicationMasters would pass the ask on: it refuses what is larger than every node, also while all
     * nodes are leaving. A scheduler that is asked all the same makes it as large as the largest node, which may be nothing.
     */
    private boolean mayAsk(int applicant, int priority) {
        return Resources.fitsIn(size(applicant, priority), daemon.scheduler().getMaximumResourceCapability());
    }

    private static Resource size(int applicant, int priority) {
        int slots = FaultPlan.slots(applicant, priority);
        return Resource.newInstance(slots * ResourceManagerDriver.SLOT_MEGABYTES, slots);
    }

    private void ask(int applicant, int priority, int containers) {
        ResourceRequest ask = ResourceRequest.newInstance(
                Priority.newInstance(priority), ResourceRequest.ANY, size(applicant, priority), containers);
        waiting.get(applicant).put(priority, containers);
        got(applicant, daemon.allocate(attempts.get(applicant), Optional.of(ask), List.of()));
    }

    private void pull(int applicant, List<ContainerId> released) {
        got(applicant, daemon.allocate(attempts.get(applicant), Optional.empty(), released));
    }

    private void got(int applicant, List<Container> containers) {
        double now = machine.steady().seconds();
        for (Container container : containers) {
            int priority = container.getPriority().getPriority();
            waiting.get(applicant).merge(priority, -1, Integer::sum);
            placed++;
            gotten.merge(applicant + "/" + priority, 1, Integer::sum);
            Applicant who = plan.applicants().get(applicant);
            if (who.tenant() == FaultPlan.Tenant.VICTIM) {
                looks().sources()
                        .flatMap(known -> known.tasks().apply(container.getId().toString()))
                        .ifPresent(task -> victims.put(task.identity().text(), task.identity()));
            }
            double seconds =
                    draining ? 1 : holds ? 1e9 : 2 + Seeds.uniform(Seeds.of(plan.seed(), applicant, placed)) * 18;
            nodes.stream()
                    .filter(node -> node.id().equals(container.getNodeId()) && node.state() != Worker.State.GONE)
                    .findFirst()
                    .ifPresent(node -> node.running()
                            .add(new Worker.Running(container, applicant, who.level(), now, now + seconds)));
        }
    }

    private void second() throws IOException, YarnException {
        second++;
        machine.advance(1);
        threads.advance(machine.nanos());
        daemon.update();
        List<Worker> inTurn = new ArrayList<>(nodes);
        Collections.shuffle(inTurn, random);
        for (Worker node : inTurn) {
            if (node.state() == Worker.State.UP) {
                heartbeat(node);
            }
        }
        passes.ifPresent(driven -> {
            for (int pass = 0; pass < 2; pass++) {
                for (Worker node : inTurn) {
                    watched(Optional.empty(), () -> driven.visit(node.id()));
                }
            }
        });
        for (int applicant : attempts.keySet()) {
            pull(applicant, List.of());
        }
        open.removeIf(ask -> {
            boolean served = got(ask.applicant(), ask.priority()) >= ask.until();
            if (served) {
                history.asked().add(ask.asked(holds, true));
            }
            return served;
        });
        boolean room = hasRoom();
        open.replaceAll(ask -> ask.waited(room));
    }

    /** Returns whether a container of one slot, as is asked for where there is room for all, could run somewhere. */
    private boolean hasRoom() {
        return nodes.stream()
                .filter(node -> node.state() == Worker.State.UP && !node.isDecommissioning())
                .map(node -> daemon.scheduler().getSchedulerNode(node.id()))
                .anyMatch(node -> node != null
                        && node.getReservedContainer() == null
                        && node.getUnallocatedResource().getMemorySize() >= ResourceManagerDriver.SLOT_MEGABYTES);
    }

    private int got(int applicant, int priority) {
        return gotten.getOrDefault(applicant + "/" + priority, 0);
    }

    private void heartbeat(Worker node) throws IOException, YarnException {
        double now = machine.steady().seconds();
        List<Worker.Running> ended = new ArrayList<>();
        for (Worker.Running task : List.copyOf(node.running())) {
            if (task.ends() <= now || (draining && task.began() + 1 <= now)) {
                ended.add(task);
            }
        }
        node.running().removeAll(ended);
        List<Worker.Running> others = new ArrayList<>();
        nodes.stream().filter(other -> other != node).forEach(other -> others.addAll(other.running()));
        byte[] report = node.report(now, machine.now(), ended, others, random(node));
        NodeHeartbeatResponse answer = daemon.heartbeat(node, ended, report);
        if (answer.getNodeAction() == NodeAction.NORMAL) {
            node.answered(answer.getResponseId());
        } else {
            node.running().clear();
            node.become(Worker.State.GONE);
        }
        if (passes.isPresent()) {
            passes.get().withoutDeciding(daemon::drain);
        } else {
            // What ends makes its application needier before the scheduler decides.
            List<FairnessCheck.Needy> needy = ended.isEmpty() ? needy(node) : List.of();
            int before = history.allocated().size();
            watched(Optional.of(node), daemon::drain);
            if (history.allocated().size() == before + 1) {
                LifeHistory.Allocated one = history.allocated().get(before);
                FairnessCheck.passedOver(needy, one.attempt(), Variant.AHEAD)
                        .forEach(wrong -> history.unfair().add("second %d: %s".formatted(second, wrong)));
            }
        }
    }

    private List<FairnessCheck.Needy> needy(Worker node) {
        return daemon.scheduler() instanceof FairScheduler fair
                ? FairnessCheck.before(fair, attempts.values(), fair.getSchedulerNode(node.id()))
                : List.of();
    }

    /** Not the common one: a scheduler that places otherwise would have another sequence of everything. */
    private Random random(Worker node) {
        return new Random(Seeds.of(plan.seed(), node.index(), second));
    }

    /**
     * Lets the scheduler decide, and notes where containers went.
     *
     * @param beats whose heartbeat it is; empty in a pass
     */
    private void watched(Optional<Worker> beats, Runnable decision) {
        Map<String, RMContainer> reserved = reserved();
        daemon.dispatcher().takeAllocated();
        decision.run();
        daemon.drain();
        Set<ApplicationAttemptId> allocated = daemon.dispatcher().takeAllocated();
        if (!allocated.isEmpty()) {
            Map<String, RMContainer> still = reserved();
            reserved.entrySet().removeIf(entry -> still.get(entry.getKey()) != entry.getValue());
            allocated.forEach(attempt -> note(attempt, beats, reserved));
        }
    }

    private Map<String, RMContainer> reserved() {
        Map<String, RMContainer> reserved = new HashMap<>();
        for (Worker node : nodes) {
            SchedulerNode known = daemon.scheduler().getSchedulerNode(node.id());
            if (known != null && known.getReservedContainer() != null) {
                reserved.put(node.id().toString(), known.getReservedContainer());
            }
        }
        return reserved;
    }

    private void note(ApplicationAttemptId id, Optional<Worker> beats, Map<String, RMContainer> reserved) {
        SchedulerApplicationAttempt attempt = daemon.scheduler().getApplicationAttempt(id);
        String who = id.getApplicationId().toString();
        long before = newest.getOrDefault(who, 0L);
        Set<RMContainer> fresh = new HashSet<>(attempt.getLiveContainers());
        fresh.removeIf(container -> container.getContainerId().getContainerId() <= before);
        List<RMContainer> inOrder = new ArrayList<>(fresh);
        inOrder.sort(java.util.Comparator.comparing(RMContainer::getContainerId));
        for (RMContainer container : inOrder) {
            newest.merge(who, container.getContainerId().getContainerId(), Math::max);
            SchedulerNode node = daemon.scheduler().getSchedulerNode(container.getAllocatedNode());
            RMNode known = node == null ? null : node.getRMNode();
            Worker worker = nodes.stream()
                    .filter(one -> one.id().equals(container.getAllocatedNode()))
                    .findFirst()
                    .orElseThrow();
            RMContainer reservation = reserved.get(container.getAllocatedNode().toString());
            history.allocated()
                    .add(new LifeHistory.Allocated(
                            second,
                            who,
                            container.getContainerId().getContainerId(),
                            container.getAllocatedNode().toString(),
                            node != null,
                            known != null && known.getState() == NodeState.RUNNING,
                            beats.filter(one -> one == worker).isPresent(),
                            worker.state() == Worker.State.UP,
                            reservation == null
                                    ? ""
                                    : reservation
                                            .getApplicationAttemptId()
                                            .getApplicationId()
                                            .toString()));
        }
    }

    /** All faults end, and nobody asks for anything. */
    private void quiet() throws IOException, YarnException {
        threads.turn(Fault.Disk.WORKS);
        nodes.forEach(Worker::honest);
        for (Worker node : nodes) {
            back(node);
        }
        for (int minute = 0; minute < QUIET_MINUTES; minute++) {
            machine.advance(59);
            second();
        }
        for (int i = 0; i < 5; i++) {
            second();
        }
    }

    @Override
    @SuppressWarnings("CatchThrowable") // As in living.
    public void close() {
        try {
            threads.turn(Fault.Disk.WORKS);
            waited();
            daemon.close();
        } catch (Throwable e) {
            thrown(e);
        } finally {
            threads.end();
            FaultyDisk.unmount(name);
            SettingsFiles.forget();
        }
    }
}
