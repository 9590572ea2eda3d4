package org.interference.yarn.dispatch.dag.yarn;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.interference.yarn.dispatch.dag.Rule;
import org.interference.yarn.dispatch.dag.RuleEnd;
import org.interference.yarn.dispatch.dag.RuleRunner;

/**
 * Runs rules as containers: one application for each category, so that what its tag says is said of each of its containers. Its
 * ApplicationMaster is this process: none takes a container, and Capacity's limit of masters does not limit rules. Thread-safe.
 */
public final class RuleContainers implements RuleRunner {
    /**
     * How applications are submitted. Immutable.
     *
     * @param tags of a category
     */
    public record Submission(String queue, Function<String, List<String>> tags) {}

    private final Configuration conf;
    private final YarnClient client;
    private final Submission submission;
    private final WorkflowFolder folder;
    private final Consumer<RuleEnd> ends;
    private final Map<String, CategoryMaster> masters = new ConcurrentHashMap<>();

    /**
     * Connects to YARN, and submits nothing yet.
     *
     * @param ends takes how rules ended, from threads of this class
     */
    public RuleContainers(Configuration conf, Submission submission, WorkflowFolder folder, Consumer<RuleEnd> ends) {
        this.conf = conf;
        this.submission = submission;
        this.folder = folder;
        this.ends = ends;
        this.client = YarnClient.createYarnClient();
        client.init(conf);
        client.start();
    }

    @Override
    public void start(Rule rule) {
        masters.computeIfAbsent(rule.category(), this::master).start(rule);
    }

    private CategoryMaster master(String category) {
        CategoryMaster master = new CategoryMaster(
                conf,
                client,
                new CategoryMaster.Category(
                        category,
                        submission.queue(),
                        List.copyOf(submission.tags().apply(category))),
                new RuleLaunch(conf, folder),
                ends);
        Thread thread = new Thread(master, "master of " + category);
        thread.setDaemon(true);
        thread.start();
        return master;
    }

    @Override
    public void close(boolean complete) {
        masters.values().forEach(master -> master.end(complete));
        masters.values().forEach(CategoryMaster::awaitEnd);
        client.stop();
    }
}
