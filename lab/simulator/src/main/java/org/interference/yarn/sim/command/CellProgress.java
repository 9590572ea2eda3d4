package org.interference.yarn.sim.command;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far the runs are, on a terminal's standard error; elsewhere it is silent. */
final class CellProgress implements AutoCloseable {
    /** Set by bin/interference, which can tell whether standard error is a terminal. */
    private static final String TERMINAL = "interference.progress";

    private final ProgressBar bar;

    private CellProgress(ProgressBar bar) {
        this.bar = bar;
    }

    static CellProgress of(int runs) {
        if (!Boolean.getBoolean(TERMINAL)) {
            return new CellProgress(null);
        }
        return new CellProgress(new ProgressBarBuilder()
                .setTaskName("simulate")
                .setInitialMax(runs)
                .setStyle(ProgressBarStyle.ASCII)
                .clearDisplayOnFinish()
                .build());
    }

    void begin(String world, String policy) {
        if (bar != null) {
            bar.setExtraMessage(world + ", " + policy);
        }
    }

    void done() {
        if (bar != null) {
            bar.step();
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
