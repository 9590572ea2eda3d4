package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.interference.yarn.place.Ranking;

/**
 * What the plugin knows, beside the ResourceManager's own REST and behind the same authentication. The contract is openapi.yaml. What
 * administrators may change is in {@link AdministrationWebService}.
 */
public abstract class InterferenceWebService extends RestResource {
    private static final List<String> PATHS = List.of(
            "signals",
            "nodes",
            "heatmap",
            "capacity",
            "relocations",
            "groups",
            "containers",
            "pairs",
            "traffic",
            "profiles",
            "clusters",
            "model",
            "decisions",
            "shadow-report",
            "health",
            "config",
            "plan-inputs",
            "advice/kinds",
            "advice/nodes",
            "openapi.yaml",
            "ui");

    /** For whoever may not view keys, each profile is named anew, whichever are answered: of 100,000 that takes a part of a second. */
    static final Turns LISTING_PROFILES = new Turns(2, Duration.ofSeconds(1));

    InterferenceWebService(ResourceManager resourceManager) {
        super(resourceManager);
    }

    @GET
    public Response index() {
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        PATHS.forEach(path -> paths.put(path, PATH + "/" + path));
        return Response.ok(index.toString()).build();
    }

    @GET
    @Path("signals")
    public Response signals() {
        return answer((sources, caller) -> SignalAnswers.signals());
    }

    @GET
    @Path("nodes")
    public Response nodes(
            @QueryParam("offset") @DefaultValue("0") String offset,
            @QueryParam("limit") @DefaultValue("100") String limit,
            @QueryParam("state") String state,
            @QueryParam("contains") @DefaultValue("") String contains) {
        return answer((sources, caller) -> new NodeAnswers(sources)
                .nodes(Page.of(offset, limit), oneOf("state", state, NodeAnswers.State.class), contains));
    }

    @GET
    @Path("nodes/{node}")
    public Response node(@PathParam("node") String node) {
        return answer((sources, caller) -> {
            ObjectNode answer = Json.object();
            answer.set("node", new NodeAnswers(sources).node(node));
            answer.set("containers", new ContainerAnswers(sources, caller).on(node));
            return answer;
        });
    }

    @GET
    @Path("nodes/{node}/history")
    public Response history(@PathParam("node") String node) {
        return answer((sources, caller) -> new NodeAnswers(sources).history(node));
    }

    @GET
    @Path("heatmap")
    public Response heatmap(
            @QueryParam("rows") @DefaultValue("100") String rows,
            @QueryParam("contains") @DefaultValue("") String contains) {
        return answer((sources, caller) ->
                new NodeAnswers(sources).heatmap(Page.number("rows", rows, 1, Page.MOST, 100), contains));
    }

    @GET
    @Path("capacity")
    public Response capacity(
            @QueryParam("offset") @DefaultValue("0") String offset,
            @QueryParam("limit") @DefaultValue("100") String limit,
            @QueryParam("contains") @DefaultValue("") String contains) {
        return answer((sources, caller) -> new CapacityAnswers(sources).capacity(Page.of(offset, limit), contains));
    }

    @GET
    @Path("relocations")
    public Response relocations(
            @QueryParam("offset") @DefaultValue("0") String offset,
            @QueryParam("limit") @DefaultValue("100") String limit,
            @QueryParam("application") String application) {
        return answer((sources, caller) -> new RelocationAnswers(sources, caller)
                .relocations(Page.of(offset, limit), Optional.ofNullable(application)));
    }

    @GET
    @Path("groups")
    public Response groups(
            @QueryParam("offset") @DefaultValue("0") String offset,
            @QueryParam("limit") @DefaultValue("100") String limit,
            @QueryParam("application") String application) {
        return answer((sources, caller) ->
                new GroupAnswers(sources, caller).groups(Page.of(offset, limit), Optional.ofNullable(application)));
    }

