package org.interference.yarn.nm.app;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.interference.yarn.nm.heartbeat.Failures;
import org.interference.yarn.signal.NodeReport;

/**
 * Offers one NodeManager's newest report in JMX, under {@value #NAME} and the lowest number that no other NodeManager of
 * this JVM has. JMX reads it on threads of its own, and never waits for a sample.
 */
final class LocalCounters implements NodeCountersMXBean, AutoCloseable {
    static final String NAME = "Hadoop:service=NodeManager,name=InterferenceCounters,instance=";

    private final Supplier<String> node;
    private final Supplier<Optional<NodeReport>> newest;
    private Optional<RegisteredBean> bean = Optional.empty();

    private LocalCounters(Supplier<String> node, Supplier<Optional<NodeReport>> newest) {
        this.node = node;
        this.newest = newest;
    }

    /** Registers the bean; empty if that fails, which is noted. */
    static Optional<LocalCounters> register(
            Supplier<String> node, Supplier<Optional<NodeReport>> newest, Failures failures) {
        LocalCounters counters = new LocalCounters(node, newest);
        counters.bean = RegisteredBean.register(counters, NodeCountersMXBean.class, NAME, failures);
        return counters.bean.map(registered -> counters);
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
        bean.ifPresent(RegisteredBean::close);
    }
}
