package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.inject.Inject;
import javax.inject.Named;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.DELETE;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.StreamingOutput;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.fault.Part;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.ProfileDocument;

/**
 * What the plugin knows and what an administrator may change, beside the ResourceManager's own REST and behind the same authentication.
 * The contract is openapi.yaml. Nothing thrown here reaches YARN. A method with a body takes the request, because the framework would read
 * from a stream before it is known who asks.
 */
@Path(InterferenceWebService.PATH)
@Produces(InterferenceWebService.JSON)
public class InterferenceWebService {
    static final String PATH = "/ws/v1/interference";
    static final String JSON = MediaType.APPLICATION_JSON + "; charset=utf-8";

    private static final List<String> PATHS = List.of(
            "signals",
            "nodes",
            "heatmap",
            "containers",
            "pairs",
            "profiles",
            "clusters",
            "model",
            "decisions",
            "shadow-report",
            "health",
            "config",
            "plan",
            "openapi.yaml",
            "ui");
    private static final int MOST_PLANNING_SECONDS = 10;
    private static final int LONGEST_ERROR = 500;
    /** What the fault is, is for the log: it may be of somebody else. */
    private static final String FAULT =
            "this failed by a fault of the plugin; the ResourceManager's log has it as incident %s";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** All ResourceManagers of a JVM share its processors and its memory. */
    private static final PlanTurns TURNS = new PlanTurns(System::nanoTime);

    /** For whoever may not view keys, each profile is named anew, whatever the page: of 100,000 that takes a part of a second. */
    static final Turns LISTING_PROFILES = new Turns(2, Duration.ofSeconds(1));

    private static final Semaphore IMPORTING = new Semaphore(1);

    private final ResourceManager resourceManager;

    @Context
    private HttpServletRequest request;

    @Inject
    public InterferenceWebService(@Named("rm") ResourceManager resourceManager) {
        this.resourceManager = resourceManager;
    }

    /** Makes an answer; what it throws becomes one. */
    @FunctionalInterface
    private interface Answer {
        ObjectNode of(Sources sources, Caller caller) throws IOException;
    }

    /** As {@link Answer}, for what is not made in memory. */
    @FunctionalInterface
    private interface Respondent {
        Response of(Sources sources, Caller caller) throws IOException;
    }

