package org.interference.yarn.dispatch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;

/** The ResourceManager's REST interface. Not thread-safe. */
final class YarnRest implements Yarn {
    private final RmClient rm;

    YarnRest(RmClient rm) {
        this.rm = rm;
    }

    @Override
    public List<Application> applications(String run) throws RmException {
        List<Application> applications = new ArrayList<>();
        rm.ask(Question.cluster("apps").with("applicationTags", Tags.run(run)))
                .path("apps")
                .path("app")
                .forEach(app -> applications.add(Application.of(app)));
        return applications;
    }

    @Override
    public List<Container> containers(Application application) throws RmException {
        List<Container> containers = new ArrayList<>();
        JsonNode attempts = rm.ask(Question.cluster("apps", application.id(), "appattempts"))
                .path("appAttempts")
                .path("appAttempt");
        for (JsonNode attempt : attempts) {
            rm.ask(Question.cluster(
                            "apps",
                            application.id(),
                            "appattempts",
                            attempt.path("appAttemptId").asText(),
                            "containers"))
                    .path("container")
                    .forEach(container -> containers.add(new Container(
                            container.path("containerId").asText(),
                            container.path("assignedNodeId").asText())));
        }
        return containers;
    }

    @Override
    public Capacity capacity() throws RmException {
        JsonNode metrics = rm.ask(Question.cluster("metrics")).path("clusterMetrics");
        return new Capacity(
                metrics.path("activeNodes").asInt(),
                metrics.path("totalVirtualCores").asLong(),
                metrics.path("totalMB").asLong());
    }
}
