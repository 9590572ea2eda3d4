package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.learn.Traffic;

/** Who talks to whom: containers now, and kinds of task over days. */
final class TrafficAnswers {
    private static final int MOST_KINDS = 100;

    private final Sources sources;
    private final Viewer viewer;
    private final PairAnswers parties;

    TrafficAnswers(Sources sources, Viewer viewer) {
        this.sources = sources;
        this.viewer = viewer;
        this.parties = new PairAnswers(sources, viewer);
    }

    /** Which containers are asked for, either of two; empty for any. */
    record Filter(Optional<String> node, Optional<String> application) {
        static final Filter NONE = new Filter(Optional.empty(), Optional.empty());

        private boolean holds(Traffic.Talk talk) {
            boolean isThere = node.map(
                            on -> on.equals(talk.node()) || talk.otherNode().equals(Optional.of(on)))
                    .orElse(true);
            return isThere && application.map(of -> isOf(talk, of)).orElse(true);
        }

        private static boolean isOf(Traffic.Talk talk, String application) {
            return ContainerAnswers.applicationOf(talk.container()).equals(application)
                    || talk.other().map(ContainerAnswers::applicationOf).equals(Optional.of(application));
        }
    }

    /** Those with the most bytes first. */
    ObjectNode traffic(Page page, Filter filter) {
        Instant now = sources.clock().instant();
        Traffic traffic = sources.learnt().traffic();
        // Whoever asks for one by name could tell by an answer that it is there.
        boolean hidden = filter.application().filter(id -> !viewer.mayView(id)).isPresent();
        List<Traffic.Talk> talks = hidden
                ? List.of()
                : traffic.talks(now).stream().filter(filter::holds).toList();
        ObjectNode answer = page.answer("traffic", talks, this::describe);
        int nodes = traffic.nodes(now);
        answer.put("nodesThatTell", nodes);
        if (nodes == 0) {
            answer.put(
                    "reason",
                    "no node tells to whom its containers talk: intpd must run with --peers, and count by eBPF");
        }
        ArrayNode kinds = answer.putArray("kinds");
        traffic.kinds(now).stream().limit(MOST_KINDS).forEach(pair -> kinds.addObject()
                .put("kind", viewer.key(pair.kind()))
                .put("other", viewer.key(pair.other()))
                .put("bytes", Math.round(pair.bytes())));
        return answer;
    }

    private void describe(ObjectNode json, Traffic.Talk talk) {
        parties.party(json.putObject("container"), talk.container());
        json.put("node", talk.node()).put("peer", talk.peer().name());
        talk.other().ifPresent(other -> parties.party(json.putObject("other"), other));
        talk.otherNode().ifPresent(node -> json.put("otherNode", node));
        json.put("sentPerSecond", Json.rounded(talk.sent())).put("receivedPerSecond", Json.rounded(talk.received()));
    }
}
