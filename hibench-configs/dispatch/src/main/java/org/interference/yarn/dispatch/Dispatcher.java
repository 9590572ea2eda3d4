package org.interference.yarn.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.interference.yarn.cli.rm.RmException;
import org.interference.yarn.dispatch.RunJournal.Entry;
import org.interference.yarn.dispatch.RunJournal.Event;

/**
 * One run: hands each job to its client when its time comes, looks at YARN now and then, and ends when every job is over or it is
 * told to stop. Runs in one thread; clients have their own.
 */
final class Dispatcher {
    /**
     * A load test.
     *
     * @param kill kills what the run has submitted and is not over, and returns what that was
     */
    record Guard(LoadTest test, Callable<List<String>> kill) {}

    /** How a run is done. Immutable. */
    record Settings(
            String run, String queue, List<String> tags, Places places, Duration lookEvery, Optional<Guard> guard) {
        Settings {
            tags = List.copyOf(tags);
        }
    }

    private record ClientEnd(JobRun job, Optional<String> failure) {}

    private final Settings settings;
    private final RunDirectory directory;
    private final RunJournal journal;
    private final List<JobRun> jobs;
    private final Map<Framework, Client> clients;
    private final Executor threads;
    private final Yarn yarn;
    private final Pace pace;
    private final Screen screen;
    private final ConcurrentLinkedQueue<ClientEnd> ends = new ConcurrentLinkedQueue<>();
    private final Set<String> journalled = new HashSet<>();
    private volatile boolean stopped;
    private Optional<LoadTest.State> load = Optional.empty();
    private Optional<Yarn.Capacity> capacity = Optional.empty();
    private Optional<String> silence = Optional.empty();
    private long began;

    Dispatcher(
            Settings settings,
            RunDirectory directory,
            RunJournal journal,
            List<Submission> timetable,
            Map<Framework, Client> clients,
            Executor threads,
            Yarn yarn,
            Pace pace,
            Screen screen) {
        this.settings = settings;
        this.directory = directory;
        this.journal = journal;
        this.jobs = timetable.stream().map(JobRun::new).toList();
        this.clients = Map.copyOf(clients);
        this.threads = threads;
        this.yarn = yarn;
        this.pace = pace;
        this.screen = screen;
    }

    /**
     * Makes sure that a run which has not begun is the only one of its name: its applications are found by that alone.
     *
     * @throws InputException if YARN knows applications of another one
     */
    static void requireOwnName(Yarn yarn, String run) throws RmException, InputException {
        List<Application> others = yarn.applications(run);
        if (!others.isEmpty()) {
            throw new InputException(
                    "YARN knows %d applications of another run that is called %s (%s): give a --run-dir with another last name"
                            .formatted(others.size(), run, others.get(0).id()));
        }
    }

    /** Stops submitting, and makes {@link #run} return; safe from every thread. */
    void stop() {
        stopped = true;
        pace.wake();
    }

    /**
     * Takes in what an earlier process did.
     *
     * @param entries the journal as it was found
     */
    void resume(List<Entry> entries) {
        for (Entry entry : entries) {
            switch (entry.event()) {
                case BEGAN -> began = entry.millis();
                case SUBMITTING -> jobs.get(entry.instance()).wasSubmitted(entry.millis());
                case CLIENT_ENDED -> jobs.get(entry.instance()).clientEnded(entry.detail());
                case APPLICATION -> {
                    journalled.add(entry.application().orElseThrow().id());
                    jobs.get(entry.instance()).seen(entry.application().orElseThrow());
                    entry.containers().forEach(jobs.get(entry.instance())::seen);
                }
            }
        }
    }

    /** Submits, and waits for the end. */
    Result run() throws InterruptedException {
        if (began == 0) {
            began = pace.millis();
            journal.write(Entry.of(Event.BEGAN, began, 0, Optional.empty()));
        } else {
            goOn();
        }
        long nextLook = pace.millis();
        watch();
        while (!stopped && !isOver()) {
            submitWhatIsDue();
            takeClientEnds();
            if (pace.millis() >= nextLook) {
                look();
                watch();
                nextLook = pace.millis() + settings.lookEvery().toMillis();
                report();
            }
            if (!isOver()) {
                pace.waitUntil(Math.min(nextLook, nextDue()));
            }
        }
        takeClientEnds();
        look();
        report();
        return new Result(
                settings.run(),
                began,
                jobs,
                capacity,
                !isOver(),
                settings.guard().map(guard -> LoadReport.of(guard.test(), jobs, capacity)));
    }

    /** Lets the load test decide: what is left when it ends is never submitted, and what runs when it aborts is killed. */
    private void watch() {
        if (settings.guard().isEmpty()) {
            return;
        }
        LoadTest.State now = settings.guard().get().test().state(jobs);
        load = Optional.of(now);
        if (now.outcome() != LoadTest.Outcome.GOES_ON) {
            jobs.stream().filter(job -> job.submitted().isEmpty()).forEach(JobRun::leaveOut);
        }
        if (now.outcome() == LoadTest.Outcome.ABORTED && !isOver()) {
            kill(settings.guard().get());
        }
    }

