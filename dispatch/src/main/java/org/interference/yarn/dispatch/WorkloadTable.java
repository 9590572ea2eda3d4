package org.interference.yarn.dispatch;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** hibench-configs/workloads.tsv, which says of every workload of HiBench what stands in for it. Immutable. */
record WorkloadTable(List<Workload> workloads) {
    private static final Set<String> COLUMNS =
            Set.of("family", "workload", "framework", "hibench", "data", "program", "tiny", "small", "large", "note");

    WorkloadTable {
        workloads = List.copyOf(workloads);
    }

    static WorkloadTable read(Path file) throws InputException {
        return of(lines(file), file.toString());
    }

    static WorkloadTable of(List<String> lines, String file) throws InputException {
        List<Workload> workloads = new ArrayList<>();
        for (Tsv.Row row : Tsv.read(lines, file, COLUMNS, COLUMNS)) {
            workloads.add(workload(row));
        }
        return new WorkloadTable(workloads);
    }

    private static Workload workload(Tsv.Row row) throws InputException {
        Map<Scale, List<String>> arguments = new EnumMap<>(Scale.class);
        for (Scale scale : Scale.values()) {
            arguments.put(scale, Words.of(row, row.field(scale.label()).orElse("")));
        }
        return new Workload(
                row.required("family"),
                row.required("workload"),
                Framework.of(row, "framework"),
                row.field("hibench"),
                row.field("data"),
                row.field("program"),
                arguments);
    }

    /** Returns the workloads whose path or kind {@code glob} names; a star stands for any characters. */
    List<Workload> named(String glob) {
        Pattern pattern = Pattern.compile(List.of(glob.split("\\*", -1)).stream()
                .map(Pattern::quote)
                .reduce((a, b) -> a + ".*" + b)
                .orElseThrow());
        return workloads.stream()
                .filter(workload -> !workload.isData())
                .filter(workload -> pattern.matcher(workload.path()).matches()
                        || pattern.matcher(workload.kind()).matches())
                .toList();
    }

    /** Returns what makes the data set {@code name}. */
    Optional<Workload> data(String name) {
        return workloads.stream()
                .filter(workload -> workload.isData() && workload.name().equals(name))
                .findFirst();
    }

    /** Reads a text file that the user named. */
    static List<String> lines(Path file) throws InputException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new InputException("%s: there is no such file".formatted(file), e);
        } catch (MalformedInputException e) {
            throw new InputException("%s: is not text in UTF-8".formatted(file), e);
        } catch (IOException e) {
            throw new InputException("%s: cannot be read (%s)".formatted(file, e.getMessage()), e);
        }
    }
}
