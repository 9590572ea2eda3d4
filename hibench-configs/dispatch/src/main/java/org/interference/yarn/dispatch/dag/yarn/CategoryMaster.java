package org.interference.yarn.dispatch.dag.yarn;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.NMTokenCache;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.interference.yarn.dispatch.dag.Needs;
import org.interference.yarn.dispatch.dag.Rule;
import org.interference.yarn.dispatch.dag.RuleEnd;
import org.interference.yarn.dispatch.dag.RuleEnd.Outcome;

/**
 * The ApplicationMaster of one category, in a thread of this process, which YARN does not manage. {@link #start} and {@link #end} may be
 * called by any thread.
 */
final class CategoryMaster implements Runnable {
    /**
     * What it is submitted as. Immutable.
     *
     * @param name of the category, and of the application
     */
    record Category(String name, String queue, List<String> tags) {}

    private enum Ending {
        NONE,
        COMPLETE,
        STOPPED
    }

    private record Asked(Rule rule, ContainerRequest request) {}

    private record Running(Rule rule, String where) {}

    private static final long HEARTBEAT_MILLIS = 500;
    private static final long LONGEST_END_SECONDS = 15;

    private final Configuration conf;
    private final YarnClient client;
    private final Category category;
    private final RuleLaunch launch;
    private final Consumer<RuleEnd> ends;
    private final LinkedBlockingQueue<Rule> wanted = new LinkedBlockingQueue<>();
    private final CountDownLatch toldToEnd = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Ending ending = Ending.NONE;
    private Optional<String> broken = Optional.empty();

    /** What follows is the thread's own. Of one priority, YARN has requests of one size. */
    private final Map<Needs, Integer> priorities = new HashMap<>();

    private final Map<Integer, Deque<Asked>> asked = new HashMap<>();
    private final Map<ContainerId, Running> running = new HashMap<>();
    private int taken;
    private int succeeded;
    private int failed;

    CategoryMaster(
            Configuration conf, YarnClient client, Category category, RuleLaunch launch, Consumer<RuleEnd> ends) {
        this.conf = conf;
        this.client = client;
        this.category = category;
        this.launch = launch;
        this.ends = ends;
    }

    void start(Rule rule) {
        Optional<String> gone;
        synchronized (this) {
            gone = broken;
            if (gone.isEmpty()) {
                wanted.add(rule);
            }
        }
        gone.ifPresent(said -> ends.accept(new RuleEnd(rule, Outcome.FAILED, "nowhere", said)));
    }

    void end(boolean complete) {
        ending = complete ? Ending.COMPLETE : Ending.STOPPED;
        toldToEnd.countDown();
    }

