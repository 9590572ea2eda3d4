package org.interference.yarn.demo;

import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.ResourceView;
import org.apache.hadoop.yarn.server.nodemanager.webapp.WebServer;
import org.apache.hadoop.yarn.server.security.ApplicationACLsManager;

/** A stock NodeManager without its web pages, which would displace the ResourceManager's in a shared process. */
final class PagelessNodeManager extends NodeManager {

    @Override
    protected WebServer createWebServer(
            Context context, ResourceView view, ApplicationACLsManager acls, LocalDirsHandlerService directories) {
        return new SilentWebServer(context, view, acls, directories);
    }

    private static final class SilentWebServer extends WebServer {
        SilentWebServer(
                Context context, ResourceView view, ApplicationACLsManager acls, LocalDirsHandlerService directories) {
            super(context, view, acls, directories);
        }

        @Override
        protected void serviceStart() {
            // Nothing listens; the node reports port 0.
        }

        @Override
        protected void serviceStop() {
            // Nothing was started.
        }
    }
}
