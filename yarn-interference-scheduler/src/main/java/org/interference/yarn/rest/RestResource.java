package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.interference.yarn.fault.Part;

/**
 * How a request is answered: from the scheduler that runs, in JSON. What is thrown on the way becomes an answer, and does not reach YARN. A
 * method with a body takes the request, because the framework would read from a stream before it is known who asks.
 */
abstract class RestResource {
    static final String PATH = "/ws/v1/interference";
    static final String JSON = MediaType.APPLICATION_JSON + "; charset=utf-8";

    private static final int LONGEST_ERROR = 500;

    private final ResourceManager resourceManager;

    @Context
    private HttpServletRequest request;

    RestResource(ResourceManager resourceManager) {
        this.resourceManager = resourceManager;
    }

    /** Makes an answer; what it throws becomes one. */
    @FunctionalInterface
    interface Answer {
        ObjectNode of(Sources sources, Caller caller) throws IOException;
    }

    /** As {@link Answer}, for what is not made in memory. */
    @FunctionalInterface
    interface Respondent {
        Response of(Sources sources, Caller caller) throws IOException;
    }

    Response answer(Answer answer) {
        return answer(Response.Status.OK, answer);
    }

    Response answer(Response.Status done, Answer answer) {
        return respond((sources, caller) -> Response.status(done)
                .entity(answer.of(sources, caller).toString())
                .type(JSON)
                .build());
    }

    @SuppressWarnings("CatchThrowable") // On the ResourceManager's web threads.
    Response respond(Respondent respondent) {
        Optional<Sources> sources =
                resourceManager.getResourceScheduler() instanceof RestHost host ? host.restSources() : Optional.empty();
        if (sources.isEmpty()) {
            return error(
                    Response.Status.SERVICE_UNAVAILABLE, "the interference plugin is not running in this scheduler");
        }
        try {
            return respondent.of(sources.get(), new Caller(resourceManager, request));
        } catch (RequestException e) {
            return error(e.status(), firstLine(e));
        } catch (Throwable e) {
            return error(Response.Status.INTERNAL_SERVER_ERROR, noted(sources.get(), e));
        }
    }

    /** Logs a fault, and returns what is said of it: what it is, is for the log, because it may be of somebody else. */
    static String noted(Sources sources, Throwable fault) {
        return "this failed by a fault of the plugin; the ResourceManager's log has it as incident %s"
                .formatted(sources.placement().gate().faults().note(Part.REST, fault));
    }

    static String firstLine(Throwable e) {
        String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return line.substring(0, Math.min(LONGEST_ERROR, line.length()));
    }

    static Response error(Response.Status status, String message) {
        return error(status.getStatusCode(), message);
    }

    private static Response error(int status, String message) {
        return Response.status(status)
                .type(JSON)
                .entity(Json.object().put("error", message).toString())
                .build();
    }
}
