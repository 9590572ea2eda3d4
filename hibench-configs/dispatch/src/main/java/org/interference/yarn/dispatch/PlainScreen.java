package org.interference.yarn.dispatch;

import java.io.PrintWriter;

/** Plain lines, for files and pipes. */
final class PlainScreen implements Screen {
    private final PrintWriter out;
    private String last = "";

    PlainScreen(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void say(String sentence) {
        out.println(sentence);
        out.flush();
    }

    @Override
    public void progress(int jobs, int submitted, int over, int failed) {
        String line = "%d of %d jobs submitted, %d over%s"
                .formatted(submitted, jobs, over, failed == 0 ? "" : ", %d of them failed".formatted(failed));
        if (!line.equals(last)) {
            last = line;
            say(line);
        }
    }

    @Override
    public void close() {
        out.flush();
    }
}
