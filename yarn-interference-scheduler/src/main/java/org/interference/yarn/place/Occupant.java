package org.interference.yarn.place;

import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.interference.yarn.profile.TaskIdentity;

/** Who is in a container, or is to be, as far as it matters to its neighbours. Thread-safe; equal only to itself. */
public final class Occupant {
    /** One of whom nothing is known. */
    static final Occupant ANONYMOUS = new Occupant("", "", Wishes.NONE, () -> null);

    private final String attempt;
    private final String application;
    private final String queue;
    private final Wishes wishes;
    private final Supplier<TaskIdentity> task;
    /** Made when somebody first avoids somebody. */
    private volatile Set<String> names;

    /**
     * @param attempt the application attempt id as YARN writes it: the application's, and a number
     * @param queue the full path of its application's queue; empty if it is not known
     * @param task asked at most a few times, on a scheduling thread; null if it is not known
     */
    public Occupant(String attempt, String queue, Wishes wishes, Supplier<TaskIdentity> task) {
        this.attempt = attempt;
        this.application = attempt.substring(0, Math.max(0, attempt.lastIndexOf('_')));
        this.queue = queue;
        this.wishes = wishes;
        this.task = task;
    }

    /** Returns the same of an application with these wishes. */
    Occupant with(Wishes others) {
        return others.equals(wishes) ? this : new Occupant(attempt, queue, others, task);
    }

    String queue() {
        return queue;
    }

    Wishes wishes() {
        return wishes;
    }

    /** Returns how many of the wishes of both are broken by placing this one beside {@code other}. */
    int breachesBeside(Occupant other) {
        boolean own = !application.isEmpty() && application.equals(other.application);
        int breaches = 0;
        if (own) {
            breaches += wishes.spread() ? 1 : 0;
        } else {
            breaches += wishes.exclusive() ? 1 : 0;
            breaches += other.wishes.exclusive() ? 1 : 0;
        }
        if (!wishes.avoided().isEmpty() && !Collections.disjoint(wishes.avoided(), other.names())) {
            breaches++;
        }
        return breaches;
    }

    /** Returns, in lower case, the tag of its task and the keys that a profile of it may be filed under. */
    private Set<String> names() {
        Set<String> known = names;
        if (known == null) {
            // Two threads may both make it; they make the same.
            known = namesOf(task.get());
            names = known;
        }
        return known;
    }

    private static Set<String> namesOf(TaskIdentity task) {
        Set<String> names = new HashSet<>();
        if (task != null) {
            task.tag().ifPresent(tag -> names.add(tag.toLowerCase(Locale.ROOT)));
            task.keys().forEach(key -> names.add(key.text().toLowerCase(Locale.ROOT)));
        }
        return Set.copyOf(names);
    }
}
