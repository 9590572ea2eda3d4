package org.interference.yarn.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Settings that a file has and nobody reads: misspelt ones, and those of an earlier version. Stateless. */
public final class UnknownSettings {
    private static final int DOTS = 3;

    private UnknownSettings() {}

    /**
     * Returns a sentence for each name that is in a stage of {@code known} ({@code yarn.interference.STAGE.}) and is not one of them, in
     * the order of names. One file serves ResourceManagers and NodeManagers, so that names of other stages are none of ours.
     *
     * @param set names and values as the files have them; for Hadoop, a {@code Configuration}
     */
    public static List<String> among(
            Iterable<Map.Entry<String, String>> set, Collection<? extends ConfigKey<?>> known) {
        Set<String> names = known.stream().map(ConfigKey::name).collect(Collectors.toSet());
        Set<String> stages = names.stream().map(UnknownSettings::stage).collect(Collectors.toSet());
        List<String> unknown = new ArrayList<>();
        for (Map.Entry<String, String> entry : set) {
            String name = entry.getKey();
            if (stages.contains(stage(name)) && !names.contains(name)) {
                unknown.add(name + " is no setting (any more) and has no effect");
            }
        }
        unknown.sort(null);
        return unknown;
    }

    private static String stage(String name) {
        int end = -1;
        for (int i = 0; i < DOTS; i++) {
            end = name.indexOf('.', end + 1);
            if (end < 0) {
                return "";
            }
        }
        return name.substring(0, end);
    }
}
