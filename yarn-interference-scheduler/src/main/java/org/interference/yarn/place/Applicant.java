package org.interference.yarn.place;

import java.util.function.Supplier;

/**
 * The application attempt that asks, as far as tags ask for it. Equal to another of the same attempt with the same wishes; all that wish for
 * nothing are equal. Immutable.
 *
 * @param attempt empty for one that wishes for nothing: whose it is then matters to nobody
 * @param occupant who will be in its containers
 */
public record Applicant(String attempt, Wishes wishes, Supplier<Occupant> occupant) {
    static Applicant of(Request request) {
        String attempt = request.wishes().equals(Wishes.NONE) ? "" : request.attempt();
        return new Applicant(attempt, request.wishes(), request::occupant);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Applicant applicant
                && attempt.equals(applicant.attempt)
                && wishes.equals(applicant.wishes);
    }

    @Override
    public int hashCode() {
        return 31 * attempt.hashCode() + wishes.hashCode();
    }
}