    /** Returns when YARN knows that it is over, or does not answer. */
    void awaitEnd() {
        try {
            boolean ended = over.await(LONGEST_END_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                // YARN ends an application that is silent for long.
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        try {
            ApplicationId application = submit();
            boolean unregistered = false;
            try {
                asMaster(application);
                unregistered = true;
            } finally {
                if (!unregistered) {
                    client.killApplication(application);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | YarnException | RuntimeException e) {
            breakDown("the application of category %s cannot go on: %s".formatted(category.name(), firstLine(e)));
        } finally {
            over.countDown();
        }
    }

    private void breakDown(String said) {
        List<Rule> lost = new ArrayList<>();
        synchronized (this) {
            broken = Optional.of(said);
            wanted.drainTo(lost);
        }
        asked.values().forEach(waiting -> waiting.forEach(one -> lost.add(one.rule())));
        running.values().forEach(one -> lost.add(one.rule()));
        lost.forEach(rule -> ends.accept(new RuleEnd(rule, Outcome.FAILED, "nowhere", said)));
    }

    private static String firstLine(Exception e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        return message.strip().lines().findFirst().orElse("no reason is given");
    }

    private ApplicationId submit() throws IOException, YarnException {
        ApplicationSubmissionContext submission = client.createApplication().getApplicationSubmissionContext();
        submission.setApplicationName(category.name());
        submission.setApplicationTags(new HashSet<>(category.tags()));
        submission.setQueue(category.queue());
        submission.setUnmanagedAM(true);
        submission.setMaxAppAttempts(1);
        submission.setPriority(Priority.newInstance(0));
        submission.setResource(Resource.newInstance(1, 1));
        submission.setAMContainerSpec(
                ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), null, launch.tokens(), null));
        return client.submitApplication(submission);
    }

    private void asMaster(ApplicationId application) throws IOException, YarnException, InterruptedException {
        UserGroupInformation user = UserGroupInformation.createRemoteUser(
                UserGroupInformation.getCurrentUser().getUserName());
        user.addToken(token(application));
        user.doAs((PrivilegedExceptionAction<Void>) () -> {
            master();
            return null;
        });
    }

    /** YARN hands the token out once it has made the attempt. */
    private Token<AMRMTokenIdentifier> token(ApplicationId application)
            throws IOException, YarnException, InterruptedException {
        Token<AMRMTokenIdentifier> token = client.getAMRMToken(application);
        while (token == null) {
            boolean told = toldToEnd.await(HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS);
            if (told || client.getApplicationReport(application).getFinishTime() > 0) {
                throw new IOException("it was ended before it began");
            }
            token = client.getAMRMToken(application);
        }
        return token;
    }

    private void master() throws IOException, YarnException, InterruptedException {
        // The default is one for the whole process.
        NMTokenCache tokens = new NMTokenCache();
        try (AMRMClient<ContainerRequest> scheduler = AMRMClient.createAMRMClient();
                NMClient nodes = NMClient.createNMClient()) {
            scheduler.setNMTokenCache(tokens);
            nodes.setNMTokenCache(tokens);
            scheduler.init(conf);
            scheduler.start();
            nodes.init(conf);
            nodes.start();
            Resource largest = scheduler.registerApplicationMaster("", 0, "").getMaximumResourceCapability();
            ByteBuffer credentials = launch.tokens();
            while (ending == Ending.NONE) {
                ask(scheduler, largest);
                AllocateResponse response = scheduler.allocate((float) (succeeded + failed) / Math.max(1, taken));
                for (Container container : response.getAllocatedContainers()) {
                    allocated(container, scheduler, nodes, credentials);
                }
                response.getCompletedContainersStatuses().forEach(this::completed);
            }
            scheduler.unregisterApplicationMaster(finalStatus(), "", "");
        }
    }

    private FinalApplicationStatus finalStatus() {
        if (ending == Ending.STOPPED) {
            return FinalApplicationStatus.KILLED;
        }
        return failed == 0 ? FinalApplicationStatus.SUCCEEDED : FinalApplicationStatus.FAILED;
    }

    /** Waits for rules until the next heartbeat is due. */
    private void ask(AMRMClient<ContainerRequest> scheduler, Resource largest) throws InterruptedException {
        List<Rule> rules = new ArrayList<>();
        Rule first = wanted.poll(HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS);
        if (first != null) {
            rules.add(first);
            wanted.drainTo(rules);
        }
        for (Rule rule : rules) {
            taken++;
            Needs needs = rule.needs();
            if (needs.cores() > largest.getVirtualCores() || needs.memoryMb() > largest.getMemorySize()) {
                end(
                        rule,
                        Outcome.FAILED,
                        "nowhere",
                        "wants %d cores and %d MB, but containers of this queue have at most %d and %d MB"
                                .formatted(
                                        needs.cores(),
                                        needs.memoryMb(),
                                        largest.getVirtualCores(),
                                        largest.getMemorySize()));
            } else {
                int priority = priorities.computeIfAbsent(needs, absent -> priorities.size() + 1);
                ContainerRequest request = new ContainerRequest(
                        Resource.newInstance(needs.memoryMb(), needs.cores()),
                        null,
                        null,
                        Priority.newInstance(priority));
                asked.computeIfAbsent(priority, absent -> new ArrayDeque<>()).add(new Asked(rule, request));
                scheduler.addContainerRequest(request);
            }
        }
    }

    private void allocated(
            Container container, AMRMClient<ContainerRequest> scheduler, NMClient nodes, ByteBuffer credentials) {
        Deque<Asked> waiting = asked.getOrDefault(container.getPriority().getPriority(), new ArrayDeque<>());
        if (waiting.isEmpty()) {
            scheduler.releaseAssignedContainer(container.getId());
            return;
        }
        Asked next = waiting.remove();
        scheduler.removeContainerRequest(next.request());
        String where =
                "%s on %s".formatted(container.getId(), container.getNodeId().getHost());
        try {
            ContainerLaunchContext context = launch.of(next.rule(), credentials);
            running.put(container.getId(), new Running(next.rule(), where));
            nodes.startContainer(container, context);
        } catch (IOException | YarnException e) {
            // The node is to blame unless there was nothing yet to start.
            boolean started = running.remove(container.getId()) != null;
            scheduler.releaseAssignedContainer(container.getId());
            end(next.rule(), started ? Outcome.LOST : Outcome.FAILED, where, firstLine(e));
        }
    }

    private void completed(ContainerStatus status) {
        Running one = running.remove(status.getContainerId());
        if (one != null) {
            Outcome outcome = RuleStatus.outcome(status.getExitStatus());
            end(
                    one.rule(),
                    outcome,
                    one.where(),
                    outcome == Outcome.SUCCEEDED
                            ? ""
                            : RuleStatus.said(one.rule(), status.getExitStatus(), status.getDiagnostics()));
        }
    }

    private void end(Rule rule, Outcome outcome, String where, String said) {
        succeeded += outcome == Outcome.SUCCEEDED ? 1 : 0;
        failed += outcome == Outcome.FAILED ? 1 : 0;
        taken -= outcome == Outcome.LOST ? 1 : 0;
        ends.accept(new RuleEnd(rule, outcome, where, said));
    }
}
