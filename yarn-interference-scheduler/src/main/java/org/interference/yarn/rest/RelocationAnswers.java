package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.interference.yarn.relocate.Candidate;
import org.interference.yarn.relocate.HerdChoice;
import org.interference.yarn.relocate.Judgement;
import org.interference.yarn.relocate.RelocationReport;
import org.interference.yarn.relocate.Tally;
import org.interference.yarn.relocate.WorkAccount;

/** Which containers should leave their nodes, and why. */
final class RelocationAnswers {
    private final RelocationReport report;
    private final Viewer viewer;

    RelocationAnswers(Sources sources, Viewer viewer) {
        this.report = sources.relocation().get();
        this.viewer = viewer;
    }

    /** @param application whose containers are asked for; empty for all */
    ObjectNode relocations(Page page, Optional<String> application) {
        List<Judgement> wanted = report.judgements().stream()
                .filter(judgement -> application
                        .filter(id -> !id.equals(judgement.candidate().application()) || !viewer.mayView(id))
                        .isEmpty())
                .toList();
        ObjectNode answer = page.answer("containers", wanted, this::describe);
        answer.put("mode", report.mode().written());
        answer.put("configuredMode", report.configuredMode().written());
        describe(answer, report.tally());
        ArrayNode published = answer.putArray("published");
        report.published().forEach(choice -> describe(published.addObject(), choice));
        return answer;
    }

    private static void describe(ObjectNode answer, Tally tally) {
        answer.put("asked", tally.asked())
                .put("left", tally.left())
                .put("finished", tally.finished())
                .put("helped", tally.helped())
                .put("harmed", tally.harmed())
                .put("lostSeconds", Json.rounded(tally.lostSeconds()));
        tally.backedOffUntil().ifPresent(until -> answer.put("backedOffUntil", until.toString()));
        ObjectNode reasons = answer.putObject("reasons");
        new TreeMap<>(tally.reasons()).forEach((reason, count) -> reasons.put(reason.name(), count));
    }

    private void describe(ObjectNode json, Judgement judgement) {
        Candidate candidate = judgement.candidate();
        boolean visible = viewer.mayView(candidate.application());
        json.put("visible", visible).put("node", candidate.node());
        if (visible) {
            json.put("container", candidate.container()).put("application", candidate.application());
            candidate.queue().ifPresent(queue -> json.put("queue", queue));
            candidate.kind().ifPresent(kind -> json.put("kind", viewer.key(kind.name())));
        }
        json.put("goes", judgement.goes())
                .put("reason", judgement.reason().name())
                .put("why", judgement.reason().sentence())
                .put("ranSeconds", candidate.ran().toSeconds());
        candidate.staying().ifPresent(staying -> json.put("slowdown", Json.rounded(staying.slowdown()))
                .put("harm", Json.rounded(staying.harm())));
        candidate.target().ifPresent(target -> json.put("target", target.node()));
        judgement.account().ifPresent(account -> describe(json, account));
    }

    private static void describe(ObjectNode json, WorkAccount account) {
        json.put("savedSeconds", Json.rounded(account.saved()))
                .put("lostSeconds", Json.rounded(account.lost()))
                .put("progressAtMost", Json.rounded(account.progress()));
    }

    private void describe(ObjectNode json, HerdChoice choice) {
        json.put("policy", choice.policy());
        choice.move().ifPresent(move -> {
            ObjectNode moved = json.putObject("move");
            if (viewer.mayView(ContainerAnswers.applicationOf(move.container()))) {
                moved.put("container", move.container());
            }
            moved.put("from", move.from()).put("to", move.to());
        });
        ArrayNode gates = json.putArray("gates");
        choice.checks().forEach(check -> gates.addObject()
                .put("gate", check.gate().name())
                .put("passed", check.passed())
                .put("value", Json.rounded(check.value()))
                .put("threshold", check.threshold()));
    }
}
