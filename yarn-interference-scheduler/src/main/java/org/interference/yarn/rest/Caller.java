package org.interference.yarn.rest;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.core.Response;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.server.resourcemanager.RMAuditLogger;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;

/**
 * Who makes one request, and what YARN's ACLs let them see and do. Not thread-safe.
 *
 * <p>Seeing follows the ResourceManager's own REST, but that who is not authenticated is a stranger here where ACLs are on. Changing
 * follows {@code yarn rmadmin}: {@code yarn.admin.acl} decides, whether ACLs are on or not.
 */
final class Caller implements Viewer {
    /** No page of another site can send a header of its own choice, so a browser that is logged in cannot be used by one. */
    static final String XSRF_HEADER = "X-XSRF-Header";

    private static final String AUDITED = "InterferencePlugin";
    private static final int MOST_AUDITED = 500;
    private static final List<QueueACL> QUEUE_ACLS = List.of(QueueACL.SUBMIT_APPLICATIONS, QueueACL.ADMINISTER_QUEUE);

    private final ResourceManager resourceManager;
    private final HttpServletRequest request;
    private final Optional<UserGroupInformation> user;
    private final Map<String, Boolean> mayView = new HashMap<>();
    private final Map<String, Boolean> mayViewQueue = new HashMap<>();

    Caller(ResourceManager resourceManager, HttpServletRequest request) {
        this.resourceManager = resourceManager;
        this.request = request;
        this.user = Optional.ofNullable(request.getUserPrincipal())
                .map(principal -> UserGroupInformation.createRemoteUser(principal.getName()));
    }

    @Override
    public boolean mayView(String application) {
        return mayView.computeIfAbsent(application, this::isVisible);
    }

    private boolean isVisible(String application) {
        if (mayViewAll()) {
            return true;
        }
        if (user.isEmpty()) {
            return false;
        }
        RMApp app;
        try {
            app = resourceManager.getRMContext().getRMApps().get(ApplicationId.fromString(application));
        } catch (IllegalArgumentException e) {
            return false;
        }
        if (app == null) {
            // Nobody knows whose it was.
            return false;
        }
        String forwarded = request.getHeader("X-Forwarded-For");
        List<String> addresses = forwarded == null ? null : Arrays.asList(forwarded.split(",", -1));
        return resourceManager
                        .getApplicationACLsManager()
                        .checkAccess(user.get(), ApplicationAccessType.VIEW_APP, app.getUser(), app.getApplicationId())
                || resourceManager
                        .getQueueACLsManager()
                        .checkAccess(user.get(), QueueACL.ADMINISTER_QUEUE, app, request.getRemoteAddr(), addresses);
    }

    @Override
    public boolean mayViewAll() {
        return !resourceManager.getApplicationACLsManager().areACLsEnabled() || isAdministrator();
    }

    /** Follows the queue's own ACLs: whoever may submit to it or administer it knows that there is one. */
    @Override
    public boolean mayViewQueue(String queue) {
        return mayViewAll()
                || (user.isPresent()
                        && mayViewQueue.computeIfAbsent(queue, path -> QUEUE_ACLS.stream()
                                .anyMatch(acl ->
                                        resourceManager.getResourceScheduler().checkAccess(user.get(), acl, path))));
    }

    private boolean isAdministrator() {
        return user.isPresent() && resourceManager.getApplicationACLsManager().isAdmin(user.get());
    }

    /** @throws RequestException unless this is an administrator */
    void requireAdministrator() {
        if (isTheStaticUser()) {
            throw new RequestException(
                    Response.Status.FORBIDDEN, "on a secure cluster this needs a user who is authenticated");
        }
        if (!isAdministrator()) {
            throw new RequestException(
                    Response.Status.FORBIDDEN,
                    "this is for administrators (yarn.admin.acl), and %s is none"
                            .formatted(user.map(UserGroupInformation::getShortUserName)
                                    .orElse("who is not authenticated")));
        }
    }

    /** Returns whether the web server, having asked nobody who they are, took its default user. */
    private boolean isTheStaticUser() {
        Configuration conf = resourceManager.getConfig();
        return UserGroupInformation.isSecurityEnabled()
                && user.map(UserGroupInformation::getShortUserName)
                        .filter(name -> name.equals(conf.get(
                                CommonConfigurationKeys.HADOOP_HTTP_STATIC_USER,
                                CommonConfigurationKeys.DEFAULT_HADOOP_HTTP_STATIC_USER)))
                        .isPresent();
    }

    /** @throws RequestException unless this may change something, as far as that does not depend on what */
    void requireToChange(String what) {
        try {
            requireAdministrator();
            requireHeader();
        } catch (RequestException e) {
            refused(what, e.getMessage());
            throw e;
        }
    }

    /** @throws RequestException if a page of another site may have sent this */
    private void requireHeader() {
        String header = request.getHeader(XSRF_HEADER);
        if (header == null || header.isEmpty()) {
            throw new RequestException(
                    Response.Status.FORBIDDEN,
                    "the header %s is missing, with any value: it shows that no other site sent this"
                            .formatted(XSRF_HEADER));
        }
    }

    /** Writes into the ResourceManager's audit log that {@code what} was done. */
    void changed(String what) {
        RMAuditLogger.logSuccess(name(), oneLine(what), AUDITED);
    }

    /** Writes into the ResourceManager's audit log that {@code what} was not done. */
    void refused(String what, String why) {
        RMAuditLogger.logFailure(name(), oneLine(what), "", AUDITED, oneLine(why));
    }

    /** Returns who this is, for people; everybody who is not authenticated is one. */
    private String name() {
        return user.map(UserGroupInformation::getShortUserName).orElse("nobody");
    }

    /** The audit log has a line for each event, and tabs between its fields. */
    private static String oneLine(String text) {
        return text.substring(0, Math.min(MOST_AUDITED, text.length())).replaceAll("\\p{Cntrl}", " ");
    }
}
