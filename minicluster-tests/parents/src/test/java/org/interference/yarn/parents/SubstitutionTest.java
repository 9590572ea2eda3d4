package org.interference.yarn.parents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.InterferenceAwareScheduler;
import org.junit.jupiter.api.Test;

/** A class that uses schedulers as YARN's tests do gets ours. */
class SubstitutionTest {
    /** What is rewritten; loaded by a loader of its own, and so known here only as a supplier. */
    public static final class Uses implements Supplier<List<Object>> {
        /** As some of YARN's tests have. */
        public static final class Named extends FairScheduler {}

        @Override
        public List<Object> get() {
            CapacityScheduler created = new CapacityScheduler();
            return List.of(created, new Named(), CapacityScheduler.class, FairScheduler.class.getName());
        }
    }

    /** Loads the classes that begin with {@code Uses} anew, rewritten. */
    private static final class Rewriting extends ClassLoader {
        Rewriting() {
            super(SubstitutionTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(Uses.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? rewritten(name) : loaded;
        }

        private Class<?> rewritten(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = Substitution.in(file.readAllBytes());
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void oursStandWhereTheParentsAreCreatedExtendedOrNamed() throws ReflectiveOperationException {
        Supplier<?> uses = (Supplier<?>)
                new Rewriting().loadClass(Uses.class.getName()).getConstructor().newInstance();

        List<?> used = (List<?>) uses.get();

        assertThat(used.get(0)).isExactlyInstanceOf(InterferenceAwareScheduler.class);
        assertThat(used.get(1)).isInstanceOf(InterferenceAwareFairScheduler.class);
        assertThat(used.get(2)).isEqualTo(InterferenceAwareScheduler.class);
        assertThat(used.get(3)).isEqualTo(InterferenceAwareFairScheduler.class.getName());
    }
}
