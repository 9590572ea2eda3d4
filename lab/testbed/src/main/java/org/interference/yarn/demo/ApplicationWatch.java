package org.interference.yarn.demo;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** Turns what the ResourceManager says about its applications into one line per step of their lives. */
final class ApplicationWatch {
    private static final int DIAGNOSTICS_SHOWN = 8;

    private final YarnClient client;
    private final DemoHome home;
    private final Progress progress;
    private final Map<ApplicationId, Step> seen = new HashMap<>();
    private final Set<String> failed = new TreeSet<>();

    private enum Step {
        SUBMITTED,
        RUNNING,
        ENDED
    }

    ApplicationWatch(YarnClient client, DemoHome home, Progress progress) {
        this.client = client;
        this.home = home;
        this.progress = progress;
    }

    /** Prints the steps taken since the last look. */
    void look() throws IOException, YarnException {
        client.getApplications().stream()
                .sorted(Comparator.comparing(ApplicationReport::getApplicationId))
                .forEach(this::report);
    }

    /** The ids of all applications seen so far. */
    Set<String> applications() {
        Set<String> ids = new TreeSet<>();
        seen.keySet().forEach(id -> ids.add(id.toString()));
        return ids;
    }

    /** The ids of the applications that did not succeed. */
    Set<String> failed() {
        return Set.copyOf(failed);
    }

    private void report(ApplicationReport application) {
        Step step = step(application.getYarnApplicationState());
        Step before = seen.put(application.getApplicationId(), step);
        if (before == step) {
            return;
        }
        progress.event("%-16s %-10s %s"
                .formatted(application.getName(), describe(application, step), application.getApplicationId()));
        if (step == Step.ENDED && application.getFinalApplicationStatus() != FinalApplicationStatus.SUCCEEDED) {
            failed.add(application.getApplicationId().toString());
            application
                    .getDiagnostics()
                    .lines()
                    .filter(line -> !line.isBlank())
                    .limit(DIAGNOSTICS_SHOWN)
                    .forEach(line -> progress.plain("           " + line));
            progress.plain(
                    "           container logs: %s/*/logs/%s".formatted(home.nodes(), application.getApplicationId()));
        }
    }

    private static String describe(ApplicationReport application, Step step) {
        return switch (step) {
            case SUBMITTED -> "submitted";
            case RUNNING -> "running";
            case ENDED -> application.getFinalApplicationStatus().toString();
        };
    }

    private static Step step(YarnApplicationState state) {
        return switch (state) {
            case NEW, NEW_SAVING, SUBMITTED, ACCEPTED -> Step.SUBMITTED;
            case RUNNING -> Step.RUNNING;
            case FINISHED, FAILED, KILLED -> Step.ENDED;
        };
    }
}
