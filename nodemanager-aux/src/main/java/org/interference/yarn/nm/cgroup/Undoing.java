package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Undoes what a journal says. What is gone already is undone. */
final class Undoing {
    /** What the names of containers' groups that we made begin with. */
    static final String OURS = "control_";

    /** A process may fork while the others are moved; its child is moved in the next round. */
    private static final int ROUNDS = 20;

    private final ControlFiles files;

    Undoing(ControlFiles files) {
        this.files = files;
    }

    /**
     * Undoes one entry.
     *
     * @throws IOException if it is not undone; another try may succeed
     */
    void undo(Undo undo) throws IOException {
        if (undo instanceof Undo.Changed changed) {
            if (files.exists(changed.path())) {
                files.write(changed.path(), changed.before());
            }
        } else if (undo instanceof Undo.Made made) {
            dissolve(made.path(), made.origin());
        }
    }

    private void dissolve(Path group, Path origin) throws IOException {
        for (Path below : files.below(group)) {
            if (isOurs(below)) {
                // Another NodeManager of this machine has containers in it, and removes it after them.
                return;
            }
            dissolve(below, origin);
        }
        IOException last = new IOException("processes are left in " + group);
        for (int round = 0; round < ROUNDS && files.exists(group); round++) {
            try {
                moveAll(group, living(origin));
                files.remove(group);
            } catch (IOException e) {
                last = e;
            }
        }
        if (files.exists(group)) {
            throw last;
        }
    }

    static boolean isOurs(Path group) {
        return group.getFileName().toString().startsWith(OURS);
    }

    /** YARN may have removed the origin with the container: what still runs of it goes to who is above. */
    private Path living(Path origin) {
        Path group = origin;
        while (!files.exists(group) && group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    private void moveAll(Path group, Path target) throws IOException {
        for (String pid : pids(files, group)) {
            move(files, pid, target);
        }
    }

    static List<String> pids(ControlFiles files, Path group) throws IOException {
        return files.read(processes(files, group))
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    /** Moves one process; one that has ended needs no moving. */
    static void move(ControlFiles files, String pid, Path target) throws IOException {
        try {
            files.write(processes(files, target), pid);
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No such process")) {
                throw e;
            }
        }
    }

    /** resctrl has threads where cgroups have processes. */
    private static Path processes(ControlFiles files, Path group) {
        Path tasks = group.resolve("tasks");
        Path processes = group.resolve("cgroup.procs");
        return files.exists(processes) || !files.exists(tasks) ? processes : tasks;
    }
}