    /**
     * What was asked to be changed.
     *
     * @param what for the audit log
     */
    private record Change(String what, Function<Sources, ObjectNode> does) {}

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
    @Path("heatmap")
    public Response heatmap(
            @QueryParam("rows") @DefaultValue("100") String rows,
            @QueryParam("contains") @DefaultValue("") String contains) {
        return answer((sources, caller) ->
                new NodeAnswers(sources).heatmap(Page.number("rows", rows, 1, Page.MOST, 100), contains));
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
        return answer((sources, caller) -> new ContainerAnswers(sources, caller)
                .pairs(
                        Page.of(offset, limit),
                        new ContainerAnswers.Filter(
                                Optional.ofNullable(node), Optional.ofNullable(application), Optional.empty()),
                        Optional.ofNullable(container)));
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

    @DELETE
    @Path("profiles")
    public Response deleteProfile(@QueryParam("key") String key) {
        return change(
                "delete profile " + key,
                Response.Status.OK,
                what -> new Change(what, sources -> {
                    if (key == null || key.isEmpty()) {
                        throw RequestException.bad("key is missing: the profile to forget, as profiles answers it");
                    }
                    if (!sources.control().deleteProfile(key)) {
                        throw RequestException.notFound("there is no profile '%s'".formatted(key));
                    }
                    return Json.object().put("deleted", key);
                }));
    }

    @GET
    @Path("profiles/export")
    public Response exportProfiles() {
        return respond((sources, caller) -> {
            caller.requireAdministrator();
            return Response.ok(export(sources)).type(JSON).build();
        });
    }

    /** Writes one profile after the other: as a tree, or a text, they may take more than the ResourceManager has. */
    private static StreamingOutput export(Sources sources) {
        return out -> {
            try {
                ProfileDocument.writeOnOneLine(sources.profiles().all(), out);
            } catch (RuntimeException e) {
                // A part of it may have been sent.
                throw new IOException(
                        FAULT.formatted(sources.placement().gate().faults().note(Part.REST, e)), e);
            }
        };
    }

    @POST
    @Path("profiles/import")
    public Response importProfiles(@Context HttpServletRequest body) {
        return change(
                "import profiles",
                Response.Status.OK,
                what -> new Change(what, sources -> {
                    if (!IMPORTING.tryAcquire()) {
                        throw new RequestException(
                                Response.Status.CONFLICT, "other profiles are being brought in; ask again in a minute");
                    }
                    try {
                        List<TaskProfile> profiles =
                                new Body(body).profiles(sources.control().mostProfiles());
                        sources.control().importProfiles(profiles);
                        return Json.object().put("imported", profiles.size());
                    } catch (IOException e) {
                        throw RequestException.bad("not a document of profiles: " + firstLine(e));
                    } finally {
                        IMPORTING.release();
                    }
                }));
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

    @POST
    @Path("model/retrain")
    public Response retrain() {
        return change(
                "retrain",
                Response.Status.ACCEPTED,
                what -> new Change(what, sources -> {
                    if (!sources.control().retrain()) {
                        throw new RequestException(
                                Response.Status.CONFLICT,
                                "too few finished tasks were compared with their predictions to train on");
                    }
                    return Json.object().put("trigger", "ASKED");
                }));
    }

    @POST
    @Path("model/rollback")
    public Response rollBack(@Context HttpServletRequest body) {
        return change("roll back a model", Response.Status.OK, what -> {
            int version = Bodies.version(new Body(body).bytes(Body.SMALL));
            return new Change("roll back to model " + version, sources -> {
                if (!sources.control().rollBack(version)) {
                    throw RequestException.notFound("there is no version %d".formatted(version));
                }
                return Json.object().put("version", version);
            });
        });
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

    @PUT
    @Path("config")
    public Response changeConfig(@Context HttpServletRequest body) {
        return change("set settings", Response.Status.OK, what -> {
            Map<String, String> values = Bodies.settings(new Body(body).bytes(Body.SMALL));
            return new Change("set " + values, sources -> {
                sources.control().change(values);
                return new HealthAnswers(sources, Viewer.OF_ALL).config();
            });
        });
    }

    @PUT
    @Path("mode")
    public Response switchMode(@Context HttpServletRequest body) {
        return change("switch modes", Response.Status.OK, what -> {
            Bodies.NewMode wanted = Bodies.mode(new Body(body).bytes(Body.SMALL));
            String where = wanted.queue().map(queue -> " in " + queue).orElse("");
            return new Change("switch to " + Json.lowerCase(wanted.mode()) + where, sources -> {
                sources.control().switchTo(wanted.mode(), wanted.queue());
                return new HealthAnswers(sources, Viewer.OF_ALL).config();
            });
        });
    }

    /** Changes nothing, so it is for everybody. */
    @POST
    @Path("plan")
    public Response plan(
            @Context HttpServletRequest body,
            @QueryParam("solver") @DefaultValue("anneal") String solver,
            @QueryParam("seconds") @DefaultValue("1") String seconds,
            @QueryParam("seed") @DefaultValue("1") String seed,
            @QueryParam("degradation") @DefaultValue("table") String degradation,
            @QueryParam("contains") @DefaultValue("") String contains,
            @QueryParam("application") String application) {
        return answer((sources, caller) -> {
            caller.requireHeader();
            if (application != null && !caller.mayView(application)) {
                throw new RequestException(
                        Response.Status.FORBIDDEN, "%s is not an application that you may view".formatted(application));
            }
            PlanAnswers.Options options = new PlanAnswers.Options(
                    solver,
                    Duration.ofSeconds(Page.number("seconds", seconds, 1, MOST_PLANNING_SECONDS, 1)),
                    Page.number("seed", seed, 0, Integer.MAX_VALUE, 1),
                    oneOf("degradation", degradation, PlanAnswers.Source.class).orElseThrow(),
                    contains,
                    Optional.ofNullable(application));
            try (PlanTurns.Turn turn = TURNS.enter(caller.name())) {
                String file = new String(new Body(body).bytes(Body.SERVICES), StandardCharsets.UTF_8);
                turn.begin();
                return (ObjectNode) MAPPER.readTree(new PlanAnswers(sources, caller).plan(file, options));
            }
        });
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

    private Response answer(Answer answer) {
        return respond(Response.Status.OK, answer);
    }

    /** Reads what is to be changed. */
    @FunctionalInterface
    private interface Wanted {
        Change read(String what);
    }

    /**
     * Answers what an administrator has changed, and audits it, whatever came of it. Of whoever is none nothing is read.
     *
     * @param what for the audit log, as far as it is known without the body
     */
    private Response change(String what, Response.Status done, Wanted wanted) {
        return respond(done, (sources, caller) -> {
            caller.requireToChange(what);
            String known = what;
            try {
                Change change = wanted.read(what);
                known = change.what();
                ObjectNode changed = change.does().apply(sources);
                caller.changed(known);
                return changed;
            } catch (IllegalArgumentException | ConfigException e) {
                caller.refused(known, firstLine(e));
                throw RequestException.bad(firstLine(e));
            } catch (RequestException e) {
                caller.refused(known, firstLine(e));
                throw e;
            }
        });
    }

    private Response respond(Response.Status done, Answer answer) {
        return respond((sources, caller) -> Response.status(done)
                .entity(answer.of(sources, caller).toString())
                .type(JSON)
                .build());
    }

    @SuppressWarnings("CatchThrowable") // On the ResourceManager's web threads.
    private Response respond(Respondent respondent) {
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
            String number = sources.get().placement().gate().faults().note(Part.REST, e);
            return error(Response.Status.INTERNAL_SERVER_ERROR, FAULT.formatted(number));
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

    private static String firstLine(Throwable e) {
        String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return line.substring(0, Math.min(LONGEST_ERROR, line.length()));
    }

    private static Response error(Response.Status status, String message) {
        return Response.status(status)
                .type(JSON)
                .entity(Json.object().put("error", message).toString())
                .build();
    }
}
