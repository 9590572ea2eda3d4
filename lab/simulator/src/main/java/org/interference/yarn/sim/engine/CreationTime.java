package org.interference.yarn.sim.engine;

import java.lang.reflect.Field;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;

/** When a container was made, which YARN asks this machine's clock: a run would depend on when it is made. */
public final class CreationTime {
    private static final Field CREATED = created();

    private CreationTime() {}

    /** Has {@code container} count as made at {@code time} if YARN says that it was made later; in the unit and from the beginning that the caller goes by. */
    public static void atMost(RMContainer container, long time) {
        if (container.getCreationTime() > time) {
            try {
                CREATED.setLong(container, time);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static Field created() {
        try {
            Field field = RMContainerImpl.class.getDeclaredField("creationTime");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }
}
