package org.interference.yarn.dispatch;

import java.io.PrintWriter;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on a terminal, with what is said above it. */
final class BarScreen implements Screen {
    private final PrintWriter out;
    private final ProgressBar bar;

    BarScreen(PrintWriter out, int jobs) {
        this.out = out;
        this.bar = new ProgressBarBuilder()
                .setTaskName("dispatch")
                .setInitialMax(jobs)
                .setStyle(ProgressBarStyle.ASCII)
                .clearDisplayOnFinish()
                .build();
    }

    @Override
    public void say(String sentence) {
        out.println("\r\033[K" + sentence);
        out.flush();
    }

    @Override
    public void progress(int jobs, int submitted, int over, int failed) {
        bar.setExtraMessage("%d submitted%s".formatted(submitted, failed == 0 ? "" : ", %d failed".formatted(failed)));
        bar.stepTo(over);
    }

    @Override
    public void close() {
        bar.close();
    }
}