    @GET
    @Path("containers")
    public Response containers(
            @QueryParam("offset") @DefaultValue("0") String offset,
            @QueryParam("limit") @DefaultValue("100") String limit,
            @QueryParam("node") String node,
            @QueryParam("application") String application,
            @QueryParam("state") String state) {
        return answer((sources, caller) -> new ContainerAnswers(sources, caller)
                .containers(
                        Page.of(offset, limit),
                        new ContainerAnswers.Filter(
                                Optional.ofNullable(node),
                                Optional.ofNullable(application),
                                oneOf("state", state, ContainerAnswers.State.class))));
    }

    @GET
    @Path("containers/{container}/history")
    public Response use(@PathParam("container") String container) {
        return answer((sources, caller) -> new UseAnswers(sources, caller).history(container));
    }

    @GET
    @Path("containers/{container}/explain")
    public Response explain(@PathParam("container") String container) {
        return answer((sources, caller) -> new ContainerAnswers(sources, caller).explain(container));
    }

    @GET
    @Path("pairs")
    public Response pairs(
            @QueryParam("offset") @DefaultValue("0") String offset,
            @QueryParam("limit") @DefaultValue("100") String limit,
            @QueryParam("node") String node,
            @QueryParam("application") String application,
            @QueryParam("container") String container) {
        return answer((sources, caller) -> new PairAnswers(sources, caller)
                .pairs(
                        Page.of(offset, limit),
                        new PairAnswers.Filter(
                                Optional.ofNullable(node),
                                Optional.ofNullable(application),
                                Optional.ofNullable(container))));
    }

    @GET
    @Path("traffic")
    public Response traffic(
            @QueryParam("offset") @DefaultValue("0") String offset,
            @QueryParam("limit") @DefaultValue("100") String limit,
            @QueryParam("node") String node,
            @QueryParam("application") String application) {
        return answer((sources, caller) -> new TrafficAnswers(sources, caller)
                .traffic(
                        Page.of(offset, limit),
                        new TrafficAnswers.Filter(Optional.ofNullable(node), Optional.ofNullable(application))));
    }

    @GET
    @Path("profiles")
    public Response profiles(
            @QueryParam("offset") @DefaultValue("0") String offset,
            @QueryParam("limit") @DefaultValue("100") String limit,
            @QueryParam("contains") @DefaultValue("") String contains) {
        return answer((sources, caller) -> profiles(sources, caller, Page.of(offset, limit), contains));
    }

    static ObjectNode profiles(Sources sources, Viewer viewer, Page page, String contains) {
        return LISTING_PROFILES.take(() -> new ProfileAnswers(sources, viewer).profiles(page, contains));
    }

    @GET
    @Path("clusters")
    public Response clusters() {
        return answer((sources, caller) -> new ProfileAnswers(sources, caller).clusters());
    }

    @GET
    @Path("model")
    public Response model() {
        return answer((sources, caller) -> new ModelAnswers(sources, caller).model());
    }

    @GET
    @Path("decisions")
    public Response decisions(
            @QueryParam("offset") @DefaultValue("0") String offset,
            @QueryParam("limit") @DefaultValue("100") String limit,
            @QueryParam("application") String application,
            @QueryParam("reason") String reason) {
        return answer((sources, caller) -> new DecisionAnswers(sources, caller)
                .decisions(
                        Page.of(offset, limit),
                        Optional.ofNullable(application),
                        oneOf("reason", reason, Ranking.Reason.class)));
    }

    @GET
    @Path("shadow-report")
    public Response shadowReport(@QueryParam("from") String from, @QueryParam("to") String to) {
        return answer((sources, caller) ->
                new DecisionAnswers(sources, caller).shadowReport(instant("from", from), instant("to", to)));
    }

    @GET
    @Path("health")
    public Response health() {
        return answer((sources, caller) -> new HealthAnswers(sources, caller).health());
    }

    @GET
    @Path("config")
    public Response config() {
        return answer((sources, caller) -> new HealthAnswers(sources, caller).config());
    }

