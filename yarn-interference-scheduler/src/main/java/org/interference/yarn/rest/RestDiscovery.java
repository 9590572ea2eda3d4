package org.interference.yarn.rest;

import javax.ws.rs.core.FeatureContext;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWebServices;
import org.glassfish.jersey.internal.spi.AutoDiscoverable;

/**
 * Adds {@link InterferenceWebService} to the ResourceManager's web application, and to no other in the same JVM.
 *
 * <p>Jersey finds this class by {@code META-INF/services}. YARN's own setting for further resources
 * ({@code yarn.http.rmwebapp.external.classes}) does not reach Jersey in Hadoop 3.5.0 (ADR-0004).
 */
public final class RestDiscovery implements AutoDiscoverable {
    @Override
    public void configure(FeatureContext context) {
        boolean resourceManager =
                context.getConfiguration().getClasses().stream().anyMatch(RMWebServices.class::isAssignableFrom);
        if (resourceManager && !context.getConfiguration().isRegistered(InterferenceWebService.class)) {
            context.register(InterferenceWebService.class);
        }
    }
}
