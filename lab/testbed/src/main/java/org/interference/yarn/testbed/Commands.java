package org.interference.yarn.testbed;

import org.interference.yarn.demo.Progress;
import org.interference.yarn.testbed.cores.CoreRunCommand;
import org.interference.yarn.testbed.cores.CoreSummaryCommand;
import org.interference.yarn.testbed.services.ServiceRunCommand;
import org.interference.yarn.testbed.services.ServiceSummaryCommand;
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
        if (type == RunPlanCommand.class) {
            return type.cast(new RunPlanCommand(progress));
        }
        if (type == PrecisionCommand.class) {
            return type.cast(new PrecisionCommand(progress));
        }
        if (type == SummaryCommand.class) {
            return type.cast(new SummaryCommand(progress));
        }
        if (type == ServiceRunCommand.class) {
            return type.cast(new ServiceRunCommand(progress));
        }
        if (type == ServiceSummaryCommand.class) {
            return type.cast(new ServiceSummaryCommand(progress));
        }
        if (type == CoreRunCommand.class) {
            return type.cast(new CoreRunCommand(progress));
        }
        if (type == CoreSummaryCommand.class) {
            return type.cast(new CoreSummaryCommand(progress));
        }
        return CommandLine.defaultFactory().create(type);
    }
}