    @GET
    @Path("plan-inputs")
    public Response planInputs(
            @QueryParam("profile") List<String> profiles,
            @QueryParam("application") String application,
            @QueryParam("contains") @DefaultValue("") String contains) {
        return answer((sources, caller) -> LISTING_PROFILES.take(() -> new PlanInputAnswers(sources, caller)
                .inputs(new PlanInputAnswers.Wanted(
                        Set.copyOf(profiles), Optional.ofNullable(application), contains))));
    }

    @GET
    @Path("advice/kinds")
    public Response adviceOnKinds(
            @QueryParam("offset") @DefaultValue("0") String offset,
            @QueryParam("limit") @DefaultValue("100") String limit,
            @QueryParam("contains") @DefaultValue("") String contains) {
        return answer((sources, caller) -> LISTING_PROFILES.take(
                () -> new AdviceAnswers(sources, caller).kinds(Page.of(offset, limit), contains)));
    }

    @GET
    @Path("advice/nodes")
    public Response adviceOnNodes(
            @QueryParam("preparation") @DefaultValue("300") String preparation,
            @QueryParam("use") @DefaultValue("80") String use) {
        return answer((sources, caller) -> LISTING_PROFILES.take(() -> new NodeAdviceAnswers(sources)
                .nodes(
                        Duration.ofSeconds(Page.number("preparation", preparation, 1, 86_400, 300)),
                        Page.number("use", use, 1, 100, 80) / 100.0)));
    }

    @GET
    @Path("openapi.yaml")
    @Produces("application/yaml; charset=utf-8")
    public Response openApi() {
        return file("openapi.yaml", "application/yaml");
    }

    @GET
    @Path("ui")
    @Produces(MediaType.TEXT_HTML + "; charset=utf-8")
    public Response page() {
        return file("ui/index.html", MediaType.TEXT_HTML);
    }

    @GET
    @Path("ui/{file}")
    @Produces({"text/javascript; charset=utf-8", "text/css; charset=utf-8", "image/svg+xml", JSON})
    public Response pageFile(@PathParam("file") String file) {
        if (!file.matches("[a-z]+[.](js|css|svg)")) {
            return error(Response.Status.NOT_FOUND, "the page has no file '%s'".formatted(file));
        }
        String type = file.endsWith(".js") ? "text/javascript" : file.endsWith(".css") ? "text/css" : "image/svg+xml";
        return file("ui/" + file, type);
    }

    private static Response file(String name, String type) {
        try (InputStream in = InterferenceWebService.class.getResourceAsStream(name)) {
            if (in == null) {
                return error(Response.Status.NOT_FOUND, "there is no file '%s'".formatted(name));
            }
            return Response.ok(in.readAllBytes(), type + "; charset=utf-8")
                    .header("Content-Security-Policy", "default-src 'self'; frame-ancestors 'self'")
                    .header("X-Content-Type-Options", "nosniff")
                    .header("Cache-Control", "no-cache")
                    .build();
        } catch (IOException e) {
            return error(Response.Status.INTERNAL_SERVER_ERROR, firstLine(e));
        }
    }

    private static <E extends Enum<E>> Optional<E> oneOf(String name, String raw, Class<E> type) {
        if (raw == null) {
            return Optional.empty();
        }
        boolean upperCase = type == Ranking.Reason.class;
        Function<E, String> written = constant -> upperCase ? constant.name() : Json.lowerCase(constant);
        return Optional.of(Arrays.stream(type.getEnumConstants())
                .filter(constant -> written.apply(constant).equals(raw))
                .findFirst()
                .orElseThrow(() -> RequestException.bad("%s is '%s' but must be one of %s"
                        .formatted(
                                name,
                                raw,
                                Arrays.stream(type.getEnumConstants())
                                        .map(written)
                                        .collect(Collectors.joining(", "))))));
    }

    private static Optional<Instant> instant(String name, String raw) {
        if (raw == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    OffsetDateTime.parse(raw.toUpperCase(Locale.ROOT)).toInstant());
        } catch (DateTimeException e) {
            throw RequestException.bad("%s is '%s' but must be a time as 2026-01-31T12:00:00Z".formatted(name, raw));
        }
    }
}
