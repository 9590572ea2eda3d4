package org.interference.yarn.benchmarks.corun;

import java.nio.file.Path;

/** Works without end until killed. Arguments: the kind, the counter's file, a directory of its own. */
public final class JvmContender {
    @SuppressWarnings("UnusedVariable") // Written, so that no compiler leaves the work out.
    private static volatile long result;

    private JvmContender() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 3) {
            throw new IllegalArgumentException("usage: JvmContender jvm-mapreduce|jvm-sort COUNTER DIRECTORY");
        }
        WorkCounter counter = WorkCounter.in(Path.of(arguments[1]));
        switch (arguments[0]) {
            case "jvm-mapreduce" -> countWords(WordCountTask.in(Path.of(arguments[2]), counter));
            case "jvm-sort" -> sort(new SortTask(), counter);
            default ->
                throw new IllegalArgumentException(
                        "The kind is '" + arguments[0] + "' but must be jvm-mapreduce or jvm-sort");
        }
    }

    private static void countWords(WordCountTask task) throws Exception {
        while (true) {
            task.runOne();
        }
    }

    private static void sort(SortTask task, WorkCounter counter) {
        while (true) {
            result = task.sortOne();
            counter.add(1);
        }
    }
}
