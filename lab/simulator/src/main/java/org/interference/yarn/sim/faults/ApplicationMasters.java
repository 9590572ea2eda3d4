package org.interference.yarn.sim.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.sim.engine.ResourceManagerDriver;
import org.interference.yarn.sim.faults.FaultPlan.Act;
import org.interference.yarn.sim.faults.FaultPlan.Applicant;
import org.interference.yarn.sim.faults.FaultPlan.Ask;
import org.interference.yarn.sim.world.Seeds;

/**
 * The ApplicationMasters of a life: what they ask for, what they get and wait for, and for how long the containers run that they start. Not
 * thread-safe.
 */
final class ApplicationMasters {
    private final FaultPlan plan;
    private final List<Worker> nodes;
    private final ResourceManagers managers;
    private final MachineClocks machine;
    private final LifeHistory history;

    private final Map<Integer, ApplicationAttemptId> attempts = new TreeMap<>();
    /** What is asked for and not got, by priority, of each application. */
    private final Map<Integer, Map<Integer, Integer>> waiting = new TreeMap<>();

    private final List<Open> open = new ArrayList<>();
    /** How many containers were got, by application and priority. */
    private final Map<String, Integer> gotten = new HashMap<>();
    /** Kinds of task of the victim's that have run. */
    private final Map<String, TaskIdentity> victims = new TreeMap<>();

    private int asked;
    private boolean draining;
    private boolean holds;
    private int submitted;
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

    ApplicationMasters(
            FaultPlan plan, List<Worker> nodes, ResourceManagers managers, MachineClocks machine, LifeHistory history) {
        this.plan = plan;
        this.nodes = nodes;
        this.managers = managers;
        this.machine = machine;
        this.history = history;
    }

    /** Begins an act, in which those applications arrive that do so in it. */
    void begin(int number, Act act) throws IOException, YarnException {
        draining = false;
        holds = act.holds();
        for (int applicant = 0; applicant < plan.applicants().size(); applicant++) {
            if (plan.applicants().get(applicant).arrivesInAct() == number) {
                submit(applicant);
            }
        }
    }

    private void submit(int applicant) throws IOException, YarnException {
        ApplicationAttemptId attempt = ResourceManagerDriver.attempt(submitted++);
        managers.active().submit(attempt, plan.applicants().get(applicant));
        attempts.put(applicant, attempt);
        waiting.computeIfAbsent(applicant, none -> new TreeMap<>());
    }

    /** Submits all to another ResourceManager, where they ask for what they have not got. */
    void submitAnew() throws IOException, YarnException {
        // In their order: that of a copied set is another one in every process.
        for (int applicant : List.copyOf(attempts.keySet())) {
            submit(applicant);
            Map<Integer, Integer> asks = waiting.get(applicant);
            for (int priority : List.copyOf(asks.keySet())) {
                ask(applicant, priority, mayAsk(applicant, priority) ? asks.get(priority) : 0);
            }
        }
    }

    /** Asks, if the application is there. */
    void ask(Ask ask) {
        if (!attempts.containsKey(ask.applicant())) {
            return;
        }
        release(ask.applicant(), List.of());
        int all = waiting.get(ask.applicant()).getOrDefault(ask.priority(), 0) + ask.containers();
        int number = asked++;
        if (mayAsk(ask.applicant(), ask.priority())) {
            ask(ask.applicant(), ask.priority(), all);
            int until = got(ask.applicant(), ask.priority()) + all;
            open.add(new Open(number, ask.applicant(), ask.priority(), until, 0));
        }
    }

    /**
     * Returns whether YARN's service for ApplicationMasters would pass the ask on: it refuses what is larger than every node, also while all
     * nodes are leaving. A scheduler that is asked all the same makes it as large as the largest node, which may be nothing.
     */
    private boolean mayAsk(int applicant, int priority) {
        return Resources.fitsIn(
                size(applicant, priority), managers.active().scheduler().getMaximumResourceCapability());
    }

    private static Resource size(int applicant, int priority) {
        int slots = FaultPlan.slots(applicant, priority);
        return Resource.newInstance(slots * ResourceManagerDriver.SLOT_MEGABYTES, slots);
    }

    private void ask(int applicant, int priority, int containers) {
        ResourceRequest ask = ResourceRequest.newInstance(
                Priority.newInstance(priority), ResourceRequest.ANY, size(applicant, priority), containers);
        waiting.get(applicant).put(priority, containers);
        start(applicant, managers.active().allocate(attempts.get(applicant), Optional.of(ask), List.of()));
    }

    /** Gives containers back, and starts what was allocated meanwhile. */
    void release(int applicant, List<ContainerId> released) {
        start(applicant, managers.active().allocate(attempts.get(applicant), Optional.empty(), released));
    }

    private void start(int applicant, List<Container> containers) {
        double now = machine.steady().seconds();
        for (Container container : containers) {
            int priority = container.getPriority().getPriority();
            waiting.get(applicant).merge(priority, -1, Integer::sum);
            placed++;
            gotten.merge(applicant + "/" + priority, 1, Integer::sum);
            Applicant who = plan.applicants().get(applicant);
            if (who.tenant() == FaultPlan.Tenant.VICTIM) {
                managers.sources()
                        .flatMap(known ->
                                known.cluster().tasks().apply(container.getId().toString()))
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

    private int got(int applicant, int priority) {
        return gotten.getOrDefault(applicant + "/" + priority, 0);
    }

    /** Starts what was allocated within this second, and notes which asks are served by it. */
    void pull() {
        for (int applicant : attempts.keySet()) {
            release(applicant, List.of());
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
                .map(node -> managers.active().scheduler().getSchedulerNode(node.id()))
                .anyMatch(node -> node != null
                        && node.getReservedContainer() == null
                        && node.getUnallocatedResource().getMemorySize() >= ResourceManagerDriver.SLOT_MEGABYTES);
    }

    /** Has every container end a second after it began from now on. What is not served yet is not waited for. */
    void drain() {
        // With others in their way the order in which they come decides how long they wait.
        for (Open ask : open) {
            history.asked().add(ask.asked(holds, false));
        }
        open.clear();
        draining = true;
    }

    /** Returns whether a container has run for as long as it is to run. */
    boolean isOver(Worker.Running task, double now) {
        return task.ends() <= now || (draining && task.began() + 1 <= now);
    }

    /** Asks for nothing more. */
    void giveUp() {
        for (int applicant : waiting.keySet()) {
            for (int priority : List.copyOf(waiting.get(applicant).keySet())) {
                ask(applicant, priority, 0);
            }
            waiting.get(applicant).clear();
        }
    }

    /** Returns who waits and is not too large for every node: when a cluster is lost in one second, whoever is a second later gets nothing. */
    Set<String> unserved() {
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

    Collection<ApplicationAttemptId> attempts() {
        return attempts.values();
    }

    /** Returns how many containers were got so far. */
    int placed() {
        return placed;
    }

    /** Returns the kinds of task of the victim's that have run. */
    Collection<TaskIdentity> victims() {
        return victims.values();
    }
}
