package org.interference.yarn.testbed;

import org.interference.yarn.demo.Progress;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes the commands, which all write to one screen. */
final class Commands implements IFactory {
    private final Progress progress;

    Commands(Progress progress) {
        this.progress = progress;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        if (type == RunCommand.class) {
            return type.cast(new RunCommand(progress));
        }
        if (type == PlanCommand.class) {
            return type.cast(new PlanCommand(progress));
        }
        if (type == SummaryCommand.class) {
            return type.cast(new SummaryCommand(progress));
        }
        return CommandLine.defaultFactory().create(type);
    }
}
