package org.interference.yarn.sim.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** Makes the faults of a plan happen to a cluster, and ends them. Not thread-safe. */
final class FaultInjector {
    private final List<Worker> nodes;
    private final ResourceManagers managers;
    private final ApplicationMasters masters;
    private final MachineClocks machine;

    FaultInjector(List<Worker> nodes, ResourceManagers managers, ApplicationMasters masters, MachineClocks machine) {
        this.nodes = nodes;
        this.managers = managers;
        this.masters = masters;
        this.machine = machine;
    }

    void inject(Fault fault) throws IOException, YarnException {
        if (fault instanceof Fault.NodeLost lost) {
            gone(nodes.get(lost.node()), () -> managers.active().lose(nodes.get(lost.node())));
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
            managers.changeQueues(changed);
        } else if (fault instanceof Fault.StoreTurns turns) {
            managers.turn(turns.to());
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

    /** Ends all faults that last. */
    void heal() throws IOException, YarnException {
        managers.turn(Fault.Disk.WORKS);
        nodes.forEach(Worker::honest);
        for (Worker node : nodes) {
            back(node);
        }
    }

    private void silence(Worker node) {
        if (node.state() == Worker.State.UP) {
            node.become(Worker.State.SILENT);
            managers.active().silence(node);
        }
    }

    private void resize(Worker node, int slots) {
        node.resize(slots);
        if (node.state() != Worker.State.GONE && !node.isDecommissioning()) {
            managers.active().resize(node);
        }
    }

    private static void gone(Worker node, Runnable how) {
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
                    managers.active().recommission(node);
                    node.decommissioning(false);
                }
            }
            case SILENT -> node.become(Worker.State.UP);
            case GONE -> {
                node.restarted();
                managers.active().register(node);
            }
        }
    }

    private void restart(Worker node) throws IOException, YarnException {
        if (node.state() == Worker.State.UP && !node.isDecommissioning()) {
            Map<Integer, List<ContainerId>> lost = new TreeMap<>();
            node.running().forEach(task -> lost.computeIfAbsent(task.applicant(), none -> new ArrayList<>())
                    .add(task.container().getId()));
            node.restarted();
            managers.active().register(node);
            lost.forEach(masters::release);
        }
    }

    private void decommission(Worker node, boolean graceful) {
        if (!graceful) {
            gone(node, () -> managers.active().decommission(node, false));
        } else if (node.state() == Worker.State.UP && !node.isDecommissioning()) {
            node.decommissioning(true);
            managers.active().decommission(node, true);
        }
    }

    /** Applications are submitted anew and ask for what they had not got; what ran is lost. */
    private void failOver(boolean wrongFile) throws IOException, YarnException {
        managers.failOver(wrongFile);
        for (Worker node : nodes) {
            if (node.state() != Worker.State.GONE) {
                Worker.State before = node.state();
                node.restarted();
                managers.active().register(node);
                if (before == Worker.State.SILENT) {
                    node.become(before);
                    managers.active().silence(node);
                }
            }
        }
        masters.submitAnew();
        managers.noteWaits();
    }
}
