package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.StreamingOutput;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.ProfileDocument;

/**
 * What is for administrators alone: to change something, and to take all profiles out as they are. With what everybody may see it is one
 * resource, because Jersey 1 wants one for each path.
 */
public abstract class AdministrationWebService extends InterferenceWebService {
    private static final Semaphore IMPORTING = new Semaphore(1);

    AdministrationWebService(ResourceManager resourceManager) {
        super(resourceManager);
    }

    /**
     * What was asked to be changed.
     *
     * @param what for the audit log
     */
    private record Change(String what, Function<Sources, ObjectNode> does) {}

    @DELETE
    @Path("profiles")
    public Response deleteProfile(@QueryParam("key") String key) {
        return change("delete profile " + key, Response.Status.OK, sources -> {
            if (key == null || key.isEmpty()) {
                throw RequestException.bad("key is missing: the profile to forget, as profiles answers it");
            }
            if (!sources.control().deleteProfile(key)) {
                throw RequestException.notFound("there is no profile '%s'".formatted(key));
            }
            return Json.object().put("deleted", key);
        });
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
                ProfileDocument.writeOnOneLine(sources.learnt().profiles().all(), out);
            } catch (RuntimeException e) {
                // A part of it may have been sent.
                throw new IOException(noted(sources, e), e);
            }
        };
    }

    @POST
    @Path("profiles/import")
    public Response importProfiles(@Context HttpServletRequest body) {
        return change("import profiles", Response.Status.OK, sources -> {
            if (!IMPORTING.tryAcquire()) {
                throw new RequestException(
                        Response.Status.CONFLICT, "other profiles are being brought in; ask again in a minute");
            }
            try {
                List<TaskProfile> profiles =
                        new Body(body).profiles(sources.control().mostProfiles());
                return Json.object().put("imported", sources.control().importProfiles(profiles));
            } catch (IOException e) {
                throw RequestException.bad("not a document of profiles: " + firstLine(e));
            } finally {
                IMPORTING.release();
            }
        });
    }

    @POST
    @Path("model/retrain")
    public Response retrain() {
        return change("retrain", Response.Status.ACCEPTED, sources -> {
            if (!sources.control().retrain()) {
                throw new RequestException(
                        Response.Status.CONFLICT,
                        "too few finished tasks were compared with their predictions to train on");
            }
            return Json.object().put("trigger", "ASKED");
        });
    }

    @POST
    @Path("model/rollback")
    public Response rollBack(@Context HttpServletRequest body) {
        return change("roll back a model", body, small -> {
            int version = Bodies.version(small);
            return new Change("roll back to model " + version, sources -> {
                if (!sources.control().rollBack(version)) {
                    throw RequestException.notFound("there is no version %d".formatted(version));
                }
                return Json.object().put("version", version);
            });
        });
    }

    @PUT
    @Path("config")
    public Response changeConfig(@Context HttpServletRequest body) {
        return change("set settings", body, small -> {
            Map<String, String> values = Bodies.settings(small);
            return new Change("set " + values, sources -> {
                sources.control().change(values);
                return new HealthAnswers(sources, Viewer.OF_ALL).config();
            });
        });
    }

    @PUT
    @Path("mode")
    public Response switchMode(@Context HttpServletRequest body) {
        return change("switch modes", body, small -> {
            Bodies.NewMode wanted = Bodies.mode(small);
            String where = wanted.queue().map(queue -> " in " + queue).orElse("");
            return new Change("switch to " + Json.lowerCase(wanted.mode()) + where, sources -> {
                sources.control().switchTo(wanted.mode(), wanted.queue());
                return new HealthAnswers(sources, Viewer.OF_ALL).config();
            });
        });
    }

    private Response change(String what, Response.Status done, Function<Sources, ObjectNode> does) {
        return audited(what, done, () -> new Change(what, does));
    }

    private Response change(String what, HttpServletRequest body, Function<byte[], Change> reads) {
        return audited(what, Response.Status.OK, () -> reads.apply(new Body(body).bytes(Body.SMALL)));
    }

    /**
     * Answers what an administrator has changed, and audits it, whatever came of it. Of whoever is none nothing is read.
     *
     * @param what for the audit log, as far as it is known without the body
     * @param wanted reads what is to be changed
     */
    private Response audited(String what, Response.Status done, Supplier<Change> wanted) {
        return answer(done, (sources, caller) -> {
            caller.requireToChange(what);
            String known = what;
            try {
                Change change = wanted.get();
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
}
