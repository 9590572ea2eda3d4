package org.interference.yarn.dispatch;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What is known of one job of a run. Not thread-safe. */
final class JobRun {
    /** What became of a job. */
    enum State {
        /** Its time has not come. */
        WAITING,
        /** Its client, or an application of it, has something to do yet. */
        RUNNING,
        /** Its client and every application of it have done their part. */
        SUCCEEDED,
        FAILED,
        KILLED,
        /** Its applications succeeded, so far as they were submitted, and its client failed. */
        CLIENT_FAILED,
        /** No application has its tags, and no client will bring one. */
        NO_APPLICATION,
        /** A load test ended before its time came. */
        LEFT_OUT
    }

    private static final double MILLIS = 1000.0;

    private final Submission submission;
    private final Map<String, Application> applications = new LinkedHashMap<>();
    private final Map<String, String> containers = new TreeMap<>();
    private Optional<Long> submitted = Optional.empty();
    private boolean clientIsThere;
    private boolean clientHasEnded;
    private boolean lookedAtSince;
    private boolean leftOut;
    private Optional<String> clientFailure = Optional.empty();

    JobRun(Submission submission) {
        this.submission = submission;
    }

    Submission submission() {
        return submission;
    }

    /** Hands it to a client of this process. */
    void submit(long millis) {
        submitted = Optional.of(millis);
        clientIsThere = true;
    }

    /** It will not be submitted. */
    void leaveOut() {
        leftOut = true;
    }

    /** An earlier process handed it to a client, which ended with that process if nothing else is known. */
    void wasSubmitted(long millis) {
        submitted = Optional.of(millis);
    }

    void clientEnded(Optional<String> failure) {
        clientIsThere = false;
        clientHasEnded = true;
        clientFailure = failure;
        lookedAtSince = false;
    }

    /** Takes in what YARN knows of an application of this job; what was known before and is not now stays. */
    void seen(Application application) {
        applications.put(application.id(), application);
    }

    void seen(Yarn.Container container) {
        containers.put(container.id(), container.node());
    }

    /** All of YARN's applications have been looked through. */
    void lookedAt() {
        lookedAtSince = true;
    }

    Optional<Long> submitted() {
        return submitted;
    }

    /**
     * Returns for how long YARN has known it, from its first application's submission until now, or until its last one's end, by the
     * ResourceManager's clock, in seconds; empty while YARN does not know it.
     */
    OptionalDouble secondsWithYarn() {
        OptionalLong first = applications.values().stream()
                .mapToLong(Application::submitted)
                .filter(millis -> millis > 0)
                .min();
        OptionalLong last = applications.values().stream()
                .mapToLong(
                        application -> Math.max(application.ended(), application.submitted() + application.elapsed()))
                .max();
        return first.isPresent()
                ? OptionalDouble.of((last.getAsLong() - first.getAsLong()) / MILLIS)
                : OptionalDouble.empty();
    }

    Collection<Application> applications() {
        return applications.values();
    }

    /** Containers' ids have the cluster's time and the application's number in common with its id. */
    List<Yarn.Container> containersOf(Application application) {
        String number = application.id().replaceFirst("^application_", "_") + "_";
        return containers.entrySet().stream()
                .filter(container -> (container.getKey() + "_").contains(number))
                .map(container -> new Yarn.Container(container.getKey(), container.getValue()))
                .toList();
    }

    int containers() {
        return containers.size();
    }

    Collection<String> nodes() {
        return new TreeSet<>(containers.values());
    }

    /** Whether an earlier process may have ended between writing down that it submits this and doing so. */
    boolean mayNotHaveBeenSubmitted() {
        return submitted.isPresent() && !clientIsThere && !clientHasEnded && applications.isEmpty();
    }

    boolean isOver() {
        State state = state();
        return state != State.WAITING && state != State.RUNNING;
    }

    /** Whether it is over and should have succeeded. */
    boolean hasFailed() {
        return isOver() && state() != State.SUCCEEDED && state() != State.LEFT_OUT;
    }

    State state() {
        if (submitted.isEmpty()) {
            return leftOut ? State.LEFT_OUT : State.WAITING;
        }
        boolean allOver = applications.values().stream().allMatch(Application::isOver);
        if (clientIsThere || !allOver || !lookedAtSince) {
            return State.RUNNING;
        }
        if (applications.isEmpty()) {
            return State.NO_APPLICATION;
        }
        if (applications.values().stream().anyMatch(Application::wasKilled)) {
            return State.KILLED;
        }
        if (!applications.values().stream().allMatch(Application::hasSucceeded)) {
            return State.FAILED;
        }
        return clientFailure.isPresent() ? State.CLIENT_FAILED : State.SUCCEEDED;
    }

    /** Returns why it did not succeed, in one line; empty if it did or nobody says. */
    Optional<String> diagnostics() {
        String told = applications.values().stream()
                .filter(application -> application.isOver() && !application.hasSucceeded())
                .map(Application::diagnostics)
                .filter(text -> !text.isBlank())
                .collect(Collectors.joining("; "));
        String all = clientFailure
                .map(failure -> told.isEmpty() ? failure : told + "; client: " + failure)
                .orElse(told);
        return Optional.of(all.strip().replaceAll("\\s+", " ")).filter(text -> !text.isEmpty());
    }
}
