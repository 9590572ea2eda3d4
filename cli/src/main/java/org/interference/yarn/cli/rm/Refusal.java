package org.interference.yarn.cli.rm;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.HttpURLConnection;
import java.net.URI;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/** What a reply that is no answer means, and what to do about it. Pure. */
final class Refusal {
    private static final int TOO_LARGE = 413;
    private static final int TOO_MANY = 429;
    private static final int WRONG_TYPE = 415;

    private Refusal() {}

    /** Returns the object that {@code reply} is. */
    static JsonNode orAnswer(URI rm, Reply reply) throws RmException {
        if (!reply.isSuccess()) {
            throw of(rm, reply);
        }
        return reply.json()
                .orElseThrow(() -> RmException.failed(
                        ("%s answers with %s, which the plugin does not: is it the" + " ResourceManager's web address?")
                                .formatted(rm, reply.contentType())));
    }

    static RmException noTicket(URI rm, AuthenticationException e) {
        Throwable first = e;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return RmException.failed(
                "%s asks for a Kerberos ticket and got none that it takes (%s): run kinit, klist shows what there is"
                        .formatted(rm, first.getMessage()),
                e);
    }

    private static RmException of(URI rm, Reply reply) {
        String error = reply.error().orElse("");
        return switch (reply.status()) {
            case HttpURLConnection.HTTP_BAD_REQUEST, TOO_LARGE, WRONG_TYPE ->
                RmException.badQuestion(error.isEmpty() ? "%s refuses this (%d)".formatted(rm, reply.status()) : error);
            case HttpURLConnection.HTTP_UNAUTHORIZED ->
                RmException.failed(
                        reply.asksForKerberos()
                                ? "%s does not take your Kerberos ticket (401): run kinit, klist shows what there is"
                                        .formatted(rm)
                                : "%s does not take a user's bare name (401), and asks for nothing that this program can give"
                                        .formatted(rm));
            case HttpURLConnection.HTTP_FORBIDDEN ->
                RmException.failed("%s refuses this (403): %s"
                        .formatted(
                                rm,
                                error.isEmpty()
                                        ? "no reason is given; yarn.admin.acl names the administrators"
                                        : error));
            case HttpURLConnection.HTTP_NOT_FOUND ->
                error.isEmpty()
                        ? RmException.failed(
                                ("%s answers without the interference plugin (404): is it the ResourceManager's"
                                                + " web address, and the plugin's jar in its class path?")
                                        .formatted(rm))
                        : RmException.badQuestion(error);
            case HttpURLConnection.HTTP_UNAVAILABLE ->
                RmException.failed(
                        "%s answers (503): %s; yarn.resourcemanager.scheduler.class must name one of its schedulers"
                                .formatted(rm, error.isEmpty() ? "the interference plugin does not run" : error));
            default -> unexpected(rm, reply, error);
        };
    }

    private static RmException unexpected(URI rm, Reply reply, String error) {
        if (reply.isRedirect()) {
            return RmException.failed(
                    "%s redirects to %s, which is no ResourceManager: --rm must name the ResourceManager itself"
                            .formatted(rm, reply.location().orElse("nowhere")));
        }
        if ((reply.status() == HttpURLConnection.HTTP_CONFLICT || reply.status() == TOO_MANY) && !error.isEmpty()) {
            return RmException.failed(error);
        }
        return RmException.failed("%s failed (%d%s): the ResourceManager's log says more"
                .formatted(rm, reply.status(), error.isEmpty() ? "" : ", " + error));
    }
}
