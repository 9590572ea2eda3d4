package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.control.Change;
import org.interference.yarn.nm.control.CoreSet;

/** Confines one container and waits to be killed. */
final class ConfiningMain {
    private ConfiningMain() {}

    /** Usage: {@code ConfiningMain JOURNAL CONTAINER PID}. */
    public static void main(String[] args) throws IOException {
        ProcFiles proc = new ProcFiles(Path.of("/proc"), Path.of("/sys"));
        ContainerGroups groups = ContainerGroups.open(proc, new KernelFiles(), Path.of(args[0]), List.of());
        groups.apply(new Change.Cores(args[1], Optional.of(CoreSet.parse("0")), "test"), Long.parseLong(args[2]));
        System.out.println("confined");
        while (true) {
            LockSupport.park();
        }
    }
}
