package org.interference.yarn.nm.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Where a NodeManager has what node control needs.
 *
 * @param local the local directories
 * @param journalDirectories where node control's journal is; the first is written, in the others an earlier configuration may have left one
 * @param yarnsGroups the path of YARN's own groups below each hierarchy's root
 * @param foreignProcesses whether containers may run as other users than the NodeManager
 */
record NodeLayout(List<Path> local, List<Path> journalDirectories, String yarnsGroups, boolean foreignProcesses) {
    /** The recovery directory outlives the loss of a data disk, but only where recovery is on it is this NodeManager's own for sure. */
    static NodeLayout of(Configuration conf) {
        List<Path> local = directories(conf, YarnConfiguration.NM_LOCAL_DIRS);
        List<Path> journals = new ArrayList<>();
        if (conf.getBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, YarnConfiguration.DEFAULT_NM_RECOVERY_ENABLED)) {
            journals.addAll(directories(conf, YarnConfiguration.NM_RECOVERY_DIR));
        }
        local.stream().limit(1).forEach(journals::add);
        String executor = conf.get(YarnConfiguration.NM_CONTAINER_EXECUTOR, "");
        return new NodeLayout(
                local,
                List.copyOf(journals),
                conf.get(YarnConfiguration.NM_LINUX_CONTAINER_CGROUPS_HIERARCHY, "/hadoop-yarn"),
                executor.endsWith("LinuxContainerExecutor"));
    }

    private static List<Path> directories(Configuration conf, String name) {
        return Arrays.stream(conf.getTrimmedStrings(name))
                .map(directory ->
                        Path.of(new org.apache.hadoop.fs.Path(directory).toUri().getPath()))
                .toList();
    }
}
