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
import java.util.stream.Stream;

/** hibench-configs/workloads.tsv, which says of every workload of HiBench what stands in for it. Immutable. */
record WorkloadTable(List<WorkloadEntry> workloads) {
    private static final Set<String> COLUMNS =
            Set.of("family", "workload", "framework", "hibench", "data", "program", "tiny", "small", "large", "note");

    WorkloadTable {
        workloads = List.copyOf(workloads);
    }

    static WorkloadTable read(Path file) throws InputException {
        return of(lines(file), file.toString());
    }

    static WorkloadTable of(List<String> lines, String file) throws InputException {
        List<WorkloadEntry> workloads = new ArrayList<>();
        for (Tsv.Row row : Tsv.read(lines, file, COLUMNS, COLUMNS)) {
            workloads.add(workload(row));
        }
        return new WorkloadTable(workloads);
    }

    private static WorkloadEntry workload(Tsv.Row row) throws InputException {
        Map<ScaleProfile, List<String>> arguments = new EnumMap<>(ScaleProfile.class);
        for (ScaleProfile scale : ScaleProfile.values()) {
            arguments.put(scale, Words.of(row, row.field(scale.label()).orElse("")));
        }
        return new WorkloadEntry(
                row.required("family"),
                row.required("workload"),
                Framework.of(row, "framework"),
                row.field("hibench"),
                row.field("data"),
                row.field("program"),
                arguments);
    }

    /** Returns the workloads whose path, kind or folder in HiBench {@code glob} names; a star stands for any characters. */
    List<WorkloadEntry> named(String glob) {
        List<String> parts = List.of(glob.split("\\*", -1));
        return workloads.stream()
                .filter(workload -> !workload.isData())
                .filter(workload -> Stream.concat(
                                Stream.of(workload.path(), workload.kind()), workload.hibench().stream())
                        .anyMatch(name -> matches(parts, name)))
                .toList();
    }

    /**
     * Returns whether {@code text} is {@code parts} with any characters between each two. Each inner part is taken where it first
     * occurs, so the time is linear, whatever glob a job list has; a regular expression would go back at each star.
     */
    private static boolean matches(List<String> parts, String text) {
        String first = parts.get(0);
        String last = parts.get(parts.size() - 1);
        if (parts.size() == 1) {
            return text.equals(first);
        }
        int end = text.length() - last.length();
        int position = first.length();
        if (!text.startsWith(first) || !text.endsWith(last)) {
            return false;
        }
        for (String part : parts.subList(1, parts.size() - 1)) {
            int found = text.indexOf(part, position);
            if (found < 0) {
                return false;
            }
            position = found + part.length();
        }
        return position <= end;
    }

    /** Returns what makes the data set {@code name}. */
    Optional<WorkloadEntry> data(String name) {
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
