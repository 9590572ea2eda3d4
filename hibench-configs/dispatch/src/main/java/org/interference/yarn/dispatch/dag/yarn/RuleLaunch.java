package org.interference.yarn.dispatch.dag.yarn;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.interference.yarn.dispatch.dag.FileUse;
import org.interference.yarn.dispatch.dag.Rule;

/** What a rule's container is launched with. Thread-safe. */
final class RuleLaunch {
    /** The kernel takes 128 kB for one argument. */
    private static final int LONGEST_SCRIPT = 120_000;

    private final Configuration conf;
    private final WorkflowFolder folder;

    RuleLaunch(Configuration conf, WorkflowFolder folder) {
        this.conf = conf;
        this.folder = folder;
    }

    /** Returns what lets containers read and write the workflow's folder; empty where nobody asks for it. */
    ByteBuffer tokens() throws IOException {
        Credentials credentials = new Credentials();
        TokenCache.obtainTokensForNamenodes(credentials, new Path[] {folder.path()}, conf);
        DataOutputBuffer out = new DataOutputBuffer();
        credentials.writeTokenStorageToStream(out);
        return ByteBuffer.wrap(out.getData(), 0, out.getLength());
    }

    /**
     * Makes the launch context. The script is encoded: YARN puts commands between double quotes, where the shell would read it once more.
     *
     * @throws IOException if a source is not there, or the script is too long
     */
    ContainerLaunchContext of(Rule rule, ByteBuffer tokens) throws IOException {
        String script = Base64.getEncoder().encodeToString(folder.script(rule).getBytes(StandardCharsets.UTF_8));
        if (script.length() > LONGEST_SCRIPT) {
            throw new IOException(
                    "its command and targets are %d bytes, more than a shell takes".formatted(script.length()));
        }
        String command = "exec /bin/bash <(echo %s | base64 -d) 1>%s/stdout 2>%s/stderr"
                .formatted(
                        script, ApplicationConstants.LOG_DIR_EXPANSION_VAR, ApplicationConstants.LOG_DIR_EXPANSION_VAR);
        return ContainerLaunchContext.newInstance(
                sources(rule), environment(), List.of(command), null, tokens.duplicate(), null);
    }

    private Map<String, LocalResource> sources(Rule rule) throws IOException {
        Map<String, LocalResource> sources = new HashMap<>();
        for (FileUse source : rule.sources()) {
            if (!source.isOfTheNode()) {
                sources.put(source.inside(), folder.resource(source.name()));
            }
        }
        return sources;
    }

    /** Hadoop's classes put targets into a folder of its file systems; what rules export is in the script. */
    private Map<String, String> environment() {
        return folder.here().isPresent()
                ? Map.of()
                : Map.of(
                        "CLASSPATH",
                        String.join(
                                ApplicationConstants.CLASS_PATH_SEPARATOR,
                                conf.getTrimmedStrings(
                                        YarnConfiguration.YARN_APPLICATION_CLASSPATH,
                                        YarnConfiguration.DEFAULT_YARN_CROSS_PLATFORM_APPLICATION_CLASSPATH)));
    }
}
