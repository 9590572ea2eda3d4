package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is made and changed for each container: in the journal before it is done, and undone by it. Not thread-safe. */
final class ChangeLedger {
    private final ControlFiles files;
    private final Journal journal;
    private final Undoing undoing;

    /** The oldest first. */
    private final Map<String, List<Path>> ofContainer = new HashMap<>();

    ChangeLedger(ControlFiles files, Journal journal) {
        this.files = files;
        this.journal = journal;
        this.undoing = new Undoing(files);
    }

    /** Makes a group that no container has for itself. */
    void make(Path group, Path origin) throws IOException {
        journal.add(new Undo.Made(group, origin));
        files.make(group);
    }

    /** Makes a group for {@code container}; its processes are those of {@code origin}. */
    void make(String container, Path group, Path origin) throws IOException {
        remember(container, group);
        make(group, origin);
    }

    /**
     * A part of {@code file} is about to be written. In a group of ours no file needs undoing: the group goes as a whole.
     *
     * @param before what to write for what is there now
     */
    void change(String container, Path file, String part, String before) throws IOException {
        if (!Undoing.isOurs(file.getParent())) {
            remember(container, file);
            journal.add(new Undo.Changed(file, part, before));
        }
    }

    private void remember(String container, Path path) {
        List<Path> paths = ofContainer.computeIfAbsent(container, id -> new ArrayList<>());
        if (!paths.contains(path)) {
            paths.add(path);
        }
    }

    /** Returns the containers of which something is to be undone. */
    Set<String> containers() {
        return Set.copyOf(ofContainer.keySet());
    }

    /** Returns what was made or changed for {@code container}. */
    List<Path> of(String container) {
        return List.copyOf(ofContainer.getOrDefault(container, List.of()));
    }

    /** Undoes and forgets what was done to {@code paths}, which are some of the container's. */
    void undo(String container, Collection<Path> paths) throws IOException {
        undo(journal.entries().stream()
                .filter(entry -> paths.contains(entry.path()))
                .toList());
        ofContainer.computeIfPresent(container, (id, touched) -> {
            touched.removeAll(paths);
            return touched.isEmpty() ? null : touched;
        });
    }

    /** Returns what is to be undone that is no running container's: an earlier process has left it, and it could not be undone yet. */
    List<Path> leftovers() {
        return leftoverEntries().stream().map(Undo::path).toList();
    }

    /** Tries once more to undo what {@link #leftovers} names. */
    void undoLeftovers() throws IOException {
        undo(leftoverEntries());
    }

    private List<Undo> leftoverEntries() {
        return journal.entries().stream()
                .filter(entry -> !entry.path().endsWith(GroupFinder.TREE))
                .filter(entry -> ofContainer.values().stream().noneMatch(paths -> paths.contains(entry.path())))
                .toList();
    }

    /** Undoes everything, also what another process has left in the journal. */
    void undoAll() throws IOException {
        ofContainer.clear();
        undo(journal.entries());
    }

    /** The newest first. One that fails does not keep the others from being undone, but for the groups that it is in. */
    private void undo(List<Undo> entries) throws IOException {
        IOException failure = null;
        List<Path> left = new ArrayList<>();
        for (int i = entries.size() - 1; i >= 0; i--) {
            Undo undo = entries.get(i);
            Optional<Path> group = undo instanceof Undo.Made made ? Optional.of(made.path()) : Optional.empty();
            if (group.isPresent() && left.stream().anyMatch(below -> below.startsWith(group.get()))) {
                continue;
            }
            try {
                undoing.undo(undo);
                journal.undone(undo);
            } catch (IOException e) {
                failure = e;
                group.ifPresent(left::add);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
