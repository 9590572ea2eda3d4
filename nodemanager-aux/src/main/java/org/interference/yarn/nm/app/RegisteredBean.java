package org.interference.yarn.nm.app;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.interference.yarn.nm.heartbeat.Failures;

/** A bean in JMX, under the lowest number that no other NodeManager of this JVM has. */
final class RegisteredBean implements AutoCloseable {
    /** More NodeManagers than any JVM has. */
    private static final int INSTANCES = 1000;

    private final ObjectName name;
    private final Failures failures;

    private RegisteredBean(ObjectName name, Failures failures) {
        this.name = name;
        this.failures = failures;
    }

    /**
     * Registers {@code bean}; what goes wrong is noted, and costs only the local view.
     *
     * @param prefix of the name, to which a number is added
     */
    static <T> Optional<RegisteredBean> register(T bean, Class<T> type, String prefix, Failures failures) {
        try {
            StandardMBean registered = new StandardMBean(bean, type, true);
            return Optional.of(new RegisteredBean(registerSomewhere(registered, prefix), failures));
        } catch (JMException | RuntimeException e) {
            failures.note("The view of this node is not shown in JMX", e);
            return Optional.empty();
        }
    }

    private static ObjectName registerSomewhere(StandardMBean bean, String prefix) throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        for (int instance = 1; instance <= INSTANCES; instance++) {
            ObjectName name = new ObjectName(prefix + instance);
            try {
                server.registerMBean(bean, name);
                return name;
            } catch (InstanceAlreadyExistsException e) {
                // Another NodeManager's; the next number may be free.
            }
        }
        throw new InstanceAlreadyExistsException("all names up to " + prefix + INSTANCES);
    }

    @Override
    public void close() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (InstanceNotFoundException e) {
            // Somebody else has taken it away, which is what was wanted.
        } catch (JMException | RuntimeException e) {
            failures.note("The view of this node stays in JMX", e);
        }
    }
}