    /** A client may submit after this, and the ResourceManager may not answer: it is done at each look until all is over. */
    private void kill(Guard guard) {
        try {
            List<String> killed = guard.kill().call();
            if (!killed.isEmpty()) {
                screen.say("The load test aborts, and kills %s".formatted(String.join(", ", killed)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            screen.say("The load test aborts and cannot kill what runs yet: %s".formatted(e.getMessage()));
        }
    }

    private boolean mayBegin(JobRun job) {
        return job.state() == JobRun.State.WAITING
                && load.map(state -> settings.guard()
                                .orElseThrow()
                                .test()
                                .allows(state, job.submission().instance()))
                        .orElse(true);
    }

    /** The timetable goes on where it was; the time in between is left out. */
    private void goOn() {
        List<JobRun> before =
                jobs.stream().filter(job -> job.submitted().isPresent()).toList();
        long done = before.stream().mapToLong(job -> due(job) - began).max().orElse(0);
        began = pace.millis() - done;
        screen.say("Goes on with run %s: %d of %d jobs were submitted before"
                .formatted(settings.run(), before.size(), jobs.size()));
    }

    /** What an earlier process wrote down and YARN does not know was not submitted; that process is gone. */
    private void submitAgain() {
        for (JobRun job : jobs) {
            if (!stopped && job.mayNotHaveBeenSubmitted()) {
                if (job.submission().job().framework().outlivesThis()) {
                    // Its process may have outlived the dispatcher, and bring an application yet.
                    job.clientEnded(Optional.of("the dispatcher ended before an application of it was seen"));
                } else {
                    submit(job);
                }
            }
        }
    }

    private boolean isOver() {
        return jobs.stream().allMatch(JobRun::isOver);
    }

    private long nextDue() {
        return jobs.stream().filter(this::mayBegin).mapToLong(this::due).min().orElse(Long.MAX_VALUE);
    }

    private long due(JobRun job) {
        return began + job.submission().at().toMillis();
    }

    private void submitWhatIsDue() {
        for (JobRun job : jobs) {
            if (!stopped && mayBegin(job) && due(job) <= pace.millis()) {
                submit(job);
            }
        }
    }

    private void submit(JobRun job) {
        Submission submission = job.submission();
        Client.Order order = new Client.Order(
                submission,
                settings.places().filled(submission.job(), settings.places().output(submission.instance())),
                submission.job().queue().orElse(settings.queue()),
                Tags.of(settings.run(), submission, settings.tags()),
                directory.log(Integer.toString(submission.instance())),
                false);
        Client client = clients.get(submission.job().framework());
        long now = pace.millis();
        journal.write(Entry.of(Event.SUBMITTING, now, submission.instance(), Optional.empty()));
        job.submit(now);
        threads.execute(() -> {
            ends.add(new ClientEnd(job, failureOf(client, order)));
            pace.wake();
        });
    }

    /** Whatever a client throws is the end of its job, not of the run. */
    static Optional<String> failureOf(Client client, Client.Order order) {
        try {
            client.submit(order);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("was interrupted");
        } catch (Exception | LinkageError e) {
            Throwable cause = e;
            while (cause.getCause() != null && cause instanceof ReflectiveOperationException) {
                cause = cause.getCause();
            }
            return Optional.of(cause.getMessage() == null ? cause.toString() : cause.getMessage());
        }
    }

    private void takeClientEnds() {
        for (ClientEnd end = ends.poll(); end != null; end = ends.poll()) {
            JobRun job = end.job();
            job.clientEnded(end.failure());
            int instance = job.submission().instance();
            journal.write(Entry.of(Event.CLIENT_ENDED, pace.millis(), instance, end.failure()));
            end.failure()
                    .ifPresent(failure -> screen.say("The client of job %d (%s) failed: %s"
                            .formatted(instance, job.submission().job().workload(), firstLine(failure))));
        }
    }

    private static String firstLine(String text) {
        return text.strip().lines().findFirst().orElse("no reason is given");
    }

    /** A ResourceManager that does not answer is asked again; jobs are submitted meanwhile. */
    private void look() {
        try {
            for (Application application : yarn.applications(settings.run())) {
                take(application);
            }
            submitAgain();
            jobs.stream().filter(job -> job.submitted().isPresent()).forEach(JobRun::lookedAt);
            capacity = Optional.of(yarn.capacity());
            silence = Optional.empty();
        } catch (RmException e) {
            if (silence.isEmpty()) {
                screen.say(e.getMessage());
            }
            silence = Optional.of(e.getMessage());
        }
    }

    private void take(Application application) {
        int instance = application.instance().orElse(-1);
        if (instance < 0 || instance >= jobs.size()) {
            return;
        }
        JobRun job = jobs.get(instance);
        job.seen(application);
        if (!application.isOver()) {
            containers(application).forEach(job::seen);
        } else if (journalled.add(application.id())) {
            journal.write(Entry.of(pace.millis(), instance, application, job.containersOf(application)));
        }
    }

    private Collection<Yarn.Container> containers(Application application) {
        try {
            return yarn.containers(application);
        } catch (RmException e) {
            // It has ended since, or the next look will do better.
            return new ArrayList<>();
        }
    }

    private void report() {
        screen.progress(
                jobs.size(),
                (int) jobs.stream().filter(job -> job.submitted().isPresent()).count(),
                (int) jobs.stream().filter(JobRun::isOver).count(),
                (int) jobs.stream().filter(JobRun::hasFailed).count());
    }
}
