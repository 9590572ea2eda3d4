package org.interference.yarn.dispatch;

import java.util.List;

/**
 * Where data are on the cluster's file system; arguments name it by {@code ${input}}, the job's data set, {@code ${output}}, which
 * no other job has, and {@code ${work}}. Immutable.
 */
record Places(String work, String run, ScaleProfile scale) {
    String data(String name) {
        return "%s/data/%s-%s".formatted(work, name, scale.label());
    }

    String output(int instance) {
        return "%s/runs/%s/%d".formatted(work, run, instance);
    }

    List<String> filled(Job job, String output) {
        return job.arguments().stream()
                .map(argument -> argument.replace("${work}", work)
                        .replace("${output}", output)
                        .replace("${input}", job.data().map(this::data).orElse(work)))
                .toList();
    }
}
