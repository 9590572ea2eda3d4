package org.interference.yarn.sim.faults;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.LocalConfigurationProvider;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The files that ResourceManagers of this thread's life read again when they become active, and when somebody asks them to. Made by YARN, by
 * reflection.
 */
public final class SettingsFiles extends LocalConfigurationProvider {
    private static final ThreadLocal<byte[]> SITE = new ThreadLocal<>();
    private static final Configuration DEFAULTS = new YarnConfiguration();
    private static final String WRONG = "yarn.interference.place.time-share";

    /** Writes the settings, and the shares of the queues. */
    static void write(Configuration settings, FaultPlan plan, List<Integer> weights, boolean wrong, Path allocations) {
        Configuration site = new Configuration(false);
        for (Map.Entry<String, String> entry : settings) {
            if (!entry.getValue().equals(DEFAULTS.getRaw(entry.getKey()))) {
                site.set(entry.getKey(), entry.getValue());
            }
        }
        queues(site, plan, weights, allocations);
        if (wrong) {
            site.set(WRONG, "5%");
        }
        try {
            ByteArrayOutputStream xml = new ByteArrayOutputStream();
            site.writeXml(xml);
            SITE.set(xml.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets the shares of the queues as the ResourceManager of the plan is to have them. */
    static void queues(Configuration site, FaultPlan plan, List<Integer> weights, Path allocations) {
        StringBuilder xml = new StringBuilder("<allocations>");
        for (int queue = 0; queue < FaultPlan.QUEUES; queue++) {
            String name = queue(queue);
            site.set("yarn.scheduler.capacity.root." + name + ".capacity", weights.get(queue) + "w");
            xml.append("<queue name=\"%s\"><weight>%d</weight></queue>".formatted(name, weights.get(queue)));
        }
        if (plan.kind().isFair()) {
            try {
                Files.writeString(allocations, xml.append("</allocations>").toString(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            site.set("yarn.scheduler.fair.allocation.file", allocations.toString());
        }
    }

    static String queue(int index) {
        return "abc".substring(index, index + 1);
    }

    static void forget() {
        SITE.remove();
    }

    @Override
    public InputStream getConfigurationInputStream(Configuration settings, String file) {
        return switch (file) {
            case YarnConfiguration.YARN_SITE_CONFIGURATION_FILE, YarnConfiguration.CS_CONFIGURATION_FILE ->
                SITE.get() == null ? null : new ByteArrayInputStream(SITE.get());
            default -> null;
        };
    }
}
