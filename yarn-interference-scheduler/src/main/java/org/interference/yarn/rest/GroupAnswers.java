package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.place.Groups;

/** Which applications get nothing yet, because their first containers are to start together. */
final class GroupAnswers {
    private final Sources sources;
    private final Viewer viewer;

    GroupAnswers(Sources sources, Viewer viewer) {
        this.sources = sources;
        this.viewer = viewer;
    }

    /** @param application that is asked for; empty for all that the viewer may view */
    ObjectNode groups(Page page, Optional<String> application) {
        List<Groups.Waiting> waiting = sources
                .placement()
                .groups()
                .waiting(sources.clock().instant())
                .stream()
                .filter(group -> viewer.mayView(group.application())
                        && application
                                .filter(id -> !id.equals(group.application()))
                                .isEmpty())
                .toList();
        return page.answer("groups", waiting, GroupAnswers::describe);
    }

    private static void describe(ObjectNode json, Groups.Waiting group) {
        json.put("application", group.application())
                .put("attempt", group.attempt())
                .put("size", group.size())
                .put("fit", group.there())
                .put("secondsLeft", group.left().toSeconds())
                .put("why", group.sentence());
    }
}
