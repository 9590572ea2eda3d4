package org.interference.yarn.dispatch;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.interference.yarn.cli.rm.RmException;

/** Kills what a run has submitted. */
final class Killer {
    private Killer() {}

    /** Asks the ResourceManager to kill every application of the run that is not over, and returns their ids. */
    static List<String> kill(Yarn yarn, String run, Configuration conf) throws RmException, IOException {
        List<String> killed = yarn.applications(run).stream()
                .filter(application -> !application.isOver())
                .map(Application::id)
                .toList();
        try (YarnClient client = YarnClient.createYarnClient()) {
            client.init(conf);
            client.start();
            for (String id : killed) {
                client.killApplication(ApplicationId.fromString(id));
            }
        } catch (YarnException e) {
            throw new IOException("the ResourceManager does not kill it: " + e.getMessage(), e);
        }
        return killed;
    }
}
