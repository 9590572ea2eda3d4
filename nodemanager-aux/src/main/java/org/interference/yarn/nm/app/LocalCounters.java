package org.interference.yarn.nm.app;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.interference.yarn.nm.heartbeat.Failures;
import org.interference.yarn.signal.NodeReport;

/**
 * Offers one NodeManager's newest report in JMX, under {@value #NAME} and the lowest number that no other NodeManager of
 * this JVM has. JMX reads it on threads of its own, and never waits for a sample.
 */
final class LocalCounters implements NodeCountersMXBean, AutoCloseable {
    static final String NAME = "Hadoop:service=NodeManager,name=InterferenceCounters,instance=";

    /** More NodeManagers than any JVM has. */
    private static final int INSTANCES = 1000;

    private final Supplier<String> node;
    private final Supplier<Optional<NodeReport>> newest;
    private final Failures failures;
    private Optional<ObjectName> registered = Optional.empty();

    private LocalCounters(Supplier<String> node, Supplier<Optional<NodeReport>> newest, Failures failures) {
        this.node = node;
        this.newest = newest;
        this.failures = failures;
    }

    /** Registers the bean; what goes wrong is noted, and costs only the local view. */
    static Optional<LocalCounters> register(
            Supplier<String> node, Supplier<Optional<NodeReport>> newest, Failures failures) {
        LocalCounters counters = new LocalCounters(node, newest, failures);
        try {
            counters.registered = Optional.of(counters.registerSomewhere(ManagementFactory.getPlatformMBeanServer()));
            return Optional.of(counters);
        } catch (JMException | RuntimeException e) {
            failures.note("The counters are not shown in JMX", e);
            return Optional.empty();
        }
    }

    private ObjectName registerSomewhere(MBeanServer server) throws JMException {
        StandardMBean bean = new StandardMBean(this, NodeCountersMXBean.class, true);
        for (int instance = 1; instance <= INSTANCES; instance++) {
            ObjectName name = new ObjectName(NAME + instance);
            try {
                server.registerMBean(bean, name);
                return name;
            } catch (InstanceAlreadyExistsException e) {
                // Another NodeManager's; the next number may be free.
            }
        }
        throw new InstanceAlreadyExistsException("all names up to " + NAME + INSTANCES);
    }

    @Override
    public String getNode() {
        return node.get();
    }

    @Override
    public String getMeasuredAt() {
        return newest.get().map(report -> report.measuredAt().toString()).orElse(null);
    }

    @Override
    public List<ContainerCounters> getContainers() {
        return newest.get().stream()
                .flatMap(report -> report.containers().stream())
                .map(ContainerCounters::new)
                .toList();
    }

    @Override
    public void close() {
        try {
            if (registered.isPresent()) {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(registered.get());
            }
        } catch (InstanceNotFoundException e) {
            // Somebody else has taken it away, which is what was wanted.
        } catch (JMException | RuntimeException e) {
            failures.note("The counters stay in JMX", e);
        }
    }
}
