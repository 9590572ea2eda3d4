package org.interference.yarn.nm.control;

import java.util.Objects;
import org.interference.yarn.signal.WorkClass;

/** A class of work, and why: the figure against its bound. */
public record Classified(WorkClass workClass, String reason) {
    public Classified {
        Objects.requireNonNull(workClass, "workClass is null");
        Objects.requireNonNull(reason, "reason is null");
    }

    static Classified by(boolean inputOutput, String reason) {
        return new Classified(inputOutput ? WorkClass.IO_INTENSIVE : WorkClass.CPU_INTENSIVE, reason);
    }

    static Classified not(String reason) {
        return new Classified(WorkClass.UNCLASSIFIED, reason);
    }
}
