package org.interference.yarn.dispatch.dag;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One rule of a workflow. Immutable.
 *
 * @param number its place in the file, from 0
 * @param line where it begins in the file, from 1
 * @param category the kind of task: the tag {@code ifc:<category>} that its profile is filed under
 * @param local whether it runs on the machine of the dispatcher, in the workflow's folder itself
 * @param environment what is exported to the command
 */
public record Rule(
        int number,
        int line,
        String category,
        Needs needs,
        boolean local,
        List<FileUse> targets,
        List<FileUse> sources,
        String command,
        Map<String, String> environment) {
    public Rule {
        targets = List.copyOf(targets);
        sources = List.copyOf(sources);
        environment = Map.copyOf(environment);
    }

    /** Returns all of it in one line of fields between tabs: two rules with the same text are the same rule. */
    String text() {
        return String.join(
                "\t",
                Integer.toString(number),
                Integer.toString(line),
                category,
                local ? "local" : "%d x %d MB".formatted(needs.cores(), needs.memoryMb()),
                names(targets),
                names(sources),
                environment.isEmpty() ? "-" : new TreeMap<>(environment).toString(),
                command);
    }

    private static String names(List<FileUse> files) {
        return files.isEmpty()
                ? "-"
                : files.stream()
                        .map(file ->
                                file.inside().equals(file.name()) ? file.name() : file.name() + "->" + file.inside())
                        .collect(Collectors.joining(" "));
    }
}
