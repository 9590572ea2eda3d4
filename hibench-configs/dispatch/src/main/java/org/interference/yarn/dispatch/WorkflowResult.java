package org.interference.yarn.dispatch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;
import org.interference.yarn.dispatch.WorkflowDispatch.RuleTimes;
import org.interference.yarn.dispatch.dag.FileUse;
import org.interference.yarn.dispatch.dag.Rule;
import org.interference.yarn.dispatch.dag.RuleEnd;
import org.interference.yarn.dispatch.dag.Workflow;
import org.interference.yarn.dispatch.dag.WorkflowRun;
import org.interference.yarn.dispatch.dag.WorkflowRun.State;

/**
 * What became of a workflow. Times are this machine's, of the last start of each rule; a rule that an earlier process has done has none.
 *
 * @param began when the workflow was first begun, in ms since 1970
 * @param times by the rule's number
 */
record WorkflowResult(String run, long began, Workflow workflow, WorkflowRun state, Map<Integer, RuleTimes> times) {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final double MILLIS = 1000.0;

    boolean isComplete() {
        return state.isOver();
    }

    boolean isSuccess() {
        return state.count(State.DONE) == workflow.rules().size();
    }

    private OptionalLong lastEnd() {
        return times.values().stream()
                .mapToLong(RuleTimes::endedMillis)
                .filter(millis -> millis > 0)
                .max();
    }

    private Map<String, Integer> states() {
        Map<String, Integer> states = new LinkedHashMap<>();
        for (State one : State.values()) {
            if (state.count(one) > 0) {
                states.put(one.name(), state.count(one));
            }
        }
        return states;
    }

    /** Returns the whole as JSON; {@code complete} and {@code failed} as {@link Result#statusOf} reads them. */
    String json() {
        ObjectNode json = JSON.createObjectNode()
                .put("run", run)
                .put("complete", isComplete())
                .put("beganMillis", began);
        ObjectNode states = json.putObject("states");
        states().forEach(states::put);
        ArrayNode failed = json.putArray("failed");
        ArrayNode rules = json.putArray("rules");
        for (Rule rule : workflow.rules()) {
            if (state.state(rule) == State.FAILED || state.state(rule) == State.LEFT_OUT) {
                failed.add(rule.number());
            }
            rules.add(json(rule));
        }
        try {
            return JSON.writeValueAsString(json) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree cannot be written", e);
        }
    }

    private ObjectNode json(Rule rule) {
        ObjectNode json = JSON.createObjectNode()
                .put("rule", rule.number())
                .put("line", rule.line())
                .put("category", rule.category())
                .put("state", state.state(rule).name())
                .put("starts", state.starts(rule));
        ArrayNode targets = json.putArray("targets");
        rule.targets().forEach(target -> targets.add(target.name()));
        time(rule).ifPresent(time -> {
            json.put("startMillis", time.startedMillis());
            if (time.endedMillis() > 0) {
                json.put("endMillis", time.endedMillis());
            }
            time.end().ifPresent(end -> json.put("where", end.where()));
            time.end().map(RuleEnd::said).filter(said -> !said.isEmpty()).ifPresent(said -> json.put("said", said));
        });
        return json;
    }

    private Optional<RuleTimes> time(Rule rule) {
        return Optional.ofNullable(times.get(rule.number()));
    }

    /** Returns a line for each rule. */
    String tsv() {
        StringBuilder text =
                new StringBuilder("rule\tline\tcategory\tstate\tstarts\tstart_ms\tend_ms\twhere\ttargets\n");
        for (Rule rule : workflow.rules()) {
            Optional<RuleTimes> time = time(rule);
            text.append(new StringJoiner("\t", "", "\n")
                    .add(Integer.toString(rule.number()))
                    .add(Integer.toString(rule.line()))
                    .add(rule.category())
                    .add(state.state(rule).name())
                    .add(Integer.toString(state.starts(rule)))
                    .add(time.map(one -> Long.toString(one.startedMillis())).orElse("-"))
                    .add(time.map(RuleTimes::endedMillis)
                            .filter(millis -> millis > 0)
                            .map(String::valueOf)
                            .orElse("-"))
                    .add(time.flatMap(RuleTimes::end).map(RuleEnd::where).orElse("-"))
                    .add(String.join(
                            " ", rule.targets().stream().map(FileUse::name).toList())));
        }
        return text.toString();
    }

    /** Returns the whole in a few words. */
    String summary() {
        StringJoiner words = new StringJoiner(", ");
        states().forEach((one, count) -> words.add(count + " " + one));
        if (isComplete() && lastEnd().isPresent()) {
            words.add("%.1f s from the first start to the last end"
                    .formatted((lastEnd().getAsLong() - began) / MILLIS));
        }
        return words.toString();
    }
}
