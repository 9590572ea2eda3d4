package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.TreeMap;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.capacity.SizeDecision;

/** How large nodes are, and how large they should be. */
final class CapacityAnswers {
    private final CapacityReport report;

    CapacityAnswers(Sources sources) {
        this.report = sources.capacity().get();
    }

    /** @param contains what is in the names of the nodes that are asked for */
    ObjectNode capacity(Page page, String contains) {
        List<CapacityReport.Node> wanted = report.nodes().stream()
                .filter(node -> node.node().contains(contains))
                .toList();
        ObjectNode answer = page.answer("nodes", wanted, CapacityAnswers::describe);
        answer.put("mode", Json.lowerCase(report.mode()));
        answer.put("configuredMode", Json.lowerCase(report.configuredMode()));
        ObjectNode labels = answer.putObject("labelModes");
        new TreeMap<>(report.labelModes()).forEach((label, mode) -> labels.put(label, Json.lowerCase(mode)));
        ObjectNode all = answer.putObject("all");
        all.put("nodes", report.nodes().size()).put("grown", report.grown());
        describe(all.putObject("configured"), report.total(CapacityReport.Node::configured));
        describe(all.putObject("usable"), report.total(CapacityReport.Node::usable));
        describe(all.putObject("used"), report.total(CapacityReport.Node::used));
        describe(all.putObject("wanted"), report.total(CapacityReport.Node::wanted));
        answer.put("gainSeconds", Json.rounded(report.gainSeconds()));
        answer.put("notApplied", report.notApplied());
        answer.put("evictions", report.evictions());
        answer.put("killed", report.killed());
        answer.put("lostShare", Json.rounded(report.lostShare()));
        ObjectNode reasons = answer.putObject("reasons");
        new TreeMap<>(report.reasons()).forEach((reason, count) -> reasons.put(reason.name(), count));
        return answer;
    }

    private static void describe(ObjectNode json, CapacityReport.Node node) {
        json.put("node", node.node());
        describe(json.putObject("configured"), node.configured());
        describe(json.putObject("usable"), node.usable());
        describe(json.putObject("used"), node.used());
        node.standsBack().ifPresent(why -> json.put("standsBack", why.name()));
        node.decision().ifPresent(decision -> describe(json, decision));
    }

    private static void describe(ObjectNode json, SizeDecision decision) {
        describe(json.putObject("wanted"), decision.size());
        json.put("action", decision.action().name())
                .put("reason", decision.reason().name());
        SizeDecision.Figures figures = decision.figures();
        figures.gainAtLeast().ifPresent(gain -> putFinite(json, "gainAtLeast", gain));
        figures.gainAtMost().ifPresent(gain -> putFinite(json, "gainAtMost", gain));
        json.put("expectedMemoryMb", Math.round(figures.memoryMb()))
                .put("memoryLimitMb", Math.round(figures.limitMb()));
    }

    /** An interval without an end has none in JSON. */
    private static void putFinite(ObjectNode json, String name, double gain) {
        if (Double.isFinite(gain)) {
            json.put(name, Json.rounded(gain));
        }
    }

    private static void describe(ObjectNode json, Size size) {
        json.put("memoryMb", size.memoryMb()).put("vcores", size.vcores());
    }
}
