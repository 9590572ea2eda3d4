package org.interference.yarn.place;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** Whose tags are heard, and who is in a container while that matters to somebody's wishes. Thread-safe. */
final class HeardWishes implements Occupants {
    private final Function<String, Optional<Occupant>> running;
    private final Supplier<PlaceSettings> settings;
    /** Whether an application that lives may wish for anything. */
    private volatile boolean any;

    /** @param running who is in a container, by its id, with all that its tags say */
    HeardWishes(Function<String, Optional<Occupant>> running, Supplier<PlaceSettings> settings) {
        this.running = running;
        this.settings = settings;
    }

    @Override
    public boolean matter() {
        return any || !settings.get().sensitivities().values().isEmpty();
    }

    @Override
    public Occupant of(String container) {
        return running.apply(container)
                .map(occupant -> occupant.with(heard(occupant.queue(), occupant.wishes())))
                .orElse(Occupant.ANONYMOUS);
    }

    @Override
    public double weight(String queue, Wishes wishes) {
        return wishes.sensitivity()
                .orElseGet(() -> settings.get().sensitivities().of(queue, 1.0));
    }

    /** Returns what an application in {@code queue} is heard to wish of what its tags say. */
    Wishes heard(String queue, Wishes wishes) {
        return wishes.equals(Wishes.NONE)
                ? wishes
                : wishes.within(settings.get().tags().of(queue, 0.0));
    }

    Request heard(Request request) {
        return request.with(heard(request.queue(), request.wishes()));
    }

    /** Returns whether an application that lives may wish for anything. */
    boolean any() {
        return any;
    }

    /** Takes note of a request, and returns whether it is the first that wishes for something. */
    boolean notice(Request request) {
        if (any || request.wishes().equals(Wishes.NONE)) {
            return false;
        }
        any = true;
        return true;
    }

    /** Returns whether nobody that lives wishes for anything any more. */
    boolean forget(BooleanSupplier anybody) {
        if (!any || anybody.getAsBoolean()) {
            return false;
        }
        any = false;
        return true;
    }
}
