package org.interference.yarn.rest;

import java.util.LinkedHashSet;
import java.util.Set;
import javax.inject.Inject;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** As Jersey 1 makes it, by Guice, which knows the ResourceManager by its class: before Hadoop 3.5. */
@Path(RestResource.PATH)
@Produces(RestResource.JSON)
public final class GuiceWebService extends AdministrationWebService {
    @Inject
    public GuiceWebService(ResourceManager resourceManager) {
        super(resourceManager);
    }

    /** Has the ResourceManager that is configured by {@code conf} serve it; to be called before its web server starts. */
    public static void addTo(Configuration conf) {
        String key = YarnConfiguration.YARN_HTTP_WEBAPP_EXTERNAL_CLASSES;
        Set<String> classes = new LinkedHashSet<>(conf.getTrimmedStringCollection(key));
        classes.add(GuiceWebService.class.getName());
        conf.setStrings(key, classes.toArray(String[]::new));
    }
}
