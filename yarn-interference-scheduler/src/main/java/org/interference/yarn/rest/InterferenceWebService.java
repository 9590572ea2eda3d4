package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.inject.Inject;
import javax.inject.Named;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** What the plugin knows, read-only, beside the ResourceManager's own REST and behind the same authentication. */
@Path(InterferenceWebService.PATH)
@Produces(MediaType.APPLICATION_JSON + "; charset=utf-8")
public class InterferenceWebService {
    static final String PATH = "/ws/v1/interference";
    private static final List<String> PATHS =
            List.of("nodes", "containers", "profiles", "clusters", "model", "decisions", "shadow-report", "health");
    private static final int MOST_DECISIONS = 10_000;

    private final ResourceManager resourceManager;

    @Inject
    public InterferenceWebService(@Named("rm") ResourceManager resourceManager) {
        this.resourceManager = resourceManager;
    }

    @GET
    public Response index() {
        ObjectNode index = JsonNodeFactory.instance.objectNode();
        ObjectNode paths = index.putObject("paths");
        PATHS.forEach(path -> paths.put(path, PATH + "/" + path));
        return Response.ok(index.toString()).build();
    }

    @GET
    @Path("nodes")
    public Response nodes() {
        return answer(Answers::nodes);
    }

    @GET
    @Path("containers")
    public Response containers() {
        return answer(Answers::containers);
    }

    @GET
    @Path("profiles")
    public Response profiles() {
        return answer(Answers::profiles);
    }

    @GET
    @Path("clusters")
    public Response clusters() {
        return answer(Answers::clusters);
    }

    @GET
    @Path("model")
    public Response model() {
        return answer(Answers::model);
    }

    @GET
    @Path("decisions")
    public Response decisions(@QueryParam("limit") @DefaultValue("100") String limit) {
        int most;
        try {
            most = Integer.parseInt(limit);
        } catch (NumberFormatException e) {
            most = 0;
        }
        if (most < 1 || most > MOST_DECISIONS) {
            return error(
                    Response.Status.BAD_REQUEST,
                    "limit is '%s' but must be a whole number from 1 to %d (default: 100)"
                            .formatted(limit, MOST_DECISIONS));
        }
        int newest = most;
        return answer(answers -> answers.decisions(newest));
    }

    @GET
    @Path("shadow-report")
    public Response shadowReport() {
        return answer(Answers::shadowReport);
    }

    @GET
    @Path("health")
    public Response health() {
        return answer(Answers::health);
    }

    private Response answer(Function<Answers, ObjectNode> path) {
        Optional<Sources> sources =
                resourceManager.getResourceScheduler() instanceof RestHost host ? host.restSources() : Optional.empty();
        if (sources.isEmpty()) {
            return error(
                    Response.Status.SERVICE_UNAVAILABLE, "the interference plugin is not running in this scheduler");
        }
        try {
            return Response.ok(path.apply(new Answers(sources.get())).toString())
                    .build();
        } catch (RuntimeException e) {
            sources.get().placement().failed(e);
            return error(Response.Status.INTERNAL_SERVER_ERROR, e.toString());
        }
    }

    private static Response error(Response.Status status, String message) {
        return Response.status(status)
                .entity(JsonNodeFactory.instance
                        .objectNode()
                        .put("error", message)
                        .toString())
                .build();
    }
}
