package org.interference.yarn.dispatch.dag.yarn;

import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.interference.yarn.dispatch.dag.Rule;
import org.interference.yarn.dispatch.dag.RuleEnd.Outcome;

/** What a container's exit status says of its rule. Pure. */
final class RuleStatus {
    private static final int LONGEST = 400;

    /** YARN ended the container, or its node did, whatever it ran. */
    private static final Set<Integer> TAKEN_BACK = Set.of(
            ContainerExitStatus.ABORTED,
            ContainerExitStatus.DISKS_FAILED,
            ContainerExitStatus.PREEMPTED,
            ContainerExitStatus.KILLED_BY_RESOURCEMANAGER,
            ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER);

    private static final Set<Integer> OUT_OF_MEMORY =
            Set.of(ContainerExitStatus.KILLED_EXCEEDED_PMEM, ContainerExitStatus.KILLED_EXCEEDED_VMEM);

    private RuleStatus() {}

    static Outcome outcome(int status) {
        if (status == ContainerExitStatus.SUCCESS) {
            return Outcome.SUCCEEDED;
        }
        return TAKEN_BACK.contains(status) ? Outcome.LOST : Outcome.FAILED;
    }

    /** Returns why a rule did not succeed, in one line, with the last that the container said. */
    static String said(Rule rule, int status, String diagnostics) {
        String why = OUT_OF_MEMORY.contains(status)
                ? "took more memory than its %d MB".formatted(rule.needs().memoryMb())
                : "ended with status %d".formatted(status);
        String text = Optional.ofNullable(diagnostics).orElse("").strip().replaceAll("\\s+", " ");
        return text.isEmpty()
                ? why
                : why + ": " + (text.length() > LONGEST ? "..." + text.substring(text.length() - LONGEST) : text);
    }
}
