package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Undoes what a journal says. What is gone already is undone. */
final class Undoing {
    /** What the names of containers' groups that we made begin with. */
    static final String OURS = "control_";

    /** In a cpuset group. */
    static final String CPUS = "cpuset.cpus";

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
                restore(changed);
            }
        } else if (undo instanceof Undo.Made made) {
            dissolve(made.path(), made.origin());
        }
    }

    private void restore(Undo.Changed changed) throws IOException {
        if (changed.path().endsWith(CPUS) && changed.before().isBlank()) {
            inherit(files, changed.path().getParent());
        } else if (DiskLimits.isPerDevice(changed.path())) {
            DiskLimits.write(files, changed.path(), changed.before());
        } else {
            files.write(changed.path(), changed.before());
        }
    }

    /**
     * Lets a group of version 2 use what its parent may. That is what an empty {@code cpuset.cpus} says, which the kernel refuses while
     * there are processes in the group.
     */
    static void inherit(ControlFiles files, Path group) throws IOException {
        Path cpus = group.resolve(CPUS);
        try {
            files.write(cpus, "\n");
        } catch (IOException e) {
            Path parents = group.resolveSibling(CPUS + ".effective");
            if (!files.exists(parents)) {
                throw e;
            }
            files.write(cpus, files.read(parents).strip());
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
        widen(group);
        IOException last = new IOException("processes are left in " + group);
        for (int round = 0; round < ROUNDS && files.exists(group); round++) {
            try {
                moveAll(group, origin);
                files.remove(group);
            } catch (IOException e) {
                last = e;
            }
        }
        if (files.exists(group)) {
            throw last;
        }
    }

    /**
     * Gives the processes of a cpuset all cores of its parent before they are moved out. The kernel does not look again at the cores of a
     * process that its parent was forking while that was moved to the root ({@code cpuset_fork} returns for the top cpuset): it would stay
     * confined for as long as it lives.
     */
    private void widen(Path group) {
        Path cpus = group.resolve(CPUS);
        if (!isOurs(group) || !files.exists(cpus)) {
            return;
        }
        Path effective = group.resolveSibling(CPUS + ".effective");
        Path parents = files.exists(effective) ? effective : group.resolveSibling(CPUS);
        try {
            files.write(cpus, files.read(parents).strip());
        } catch (IOException e) {
            // Moving gives the cores back to all but such a process.
        }
    }

    static boolean isOurs(Path group) {
        return group.getFileName().toString().startsWith(OURS);
    }

    private void moveAll(Path group, Path origin) throws IOException {
        for (String pid : pids(files, group)) {
            moveUp(pid, origin);
        }
    }

    /**
     * Moves a process to its origin. That may have been removed since, or take no processes any more because version 2 has groups with
     * controllers below it; then it goes to the next above that takes it, which the root does.
     */
    private void moveUp(String pid, Path origin) throws IOException {
        IOException refusal = new NoSuchFileException(origin.toString());
        for (Path target = origin; target != null; target = target.getParent()) {
            if (files.exists(processes(target))) {
                try {
                    move(files, pid, target);
                    return;
                } catch (IOException e) {
                    refusal = e;
                }
            }
        }
        throw refusal;
    }

    static List<String> pids(ControlFiles files, Path group) throws IOException {
        return files.read(processes(group))
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    /** Moves one process; one that has ended needs no moving. */
    static void move(ControlFiles files, String pid, Path target) throws IOException {
        try {
            files.write(processes(target), pid);
        } catch (IOException e) {
            if (files.isRunning(pid)) {
                throw e;
            }
        }
    }

    private static Path processes(Path group) {
        return group.resolve("cgroup.procs");
    }
}
