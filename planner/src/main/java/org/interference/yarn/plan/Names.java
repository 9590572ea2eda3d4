package org.interference.yarn.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What names must be. */
final class Names {
    private static final int LONGEST = 256;

    private Names() {}

    static void require(String what, String name) {
        if (name.isBlank()) {
            throw new PlanException("A %s has no name".formatted(what));
        }
        if (name.chars().anyMatch(Character::isISOControl)) {
            throw new PlanException("The name of a %s has a control character in it".formatted(what));
        }
        if (name.length() > LONGEST) {
            throw new PlanException(
                    "The name of a %s has %d characters but may have %d".formatted(what, name.length(), LONGEST));
        }
    }

    static void requireDifferent(String what, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw new PlanException("There are two %ss called '%s'".formatted(what, name));
            }
        }
    }
}
