package org.interference.yarn.rest;

import javax.inject.Inject;
import javax.inject.Named;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** As Jersey 2 makes it, by HK2, which knows the ResourceManager by a name: from Hadoop 3.5 on. */
@Path(RestResource.PATH)
@Produces(RestResource.JSON)
public final class Hk2WebService extends AdministrationWebService {
    @Inject
    public Hk2WebService(@Named("rm") ResourceManager resourceManager) {
        super(resourceManager);
    }
}
