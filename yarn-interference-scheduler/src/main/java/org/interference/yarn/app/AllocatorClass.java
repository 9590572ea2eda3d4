package org.interference.yarn.app;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.interference.yarn.hadoop.HadoopLine;
import org.interference.yarn.place.yarn.InterferenceAppPlacementAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has YARN use our allocator for every application. Thread-safe. */
final class AllocatorClass {
    private static final Logger LOG = LoggerFactory.getLogger(AllocatorClass.class);
    private static final String OURS = InterferenceAppPlacementAllocator.class.getName();
    /** The name of the variable of an application's environment. */
    private static final String BEFORE_3_4 = "APPLICATION_PLACEMENT_TYPE_CLASS";

    private final RMContext rmContext;
    private final HadoopLine line;
    private volatile Optional<String> replaced = Optional.empty();

    AllocatorClass(RMContext rmContext, HadoopLine line) {
        this.rmContext = rmContext;
        this.line = line;
    }

    /** Puts it into the ResourceManager's configuration, in the place of the operator's own if there is one. */
    void set(Configuration conf) {
        replaced = Optional.ofNullable(conf.get(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS))
                .filter(configured -> !configured.equals(OURS))
                .map(configured -> "%s is %s, which is not used: the plugin replaces it with its own"
                        .formatted(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS, configured));
        replaced.ifPresent(LOG::warn);
        conf.set(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS, OURS);
    }

    /** Puts it into an application of which YARN is about to add an attempt: Hadoop 3.3 asks nothing else. */
    void set(ApplicationId application) {
        RMApp app = line == HadoopLine.V3_3 ? rmContext.getRMApps().get(application) : null;
        if (app != null) {
            app.getApplicationSchedulingEnvs().putIfAbsent(BEFORE_3_4, OURS);
        }
    }

    /** Returns what is said of the operator's own; empty if there was none. */
    Optional<String> replaced() {
        return replaced;
    }
}
