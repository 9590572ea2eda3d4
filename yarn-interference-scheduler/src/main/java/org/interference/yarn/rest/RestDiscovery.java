package org.interference.yarn.rest;

import javax.ws.rs.core.FeatureContext;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWebServices;
import org.glassfish.jersey.internal.spi.AutoDiscoverable;

/**
 * Adds what the plugin answers to the ResourceManager's web application, and to no other in the same JVM.
 *
 * <p>Jersey finds this class by {@code META-INF/services}. YARN's own setting for further resources
 * ({@code yarn.http.rmwebapp.external.classes}) does not reach Jersey in Hadoop 3.5.0 (ADR-0004); before, it is the way
 * ({@link GuiceWebService}).
 */
public final class RestDiscovery implements AutoDiscoverable {
    @Override
    public void configure(FeatureContext context) {
        boolean resourceManager =
                context.getConfiguration().getClasses().stream().anyMatch(RMWebServices.class::isAssignableFrom);
        if (resourceManager && !context.getConfiguration().isRegistered(Hk2WebService.class)) {
            context.register(Hk2WebService.class);
        }
    }
}
